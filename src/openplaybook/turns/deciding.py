"""One decision of the model, and what its reply commits the turn to."""

import time
from collections.abc import AsyncIterator

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.models.base import Model, ModelReply, ModelTurn, RequestedCall, TextDelta
from openplaybook.models.directory import ModelDirectory
from openplaybook.models.errors import ModelError, ModelGarbled
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.base import Place
from openplaybook.turns import events
from openplaybook.turns.base import PartialText
from openplaybook.turns.errors import ModelFailed
from openplaybook.turns.handing_over import ClientCalls
from openplaybook.turns.handling import Handlers
from openplaybook.turns.limits import Limits
from openplaybook.turns.prompting import model_turn, view_of
from openplaybook.turns.reply_facts import facts_of
from openplaybook.turns.settling import settle
from openplaybook.turns.snapshot import PlaybookView
from openplaybook.turns.state import CallKind, PendingCall
from openplaybook.turns.turn import Turn, now_us

GAVE_UP = "Sorry, I could not finish that. Please try again, or ask for something else."
"""What the agent says when a turn reaches its step limit."""


class Decider:
    """Asks the model for the next step and records it."""

    def __init__(
        self, models: ModelDirectory, limits: Limits, metrics: Metrics, clients: ClientCalls, handlers: Handlers
    ) -> None:
        self._handlers = handlers
        self._models = models
        self._limits = limits
        self._metrics = metrics
        self._clients = clients

    async def decide(self, turn: Turn) -> None:
        """Take one decision. Raises `ModelFailed`, `TurnTimedOut`."""
        left = turn.remaining_s()
        if turn.effort.decisions >= self._limits.decisions:
            message = f"The turn took {self._limits.decisions} decisions without coming to an answer."
            turn.emit(events.NOTICE, frame=turn.state.top.id, code="STEP_LIMIT", message=message)
            turn.emit(events.SAY, frame=turn.state.top.id, text=GAVE_UP, code="STEP_LIMIT")
            return
        if self._handlers.before_decision(turn):
            return
        request = model_turn(turn, min(left, self._limits.model_s))
        model, substituted = self._models.resolve(request.settings.model)
        if turn.effort.decisions == 0:
            _notice_unusable_tools(turn)
            if substituted:
                message = f"There is no alias for model {request.settings.model}: {model.name} answers instead."
                turn.emit(events.NOTICE, frame=turn.state.top.id, code="MODEL_SUBSTITUTED", message=message)
        started = now_us()
        reply, first = await self._ask(turn, model, request, started)
        self._record(turn, reply, started, facts_of(request, reply, first))
        # The reply and the intents of its calls are on record before any call is sent.
        if turn.state.top.batch:
            await turn.commit()

    async def _ask(self, turn: Turn, model: Model, request: ModelTurn, started: int) -> tuple[ModelReply, int]:
        """The reply, and when its first words were heard: 0 where nobody listens."""
        begun, first = time.perf_counter(), 0
        try:
            if turn.observer is None:
                reply = await model.decide(request)
            else:
                reply, first = await _listen(turn, model.stream(request))
            if not reply.text and not reply.calls:
                raise ModelGarbled(f"{model.name} gave neither words nor a call", attempts=reply.attempts)
        except ModelError as error:
            self._metrics.model_called(model.name, error.code, time.perf_counter() - begun)
            turn.emit(
                events.FAULT,
                frame=turn.state.top.id,
                started=started,
                model=model.name,
                code=error.code,
                message=str(error),
                attempts=error.attempts,
            )
            raise ModelFailed(error) from error
        self._metrics.model_called(
            model.name,
            "OK",
            time.perf_counter() - begun,
            input_tokens=reply.usage.input_tokens,
            output_tokens=reply.usage.output_tokens,
        )
        return reply, first

    def _record(self, turn: Turn, reply: ModelReply, started: int, facts: JsonObject) -> None:
        view = view_of(turn)
        calls: list[PendingCall] = []
        refusals: dict[str, tuple[str, str]] = {}
        for index, requested in enumerate(reply.calls):
            call = _pending(view, requested, turn.call_id(index), called=len(turn.state.frames) > 1)
            refusal = self._refusal(turn, view, requested, call, index)
            if refusal := refusal or self._clients.take_over(turn, call, view.actions.get(call.name)):
                call.kind = CallKind.INVALID
                refusals[call.id] = refusal
            calls.append(call)
        turn.emit(
            events.REPLY,
            frame=turn.state.top.id,
            started=started,
            text=reply.text,
            calls=[call.to_json() for call in calls],
            model=reply.model,
            usage={"input": reply.usage.input_tokens, "output": reply.usage.output_tokens},
            attempts=reply.attempts,
            finish=reply.finish_reason,
            raw=reply.raw,
            planner=reply.planner_state,
            evidence=reply.evidence,
            call=facts,
        )
        if self._handlers.before_calls(turn, calls):
            return
        if sent := [call.id for call in calls if call.kind is CallKind.TOOL]:
            turn.emit(events.INTENT, calls=sent)
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
        if turn.effort.times_called(call.to_json()) >= self._limits.same_call:
            return "REPEATED_CALL", "The same call with the same arguments was made before; use its result."
        if call.kind is CallKind.PLAYBOOK and len(turn.state.frames) >= self._limits.depth:
            return "TOO_DEEP", f"At most {self._limits.depth} playbooks can call each other."
        return None


def _notice_unusable_tools(turn: Turn) -> None:
    for tool, reason in view_of(turn).unusable_tools.items():
        message = f"Tool {turn.snapshot.tool_names.get(tool, tool)} cannot be called: {reason}"
        turn.emit(events.NOTICE, frame=turn.state.top.id, code="TOOL_UNUSABLE", message=message)


async def _listen(turn: Turn, stream: AsyncIterator[TextDelta | ModelReply]) -> tuple[ModelReply, int]:
    first = 0
    async for item in stream:
        if isinstance(item, ModelReply):
            return item, first
        first = first or now_us()
        turn.tell(PartialText(item.text))
    raise ModelGarbled("the stream ended without a reply")


def _pending(view: PlaybookView, requested: RequestedCall, call_id: str, *, called: bool) -> PendingCall:
    """The engine's view of a requested call; INVALID when it names nothing that can be called here."""
    arguments: JsonObject = as_object(requested.arguments)
    call = PendingCall(call_id, requested.id, requested.name, CallKind.INVALID, arguments)
    if action := view.actions.get(requested.name):
        call.kind = CallKind.CLIENT if action.place is Place.CLIENT else CallKind.TOOL
        call.tool, call.action = action.tool, action.action
    elif child := view.children.get(requested.name):
        call.kind = CallKind.TRANSITION if child in view.transitions else CallKind.PLAYBOOK
        call.playbook = child
    elif requested.name == (view.end_name if called else view.close_name):
        call.kind = CallKind.END
    return call


def _excerpt(value: JsonValue) -> str:
    text = str(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
