"""The turn engine: from a request to what the agent says, or to a pause for the client."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from openplaybook.credentials.sealing import Sealer
from openplaybook.models.directory import ModelDirectory
from openplaybook.storage.base import Answered, Recovered, Started, Store, TurnState
from openplaybook.storage.errors import StoreError
from openplaybook.telemetry.context import log_context
from openplaybook.telemetry.metrics import Metrics
from openplaybook.telemetry.spans import Spans
from openplaybook.tools.base import ToolBuilder
from openplaybook.turns import events
from openplaybook.turns.admission import Admission
from openplaybook.turns.base import Partial, TurnRequest, TurnResult
from openplaybook.turns.calling import Caller
from openplaybook.turns.deciding import Decider
from openplaybook.turns.errors import TurnError
from openplaybook.turns.events import Event
from openplaybook.turns.finishing import dump_result, load_result, result_of, stored_turn
from openplaybook.turns.limits import Limits
from openplaybook.turns.machine import Phase, phase_of
from openplaybook.turns.opening import begin_event, check, check_repeat, open_turn
from openplaybook.turns.sealing import ParameterSeals
from openplaybook.turns.sessions import LoadedSession, Sessions
from openplaybook.turns.settling import settle_abandoned
from openplaybook.turns.snapshot import AgentSnapshot
from openplaybook.turns.snapshots import Snapshots
from openplaybook.turns.spans import agent_span
from openplaybook.turns.state import CallKind, CallStatus, SessionState
from openplaybook.turns.trace import trace_of
from openplaybook.turns.turn import Observer, Turn, now_us


class TurnEngine:
    """Runs turns. One engine serves every session of a process; many processes may share a store."""

    def __init__(
        self,
        *,
        store: Store,
        toolbox: ToolBuilder,
        models: ModelDirectory,
        metrics: Metrics,
        owner: str,
        sealer: Sealer,
        limits: Limits | None = None,
        spans: Spans | None = None,
    ) -> None:
        limits = limits or Limits()
        self._store = store
        self._metrics = metrics
        self._spans = spans or Spans()
        self._snapshots = Snapshots(store, toolbox)
        self._sessions = Sessions(store)
        self._admission = Admission(store, owner)
        self._seals = ParameterSeals(sealer)
        decider, caller = Decider(models, limits, metrics), Caller(limits, metrics, self._seals)
        self._steps: Mapping[Phase, Callable[[Turn], Awaitable[None]]] = {
            Phase.DECIDE: decider.decide,
            Phase.CALL: caller.call_tools,
            Phase.ENTER: caller.enter,
            Phase.LEAVE: caller.leave,
        }
        self._streaming: set[asyncio.Task[TurnResult]] = set()

    async def run(self, request: TurnRequest, observer: Observer | None = None) -> TurnResult:
        """Run one turn to its answer or pause. Raises `TurnError`; the session is usable afterwards."""
        begun, begun_us = time.perf_counter(), now_us()
        outcome = "ERROR"
        try:
            result = await self._admitted(request, observer)
            outcome = "PAUSED" if result.paused else "DONE"
            if self._spans.wanted:
                self._spans.emit(agent_span(request, result, begun_us, now_us()))
            return result
        except TurnError as error:
            outcome = error.code
            raise
        finally:
            self._metrics.turn_ended(outcome, time.perf_counter() - begun)

    async def stream(self, request: TurnRequest) -> AsyncIterator[Partial | TurnResult]:
        """The same turn as it happens; the last item is its result. A listener that leaves does not end the turn."""
        heard: asyncio.Queue[Partial | None] = asyncio.Queue()
        task = asyncio.create_task(self.run(request, heard.put_nowait))
        self._streaming.add(task)
        task.add_done_callback(self._streaming.discard)
        task.add_done_callback(lambda _: heard.put_nowait(None))
        while (partial := await heard.get()) is not None:
            yield partial
        yield await task

    async def _admitted(self, request: TurnRequest, observer: Observer | None) -> TurnResult:
        deadline = time.monotonic() + request.timeout_s
        async with self._admission.queue(request.session, request.timeout_s):
            current = await self._snapshots.current(request.agent)
            secret = await self._secret_parameters(request, current)
            parameters = self._seals.seal(request.parameters, secret, request.session)
            begin = Event(events.BEGIN, begin_event(request, current.digest, parameters))
            admitted = await self._admission.begin(request, begin.row(), deadline - time.monotonic())
            if isinstance(admitted, Answered):
                return await self._answered(request, admitted)
            lease = admitted.lease
            async with self._admission.hold(lease):
                with log_context(session=lease.session, turn=lease.turn_id):
                    return await self._run(request, admitted, begin, deadline, observer)

    async def _run(
        self,
        request: TurnRequest,
        admitted: Started | Recovered,
        begin: Event,
        deadline: float,
        observer: Observer | None,
    ) -> TurnResult:
        recorded = [begin]
        if isinstance(admitted, Recovered):
            recorded = [Event.from_step(step) for step in admitted.steps]
            await self._check_recovered(request, admitted, recorded[0])
        try:
            loaded = await self._sessions.load(request.session, admitted.session)
            snapshot = await self._snapshot(request, loaded.state, recorded[0])
            self._seals.seal_state(loaded.state, snapshot.secret_parameters, request.session)
            if len(recorded) == 1:
                check(loaded.state, request, snapshot)
        except TurnError:
            await self._store.finish_turn(admitted.lease, state=TurnState.FAILED)
            raise
        turn = Turn(
            request=request,
            store=self._store,
            lease=admitted.lease,
            snapshot=snapshot,
            state=loaded.state,
            transcript=loaded.transcript,
            deadline=deadline,
            observer=observer,
        )
        return await self._play(turn, loaded, recorded)

    async def _check_recovered(self, request: TurnRequest, recovered: Recovered, begin: Event) -> None:
        try:
            check_repeat(request, begin.data)
        except TurnError:
            # The turn stays for the request that began it.
            await self._store.renew(recovered.lease, 0)
            raise

    async def _play(self, turn: Turn, loaded: LoadedSession, recorded: list[Event]) -> TurnResult:
        frames = {frame.id: frame.playbook for frame in turn.state.frames}
        try:
            turn.replay(recorded)
            turn.in_doubt = _sent(turn.state)
            if len(recorded) == 1:
                open_turn(turn)
            while step := self._steps.get(phase_of(turn.state)):
                await step(turn)
        except StoreError:
            self._sessions.forget(turn.request.session)
            raise
        except Exception as fault:
            await self._abandon(turn, fault)
            raise
        result = result_of(turn, frames)
        await self._store.finish_turn(
            turn.lease,
            state=TurnState.DONE,
            steps=turn.uncommitted(),
            response=dump_result(result, turn.lease.number),
            session_state=turn.state.dump(),
        )
        self._sessions.keep(turn.request.session, loaded)
        return result

    async def _abandon(self, turn: Turn, fault: Exception) -> None:
        """End a turn that cannot go on: without a trace in the session, unless it has acted already."""
        self._sessions.forget(turn.request.session)
        if not turn.effort.acted:
            await self._store.finish_turn(turn.lease, state=TurnState.FAILED, steps=turn.uncommitted())
            return
        settle_abandoned(turn)
        code = fault.code if isinstance(fault, TurnError) else "INTERNAL"
        given = turn.events[0].data["input"]
        turn.emit(events.STOP, frame=turn.state.top.id, input=given, code=code, message=str(fault))
        await self._store.finish_turn(
            turn.lease, state=TurnState.STOPPED, steps=turn.uncommitted(), session_state=turn.state.dump()
        )

    async def _snapshot(self, request: TurnRequest, state: SessionState, begin: Event) -> AgentSnapshot:
        """The agent as this turn sees it: as it was when the turn began, also across a pause."""
        resumes = "text" not in begin.data["input"] and bool(state.open_client_calls())
        return await self._snapshots.by_digest(request.agent, state.snapshot if resumes else begin.data["snapshot"])

    async def _secret_parameters(self, request: TurnRequest, current: AgentSnapshot) -> frozenset[str]:
        """Names of the session's parameters that hold credentials, or did; as far as the request's depend on it."""
        secret = frozenset(current.secret_parameters)
        stored = await self._store.session(request.session) if request.parameters else None
        if stored is None:
            return secret
        state = SessionState.load(stored.state)
        if state.open_client_calls():
            # What is resumed goes on with the authentications that it began with.
            secret |= frozenset((await self._snapshots.by_digest(request.agent, state.snapshot)).secret_parameters)
        return secret | state.sealed

    async def _answered(self, request: TurnRequest, answered: Answered) -> TurnResult:
        """What was said when this request was first answered."""
        number = stored_turn(answered.response)
        steps = await self._store.history(request.session, turns=1, before=number + 1)
        happened = [Event.from_step(step) for step in steps]
        check_repeat(request, happened[0].data)
        frames = await self._sessions.frames_before(request.session, number)
        snapshot = await self._snapshots.by_digest(request.agent, happened[0].data["snapshot"])
        return load_result(answered.response, trace_of(happened, snapshot, frames, number))


def _sent(state: SessionState) -> frozenset[str]:
    if not state.frames:
        return frozenset()
    return frozenset(
        call.id for call in state.top.batch if call.kind is CallKind.TOOL and call.status is CallStatus.SENT
    )
