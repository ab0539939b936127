"""Of an API that is taken in part: the messages and enums that its RPCs need. Whatever else it defines is left out, so
that the server does not load what it does not serve."""

from collections.abc import Iterator, Sequence

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto

from build_api.files import Files
from build_api.options import OPERATION_INFO


def keep_needed(files: Files, package: str) -> None:
    """Removes the messages, enums and files of a package that none of the RPCs in it needs, and imports of them."""
    own = list(files.of_package(package))
    names = _needed(own, package)
    for file in own:
        messages = [message for message in file.message_type if message.name in names]
        enums = [enum for enum in file.enum_type if enum.name in names]
        file.ClearField("message_type")
        file.ClearField("enum_type")
        file.message_type.extend(messages)
        file.enum_type.extend(enums)
    for file in own:
        if not (file.message_type or file.enum_type or file.service):
            files.remove(file.name)


def _needed(own: Sequence[FileDescriptorProto], package: str) -> set[str]:
    """Names of the messages and enums, not of those within others, that the RPCs need."""
    messages = {message.name: message for file in own for message in file.message_type}
    needed: set[str] = set()
    ahead = [_top(name, package) for file in own for name in _types_of_rpcs(file)]
    while ahead:
        name = ahead.pop()
        if name and name not in needed:
            needed.add(name)
            if name in messages:
                ahead += (_top(used, package) for used in _types_of_fields(messages[name]))
    return needed


def _types_of_rpcs(file: FileDescriptorProto) -> Iterator[str]:
    for service in file.service:
        for method in service.method:
            info = method.options.Extensions[OPERATION_INFO]
            yield from (method.input_type, method.output_type, f".{info.response_type}", f".{info.metadata_type}")


def _types_of_fields(message: DescriptorProto) -> Iterator[str]:
    yield from (field.type_name for field in message.field)
    for nested in message.nested_type:
        yield from _types_of_fields(nested)


def _top(type_name: str, package: str) -> str:
    """The outermost message or enum of the package that a type is, or is within; empty for one of elsewhere."""
    within = type_name.removeprefix(f".{package}.")
    return "" if within == type_name else within.partition(".")[0]
