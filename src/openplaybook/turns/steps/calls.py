"""Taking the calls of a reply: tools side by side, playbooks one after the other."""

import asyncio
import logging
import time
from collections.abc import Sequence
from functools import partial

from openplaybook.credentials.errors import CredentialError
from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import ProviderExchange
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.storage.errors import StoreError
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.base import (
    CLIENT_SIDE,
    Action,
    Call,
    Diverged,
    Exchange,
    Failure,
    InDoubt,
    Outcome,
    Success,
    ToolContext,
)
from openplaybook.turns.agent.declarations import ESCALATED, STATE, SUMMARY, read_ending, read_own_ending
from openplaybook.turns.base import PartialTrace
from openplaybook.turns.journal.events import (
    CallHanded,
    ConversationEnded,
    PlaybookEntered,
    PlaybookLeft,
    UserHeard,
    now_us,
)
from openplaybook.turns.journal.session_state import CallKind, PendingCall, unsettled
from openplaybook.turns.journal.turn_trace import tool_ended, tool_prompt_key, tool_started
from openplaybook.turns.session.seals import ParameterSeals
from openplaybook.turns.steps.call_outcomes import asked_for, settle, settle_outcome
from openplaybook.turns.steps.handlers import move_to
from openplaybook.turns.steps.inner_calls import UNDER_WAY, InnerCalls
from openplaybook.turns.steps.model_calls import ToolModels, keep_prompt
from openplaybook.turns.steps.session_parameters import set_by_tool
from openplaybook.turns.steps.step_contexts import model_settings, tool_context, view_of
from openplaybook.turns.turn import Turn, TurnLimits

_log = logging.getLogger("openplaybook.turns")


class Caller:
    """Takes calls and records what came of them."""

    def __init__(self, models: ModelDirectory, limits: TurnLimits, metrics: Metrics, seals: ParameterSeals) -> None:
        self._models = models
        self._limits = limits
        self._metrics = metrics
        self._seals = seals

    async def call_tools(self, turn: Turn) -> None:
        """Take every open tool call of the deciding playbook, side by side; each result is on record as it comes."""
        turn.remaining_s()
        room = asyncio.Semaphore(1 if turn.snapshot.sequential else self._limits.parallel_calls)

        async def take(call: PendingCall) -> None:
            async with room:
                # It may have waited long for its place.
                await turn.check_ours()
                left = max(0.0, turn.deadline - time.monotonic())
                await self._take(turn, call, min(left, self._limits.call_s))

        calls = unsettled(turn.state, CallKind.TOOL)
        ended = await asyncio.gather(*(take(call) for call in calls), return_exceptions=True)
        for call, fault in zip(calls, ended, strict=True):
            if isinstance(fault, StoreError):
                raise fault
            if fault is not None:
                # A fault of our own must not lose the other calls' results, nor leave this one open.
                _log.error("tool call failed inside", exc_info=fault)
                settle(turn, call, error=("INTERNAL", "The tool failed inside; whether it acted is unknown."))
        await turn.commit()

    async def _take(self, turn: Turn, call: PendingCall, timeout_s: float) -> None:
        started = now_us()
        action = turn.snapshot.action_of(turn.state.top.playbook, call.name)
        try:
            context = tool_context(turn, call, self._seals, timeout_s)
        except CredentialError as error:
            settle(turn, call, error=(error.code, str(error)), started=started)
            return
        models = ToolModels(
            self._models, self._metrics, model_settings(turn).model, partial(self._keep_prompt, turn, call)
        )
        inner = InnerCalls(
            turn,
            call,
            partial(self._invoke_inner, turn, models),
            self._seals,
            most=self._limits.inner_calls,
            timeout_s=timeout_s,
        )
        context.model, context.model_named = models.of_playbook(), models.named
        context.call, context.callable = inner.call, inner.callable
        turn.tell(PartialTrace(tool_started(turn.state, turn.snapshot, call, started)))
        begun = time.perf_counter()
        outcome = inner.judged(await _outcome(turn, call, action, context))
        self._count(turn, call, outcome, begun)
        if action is not None and action.has_fake and isinstance(outcome, Failure) and outcome.code == CLIENT_SIDE:
            handed = CallHanded(
                frame=turn.state.top.id, call=call.id, tool=call.tool, action=call.action, arguments=call.arguments
            )
            turn.emit(handed)
            return
        outcome, sets = set_by_tool(turn, self._seals, outcome)
        settled = settle_outcome(
            turn, call, outcome, started=started, exchanges=context.exchanges, models=models.asked, sets=sets
        )
        ended = PartialTrace(tool_ended(settled, turn.snapshot, turn.state.top.playbook))
        # Told once it is on record: what a client saw end is not done again after a crash.
        await turn.commit()
        turn.tell(ended)

    async def _invoke_inner(
        self, turn: Turn, models: ToolModels, call: PendingCall, action: Action, timeout_s: float
    ) -> tuple[Outcome, Sequence[Exchange]]:
        """Take a call that another one makes; it cannot make calls in its turn. What it asks of models is told with
        the other one's."""
        try:
            context = tool_context(turn, call, self._seals, min(timeout_s, self._limits.call_s))
        except CredentialError as error:
            return Failure(error.code, str(error)), ()
        context.model, context.model_named = models.of_playbook(), models.named
        begun = time.perf_counter()
        outcome = await turn.snapshot.tools[call.tool].invoke(Call(call.id, action, call.arguments), context)
        self._count(turn, call, outcome, begun)
        return outcome, context.exchanges

    def _keep_prompt(self, turn: Turn, call: PendingCall, decision: int, exchange: ProviderExchange) -> None:
        keep_prompt(turn, self._seals, tool_prompt_key(turn.lease.number, call.id, decision), exchange)

    def _count(self, turn: Turn, call: PendingCall, outcome: Outcome, begun: float) -> None:
        kind = turn.snapshot.tool_kinds.get(call.tool, "other")
        self._metrics.tool_called(kind, _word(outcome), time.perf_counter() - begun)


