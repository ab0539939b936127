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
from enum import Enum
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


class ToolKind(Enum):
    """Kinds of tools, as far as they differ in how calls are spelled."""

    OPENAPI = "openapi"
    FUNCTION = "function"
    DATA_STORE = "datastore"
    BUILTIN = "builtin"
    CONNECTOR = "connector"
    PYTHON = "python"


@dataclass(frozen=True, slots=True)
class ActionFacts:
    """What is known of an action when its example is read."""

    kind: ToolKind
    parameters: frozenset[str] | None = None
    """Names of the operation's declared parameters; None when they are not known (not the same as none)."""
    has_body: bool = True
    """Whether the operation takes a request body; only looked at when `parameters` are known."""
    schema: JsonObject | None = field(default=None, compare=False, repr=False)
    """Of its inputs; texts of digits are read as the numbers that it says."""


_KIND_OF_SPEC = {
    "openApiSpec": ToolKind.OPENAPI,
    "functionSpec": ToolKind.FUNCTION,
    "dataStoreSpec": ToolKind.DATA_STORE,
    "connectorSpec": ToolKind.CONNECTOR,
    "pythonFunction": ToolKind.PYTHON,
}
_AS_GIVEN = (ToolKind.CONNECTOR, ToolKind.PYTHON)
"""Kinds with one spelling only."""


def facts_of(tool: JsonObject, input_schema: JsonObject | None = None) -> ActionFacts | None:
    """What a tool resource tells of an action, with the action's input schema where it is known.

    In that schema a property is a parameter or `requestBody`. None for a kind of tool that is not known.
    """
    if tool.get("toolType") == "BUILTIN_TOOL":
        return ActionFacts(ToolKind.BUILTIN)
    kind = next((kind for key, kind in _KIND_OF_SPEC.items() if key in tool), None)
    if kind is None or input_schema is None:
        return None if kind is None else ActionFacts(kind)
    properties = as_object(input_schema.get("properties"))
    return ActionFacts(kind, frozenset(properties) - {BODY}, BODY in properties, input_schema)


FactsLookup: TypeAlias = Callable[[str, str], ActionFacts | None]
"""From a tool (resource name or display name, as stored) and an action to what is known of it."""


def nothing_known(tool: str, action: str) -> ActionFacts | None:
    """The lookup of callers that know no tools."""
    return None


def canonical_arguments(action: str, given: JsonObject, facts: ActionFacts | None = None) -> JsonObject:
    """`given` inputs of `action` on the canonical form.

    Without `facts` it is taken for an OpenAPI action, unless the inputs are wrapped as a function's are.
    """
    arguments = _arguments(action, given, facts)
    schema = facts.schema if facts else None
    return arguments if schema is None else as_object(with_numbers(arguments, schema))


def _arguments(action: str, given: JsonObject, facts: ActionFacts | None) -> JsonObject:
    kind = facts.kind if facts else None
    if kind in _AS_GIVEN:
        return given
    if kind is ToolKind.BUILTIN:
        return _builtin_arguments(action, given)
    if kind in (ToolKind.FUNCTION, None) and set(given) == {_FUNCTION} and isinstance(given[_FUNCTION], dict):
        return as_object(given[_FUNCTION])
    if kind is ToolKind.FUNCTION:
        return given
    if kind is ToolKind.DATA_STORE:
        return _data_store_arguments(action, given)
    return _openapi_arguments(action, given, facts)


def canonical_output(action: str, given: JsonObject, facts: ActionFacts | None = None) -> JsonObject:
    """`given` outputs of `action` on the canonical form."""
    kind = facts.kind if facts else None
    if kind in _AS_GIVEN or not given:
        return given
    if kind is ToolKind.BUILTIN:
        return _builtin_output(action, given)
    if kind in (ToolKind.FUNCTION, None) and set(given) == {_FUNCTION} and isinstance(given[_FUNCTION], dict):
        return as_object(given[_FUNCTION])
    if kind is ToolKind.FUNCTION or any(_STATUS.fullmatch(key) for key in given):
        return given
    if len(given) == 1:
        key, value = next(iter(given.items()))
        if key in ("response", "output", "default", f"{action} output"):
            return {SUCCESS: value}
    return given if kind is None else {SUCCESS: given}


def documented_arguments(action: str, arguments: JsonObject) -> JsonObject:
    """Canonical arguments of a built-in tool as Google writes them: the task is under `<action> input`."""
    if QUERY not in arguments:
        return arguments
    others = {name: value for name, value in arguments.items() if name != QUERY}
    return {f"{action} input": arguments[QUERY], **others}


def _builtin_arguments(action: str, given: JsonObject) -> JsonObject:
    """A wrapped task is a text, or, as the Vertex AI extension has it, `{query, files, timeout}`."""
    arguments: JsonObject = {}
    for key, value in given.items():
        if key not in _wrappers(action):
            arguments[key] = value
        elif isinstance(value, dict):
            arguments |= as_object(value)
        else:
            arguments[QUERY] = value
    return arguments


def _builtin_output(action: str, given: JsonObject) -> JsonObject:
    wrapper = f"{action} output"
    if len(given) == 1:
        key, value = next(iter(given.items()))
        if key.endswith(" output"):
            return given
        if key in ("response", "output", SUCCESS):
            return {wrapper: value}
    return {wrapper: given}


def _data_store_arguments(action: str, given: JsonObject) -> JsonObject:
    """A data store tool takes one body: `{query, filter, userMetadata, fallback}`."""
    if not given or BODY in given:
        return given
    if len(given) == 1:
        key, value = next(iter(given.items()))
        if key in _wrappers(action) and isinstance(value, dict):
            return {BODY: value}
    return {BODY: given}


def _openapi_arguments(action: str, given: JsonObject, facts: ActionFacts | None) -> JsonObject:
    """Parameters and body sorted apart; what is neither declared nor wrapped belongs to the body, if there is one."""
    if facts is None:
        facts = ActionFacts(ToolKind.OPENAPI)
    declared = facts.parameters or frozenset[str]()
    wrappers = set(_wrappers(action)) - declared
    arguments: JsonObject = {}
    body: JsonObject = {}
    for key, value in given.items():
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
