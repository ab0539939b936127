"""Long-running operations: started here, kept in the store, run in this process.

Each is a `google.longrunning.Operation` in a record of its own. An unfinished one that no server runs any more is ended
with ABORTED when it is next read, so nobody polls it for ever: one that this process does not run or, where servers
share a store, one whose server has given no sign of life for a while. Finished operations are forgotten a day later.
"""

import asyncio
import contextlib
import logging
import uuid
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.message_fields import descriptor_of
from openplaybook.resources.names import OPERATIONS, new_id
from openplaybook.resources.stored_form import from_body, to_body
from openplaybook.services.errors import REFUSALS, not_found, to_rpc_error
from openplaybook.services.large_messages import done_aside
from openplaybook.storage.base import Delete, Put, Record, Store
from openplaybook.storage.errors import RecordNotFound, StoreError, VersionMismatch
from openplaybook.telemetry.own_paths import without_own_paths
from openplaybook.wire.api import Api, OperationVersions
from openplaybook.wire.bytes_in_flight import Reservation
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

_LOG = logging.getLogger("openplaybook.operations")


@dataclass(frozen=True, slots=True)
class FinishedWork:
    """What an operation came to."""

    response: ApiMessage
    """In the shape of the beta version."""
    metadata: JsonObject | None = None
    """What the work has to tell: the operation's metadata where that is a Struct, as Google's clients of Dialogflow CX
    expect, else members of it."""


async def finished(response: ApiMessage) -> FinishedWork:
    """The work of an operation whose response is there when it begins."""
    return FinishedWork(response)


Work: TypeAlias = Callable[[], Coroutine[object, object, FinishedWork]]
"""Does what an operation is for."""

KEPT_US = 24 * 60 * 60 * 1_000_000
"""How long a finished operation can be asked for."""

LONGEST_S = 600.0
"""How long an operation may run."""

_ENDS = Lane("ends of operations", threads=1, waiting=1_000, seconds=60)
"""Where what operations resulted in is written down."""

_FORGOTTEN_AT_ONCE = 100

_SIGN_OF_LIFE_S = 15.0
"""How often a server that shares its store writes that an operation still runs."""
SILENCE_S = 60
"""Without one for that long, its server has stopped; the clocks of servers may differ by less."""
_LOOK_S = 0.2
"""How often an operation of another server is looked at by who waits for it."""


@dataclass(frozen=True, slots=True)
class _Running:
    """An operation of this process."""

    work: asyncio.Task[FinishedWork]
    ending: asyncio.Task[None]
    """Waits for the work and records how it ended; never cancelled."""


