"""The turn engine: from a request to what the agent says, or to a pause for the client."""

import asyncio
import math
import time

from openplaybook.credentials.sealer import Sealer
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.storage.base import Answered, Orphaned, Recovered, Started, Store, TurnState
from openplaybook.storage.errors import StoreError
from openplaybook.telemetry.log_lines import log_context, trace_context
from openplaybook.telemetry.metrics import Metrics
from openplaybook.telemetry.otel_spans import Spans
from openplaybook.tools.base import ToolBuilder
from openplaybook.turns.agent.snapshot import AgentSnapshot
from openplaybook.turns.agent.snapshot_store import Snapshots
from openplaybook.turns.base import TurnRequest, TurnResult
from openplaybook.turns.errors import NewerData, ResultMismatch, ResultNotExpected, TurnError
from openplaybook.turns.journal.events import Event, TurnBegun
from openplaybook.turns.journal.fold import goes_on
from openplaybook.turns.journal.rows import begin_of, event_of, row_of
from openplaybook.turns.journal.session_state import Phase, SessionState, phase_of
from openplaybook.turns.journal.turn_results import dump_result
from openplaybook.turns.session.repeats import Deliveries, Repeats, fingerprint_of
from openplaybook.turns.session.seals import ParameterSeals
from openplaybook.turns.session.stored_sessions import DEFAULT_TTL_S, LoadedSession, SessionCache
from openplaybook.turns.session.turn_admission import Admitted, HeldLease, QueuePlace, TurnAdmission
from openplaybook.turns.steps.call_outcomes import in_doubt
from openplaybook.turns.steps.calls import Caller, enter, leave, move
from openplaybook.turns.steps.client_calls import ClientCalls, pause
from openplaybook.turns.steps.decisions import Decider
from openplaybook.turns.steps.handlers import Handlers
from openplaybook.turns.steps.intake import (
    ORPHANED,
    abandon,
    begin_event,
    check,
    check_repeat,
    dead_request,
    end_orphan,
    keep_files,
    open_turn,
)
from openplaybook.turns.steps.session_parameters import declared_only
from openplaybook.turns.turn import Observer, Turn, TurnLimits, result_of, tell_of
from openplaybook.turns.turn_watch import RunningTurns


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
        limits: TurnLimits | None = None,
        spans: Spans | None = None,
        deliveries: Deliveries | None = None,
        session_ttl_s: float = DEFAULT_TTL_S,
    ) -> None:
        limits = limits or TurnLimits()
        self._store = store
        self._metrics = metrics
        self._spans = spans or Spans()
        self._snapshots = Snapshots(store, toolbox)
        self._sessions = SessionCache(store)
        self._deliveries = deliveries or Deliveries(store, flush_s=None)
        self._admission = TurnAdmission(store, owner, self._deliveries, session_ttl_s=session_ttl_s)
        self._repeats = Repeats(store, self._sessions, self._snapshots)
        self._seals = ParameterSeals(sealer)
        self.running = RunningTurns()
        """The turns of this process, to be watched."""
        self._decider = Decider(
            models, limits, metrics, ClientCalls(self._seals), Handlers(limits, self._seals), self._seals
        )
        self._caller = Caller(models, limits, metrics, self._seals)

    async def run(self, request: TurnRequest, observer: Observer | None = None) -> TurnResult:
        """Run one turn to its answer or pause. Raises `TurnError`; the session is usable afterwards."""
        begun = time.perf_counter()
        self._metrics.turn_began()
        outcome = "ERROR"
        try:
            result = await self._admitted(request, observer)
            outcome = "PAUSED" if result.paused else "DONE"
            return result
        except TurnError as error:
            outcome = error.code
            raise
        finally:
            self._metrics.turn_ended(outcome, time.perf_counter() - begun)

    @property
    def conversations_kept(self) -> int:
        """Conversations held in memory."""
        return len(self._sessions)

    def delivered(self, session: str, turn: int) -> None:
        """The answer of a turn was written to its client's connection: the same words again are a new turn."""
        self._deliveries.delivered(session, turn)

    async def _admitted(self, request: TurnRequest, observer: Observer | None) -> TurnResult:
        came_at = time.monotonic()
        deadline = came_at + request.timeout_s
        async with self._admission.queue(request.session, request.timeout_s) as place:
            begin, admitted, since = await self._begun(request, place, came_at)
            while isinstance(admitted, Orphaned):
                await self._end_orphan(request, admitted, since)
                begin, admitted, since = await self._begun(request, place, came_at)
            if isinstance(admitted, Answered):
                result, answered = await self._repeats.result(request.agent, request.session, admitted.response)
                check_repeat(request, answered)
                return result
            lease = admitted.lease
            async with self._admission.hold(lease, since) as held_lease:
                with log_context(session=lease.session, turn=lease.turn_id, **trace_context(request.trace_parent)):
                    return await self._run(request, admitted, begin, held_lease, deadline, observer)

    async def _begun(
        self, request: TurnRequest, place: QueuePlace, came_at: float
    ) -> tuple[TurnBegun, Admitted, float]:
        """The turn's first row, what the store makes of the request, and when it was asked."""
        current = await self._snapshots.current(request.agent, request.version)
        secret = await self._secret_parameters(request, current)
        parameters = self._seals.seal(declared_only(request.parameters, current), secret, request.session)
        begin = begin_event(request, current.digest, parameters, current.language_code)
        fingerprint = fingerprint_of(begin)
        since, joins = time.monotonic(), place.joins(fingerprint)
        left_s = came_at + request.timeout_s - since
        admitted = await self._admission.begin(
            request, fingerprint, row_of(begin), left_s, joins=joins, came_at=came_at
        )
        place.has(fingerprint, admitted)
        return begin, admitted, since

    async def _run(
        self,
        request: TurnRequest,
        admitted: Started | Recovered,
        begin: TurnBegun,
        held_lease: HeldLease,
        deadline: float,
        observer: Observer | None,
    ) -> TurnResult:
        recorded: list[Event] = [begin]
        if isinstance(admitted, Recovered):
            recorded = await self._recorded(admitted)
            begin = begin_of(recorded)
            await self._check_recovered(request, admitted, begin)
        try:
            turn, loaded = await self._ready(request, admitted, recorded)
        except (ResultNotExpected, ResultMismatch):
            # It may be one that the session took before.
            response = await self._repeats.of_settled(request.session, begin)
            if response is None:
                raise
            result, _ = await self._repeats.result(request.agent, request.session, response)
            return result
        turn.held, turn.deadline, turn.observer = held_lease, deadline, observer
        with self.running.showing(turn):
            return await self._play(turn, loaded, recorded)

    async def _recorded(self, taken: Recovered | Orphaned) -> list[Event]:
        """What is on record of a turn that is taken over. Raises `NewerData`."""
        try:
            return [event_of(step) for step in taken.steps]
        except NewerData:
            await self._leave(taken)
            raise

    async def _leave(self, taken: Started | Recovered | Orphaned) -> None:
        """Give a turn back that this version cannot read: what was done before stays, for a server that can."""
        if isinstance(taken, Started):
            await self._store.finish_turn(taken.lease, state=TurnState.FAILED)
        else:
            await self._store.renew(taken.lease, 0)

    async def _check_recovered(self, request: TurnRequest, recovered: Recovered, begin: TurnBegun) -> None:
        try:
            check_repeat(request, begin)
        except TurnError:
            # The turn stays for the request that began it.
            await self._store.renew(recovered.lease, 0)
            raise

    async def _ready(
        self, request: TurnRequest, admitted: Started | Recovered | Orphaned, recorded: list[Event]
    ) -> tuple[Turn, LoadedSession]:
        """The turn before anything has happened in it. One that the session cannot take ends here, FAILED; one whose
        session cannot be read stays, where it had begun before."""
        try:
            loaded = await self._sessions.load(request.session, admitted.session)
            begin = begin_of(recorded)
            snapshot = await self._snapshot(request, loaded.state, begin)
            self._seals.seal_state(loaded.state, snapshot.secret_parameters, request.session)
            if len(recorded) == 1:
                await check(loaded.state, request, snapshot, at=begin.at)
        except NewerData:
            await self._leave(admitted)
            raise
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
            deadline=math.inf,
        )
        return turn, loaded

    async def _end_orphan(self, request: TurnRequest, orphan: Orphaned, since: float) -> None:
        """End the dead turn of another request, so that what it did is not forgotten. Raises `NewerData`."""
        recorded = await self._recorded(orphan)
        theirs = dead_request(request, begin_of(recorded))
        async with self._admission.hold(orphan.lease, since):
            try:
                turn, _ = await self._ready(theirs, orphan, recorded)
                frames = {frame.id: frame.playbook for frame in turn.state.frames}
                await end_orphan(turn, recorded, self._seals)
                tell_of(turn, frames, self._spans, ORPHANED)
            except TurnError as error:
                if isinstance(error, NewerData):
                    raise
                # What its session would not have taken is ended already.
        self._sessions.forget(request.session)

    async def _play(self, turn: Turn, loaded: LoadedSession, recorded: list[Event]) -> TurnResult:
        frames = {frame.id: frame.playbook for frame in turn.state.frames}
        try:
            # First of all: a turn that cannot keep its files ends as one that did what is on record.
            turn.replay(recorded)
            # Again where the turn is recovered: a file is kept once, however often it is given.
            await keep_files(turn)
            turn.in_doubt = in_doubt(turn.state, sequential=turn.snapshot.sequential)
            if len(recorded) == 1:
                await open_turn(turn, self._seals)
            await self._take_steps(turn)
        except StoreError:
            self._sessions.forget(turn.request.session)
            raise
        except Exception as fault:
            self._sessions.forget(turn.request.session)
            code = fault.code if isinstance(fault, TurnError) else "INTERNAL"
            await turn.wait_for_besides()
            await abandon(turn, code, str(fault))
            tell_of(turn, frames, self._spans, code)
            raise
        pause(turn)
        result = result_of(turn, frames)
        finishing = self._store.finish_turn(
            turn.lease,
            state=TurnState.DONE,
            steps=turn.uncommitted(),
            response=dump_result(result, turn.lease.number),
            session_state=turn.state.dump(),
        )
        await finishing if not turn.besides else await asyncio.gather(finishing, turn.wait_for_besides())
        self._deliveries.answered(turn.request.session, turn.lease.number)
        self._sessions.keep(turn.request.session, loaded, turn.written)
        tell_of(turn, frames, self._spans)
        return result

    async def _take_steps(self, turn: Turn) -> None:
        """Until the turn rests: it has its last word, or waits for the client."""
        while True:
            match phase_of(turn.state):
                case Phase.DECIDE:
                    await self._decider.decide(turn)
                case Phase.CALL:
                    await self._caller.call_tools(turn)
                case Phase.ENTER:
                    enter(turn)
                case Phase.MOVE:
                    move(turn)
                case Phase.LEAVE:
                    leave(turn)
                case Phase.PAUSED | Phase.DONE:
                    return

    async def _snapshot(self, request: TurnRequest, state: SessionState, begin: TurnBegun) -> AgentSnapshot:
        """The agent as this turn sees it: as it was when the turn began, also across a pause."""
        digest = state.snapshot if goes_on(state, begin) else begin.snapshot
        return await self._snapshots.by_digest(request.agent, digest)

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
