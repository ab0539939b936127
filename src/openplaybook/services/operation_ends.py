"""How the work of an operation ends: in time, well, refused, or by a fault of ours; and what its caller is told, also
while it goes on."""

import asyncio
import logging
import uuid
from collections.abc import Callable, Coroutine
from typing import TypeVar

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.message_fields import descriptor_of
from openplaybook.services.errors import REFUSALS, to_rpc_error
from openplaybook.telemetry.own_paths import without_own_paths
from openplaybook.wire.api import Api
from openplaybook.wire.bytes_in_flight import Reservation
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage

_LOG = logging.getLogger("openplaybook.operations")

T = TypeVar("T")


async def done_in_time(work: Callable[[], Coroutine[object, object, T]], longest_s: float) -> T:
    """What the work gives; DEADLINE_EXCEEDED where that takes too long."""
    clock = asyncio.timeout(longest_s)
    try:
        async with clock:
            return await work()
    except TimeoutError as error:
        if clock.expired():
            sentence = f"The operation did not end within {longest_s:g} s, the limit of such operations."
            raise RpcError(Code.DEADLINE_EXCEEDED, sentence) from error
        raise


def let_go(room: Reservation, work: "asyncio.Task[T]") -> None:
    """Give back the room that a request took, whose work is over."""
    room.release()


def error_of(name: str, work: "asyncio.Task[T]") -> RpcError | None:
    """What the caller is told of work that ended; None when it went well."""
    if work.cancelled():
        return RpcError(Code.CANCELLED, "The operation was cancelled")
    error = work.exception()
    if error is None or isinstance(error, RpcError):
        return error
    if isinstance(error, REFUSALS):
        return to_rpc_error(error)
    return fault_of_ours(name, error)


def fault_of_ours(name: str, error: BaseException) -> RpcError:
    """A fault of ours, for the log; its number is for the caller."""
    number = uuid.uuid4().hex[:12]
    _LOG.error("operation %s failed, error id %s", name, number, exc_info=error)
    return RpcError(Code.INTERNAL, f"Internal error. The server's log has it under the id {number}.")


def set_error(operation: ApiMessage, error: RpcError) -> None:
    """End an operation with an error."""
    operation.done = True
    operation.error.code = error.code
    operation.error.message = without_own_paths(error.message)
    for detail in error.details:
        operation.error.details.add().Pack(detail)


def struct_of(value: JsonObject) -> Struct:
    """The same as a message."""
    struct = Struct()
    struct.update(value)
    return struct


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
