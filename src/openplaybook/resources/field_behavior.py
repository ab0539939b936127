"""What `google.api.field_behavior` asks of a server (https://google.aip.dev/203).

REQUIRED fields must not be empty; OUTPUT_ONLY fields are ours to fill. Strings, bytes and messages can be told
to be missing. Numbers, booleans and enumerations cannot (their zero may be meant), and a required list may be
empty: exported examples without actions exist.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from openplaybook.resources.errors import MissingFields
from openplaybook.resources.message_fields import copy_field, descriptor_of, is_message, is_set
from openplaybook.resources.unseen_fields import is_extension

_POSITION = re.compile(r"\[\d+\]")
_CAN_BE_MISSING = (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES, FieldDescriptor.TYPE_MESSAGE)


@dataclass(frozen=True, slots=True)
class _Rules:
    """The fields of one message type that matter here."""

    required: tuple[FieldDescriptor, ...]
    output_only: tuple[FieldDescriptor, ...]
    parts: tuple[FieldDescriptor, ...]
    """Fields to look into."""


@cache
def _rules(descriptor: Descriptor) -> _Rules:
    behaviors = {field: _behavior(field) for field in descriptor.fields}
    required = [field for field, words in behaviors.items() if field_behavior_pb2.REQUIRED in words]
    output_only = tuple(field for field, words in behaviors.items() if field_behavior_pb2.OUTPUT_ONLY in words)
    return _Rules(
        required=tuple(field for field in required if not field.is_repeated and field.type in _CAN_BE_MISSING),
        output_only=output_only,
        parts=tuple(field for field in behaviors if is_message(field) and field not in output_only),
    )


def _behavior(field: FieldDescriptor) -> list[int]:
    for option, value in field.GetOptions().ListFields():
        if option.full_name == "google.api.field_behavior":
            return list(value)
    return []


def check_required(
    message: Message, stored: Message | None, *, prefix: str = "", except_for: frozenset[str] = frozenset()
) -> None:
    """Raise `MissingFields` naming every empty required field, also within nested messages.

    What was missing in `stored` already may stay so: an update need not repair an imported resource. `prefix`
    stands before each path; fields whose paths, without the positions in lists, are in `except_for` are let be.
    """
    known = frozenset[str]() if stored is None else frozenset(_missing(stored, ""))
    missing = [
        prefix + path
        for path in _missing(message, "")
        if path not in known and _POSITION.sub("", path) not in except_for
    ]
    if missing:
        raise MissingFields(missing)


def _missing(message: Message, prefix: str) -> Iterator[str]:
    rules = _rules(descriptor_of(message))
    for field in rules.required:
        if not is_set(message, field):
            yield prefix + field.name
    for field in rules.parts:
        # A message of Google's within a field of ours is complete by our rules: a scheme names its key's place.
        if is_extension(field):
            continue
        if field.is_repeated:
            for index, item in enumerate(getattr(message, field.name)):
                yield from _missing(item, f"{prefix}{field.name}[{index}].")
        elif message.HasField(field.name):
            yield from _missing(getattr(message, field.name), f"{prefix}{field.name}.")


def settle_output_only(message: Message, stored: Message | None, *, except_for: frozenset[str] = frozenset()) -> None:
    """Set every OUTPUT_ONLY field of `message` to what is stored; clear it where nothing is.

    Top-level fields in `except_for` are let be. Within lists, whose items have no identity, they are cleared.
    """
    rules = _rules(descriptor_of(message))
    for field in rules.output_only:
        if field.name in except_for:
            continue
        if stored is None:
            message.ClearField(field.name)
        else:
            copy_field(stored, message, field)
    for field in rules.parts:
        if field.is_repeated:
            for item in getattr(message, field.name):
                settle_output_only(item, None)
        elif message.HasField(field.name):
            within = getattr(stored, field.name) if stored is not None and stored.HasField(field.name) else None
            settle_output_only(getattr(message, field.name), within)
