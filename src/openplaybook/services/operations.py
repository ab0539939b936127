"""Long-running operations: started here, kept in the store, run in this process.

Each is a `google.longrunning.Operation` in a record of its own. An unfinished one that no server runs any more is ended
with ABORTED when it is next read, so nobody polls it for ever: one that this process does not run or, where servers
share a store, one whose server has given no sign of life for a while. Finished operations are forgotten a day later.

Work that takes long can leave a note with its operation: who finds it when the server is gone takes the work up again.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from google.protobuf.message import Message

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.message_fields import descriptor_of
from openplaybook.resources.names import OPERATIONS, new_id
from openplaybook.resources.stored_form import from_body, to_body
from openplaybook.services.errors import not_found, to_rpc_error
from openplaybook.services.large_messages import done_aside
from openplaybook.services.operation_ends import (
    done_in_time,
    error_of,
    fault_of_ours,
    let_go,
    metadata_with,
    set_error,
    stamp,
    struct_of,
)
from openplaybook.services.operation_notes import OperationNotes
from openplaybook.storage.base import Delete, Put, Record, Store
from openplaybook.storage.errors import RecordNotFound, StoreError, VersionMismatch
from openplaybook.wire.api import Api, OperationVersions
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


@dataclass(slots=True)
class _Running:
    """An operation of this process."""

    operation: ApiMessage
    """As it stands."""
    version: int
    """Of its record."""
    has_note: bool
    work: asyncio.Task[FinishedWork]
    ending: "asyncio.Task[None] | None" = None
    """Waits for the work and records how it ended; never cancelled."""
    saving: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while its record is written."""
    is_left: bool = False
    """Whether it is to stop here without an end, since it has a note: the next server goes on with it."""


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
        self.notes = OperationNotes(store)
        """What unfinished operations left for others to go on with."""
        self._api = api
        self._now_us = now_us
        self._versions = OperationVersions(api)
        self._names: set[str] = set()
        """Operations of this process whose end is not recorded yet."""
        self._running: dict[str, _Running] = {}

    async def start(
        self,
        context: RpcContext,
        parent: str,
        work: Work,
        *,
        metadata: ApiMessage | None = None,
        id: str = "",
        note: JsonObject | None = None,
        payload: bytes | None = None,
        longest_s: float | None = None,
    ) -> ApiMessage:
        """Begin the work in the background; the operation as it stands at once.

        `parent` is what it is listed under, a location mostly. The response will have the type that callers of the
        context's API version know. `metadata`: what the operation tells of itself, an empty Struct where it is left
        out; its times, if it has such fields, are filled. `id`: of the operation, where the work has to know its name.
        `note`, with its `payload`: what another process needs to take the work up; else it ends with its server.
        `longest_s`: how long the work may take, `LONGEST_S` where it is left out.
        """
        await self._forget_old(parent)
        operation = self._new(str(OPERATIONS.child(parent, id or new_id())), self._begun(metadata), context.version)
        self._names.add(operation.name)
        try:
            noted = [*self.notes.kept(operation.name, note), *self.notes.payload_kept(operation.name, payload)]
            await self._store.apply([self._put(operation, 0), *noted])
        except StoreError:
            self._names.discard(operation.name)
            raise
        running = self._run(operation, 1, work, context.version, longest_s, has_note=note is not None)
        if context.room is not None:
            # What the request brought is worked on after its answer: it counts until then.
            context.room.keep()
            running.work.add_done_callback(partial(let_go, context.room))
        return operation

    async def resume(self, name: str, work: Work, version: str, *, longest_s: float | None = None) -> bool:
        """Go on with an operation that no server runs any more; False where some server does, or it has ended.

        `version`: of the API by which it was started.
        """
        record = await self._store.get(name)
        if record is None or self._is_running(record):
            return False
        operation = from_body(record.body, self._empty(), self._api.codec)
        if operation.done:
            return False
        self._names.add(name)
        try:
            await self._save(operation, expect=record.version)
        except StoreError as error:
            self._names.discard(name)
            if isinstance(error, VersionMismatch | RecordNotFound):
                return False
            raise
        self._run(operation, record.version + 1, work, version, longest_s, has_note=True)
        return True

    async def report(self, name: str, progress: JsonObject, note: JsonObject | None = None) -> None:
        """Write members of the metadata of an operation that runs here, and its note where one is given.

        What cannot be written now is written with the next report. Called by the work alone.
        """
        running = self._running[name]
        running.operation.metadata.Pack(metadata_with(self._api, running.operation, progress))
        stamp(self._api, self._now_us(), running.operation, "update_time")
        # The work may be cancelled meanwhile: the version of the record must be known all the same.
        await asyncio.shield(asyncio.create_task(self._keep(running, note)))

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
        if operation.done or self._is_running(record) or await self.notes.has(record.name):
            return operation
        set_error(operation, RpcError(Code.ABORTED, "The server stopped during this operation; start it again"))
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
            await asyncio.wait(_endings([running]), timeout=timeout_s)
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
            await asyncio.wait(_endings([running]))

    async def delete(self, name: str) -> None:
        """Forget an operation; its work goes on if it still runs. NOT_FOUND if there is none."""
        operation = await self.get(name)
        await self._store.apply([Delete(operation.name, tree=True)])

    async def close(self, grace_s: float) -> None:
        """Let running work end within the grace time, cancel the rest, and record how each ended.

        Work with a note is stopped at once, and has not ended.
        """
        running = list(self._running.values())
        if not running:
            return
        for one in running:
            if one.has_note:
                one.is_left = True
                one.work.cancel()
        _, late = await asyncio.wait([one.work for one in running], timeout=grace_s)
        for work in late:
            work.cancel()
        await asyncio.wait(_endings(running))

    def _is_running(self, record: Record) -> bool:
        if record.name in self._names:
            return True
        return self._is_shared and record.updated_us > self._now_us() - SILENCE_S * 1_000_000

    def _run(
        self,
        operation: ApiMessage,
        version: int,
        work: Work,
        api_version: str,
        longest_s: float | None,
        *,
        has_note: bool,
    ) -> _Running:
        task = asyncio.create_task(done_in_time(work, LONGEST_S if longest_s is None else longest_s))
        running = _Running(operation, version, has_note, task)
        self._running[operation.name] = running
        running.ending = asyncio.create_task(self._end(running, api_version))
        return running

    async def _alive(self, running: _Running) -> None:
        """Wait for the work, and say now and then that it goes on."""
        while not running.work.done():
            await asyncio.wait([running.work], timeout=self._sign_of_life_s if self._is_shared else None)
            if not running.work.done():
                await self._keep(running)

    async def _keep(self, running: _Running, note: JsonObject | None = None) -> None:
        async with running.saving:
            name = running.operation.name
            with contextlib.suppress(StoreError):
                await self._store.apply([self._put(running.operation, running.version), *self.notes.kept(name, note)])
                running.version += 1

    async def _end(self, running: _Running, version: str) -> None:
        started, work = running.operation, running.work
        name = started.name
        await self._alive(running)
        async with running.saving:
            expect = running.version
        if running.is_left and work.cancelled():
            self._names.discard(name)
            del self._running[name]
            return
        try:
            # What it resulted in may be a whole package.
            try:
                change = await _ENDS.run(partial(self._ended, started, work, version, expect))
            except WorkError as failure:
                change = self._failed(started, to_rpc_error(failure), expect)
            await self._store.apply([change, *(self.notes.gone(name) if running.has_note else [])])
        except StoreError as failure:
            _LOG.warning("the end of operation %s is not recorded: %s", name, failure)
        finally:
            self._names.discard(name)
            del self._running[name]

    def _ended(self, started: ApiMessage, work: asyncio.Task[FinishedWork], version: str, expect: int) -> Put:
        error = error_of(started.name, work)
        if error is not None:
            return self._failed(started, error, expect)
        try:
            operation = self._succeeded(started, work.result(), version)
        except Exception as fault:  # noqa: BLE001 - without an end it would pass for one whose server stopped
            return self._failed(started, fault_of_ours(started.name, fault), expect)
        stamp(self._api, self._now_us(), operation, "end_time", "update_time")
        return self._put(operation, expect)

    def _failed(self, started: ApiMessage, error: RpcError, expect: int) -> Put:
        operation = self._copy(started)
        set_error(operation, error)
        stamp(self._api, self._now_us(), operation, "end_time", "update_time")
        return self._put(operation, expect)

    def _succeeded(self, started: ApiMessage, finished: FinishedWork, version: str) -> ApiMessage:
        operation = self._copy(started)
        operation.done = True
        operation.response.Pack(finished.response)
        if finished.metadata is not None:
            operation.metadata.Pack(metadata_with(self._api, operation, finished.metadata))
        return self._versions.restate(operation, version)

    def _copy(self, operation: ApiMessage) -> ApiMessage:
        copied = self._empty()
        copied.CopyFrom(operation)
        return copied

    def _begun(self, metadata: ApiMessage | None) -> Message:
        if metadata is None:
            return struct_of({})
        if "create_time" in descriptor_of(metadata).fields_by_name:
            metadata.create_time.FromMicroseconds(self._now_us())
        return metadata

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


def _endings(running: Sequence[_Running]) -> list["asyncio.Task[None]"]:
    return [one.ending for one in running if one.ending is not None]
