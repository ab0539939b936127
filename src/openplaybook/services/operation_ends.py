"""How the work of an operation ends: in time, well, refused, or by a fault of ours; and what its caller is told."""

import asyncio
import logging
import uuid
from collections.abc import Callable, Coroutine
from typing import TypeVar

from google.protobuf.struct_pb2 import Struct

from openplaybook.jsonvalues import JsonObject
from openplaybook.services.errors import REFUSALS, to_rpc_error
from openplaybook.telemetry.own_paths import without_own_paths
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
