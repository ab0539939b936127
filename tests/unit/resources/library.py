"""A small made-up API for tests: a Book with required, output-only and extension fields at several depths."""

from google.api import field_behavior_pb2
from google.protobuf import message_factory, struct_pb2, timestamp_pb2
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool

from openplaybook.wire.messages import ApiMessage

_TYPES = {
    "string": FieldDescriptorProto.TYPE_STRING,
    "int64": FieldDescriptorProto.TYPE_INT64,
    "bool": FieldDescriptorProto.TYPE_BOOL,
}


def _behavior_option(behaviors: tuple[int, ...]) -> bytes:
    """`google.api.field_behavior`, a packed list of enum values in field 1052, as bytes of FieldOptions."""
    return bytes([0xE2, 0x41, len(behaviors), *behaviors])


def _field(
    message: DescriptorProto, number: int, kind: str, name: str, *behaviors: int, oneof: int | None = None
) -> None:
    field = message.field.add(name=name, number=number, label=FieldDescriptorProto.LABEL_OPTIONAL, oneof_index=oneof)
    if kind.startswith("repeated "):
        field.label = FieldDescriptorProto.LABEL_REPEATED
        kind = kind.removeprefix("repeated ")
    if kind in _TYPES:
        field.type = _TYPES[kind]
    else:
        field.type, field.type_name = FieldDescriptorProto.TYPE_MESSAGE, kind
    if behaviors:
        field.options.MergeFromString(_behavior_option(behaviors))


def _file() -> FileDescriptorProto:
    required, output_only = field_behavior_pb2.REQUIRED, field_behavior_pb2.OUTPUT_ONLY
    file = FileDescriptorProto(name="library.proto", package="library", syntax="proto3")
    file.dependency.extend(["google/protobuf/struct.proto", "google/protobuf/timestamp.proto"])

    author = file.message_type.add(name="Author")
    _field(author, 1, "string", "full_name", required)
    _field(author, 2, "string", "language")
    _field(author, 3, "int64", "book_count", output_only)
    _field(author, 100000, "string", "pen_name")

    chapter = file.message_type.add(name="Chapter")
    _field(chapter, 1, "string", "title", required)
    _field(chapter, 2, "int64", "word_count", output_only)
    _field(chapter, 100000, "repeated string", "footnotes")

    book = file.message_type.add(name="Book")
    book.oneof_decl.add(name="place")
    _field(book, 1, "string", "name")
    _field(book, 2, "string", "display_name", required)
    _field(book, 3, ".library.Author", "author")
    _field(book, 4, "repeated .library.Chapter", "chapters", required)
    _field(book, 5, "repeated string", "keywords")
    _field(book, 6, "int64", "page_count", required)
    _field(book, 7, "string", "shelf", oneof=0)
    _field(book, 8, "string", "borrower", oneof=0)
    _field(book, 9, ".google.protobuf.Timestamp", "create_time", output_only)
    _field(book, 10, ".google.protobuf.Struct", "notes")
    _field(book, 11, "bool", "is_lent")
    _field(book, 12, "repeated .library.Book.LabelsEntry", "labels")
    _field(book, 100000, "string", "mood")
    _field(book, 100001, ".library.Author", "ghost_writer")
    labels = book.nested_type.add(name="LabelsEntry")
    labels.options.map_entry = True
    _field(labels, 1, "string", "key")
    _field(labels, 2, "string", "value")
    return file


_POOL = DescriptorPool()
for _module in (struct_pb2, timestamp_pb2):
    _POOL.AddSerializedFile(_module.DESCRIPTOR.serialized_pb)
_POOL.AddSerializedFile(_file().SerializeToString())

Book: type[ApiMessage] = message_factory.GetMessageClass(_POOL.FindMessageTypeByName("library.Book"))
