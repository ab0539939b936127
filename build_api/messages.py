"""Message and enum descriptors, out of the classes of the generated client packages."""

import importlib
import inspect
from collections.abc import Iterator

import proto
from google.protobuf.descriptor_pb2 import DescriptorProto

from build_api.files import Files
from build_api.sources import Source


def message_classes(source: Source) -> Iterator[tuple[str, type[proto.Message]]]:
    """Every message class of a source, nested ones too, without map entries, by its path within the package."""
    types = importlib.import_module(f"{source.module}.types")
    for name in sorted(types.__all__):
        found = getattr(types, name)
        if inspect.isclass(found) and issubclass(found, proto.Message):
            yield from _walk(found, name)


def _walk(cls: type[proto.Message], path: str) -> Iterator[tuple[str, type[proto.Message]]]:
    yield path, cls
    for name, nested in vars(cls).items():
        if (
            inspect.isclass(nested)
            and issubclass(nested, proto.Message)
            and not nested.pb().DESCRIPTOR.GetOptions().map_entry
        ):
            yield from _walk(nested, f"{path}.{name}")


def add_messages(files: Files, source: Source) -> None:
    """Adds the files of a source and their imports, and gives fields back the names the API has.

    proto-plus appends `_` to field names that are reserved words in Python; JSON names are right but field masks and
    text names would not be."""
    for _, cls in message_classes(source):
        files.add(cls.pb().DESCRIPTOR.file)
    for _, message, _ in files.messages(source.package):
        for field in message.field:
            field.name = field.name.rstrip("_")
        _check_unique(message)


def _check_unique(message: DescriptorProto) -> None:
    names = [field.name for field in message.field]
    if len(set(names)) != len(names):
        raise ValueError(f"{message.name}: two fields have one name once trailing underscores are removed")
