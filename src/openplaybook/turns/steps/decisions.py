"""One decision of the model, and what its reply commits the turn to."""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.models.base import RequestedCall
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.resources.guardrails import GuardStage
from openplaybook.telemetry.metrics import Metrics
from openplaybook.turns.agent.snapshot import PlaybookView
from openplaybook.turns.journal.events import CallsIntended, EngineSpoke, NoticeGiven
from openplaybook.turns.journal.session_state import CallKind, PendingCall
from openplaybook.turns.session.seals import ParameterSeals
from openplaybook.turns.steps.call_outcomes import answer_caller, leave_answering, settle
from openplaybook.turns.steps.client_calls import ClientCalls, is_clients
from openplaybook.turns.steps.guards import Guards, fired_on_input, fired_on_response, may_speak_freely
from openplaybook.turns.steps.handlers import Handlers, moves_made
from openplaybook.turns.steps.model_calls import ModelAnswer, ModelCaller, record_reply, record_withheld
from openplaybook.turns.steps.step_contexts import describe_tools, model_turn, view_of
from openplaybook.turns.turn import Turn, TurnLimits

GAVE_UP = "Sorry, I could not finish that. Please try again, or ask for something else."
"""What the agent says when a turn reaches its step limit."""


class Decider:
    """Asks the model for the next step and records it."""

    def __init__(
        self,
        models: ModelDirectory,
        limits: TurnLimits,
        metrics: Metrics,
        clients: ClientCalls,
        handlers: Handlers,
        seals: ParameterSeals,
    ) -> None:
        self._handlers = handlers
        self._seals = seals
        self._limits = limits
        self._clients = clients
        self._model_caller = ModelCaller(models, metrics, seals)
        self._guards = Guards(self._model_caller, limits)

    async def decide(self, turn: Turn) -> None:
        """Take one decision. Raises `ModelFailed`, `TurnTimedOut`."""
        left = turn.remaining_s()
        if turn.effort.decisions >= self._limits.decisions:
            message = f"The turn took {self._limits.decisions} decisions without reaching an answer."
            turn.emit(NoticeGiven(frame=turn.state.top.id, code="STEP_LIMIT", message=message))
            leave_answering(turn, "STEP_LIMIT", message)
            turn.emit(EngineSpoke(frame=turn.state.top.id, text=GAVE_UP, code="STEP_LIMIT"))
            return
        if guardrail := await fired_on_input(turn):
            await self._guards.stop(turn, guardrail, GuardStage.INPUT)
            return
        if self._handlers.before_decision(turn):
            return
        await describe_tools(turn, self._seals, left)
        request = model_turn(turn, min(left, self._limits.model_s))
        if turn.effort.decisions == 0:
            _notice_unusable_tools(turn)
        answer = await self._model_caller.ask(turn, request, aloud=may_speak_freely(turn))
        if guardrail := await fired_on_response(turn, answer.reply.text):
            record_withheld(turn, answer)
            await self._guards.stop(turn, guardrail, GuardStage.RESPONSE)
            return
        await self._record(turn, answer)
        # The reply and the intents of its calls are on record before any call is sent.
        if turn.state.top.batch:
            await turn.commit()

    async def _record(self, turn: Turn, answer: ModelAnswer) -> None:
        view, reply = view_of(turn), answer.reply
        calls: list[PendingCall] = []
        refusals: dict[str, tuple[str, str]] = {}
        for index, requested in enumerate(reply.calls):
            call = _pending(turn, view, requested, turn.call_id(index))
            refusal = self._refusal(turn, view, requested, call, index)
            if refusal := refusal or await self._clients.take_over(turn, call, view.actions.get(call.name)):
                call.kind = CallKind.INVALID
                refusals[call.id] = refusal
            calls.append(call)
        record_reply(turn, answer, calls)
        if turn.state.top.answers and not calls:
            answer_caller(turn, reply.text)
            return
        if self._handlers.before_calls(turn, calls):
            return
        if sent := tuple(call.id for call in calls if call.kind is CallKind.TOOL):
            turn.emit(CallsIntended(calls=sent))
        for call in calls:
            if call.id in refusals:
                settle(turn, call, error=refusals[call.id])

    def _refusal(
        self, turn: Turn, view: PlaybookView, requested: RequestedCall, call: PendingCall, index: int
    ) -> tuple[str, str] | None:
        """Why a call is not taken, as (code, message) for the model; None when it is."""
        if call.kind is CallKind.INVALID:
            known = ", ".join([*view.actions, *view.children]) or "none"
            return "NO_SUCH_FUNCTION", f"There is no function {requested.name!r}. Functions: {known}."
        if not isinstance(requested.arguments, dict):
            return "MALFORMED_ARGUMENTS", f"The arguments are not a JSON object: {_excerpt(requested.arguments)}"
        if index >= self._limits.calls_per_reply:
            return "TOO_MANY_CALLS", f"At most {self._limits.calls_per_reply} calls fit into one reply."
        if turn.effort.times_called(call) >= self._limits.same_call:
            return "REPEATED_CALL", "The same call with the same arguments was made before; use its result."
        if call.kind is CallKind.PLAYBOOK and len(turn.state.frames) >= self._limits.depth:
            return "TOO_DEEP", f"At most {self._limits.depth} playbooks can call each other."
        if call.kind is CallKind.TRANSITION and moves_made(turn) >= self._limits.depth:
            return "TOO_MANY_TRANSITIONS", f"At most {self._limits.depth} transitions fit into one turn: answer now."
        return None


def _notice_unusable_tools(turn: Turn) -> None:
    for tool, reason in view_of(turn).unusable_tools.items():
        message = f"Tool {turn.snapshot.tool_names.get(tool, tool)} cannot be called: {reason}"
        turn.emit(NoticeGiven(frame=turn.state.top.id, code="TOOL_UNUSABLE", message=message))


def _pending(turn: Turn, view: PlaybookView, requested: RequestedCall, call_id: str) -> PendingCall:
    """The engine's view of a requested call; INVALID when it names nothing that can be called here."""
    called = len(turn.state.frames) > 1
    arguments: JsonObject = as_object(requested.arguments)
    call = PendingCall(call_id, requested.id, requested.name, CallKind.INVALID, arguments)
    if action := view.actions.get(requested.name):
        call.kind = CallKind.CLIENT if is_clients(turn, action) else CallKind.TOOL
        call.tool, call.action = action.tool, action.action
    elif child := view.children.get(requested.name):
        answers = requested.name in view.answering
        call.kind = CallKind.TRANSITION if child in view.transitions and not answers else CallKind.PLAYBOOK
        call.playbook, call.tool = child, view.answering.get(requested.name, "")
    elif not turn.state.top.answers and requested.name == (view.end_name if called else view.close_name):
        call.kind = CallKind.END
    return call


def _excerpt(value: JsonValue) -> str:
    text = str(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
