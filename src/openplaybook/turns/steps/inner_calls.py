"""Calls that a tool makes while it is called itself: one after the other, each on record like any other call.

A call that is made again after a crash makes its inner calls again, in the same order. Those that were settled are
answered from the journal; what the journal does not agree with is not guessed at: the outer call ends in doubt.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, dumps_sorted
from openplaybook.tools.base import Action, Diverged, Exchange, Failure, InDoubt, Outcome
from openplaybook.turns.base import PartialTrace
from openplaybook.turns.journal.events import Event, InnerCallIntended, InnerCallSettled, now_us
from openplaybook.turns.journal.session_state import CallKind, PendingCall
from openplaybook.turns.journal.turn_trace import inner_id, tool_ended, tool_started
from openplaybook.turns.session.seals import NOTHING_SET, ParameterSeals, SealedParameters
from openplaybook.turns.steps.call_outcomes import outcome_of, recorded_outcome
from openplaybook.turns.steps.client_calls import is_clients
from openplaybook.turns.steps.session_parameters import set_by_tool
from openplaybook.turns.steps.step_contexts import view_of
from openplaybook.turns.turn import Turn

UNDER_WAY = "Whether this call was carried out is unknown: the server stopped while it was under way."
_GIVEN_UP = "Whether this call was carried out is unknown: the call that made it ended while it was under way."

Invoke: TypeAlias = Callable[[PendingCall, Action, float], Awaitable[tuple[Outcome, Sequence[Exchange]]]]
"""Takes a call within so many seconds: what came of it, and what was sent for it."""


@dataclass(slots=True)
class _Recorded:
    """An inner call as an earlier owner of the turn left it."""

    intent: InnerCallIntended
    result: InnerCallSettled | None = None


class InnerCalls:
    """The inner calls of one call."""

    def __init__(
        self, turn: Turn, outer: PendingCall, invoke: Invoke, seals: ParameterSeals, *, most: int, timeout_s: float
    ) -> None:
        """`most`: how many there may be; `timeout_s`: how long, from now, the outer call may take."""
        self._turn = turn
        self._outer = outer
        self._invoke = invoke
        self._most = most
        self._ends = time.monotonic() + timeout_s
        self._seals = seals
        view = view_of(turn)
        self._offered = view.callable or view.actions
        self._recorded = _recorded(turn.events, outer.id)
        self._made = 0
        self._parted = ""
        self._one_at_a_time = asyncio.Lock()

    @property
    def callable(self) -> tuple[str, ...]:
        """Model-facing names of what may be called: actions that the server takes, the outer tool's own left out."""
        return tuple(name for name, action in self._offered.items() if self._refusal(name, action) is None)

    async def call(self, name: str, arguments: JsonObject) -> Outcome:
        """As `ToolContext.call`. Raises `Diverged`, and what the journal raises."""
        async with self._one_at_a_time:
            action = self._offered.get(name)
            if action is None:
                known = ", ".join(self.callable) or "none"
                return Failure("NO_SUCH_FUNCTION", f"There is no function {name!r} to call here. Functions: {known}.")
            if refusal := self._refusal(name, action):
                return refusal
            if self._made >= self._most:
                return Failure("TOO_MANY_CALLS", f"At most {self._most} calls can be made from within one call.")
            self._made += 1
            if self._made <= len(self._recorded):
                return await self._again(self._recorded[self._made - 1], name, action, arguments)
            return await self._anew(name, action, arguments)

    def judged(self, outcome: Outcome) -> Outcome:
        """What the outer call came to: in doubt, when it did not ask for what it had asked for the first time."""
        if not self._parted and self._made < len(self._recorded):
            left = ", ".join(each.intent.name for each in self._recorded[self._made :])
            self._parted = f"{left} had been called, and was not the second time"
        if not self._parted:
            return outcome
        return InDoubt(f"The server stopped during this call, and made again it went another way: {self._parted}.")

    def _refusal(self, name: str, action: Action) -> Failure | None:
        if is_clients(self._turn, action):
            return Failure("CLIENT_TOOL", f"{name} is a function tool: clients run it, and cannot be asked from here.")
        if action.tool == self._outer.tool:
            return Failure("RECURSIVE_CALL", f"{name} cannot be called from within itself.")
        return None

    async def _again(self, recorded: _Recorded, name: str, action: Action, arguments: JsonObject) -> Outcome:
        """The call that has this position on record."""
        before = recorded.intent
        if (before.name, dumps_sorted(before.arguments)) != (name, dumps_sorted(arguments)):
            what = f"with other arguments than {name} had" if before.name == name else f"instead of {before.name}"
            self._parted = f"call {self._made} was of {name}, {what}"
            raise Diverged(self._parted)
        if recorded.result is not None:
            return outcome_of(recorded.result)
        if not action.safe_to_repeat:
            doubt = InDoubt(UNDER_WAY)
            return await self._settle(self._pending(name, action, arguments), doubt, now_us(), ())
        return await self._take(self._pending(name, action, arguments), action)

    async def _anew(self, name: str, action: Action, arguments: JsonObject) -> Outcome:
        call = self._pending(name, action, arguments)
        await self._turn.check_ours()
        intended = InnerCallIntended(
            frame=self._turn.state.top.id,
            call=self._outer.id,
            position=self._made,
            name=call.name,
            tool=call.tool,
            action=call.action,
            arguments=call.arguments,
        )
        self._turn.emit(intended)
        # On record before it is sent, as every call.
        await self._turn.commit()
        return await self._take(call, action)

    async def _take(self, call: PendingCall, action: Action) -> Outcome:
        started, turn = now_us(), self._turn
        turn.tell(PartialTrace(tool_started(turn.state, turn.snapshot, call, started, within=self._outer.id)))
        try:
            outcome, exchanges = await self._invoke(call, action, max(0.0, self._ends - time.monotonic()))
        except asyncio.CancelledError:
            self._emit(call, InDoubt(_GIVEN_UP), started, ())
            raise
        return await self._settle(call, outcome, started, exchanges)

    async def _settle(
        self, call: PendingCall, outcome: Outcome, started: int, exchanges: Sequence[Exchange]
    ) -> Outcome:
        """Put on record what a call came to; gives what its caller is told of it."""
        turn = self._turn
        outcome, sets = set_by_tool(turn, self._seals, outcome)
        event = self._emit(call, outcome, started, exchanges, sets)
        await turn.commit()
        turn.tell(PartialTrace(tool_ended(event, turn.snapshot, turn.state.top.playbook)))
        return outcome

    def _emit(
        self,
        call: PendingCall,
        outcome: Outcome,
        started: int,
        exchanges: Sequence[Exchange],
        sets: SealedParameters = NOTHING_SET,
    ) -> InnerCallSettled:
        record = recorded_outcome(outcome)
        event = InnerCallSettled(
            frame=self._turn.state.top.id,
            call=self._outer.id,
            position=self._made,
            name=call.name,
            tool=call.tool,
            action=call.action,
            arguments=call.arguments,
            started=started,
            output=record.output,
            is_error=record.is_error,
            code=record.code,
            note=record.note,
            exchanges=tuple(exchanges),
            parameters=sets.values,
            sealed=frozenset(sets.sealed),
        )
        self._turn.emit(event)
        return event

    def _pending(self, name: str, action: Action, arguments: JsonObject) -> PendingCall:
        id = inner_id(self._outer.id, self._made)
        return PendingCall(id, "", name, CallKind.TOOL, arguments, tool=action.tool, action=action.action)


def _recorded(happened: Sequence[Event], outer: str) -> list[_Recorded]:
    """The inner calls of a call that are on record, in order."""
    recorded: dict[int, _Recorded] = {}
    for event in happened:
        if isinstance(event, InnerCallIntended) and event.call == outer:
            recorded[event.position] = _Recorded(event)
        elif isinstance(event, InnerCallSettled) and event.call == outer:
            recorded[event.position].result = event
    return list(recorded.values())
