"""The spellings of a tool call's inputs and outputs, brought onto one.

Exports and the API agree on no single form. Inputs of an OpenAPI action come as parameter names beside
`requestBody`, or all under `request`, `input` or `<operationId> input`; outputs under a response code, `default`,
`response`, `output` or `<operationId> output`; values of function tools may be wrapped in `functionParameter`.
The canonical form is that of `ExampleToolUse` and of tool execution: parameter names and `requestBody` in,
`{"200": …}` out; for functions the bare objects; for the built-in code interpreter `{query, files, timeout}` in, as a
model can be asked for it, and Google's `{"generate_and_execute output": …}` out.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.resources.digits import with_numbers

BODY = "requestBody"
"""Key of a request body among the arguments."""
SUCCESS = "200"
"""Key of an output whose response code is not told."""
QUERY = "query"
"""Key of a built-in tool's task in words."""
_FUNCTION = "functionParameter"
_STATUS = re.compile(r"[1-5](?:\d\d|XX)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CallForm:
    """How calls of a kind of tool are spelled."""

    arguments: "Callable[[str, JsonObject, ActionFacts], JsonObject]"
    """From the action's name, the inputs that are given, and what is known of it, to the canonical ones."""
    output: Callable[[str, JsonObject], JsonObject]
    """From the action's name and outputs that are given, some, to the canonical ones."""


@dataclass(frozen=True, slots=True)
class ActionFacts:
    """What is known of an action when its example is read."""

    form: CallForm
    parameters: frozenset[str] | None = None
    """Names of the operation's declared parameters; None when they are not known (not the same as none)."""
    has_body: bool = True
    """Whether the operation takes a request body; only looked at when `parameters` are known."""
    schema: JsonObject | None = field(default=None, compare=False, repr=False)
    """Of its inputs; texts of digits are read as the numbers that it says."""


FactsLookup: TypeAlias = Callable[[str, str], ActionFacts | None]
"""From a tool (resource name or display name, as stored) and an action to what is known of it."""


def nothing_known(tool: str, action: str) -> ActionFacts | None:
    """The lookup of callers that know no tools."""
    return None


def canonical_arguments(action: str, inputs: JsonObject, facts: ActionFacts | None = None) -> JsonObject:
    """`inputs` inputs of `action` on the canonical form.

    Without `facts` it is taken for an OpenAPI action, unless the inputs are wrapped as a function's are.
    """
    facts = facts or ActionFacts(_GUESSED)
    arguments = facts.form.arguments(action, inputs, facts)
    return arguments if facts.schema is None else as_object(with_numbers(arguments, facts.schema))


def canonical_output(action: str, outputs: JsonObject, facts: ActionFacts | None = None) -> JsonObject:
    """`outputs` outputs of `action` on the canonical form."""
    return (facts.form if facts else _GUESSED).output(action, outputs) if outputs else outputs


def documented_arguments(action: str, arguments: JsonObject) -> JsonObject:
    """Canonical arguments of a built-in tool as Google writes them: the task is under `<action> input`."""
    if QUERY not in arguments:
        return arguments
    others = {name: value for name, value in arguments.items() if name != QUERY}
    return {f"{action} input": arguments[QUERY], **others}


def _builtin_arguments(action: str, inputs: JsonObject, facts: ActionFacts) -> JsonObject:
    """A wrapped task is a text, or, as the Vertex AI extension has it, `{query, files, timeout}`."""
    arguments: JsonObject = {}
    for key, value in inputs.items():
        if key not in _wrappers(action):
            arguments[key] = value
        elif isinstance(value, dict):
            arguments |= as_object(value)
        else:
            arguments[QUERY] = value
    return arguments


def _builtin_output(action: str, outputs: JsonObject) -> JsonObject:
    wrapper = f"{action} output"
    if len(outputs) == 1:
        key, value = next(iter(outputs.items()))
        if key.endswith(" output"):
            return outputs
        if key in ("response", "output", SUCCESS):
            return {wrapper: value}
    return {wrapper: outputs}


def _data_store_arguments(action: str, inputs: JsonObject, facts: ActionFacts) -> JsonObject:
    """A data store tool takes one body: `{query, filter, userMetadata, fallback}`."""
    if not inputs or BODY in inputs:
        return inputs
    if len(inputs) == 1:
        key, value = next(iter(inputs.items()))
        if key in _wrappers(action) and isinstance(value, dict):
            return {BODY: value}
    return {BODY: inputs}


def _openapi_arguments(action: str, inputs: JsonObject, facts: ActionFacts) -> JsonObject:
    """Parameters and body sorted apart; what is neither declared nor wrapped belongs to the body, if there is one."""
    declared = facts.parameters or frozenset[str]()
    wrappers = set(_wrappers(action)) - declared
    arguments: JsonObject = {}
    body: JsonObject = {}
    for key, value in inputs.items():
        if key in wrappers:
            _unwrap(value, declared, arguments, body)
        else:
            target = arguments if facts.parameters is None or key in {*declared, BODY} else body
            target[key] = value
    return _joined(arguments, body, facts.has_body)


def _joined(arguments: JsonObject, body: JsonObject, has_body: bool) -> JsonObject:
    if not body:
        return arguments
    return {**arguments, BODY: body} if has_body and BODY not in arguments else {**body, **arguments}


def _unwrap(value: JsonValue, declared: frozenset[str], arguments: JsonObject, body: JsonObject) -> None:
    """Sort what stands under a wrapper into `arguments` and `body`; a value that is no object is the whole body."""
    if not isinstance(value, dict):
        arguments[BODY] = value
        return
    for key, inner in as_object(value).items():
        target = arguments if key == BODY or key in declared else body
        target[key] = inner


def _wrappers(action: str) -> tuple[str, ...]:
    return ("request", "input", f"{action} input")


def _openapi_output(action: str, outputs: JsonObject) -> JsonObject:
    """An answer under its response code."""
    answer = _answer(action, outputs)
    return {SUCCESS: outputs} if answer is None else answer


def _answer(action: str, outputs: JsonObject) -> JsonObject | None:
    """An answer whose response code is told, or that is plainly wrapped; None for another."""
    if any(_STATUS.fullmatch(key) for key in outputs):
        return outputs
    if len(outputs) == 1:
        key, value = next(iter(outputs.items()))
        if key in ("response", "output", "default", f"{action} output"):
            return {SUCCESS: value}
    return None


def _is_wrapped(values: JsonObject) -> bool:
    return set(values) == {_FUNCTION} and isinstance(values[_FUNCTION], dict)


def _unwrapped(action: str, values: JsonObject, facts: ActionFacts | None = None) -> JsonObject:
    """What a function takes or gives."""
    return as_object(values[_FUNCTION]) if _is_wrapped(values) else values


def _guessed_arguments(action: str, inputs: JsonObject, facts: ActionFacts) -> JsonObject:
    return _unwrapped(action, inputs) if _is_wrapped(inputs) else _openapi_arguments(action, inputs, facts)


def _guessed_output(action: str, outputs: JsonObject) -> JsonObject:
    if _is_wrapped(outputs):
        return _unwrapped(action, outputs)
    answer = _answer(action, outputs)
    return outputs if answer is None else answer


def _as_given(action: str, values: JsonObject, facts: ActionFacts | None = None) -> JsonObject:
    return values


OPENAPI = CallForm(_openapi_arguments, _openapi_output)
"""Parameters by name, a body under `requestBody`, answers under their response code."""
FUNCTION = CallForm(_unwrapped, _unwrapped)
"""Bare objects."""
SEARCH = CallForm(_data_store_arguments, _openapi_output)
"""One body."""
BUILT_IN = CallForm(_builtin_arguments, _builtin_output)
"""A task, and its output under the name of the action."""
AS_GIVEN = CallForm(_as_given, _as_given)
"""One spelling only."""
_GUESSED = CallForm(_guessed_arguments, _guessed_output)