def enter(turn: Turn) -> None:
    """Enter the next playbook that a call asks for."""
    call, caller = unsettled(turn.state, CallKind.PLAYBOOK)[0], turn.state.top
    text = _words_for(turn, caller.id)
    answers = caller.answers or call.name in view_of(turn).answering
    entered = PlaybookEntered(
        frame=turn.state.frames_made + 1,
        playbook=call.playbook,
        call=call.id,
        inputs=call.arguments,
        text=(asked_for(call) or text) if answers else text,
        answers=answers,
        name=call.name if answers else "",
        tool=call.tool if answers else "",
    )
    turn.emit(entered)


def _words_for(turn: Turn, caller: int) -> str:
    """The user's latest words: those that a playbook was left with in this turn, of which its caller has only the
    result, else those that the caller has heard."""
    if any(isinstance(event, PlaybookLeft) for event in turn.events):
        heard = next((event.text for event in reversed(turn.events) if isinstance(event, UserHeard)), "")
        if heard:
            return heard
    return turn.transcript.last_user_text(caller)


def move(turn: Turn) -> None:
    """Exit the deciding playbook and enter the one that a call asks for."""
    call = unsettled(turn.state, CallKind.TRANSITION)[0]
    move_to(turn, call.playbook, call.arguments)


def leave(turn: Turn) -> None:
    """Leave the deciding playbook and give its outputs to the call that entered it.

    Where no call did, or a person has to take over, the conversation ends.
    """
    frame, call = turn.state.top, unsettled(turn.state, CallKind.END)[0]
    view = view_of(turn)
    is_own = view.playbook.end_function is not None and call.name == view.close_name
    ending = read_own_ending(call.arguments) if is_own else read_ending(call.arguments)
    is_over = is_own or len(turn.state.frames) == 1 or ending.state == ESCALATED
    departure = ConversationEnded if is_over else PlaybookLeft
    left = departure(
        frame=frame.id,
        playbook=frame.playbook,
        outputs=ending.outputs,
        state=ending.state,
        summary=ending.summary,
    )
    turn.emit(left)
    if is_over:
        return
    for call in turn.state.top.batch:
        if call.id == frame.call:
            summary: JsonObject = {SUMMARY: ending.summary} if ending.summary else {}
            settle(turn, call, output={**ending.outputs, STATE: ending.state, **summary})
            return


async def _outcome(turn: Turn, call: PendingCall, action: Action | None, context: ToolContext) -> Outcome:
    tool = turn.snapshot.tools.get(call.tool)
    if action is None or tool is None:
        return Failure("NO_SUCH_TOOL", f"Tool {call.tool} is no longer part of the agent.")
    if call.id in turn.in_doubt and not action.safe_to_repeat:
        return InDoubt(UNDER_WAY)
    try:
        return await tool.invoke(Call(call.id, action, call.arguments), context)
    except Diverged as error:
        return InDoubt(str(error))


def _word(outcome: Outcome) -> str:
    if isinstance(outcome, Success):
        return "OK"
    return outcome.code if isinstance(outcome, Failure) else "OUTCOME_UNKNOWN"
