"""Protobuf messages as the type checker sees them, and as bytes from and to clients.

A Struct holds doubles and has no order, nor has a map. So the messages of this server's pool have one more field that
no client sees: the JSON text of a Struct, Value or ListValue, and the names of a schema's members in their order. It
travels with the message through copies, versions and the store. It never passes the gRPC door, in neither direction,
and JSON has no name for it: what it says was read by this server, under the same limits as the message.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, TypeAlias, cast

from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError

ApiMessage: TypeAlias = Any
"""A message of the API. Its class is made from descriptors when the server starts: no static type knows its fields."""


def message_class(descriptor: Descriptor) -> type[ApiMessage]:
    """The class of a message type; the same one every time."""
    return message_factory.GetMessageClass(descriptor)


AS_WRITTEN: Final = "as_written"
AS_WRITTEN_JSON: Final = "asWritten"
"""Name of the field, and in JSON, where it never stands."""

_NUMBER: Final = 536_870_911
"""The largest that there is, far from any that Google assigns."""

_TAG: Final = b"\xfa\xff\xff\xff\x0f"
"""How the field begins in a message's bytes (number and wire type as a varint)."""

_STRUCTS: Final = "google/protobuf/struct.proto"
_STRUCT_TYPES: Final = ("Struct", "Value", "ListValue")
_SCHEMAS: Final = ("google.cloud.ces.v1", "google.cloud.ces.v1beta")
_ANY: Final = "google.protobuf.Any"


def add_field(file: FileDescriptorProto) -> None:
    """Gives the field to those messages of a file that keep it."""
    for message in file.message_type:
        if (file.name == _STRUCTS and message.name in _STRUCT_TYPES) or (
            file.package in _SCHEMAS and message.name == "Schema"
        ):
            _add(message)


def keeps(descriptor: Descriptor) -> bool:
    """Whether messages of the type have the field."""
    return AS_WRITTEN in descriptor.fields_by_name


def _add(message: DescriptorProto) -> None:
    message.field.add(
        name=AS_WRITTEN,
        number=_NUMBER,
        json_name=AS_WRITTEN_JSON,
        type=FieldDescriptorProto.TYPE_BYTES,
        label=FieldDescriptorProto.LABEL_OPTIONAL,
    )


class Doors:
    """Messages of one pool on their way from and to clients that speak protobuf."""

    def __init__(self, pool: DescriptorPool, published: Sequence[bytes]) -> None:
        """`published`: the files of the pool as clients know them, without the field."""
        self._pool = pool
        self._published = published
        self._fields: dict[str, frozenset[int]] = {}

    def read(self, kind: type[ApiMessage], data: bytes) -> ApiMessage:
        """The message of a client's bytes, the field left out; `DecodeError` where they are none."""
        return kind.FromString(self._without(kind, data) if _TAG in data else data)

    def write(self, message: ApiMessage) -> bytes:
        """The bytes of a message as a client gets them."""
        data = message.SerializeToString()
        kind = cast("type[ApiMessage]", type(message))
        return self._without(kind, data) if _TAG in data else data

    def size(self, message: ApiMessage) -> int:
        """Bytes of a message as clients know it."""
        return len(self.write(message))

    @cached_property
    def _known(self) -> DescriptorPool:
        """The API as clients know it: to them the field is unknown."""
        pool = DescriptorPool()
        for file in self._published:
            pool.AddSerializedFile(file)
        return pool

    def _without(self, kind: type[ApiMessage], data: bytes) -> bytes:
        known = message_class(self._known.FindMessageTypeByName(kind.DESCRIPTOR.full_name)).FromString(data)
        known.DiscardUnknownFields()
        data = known.SerializeToString()
        if _TAG not in data:
            return data
        message = kind.FromString(data)  # an Any holds bytes, which are not looked into
        self._clear(message)
        return message.SerializeToString()

    def _clear(self, message: ApiMessage) -> None:
        descriptor = message.DESCRIPTOR
        if descriptor.full_name == _ANY:
            self._clear_any(message)
            return
        leading = self._leading(descriptor)
        for field, value in message.ListFields():
            if field.number == _NUMBER:
                message.ClearField(AS_WRITTEN)
            elif field.number not in leading:
                continue
            elif not field.is_repeated:
                self._clear(value)
            else:
                for item in value.values() if field.message_type.GetOptions().map_entry else value:
                    self._clear(item)

    def _leading(self, descriptor: Descriptor) -> frozenset[int]:
        """Numbers of the fields of a type that messages with the field may stand in."""
        numbers = self._fields.get(descriptor.full_name)
        if numbers is None:
            kinds = ((field.number, field.message_type) for field in descriptor.fields)
            numbers = frozenset(number for number, kind in kinds if kind is not None and _may_hold(kind, set()))
            self._fields[descriptor.full_name] = numbers
        return numbers

    def _clear_any(self, message: ApiMessage) -> None:
        if _TAG not in message.value:
            return
        try:
            inner = message_class(self._pool.FindMessageTypeByName(message.type_url.rpartition("/")[2]))()
            inner.ParseFromString(message.value)
        except (KeyError, DecodeError):
            return  # no type of ours, so not our field
        self._clear(inner)
        message.value = inner.SerializeToString(deterministic=True)


def _may_hold(descriptor: Descriptor, visited: set[str]) -> bool:
    """Whether messages that keep the field may stand in one of the type."""
    if descriptor.full_name == _ANY or keeps(descriptor):
        return True
    if descriptor.full_name in visited:
        return False
    visited.add(descriptor.full_name)
    return any(field.message_type is not None and _may_hold(field.message_type, visited) for field in descriptor.fields)