class OperationRunner:
    """Starts operations and answers for them."""

    def __init__(
        self,
        store: Store,
        api: Api,
        now_us: Callable[[], int],
        *,
        is_shared: bool = False,
        sign_of_life_s: float = _SIGN_OF_LIFE_S,
    ) -> None:
        """`is_shared`: other servers run operations in the same store; else all of the store's are this process's."""
        self._is_shared = is_shared
        self._sign_of_life_s = sign_of_life_s
        self._store = store
        self._api = api
        self._now_us = now_us
        self._versions = OperationVersions(api)
        self._names: set[str] = set()
        """Operations of this process whose end is not recorded yet."""
        self._running: dict[str, _Running] = {}

    async def start(
        self, context: RpcContext, parent: str, work: Work, *, metadata: ApiMessage | None = None
    ) -> ApiMessage:
        """Begin the work in the background; the operation as it stands at once.

        `parent` is the location it is listed under. The response will have the type that callers of the
        context's API version know. `metadata`: what the operation tells of itself, an empty Struct where it is left
        out; its times, if it has such fields, are filled.
        """
        await self._forget_old(parent)
        operation = self._new(str(OPERATIONS.child(parent, new_id())), self._begun(metadata), context.version)
        self._names.add(operation.name)
        try:
            await self._save(operation, expect=0)
        except StoreError:
            self._names.discard(operation.name)
            raise
        task = asyncio.create_task(_in_time(work))
        if context.room is not None:
            # What the request brought is worked on after its answer: it counts until then.
            context.room.keep()
            task.add_done_callback(partial(_let_go, context.room))
        ending = asyncio.create_task(self._end(operation, task, context.version))
        self._running[operation.name] = _Running(task, ending)
        return operation

    async def get(self, name: str, context: RpcContext | None = None) -> ApiMessage:
        """The operation of that name; `InvalidName` or NOT_FOUND. A call's context is told how large it is."""
        record = await self._store.get(str(OPERATIONS.parse(name)))
        if record is None or record.kind != OPERATIONS.kind:
            raise not_found("Operation", name)
        if context is not None:
            context.answer_bytes = len(record.body)
        return await self.read(record)

    async def read(self, record: Record) -> ApiMessage:
        """The operation in a record, ended here when nothing runs it any more."""
        read = partial(from_body, record.body, self._empty(), self._api.codec)
        operation = await done_aside(read, len(record.body))
        if operation.done or self._is_running(record):
            return operation
        _set_error(operation, RpcError(Code.ABORTED, "The server stopped during this operation; start it again"))
        try:
            await self._save(operation, expect=record.version)
        except VersionMismatch:
            return await self.get(record.name)
        return operation

    async def wait(self, name: str, timeout_s: float | None, context: RpcContext | None = None) -> ApiMessage:
        """The operation once it is done, or as it stands when the time is over; as `get`."""
        operation = await self.get(name, context)
        running = self._running.get(operation.name)
        if running is not None:
            await asyncio.wait([running.ending], timeout=timeout_s)
            return await self.get(name, context)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while not operation.done:
                    await asyncio.sleep(_LOOK_S)
                    operation = await self.get(name, context)
        return operation

    async def cancel(self, name: str) -> None:
        """Stop the work if it runs here; the operation then ends with CANCELLED. NOT_FOUND if there is none."""
        operation = await self.get(name)
        running = self._running.get(operation.name)
        if running is not None:
            running.work.cancel()
            await asyncio.wait([running.ending])

    async def delete(self, name: str) -> None:
        """Forget an operation; its work goes on if it still runs. NOT_FOUND if there is none."""
        operation = await self.get(name)
        await self._store.apply([Delete(operation.name)])

    async def close(self, grace_s: float) -> None:
        """Let running work end within the grace time, cancel the rest, and record how each ended."""
        running = list(self._running.values())
        if not running:
            return
        _, late = await asyncio.wait([one.work for one in running], timeout=grace_s)
        for work in late:
            work.cancel()
        await asyncio.wait([one.ending for one in running])

    def _is_running(self, record: Record) -> bool:
        if record.name in self._names:
            return True
        return self._is_shared and record.updated_us > self._now_us() - SILENCE_S * 1_000_000

    async def _alive(self, operation: ApiMessage, work: asyncio.Task[FinishedWork]) -> int:
        """Wait for the work, and say now and then that it goes on; the version that the record has in the end."""
        version = 1
        while not work.done():
            await asyncio.wait([work], timeout=self._sign_of_life_s if self._is_shared else None)
            if not work.done():
                with contextlib.suppress(StoreError):
                    await self._save(operation, expect=version)
                    version += 1
        return version

    async def _end(self, started: ApiMessage, work: asyncio.Task[FinishedWork], version: str) -> None:
        name = started.name
        expect = await self._alive(started, work)
        try:
            # What it resulted in may be a whole package.
            try:
                change = await _ENDS.run(partial(self._ended, started, work, version, expect))
            except WorkError as failure:
                change = self._failed(started, to_rpc_error(failure), expect)
            await self._store.apply([change])
        except StoreError as failure:
            _LOG.warning("the end of operation %s is not recorded: %s", name, failure)
        finally:
            self._names.discard(name)
            del self._running[name]

    def _ended(self, started: ApiMessage, work: asyncio.Task[FinishedWork], version: str, expect: int) -> Put:
        error = _error(started.name, work)
        if error is not None:
            return self._failed(started, error, expect)
        try:
            operation = self._succeeded(started, work.result(), version)
        except Exception as fault:  # noqa: BLE001 - without an end it would pass for one whose server stopped
            return self._failed(started, _fault(started.name, fault), expect)
        self._stamp_end(operation)
        return self._put(operation, expect)

    def _failed(self, started: ApiMessage, error: RpcError, expect: int) -> Put:
        operation = self._copy(started)
        _set_error(operation, error)
        self._stamp_end(operation)
        return self._put(operation, expect)

    def _succeeded(self, started: ApiMessage, finished: FinishedWork, version: str) -> ApiMessage:
        operation = self._copy(started)
        operation.done = True
        operation.response.Pack(finished.response)
        if finished.metadata is not None:
            operation.metadata.Pack(self._metadata_with(operation, finished.metadata))
        return self._versions.restate(operation, version)

    def _copy(self, operation: ApiMessage) -> ApiMessage:
        copied = self._empty()
        copied.CopyFrom(operation)
        return copied

    def _begun(self, metadata: ApiMessage | None) -> Message:
        if metadata is None:
            return _struct({})
        if "create_time" in descriptor_of(metadata).fields_by_name:
            metadata.create_time.FromMicroseconds(self._now_us())
        return metadata

    def _metadata_with(self, operation: ApiMessage, more: JsonObject) -> Message:
        """The metadata of an operation with what its work has to tell."""
        if operation.metadata.Is(Struct.DESCRIPTOR):
            return _struct(more)
        metadata = self._api.message(operation.metadata.type_url.rpartition("/")[2])()
        operation.metadata.Unpack(metadata)
        return self._api.codec.from_json(more, metadata)

    def _stamp_end(self, operation: ApiMessage) -> None:
        """Say in the metadata when the work ended, where it has a field for that."""
        metadata = self._api.message(operation.metadata.type_url.rpartition("/")[2])()
        if "end_time" not in descriptor_of(metadata).fields_by_name:
            return
        operation.metadata.Unpack(metadata)
        metadata.end_time.FromMicroseconds(self._now_us())
        operation.metadata.Pack(metadata)

    def _empty(self) -> ApiMessage:
        return self._api.message("google.longrunning.Operation")()

    def _new(self, name: str, metadata: Message, version: str) -> ApiMessage:
        """An operation that runs."""
        operation = self._empty()
        operation.name = name
        operation.metadata.Pack(metadata)
        return self._versions.restate(operation, version)

    async def _save(self, operation: ApiMessage, *, expect: int) -> None:
        await self._store.apply([self._put(operation, expect)])

    def _put(self, operation: ApiMessage, expect: int) -> Put:
        parent, body = OPERATIONS.parse(operation.name).parent, to_body(operation, self._api.codec)
        return Put(operation.name, OPERATIONS.kind, parent, parent, body, expect=expect)

    async def _forget_old(self, parent: str) -> None:
        """Delete operations of a location that ended long ago: none runs for as long as they are kept.

        Their records are not read: what they resulted in may be many large packages.
        """
        before = self._now_us() - KEPT_US
        for name in await self._store.untouched(parent, OPERATIONS.kind, before_us=before, limit=_FORGOTTEN_AT_ONCE):
            with contextlib.suppress(RecordNotFound):
                await self._store.apply([Delete(name)])


