"""What a fulfillment comes to: what its conditions and texts can refer to in a turn, and its parameters and messages
with every reference in them filled."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, is_large
from openplaybook.models.base import FunctionCall, FunctionResult, UserText
from openplaybook.resources.conditions.environment import Environment
from openplaybook.resources.conditions.errors import CannotEvaluate
from openplaybook.resources.conditions.evaluation import holds
from openplaybook.resources.conditions.functions.system_function import MAX_TEXT
from openplaybook.resources.conditions.text_templates import filled_object, filled_text, filled_value
from openplaybook.resources.fulfillments import Cases, Content, Fulfillment, Guard, MessageTemplate
from openplaybook.turns.agent.snapshot import PlaybookView
from openplaybook.turns.journal.session_state import PendingCall
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
            action = _action(turn, view, entry.name, entry.arguments)
            return {**action, "output": _output(result.output), "status": "FAILURE" if result.is_error else "SUCCESS"}
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


_FREE_FORM = ("payload", "liveAgentHandoff", "conversationSuccess")
"""Messages that hold any JSON: a reference in them keeps the type of its value."""


@dataclass(slots=True)
class Fulfilled:
    """What is to be done, and what could not be worked out."""

    parameters: JsonObject = field(default_factory=dict[str, JsonValue])
    """Session parameters to set; null clears one."""
    messages: list[JsonObject] = field(default_factory=list[JsonObject])
    """ResponseMessages in JSON form."""
    problems: list[str] = field(default_factory=list[str])


def fulfilled(fulfillment: Fulfillment, environment: Environment, secret: Collection[str]) -> Fulfilled:
    """Work a fulfillment out. What cannot be worked out is left out and told; no text shows a `secret` parameter.

    As Dialogflow documents it (concept/fulfillment): choices are made by the state before, texts are filled by the
    state after the parameters are set.
    """
    done = Fulfilled()
    after = environment
    for name, value in fulfillment.parameters:
        try:
            done.parameters[name] = _storable(filled_value(value, after))
        except CannotEvaluate as error:
            done.problems.append(f"parameter {name} is not set: {error.message}")
            continue
        readable = SECRET if name in secret and done.parameters[name] is not None else done.parameters[name]
        after = _with_parameter(after, name, readable)
    for each in _chosen([*fulfillment.messages, *fulfillment.choices], environment, done):
        try:
            messages = [*done.messages, *_filled(each.message, after)]
            if is_large(messages, MAX_TEXT):
                raise CannotEvaluate(f"all together would be longer than {MAX_TEXT} characters", 0)
            done.messages = messages
        except CannotEvaluate as error:
            done.problems.append(f"a message is not said: {error.message}")
    return done


def guard_holds(guard: Guard, environment: Environment) -> bool:
    """Whether a guard holds. Raises `CannotEvaluate`, also for one that could not be read."""
    if guard.problem:
        raise CannotEvaluate(guard.problem, 0)
    return guard.condition is None or holds(guard.condition, environment)


def _chosen(content: list[Content], environment: Environment, done: Fulfilled) -> Iterator[MessageTemplate]:
    for each in content:
        if isinstance(each, MessageTemplate):
            yield each
        else:
            yield from _chosen(_branch(each, environment, done), environment, done)


def _branch(choice: Cases, environment: Environment, done: Fulfilled) -> list[Content]:
    for case in choice.cases:
        try:
            if guard_holds(case.guard, environment):
                return list(case.content)
        except CannotEvaluate as error:
            done.problems.append(f"condition {case.guard.text!r} cannot be evaluated: {error.message}")
    return []


def _filled(message: JsonObject, environment: Environment) -> Iterator[JsonObject]:
    text = as_object(message.get("text"))
    if not text:
        yield filled_object(message, environment, texts_only=not any(kind in message for kind in _FREE_FORM))
        return
    # Of several variants Dialogflow says any; here it is always the first, so that a turn can be told again.
    variants = [variant for variant in as_list(text.get("text")) if isinstance(variant, str) and variant]
    words = filled_text(variants[0], environment) if variants else ""
    if words.strip():
        yield {"text": {"text": [words]}}


def _with_parameter(environment: Environment, name: str, value: JsonValue) -> Environment:
    parameters = {**environment.find(("session", "params")), name: value}
    return replace(environment, values={**environment.values, "session": {"params": parameters}})


def _storable(value: JsonValue) -> JsonValue:
    # Looked at first: a large value that is named a thousand times is not large before it is written out.
    if is_large(value, MAX_TEXT):
        raise CannotEvaluate(f"the value is longer than {MAX_TEXT} characters", 0)
    try:
        dumps(value)
    except TypeError as error:
        raise CannotEvaluate(f"the value cannot be kept ({error})", 0) from None
    return value
