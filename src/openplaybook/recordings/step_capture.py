"""From a turn's events to the steps of its recording."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.recordings.request_capture import request_of
from openplaybook.recordings.step_form import (
    Enter,
    Leave,
    Notice,
    OtherEvent,
    RecordedCall,
    RecordedDecision,
    RecordedError,
    Say,
    Settle,
    Step,
)
from openplaybook.resources.names import APP_GUARDRAILS
from openplaybook.telemetry.redaction import MASK
from openplaybook.turns.journal.events import (
    CallSettled,
    ConversationEnded,
    EngineSpoke,
    Event,
    GuardrailFired,
    HandlerFired,
    ModelReplied,
    NoticeGiven,
    PlaybookEntered,
    PlaybookLeft,
    PlaybookReplaced,
    Settlement,
)
from openplaybook.turns.journal.session_state import CallKind, PendingCall

_NOT_JSON = "The arguments are not a JSON object: "
"""How the engine tells the model of arguments that are none."""

_OF_THE_SERVER = frozenset({"MODEL_SUBSTITUTED"})
"""Notices about the server rather than the agent: another server has none."""

_WITHIN = frozenset({"GENERATE", "RUN"})
"""What is asked of the model and of the sandbox, and sent to no service."""

_OF_CLIENTS = ("", "CLIENT_ERROR")
"""Codes of results that a client gave: they are the input of a turn."""


@dataclass(slots=True)
class Scene:
    """What has been seen of a conversation so far."""

    displayed: Mapping[str, str]
    secret: frozenset[str] = frozenset()
    frames: dict[int, str] = field(default_factory=dict[int, str])
    """Display name of the playbook of every frame."""
    calls: dict[str, str] = field(default_factory=dict[str, str])
    """Label of every call that was asked for, by its id."""

    def display_name(self, resource: str) -> str:
        """Of a playbook or tool; its resource name where it has none."""
        return self.displayed.get(resource, resource)

    def shown(self, parameters: JsonObject, sealed: Collection[str]) -> JsonObject:
        """Session parameters with secret ones, and those that are `sealed`, masked."""
        hidden = self.secret.union(sealed)
        return {name: MASK if name in hidden else value for name, value in parameters.items()}


def steps_of(happened: Sequence[Event], scene: Scene) -> list[Step]:
    """The steps of one turn, in their order; results stand with the calls they are of."""
    settled = {event.call: event for event in happened if isinstance(event, CallSettled)}
    requested = {call.id for event in happened if isinstance(event, ModelReplied) for call in event.calls}
    sets = _sets(happened, scene)
    steps: list[Step] = []
    for event in happened:
        if isinstance(event, ModelReplied):
            steps.append(_decision(event, settled, sets, scene))
        elif isinstance(event, CallSettled):
            steps.extend(_settled(event, requested, scene))
        else:
            steps.extend(_steps_of_event(event, scene))
    return steps


def _sets(happened: Sequence[Event], scene: Scene) -> dict[str, JsonObject]:
    """Session parameters that each call set, itself or through the calls that it made, by the call's id.

    In a replay, results come in the order of the calls. So what a call set is left out where a call before it in its
    reply, which took longer, has set it afterwards.
    """
    values_by_call: dict[str, dict[str, tuple[int, JsonValue]]] = {}
    for position, event in enumerate(happened):
        if isinstance(event, Settlement) and event.parameters:
            visible = scene.shown(event.parameters, event.sealed)
            own = values_by_call.setdefault(event.call, {})
            own |= {name: (position, value) for name, value in visible.items()}
    latest_values: dict[str, JsonObject] = {}
    for event in (each for each in happened if isinstance(each, ModelReplied)):
        latest: dict[str, int] = {}
        for call in event.calls:
            own = {
                name: each for name, each in values_by_call.get(call.id, {}).items() if each[0] > latest.get(name, -1)
            }
            latest |= {name: position for name, (position, _) in own.items()}
            latest_values[call.id] = {name: value for name, (_, value) in own.items()}
    return latest_values


def _decision(
    event: ModelReplied, settled: Mapping[str, CallSettled], sets: Mapping[str, JsonObject], scene: Scene
) -> RecordedDecision:
    calls: list[RecordedCall] = []
    for request in event.calls:
        outcome = _outcome(settled.get(request.id))
        own: JsonObject = {"sets": sets.get(request.id, {})} if "output" in outcome else {}
        call = RecordedCall.model_validate(
            {**_callee(request, scene), "arguments": request.arguments, **outcome, **own}
        )
        scene.calls[request.id] = call.label
        calls.append(call)
    decides = scene.frames.get(event.frame, "")
    return RecordedDecision(decides=decides, says=event.text, withheld=event.withheld or "", calls=calls)


def _callee(call: PendingCall, scene: Scene) -> JsonObject:
    if call.tool:
        return {"tool": scene.display_name(call.tool), "action": call.action}
    if call.playbook:
        return {"playbook": scene.display_name(call.playbook)}
    return {"end": True} if call.kind is CallKind.END else {"function": call.name}


def _outcome(result: CallSettled | None) -> JsonObject:
    """What a call of the server, or one that was refused, came to; others are told by steps of their own."""
    if result is None or result.kind not in (CallKind.TOOL, CallKind.INVALID):
        return {}
    exchanges = [each for each in result.exchanges if each.method not in _WITHIN]
    members: JsonObject = {"note": result.note}
    if exchanges:
        members["request"] = request_of(exchanges[0]).model_dump()
    if not result.is_error:
        return {**members, "output": result.output, "shows": list(result.payloads)}
    message = result.error_message
    if result.code == "MALFORMED_ARGUMENTS":
        members["arguments"] = message.removeprefix(_NOT_JSON)
    members["error"] = {"code": result.code, "message": message}
    return {**members, "output": result.error_output}


def _settled(event: CallSettled, requested: set[str], scene: Scene) -> list[Step]:
    """A call that ends without a result of its own: the user went on, or the turn could not."""
    is_in_decision = event.call in requested and event.kind in (CallKind.TOOL, CallKind.INVALID)
    if is_in_decision or event.code in _OF_CLIENTS:
        return []
    label = scene.calls.get(event.call) or event.name
    return [Settle(settles=label, error=RecordedError(code=event.code, message=event.error_message))]


@singledispatch
def _steps_of_event(event: Event, scene: Scene) -> list[Step]:
    """The steps of an event that needs no other."""
    return []


@_steps_of_event.register
def _entered(event: PlaybookEntered, scene: Scene) -> list[Step]:
    name = scene.frames[event.frame] = scene.display_name(event.playbook)
    return [Enter(enters=name, inputs=event.inputs)]


@_steps_of_event.register
def _replaced(event: PlaybookReplaced, scene: Scene) -> list[Step]:
    name = scene.frames[event.frame] = scene.display_name(event.playbook)
    return [OtherEvent(event="transition", data={"playbook": name, "inputs": event.inputs})]


@_steps_of_event.register
def _left(event: PlaybookLeft, scene: Scene) -> list[Step]:
    name = scene.display_name(event.playbook)
    return [Leave(leaves=name, state=event.state, outputs=event.outputs, summary=event.summary)]


@_steps_of_event.register
def _spoke(event: EngineSpoke, scene: Scene) -> list[Step]:
    return [Say(engine=event.text, code=event.code)]


@_steps_of_event.register
def _noticed(event: NoticeGiven, scene: Scene) -> list[Step]:
    return [] if event.code in _OF_THE_SERVER else [Notice(notice=event.code, message=event.message)]


@_steps_of_event.register
def _handler_fired(event: HandlerFired, scene: Scene) -> list[Step]:
    members: JsonObject = {
        "stage": event.stage,
        "event": event.event,
        "condition": event.condition,
        "messages": list(event.messages),
        "parameters": scene.shown(event.parameters, event.sealed),
        "rests": event.rests,
    }
    return [OtherEvent(event="handler", data={name: value for name, value in members.items() if value})]


@_steps_of_event.register
def _ended(event: ConversationEnded, scene: Scene) -> list[Step]:
    members: JsonObject = {"state": event.state, "outputs": event.outputs, "summary": event.summary}
    return [OtherEvent(event="end", data={name: value for name, value in members.items() if value})]


@_steps_of_event.register
def _guarded(event: GuardrailFired, scene: Scene) -> list[Step]:
    # Banned phrases of an agent speak for themselves: the engine's words stand behind them.
    if not APP_GUARDRAILS.fits(event.guardrail):
        return []
    return [OtherEvent(event="guardrail", data={"stage": event.stage.value, "guardrail": event.display_name})]
