"""What clients of an API version can see of a resource."""

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from openplaybook.resources.unseen_fields import Unseen, is_extension
from openplaybook.wire.api import Api
from openplaybook.wire.versions import BETA, stable_name


def unseen_by(api: Api, version: str) -> Unseen:
    """Which fields of beta messages callers of `version` cannot see: ours, and for a stable version those it lacks."""
    if version not in BETA:
        return is_extension
    numbers: dict[str, set[int]] = {}

    def is_unseen(field: FieldDescriptor) -> bool:
        message = field.containing_type
        assert message is not None, "only fields of messages are checked"
        if message.full_name not in numbers:
            numbers[message.full_name] = _stable_numbers(api, message)
        return is_extension(field) or field.number not in numbers[message.full_name]

    return is_unseen


def _stable_numbers(api: Api, message: Descriptor) -> set[int]:
    """Numbers of the fields that the stable version has of a beta message; of one that both share, all."""
    stable = stable_name(message.full_name)
    try:
        fields = message.fields if stable is None else api.message(stable).DESCRIPTOR.fields
    except KeyError:
        return set()
    return {one.number for one in fields}
