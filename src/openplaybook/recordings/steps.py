"""From a turn's events to the steps of its recording."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.recordings.happenings import Call, Decision, Enter, Error, Happening, Leave, Notice, Say, Settle, Step
from openplaybook.recordings.requests import request_of
from openplaybook.resources.ces.names import GUARDRAILS
from openplaybook.telemetry.redaction import MASK
from openplaybook.turns.journal import events
from openplaybook.turns.journal.events import Event
from openplaybook.turns.journal.state import CallKind

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

    def shown(self, parameters: JsonObject, sealed: JsonValue) -> JsonObject:
        """Session parameters with secret ones, and those that are `sealed`, masked."""
        hidden = self.secret.union(as_list(sealed))
        return {name: MASK if name in hidden else value for name, value in parameters.items()}


def steps_of(happened: Sequence[Event], scene: Scene) -> list[Step]:
    """The steps of one turn, in their order; results stand with the calls they are of."""
    settled = {event.data["call"]: event.data for event in happened if event.kind == events.RESULT}
    asked = {call["id"] for event in happened if event.kind == events.REPLY for call in event.data["calls"]}
    sets = _sets(happened, scene)
    steps: list[Step] = []
    for event in happened:
        told = _SIMPLE.get(event.kind)
        if told is not None:
            steps.extend(told(event.data, scene))
        elif event.kind == events.REPLY:
            steps.append(_decision(event.data, settled, sets, scene))
        elif event.kind == events.RESULT:
            steps.extend(_settled(event.data, asked, scene))
    return steps


def _sets(happened: Sequence[Event], scene: Scene) -> dict[str, JsonObject]:
    """Session parameters that each call set, itself or through the calls that it made, by the call's id.

    In a replay, results come in the order of the calls. So what a call set is left out where a call before it in its
    reply, which took longer, has set it afterwards.
    """
    found: dict[str, dict[str, tuple[int, JsonValue]]] = {}
    for position, event in enumerate(happened):
        if event.kind in (events.RESULT, events.INNER_RESULT) and event.data.get("parameters"):
            shown = scene.shown(event.data["parameters"], event.data["sealed"])
            own = found.setdefault(str(event.data["call"]), {})
            own |= {name: (position, value) for name, value in shown.items()}
    kept: dict[str, JsonObject] = {}
    for event in (each for each in happened if each.kind == events.REPLY):
        latest: dict[str, int] = {}
        for call in event.data["calls"]:
            own = {name: each for name, each in found.get(call["id"], {}).items() if each[0] > latest.get(name, -1)}
            latest |= {name: position for name, (position, _) in own.items()}
            kept[call["id"]] = {name: value for name, (_, value) in own.items()}
    return kept


def _decision(
    data: JsonObject, settled: Mapping[str, JsonObject], sets: Mapping[str, JsonObject], scene: Scene
) -> Decision:
    calls: list[Call] = []
    for asked in data["calls"]:
        told = _outcome(settled.get(asked["id"]))
        own: JsonObject = {"sets": sets.get(asked["id"], {})} if "output" in told else {}
        call = Call.model_validate({**_callee(asked, scene), "arguments": asked["arguments"], **told, **own})
        scene.calls[asked["id"]] = call.label
        calls.append(call)
    decides, withheld = scene.frames.get(data["frame"], ""), str(data.get("withheld") or "")
    return Decision(decides=decides, says=data["text"], withheld=withheld, calls=calls)


def _callee(asked: JsonObject, scene: Scene) -> JsonObject:
    if asked["tool"]:
        return {"tool": scene.display_name(asked["tool"]), "action": asked["action"]}
    if asked["playbook"]:
        return {"playbook": scene.display_name(asked["playbook"])}
    return {"end": True} if asked["kind"] == CallKind.END.value else {"function": asked["name"]}


def _outcome(result: JsonObject | None) -> JsonObject:
    """What a call of the server, or one that was refused, came to; others are told by steps of their own."""
    if result is None or result["kind"] not in (CallKind.TOOL.value, CallKind.INVALID.value):
        return {}
    exchanges = [each for each in as_list(result["exchanges"]) if as_object(each)["method"] not in _WITHIN]
    told: JsonObject = {"note": result["note"]}
    if exchanges:
        told["request"] = request_of(exchanges[0]).model_dump()
    if not result["isError"]:
        return {**told, "output": result["output"]}
    error = as_object(result["output"]["error"])
    message = str(error["message"])
    if result["code"] == "MALFORMED_ARGUMENTS":
        told["arguments"] = message.removeprefix(_NOT_JSON)
    told["error"] = {"code": result["code"], "message": message}
    return {**told, "output": result["output"].get("output")}


def _settled(data: JsonObject, asked: set[str], scene: Scene) -> list[Step]:
    """A call that ends without a result of its own: the user went on, or the turn could not."""
    is_told = data["call"] in asked and data["kind"] in (CallKind.TOOL.value, CallKind.INVALID.value)
    if is_told or data["code"] in _OF_CLIENTS:
        return []
    error = Error(code=data["code"], message=str(data["output"]["error"]["message"]))
    label = scene.calls.get(data["call"]) or str(data["name"])
    return [Settle(settles=label, error=error)]


def _push(data: JsonObject, scene: Scene) -> list[Step]:
    name = scene.frames[data["frame"]] = scene.display_name(data["playbook"])
    return [Enter(enters=name, inputs=data["inputs"])]


def _move(data: JsonObject, scene: Scene) -> list[Step]:
    name = scene.frames[data["frame"]] = scene.display_name(data["playbook"])
    return [Happening(event="transition", data={"playbook": name, "inputs": data["inputs"]})]


def _pop(data: JsonObject, scene: Scene) -> list[Step]:
    name = scene.display_name(data["playbook"])
    summary = str(data.get("summary") or "")
    return [Leave(leaves=name, state=data["state"], outputs=data["outputs"], summary=summary)]


def _say(data: JsonObject, scene: Scene) -> list[Step]:
    return [Say(engine=data["text"], code=data["code"])]


def _notice(data: JsonObject, scene: Scene) -> list[Step]:
    return [] if data["code"] in _OF_THE_SERVER else [Notice(notice=data["code"], message=data["message"])]


def _handled(data: JsonObject, scene: Scene) -> list[Step]:
    told: JsonObject = {
        "stage": data["stage"],
        "event": data["event"],
        "condition": data["condition"],
        "messages": data["messages"],
        "parameters": scene.shown(data["parameters"], data["sealed"]),
        "rests": data["rests"],
    }
    return [Happening(event="handler", data={name: value for name, value in told.items() if value})]


def _end(data: JsonObject, scene: Scene) -> list[Step]:
    told: JsonObject = {name: data[name] for name in ("state", "outputs", "summary")}
    return [Happening(event="end", data={name: value for name, value in told.items() if value})]


def _guarded(data: JsonObject, scene: Scene) -> list[Step]:
    # Banned phrases of an agent speak for themselves: the engine's words stand behind them.
    if not GUARDRAILS.fits(str(data["guardrail"])):
        return []
    return [Happening(event="guardrail", data={"stage": data["stage"], "guardrail": data["displayName"]})]


_SIMPLE: Mapping[str, Callable[[JsonObject, Scene], list[Step]]] = {
    events.PUSH: _push,
    events.POP: _pop,
    events.SAY: _say,
    events.NOTICE: _notice,
    events.MOVE: _move,
    events.HANDLED: _handled,
    events.END: _end,
    events.GUARDED: _guarded,
}