async def _in_time(work: Work) -> FinishedWork:
    """What the work gives; DEADLINE_EXCEEDED where that takes too long."""
    clock = asyncio.timeout(LONGEST_S)
    try:
        async with clock:
            return await work()
    except TimeoutError as error:
        if clock.expired():
            sentence = f"The operation did not end within {LONGEST_S:g} s, the limit of all operations."
            raise RpcError(Code.DEADLINE_EXCEEDED, sentence) from error
        raise


def _let_go(room: Reservation, work: "asyncio.Task[FinishedWork]") -> None:
    room.release()


def _struct(value: JsonObject) -> Struct:
    struct = Struct()
    struct.update(value)
    return struct


def _error(name: str, work: asyncio.Task[FinishedWork]) -> RpcError | None:
    """What the caller is told of work that ended; None when it went well."""
    if work.cancelled():
        return RpcError(Code.CANCELLED, "The operation was cancelled")
    error = work.exception()
    if error is None or isinstance(error, RpcError):
        return error
    if isinstance(error, REFUSALS):
        return to_rpc_error(error)
    return _fault(name, error)


def _fault(name: str, error: BaseException) -> RpcError:
    """A fault of ours, for the log; its number is for the caller."""
    number = uuid.uuid4().hex[:12]
    _LOG.error("operation %s failed, error id %s", name, number, exc_info=error)
    return RpcError(Code.INTERNAL, f"Internal error. The server's log has it under the id {number}.")


def _set_error(operation: ApiMessage, error: RpcError) -> None:
    operation.done = True
    operation.error.code = error.code
    operation.error.message = without_own_paths(error.message)
    for detail in error.details:
        operation.error.details.add().Pack(detail)
