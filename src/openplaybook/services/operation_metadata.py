"""Metadata of long-running operations, as they are written while the work goes on."""

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.message_fields import descriptor_of
from openplaybook.services.operation_ends import struct_of
from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage


def metadata_with(api: Api, operation: ApiMessage, more: JsonObject) -> Message:
    """The metadata of an operation with what its work has to tell, in place of what it told before."""
    if operation.metadata.Is(Struct.DESCRIPTOR):
        return struct_of(more)
    metadata = _unpacked(api, operation)
    for field in descriptor_of(metadata).fields:
        # A list that is told again is not added to the one before.
        if field.json_name in more:
            metadata.ClearField(field.name)
    return api.codec.from_json(more, metadata)


def stamp(api: Api, time_us: int, operation: ApiMessage, *names: str) -> None:
    """Write a time into the metadata, where it has fields of those names."""
    metadata = _unpacked(api, operation)
    for name in set(names) & set(descriptor_of(metadata).fields_by_name):
        getattr(metadata, name).FromMicroseconds(time_us)
    operation.metadata.Pack(metadata)


def _unpacked(api: Api, operation: ApiMessage) -> ApiMessage:
    metadata = api.message(operation.metadata.type_url.rpartition("/")[2])()
    operation.metadata.Unpack(metadata)
    return metadata
