"""What the conditions and texts of a playbook's handlers can refer to in a turn."""

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.models.base import FunctionCall, FunctionResult, UserText
from openplaybook.resources.conditions.environment import Environment
from openplaybook.turns.snapshot import PlaybookView
from openplaybook.turns.state import PendingCall
from openplaybook.turns.turn import Turn

SECRET = "(secret)"
"""What a sealed parameter looks like to conditions and texts: it is set, and nobody sees to what."""


def environment_of(turn: Turn, view: PlaybookView, call: PendingCall | None = None) -> Environment:
    """The values as they are now; `call` is what `$next-action` stands for."""
    return Environment(
        {
            "session": {"params": _parameters(turn)},
            "playbook": {"input": turn.state.top.inputs},
            "last-action": _last_action(turn, view),
            "next-action": {} if call is None else _action(turn, view, call.name, call.arguments),
            "request": {
                "session-id": turn.request.session.rsplit("/", 1)[-1],
                "language": turn.state.language_code,
                "user-utterance": turn.transcript.last_user_text(turn.state.top.id),
                "payload": turn.state.payload,
                "end-user-metadata": turn.state.metadata,
            },
        }
    )


def _parameters(turn: Turn) -> JsonObject:
    visible = turn.visible_parameters()
    return {name: visible.get(name, SECRET) for name in turn.state.parameters}


def _last_action(turn: Turn, view: PlaybookView) -> JsonObject:
    """The action of the deciding playbook that ended last since the user spoke; empty when there is none."""
    result: FunctionResult | None = None
    for entry in reversed(turn.transcript.conversation(turn.state.top.id)):
        if isinstance(entry, UserText):
            break
        if isinstance(entry, FunctionResult):
            result = result or entry
        elif isinstance(entry, FunctionCall) and result is not None and entry.id == result.id:
            told = _action(turn, view, entry.name, entry.arguments)
            return {**told, "output": _output(result.output), "status": "FAILURE" if result.is_error else "SUCCESS"}
    return {}


def _action(turn: Turn, view: PlaybookView, function: str, arguments: JsonObject) -> JsonObject:
    """An action as conditions know it: a tool's by its own name, a playbook by its display name.

    Members of a request body are found without naming the body.
    """
    action, child = view.actions.get(function), view.children.get(function)
    name = action.action if action is not None else turn.snapshot.display_name(child) if child else function
    return {"name": name, "input": {**as_object(arguments.get("requestBody")), **arguments}}


def _output(output: JsonValue) -> JsonObject:
    """A result, and in it what is in the body of an OpenAPI tool's response, whose only name is its status code."""
    members = as_object(output)
    bodies = [value for key, value in members.items() if key.isdigit() or key == "default"]
    return {**as_object(bodies[0]), **members} if len(bodies) == len(members) == 1 else members
