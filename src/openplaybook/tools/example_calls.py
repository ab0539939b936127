"""Tool calls that examples show, checked against the actions of compiled tools.

Only what could not be called like that is a fault: what is blank, what refers to a value of the session, and what the
session, the payload or a default may fill in is not.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.call_spellings import ActionFacts
from openplaybook.resources.findings import CallFault
from openplaybook.resources.tool_kinds import CallCheck, facts_of, tool_kinds
from openplaybook.tools.base import Action, Tool
from openplaybook.tools.openapi.description.json_references import UnresolvableReference
from openplaybook.tools.schema.dialect import SchemaTooDeep
from openplaybook.tools.schema.errors import InvalidSchema
from openplaybook.tools.schema.faults import Path, ValueFault
from openplaybook.tools.schema.sentences import sentences
from openplaybook.tools.schema.validator import Validator

_MOST_FAULTS = 10
"""Of one call."""
_MOST_NAMED = 5
_MOST_COMPARED = 5_000
_MOST_SUGGESTIONS = 10
"""Unknown actions for which names like theirs are looked for: each may take half a second."""
_LONGEST_NAME = 100
"""Characters of a name in a message, and of one for which names like it are looked for."""
_OPEN = frozenset({"additionalProperties", "patternProperties", "unevaluatedProperties", "allOf", "anyOf", "oneOf"})
"""Keywords by which more than the declared properties may be meant."""
_REFERENCE = "$"
"""Begins a text that stands for a value of the session, such as `$session.params.city`."""


class ExampleCalls:
    """What is known of the actions that the examples of one agent, or one app, call."""

    def __init__(
        self, documents: Mapping[str, JsonObject], tools: Mapping[str, Tool], names: Mapping[str, str] | None = None
    ) -> None:
        """`documents`, as the toolbox takes them, and compiled `tools` by resource name; `names` gives that name for
        what else examples call a tool."""
        self._documents = documents
        self._tools = tools
        self._names = names or {}
        self._schemas: dict[tuple[str, str], tuple[_Schema, _Schema]] = {}
        self._known: dict[str, _Actions] = {}
        self._unknown: dict[tuple[str, str], str] = {}
        """What is said of actions that do not exist, by the tool's name and theirs."""

    def facts(self, tool: str, action: str) -> ActionFacts | None:
        """What is known of an action, for reading the spellings of examples; None for a tool that is not known."""
        name = self._names.get(tool, tool)
        offered = self._actions(name).by_own_name.get(action)
        return (
            None if name not in self._documents else facts_of(self._documents[name], offered and offered.input_schema)
        )

    def actions(self, name: str) -> Sequence[Action]:
        """The actions of a tool of that resource name; none where it is not known or cannot be used."""
        return self._tools[name].actions() if name in self._tools else ()

    def own_name(self, name: str, operation: str = "") -> str:
        """The action's own name, by the resource name of a tool with one action, or of a toolset and its operation;
        empty if there is none."""
        known = self._actions(name).by_any_name
        named = known.get(operation) if operation else next(iter(known.values()), None)
        return "" if named is None else named.action

    def check(self, tool: str, action: str, arguments: JsonObject) -> Iterator[CallFault]:
        """What is wrong with a call, by its canonical arguments. Blocks for as long as a check of small values takes;
        what would take longer is not checked, and neither is a tool that cannot be used."""
        name = self._names.get(tool, tool)
        how, offered = self._check_of(name), self.actions(name)
        if how is CallCheck.UNKNOWN or not offered:
            return
        called = self._actions(name).by_any_name.get(action)
        if called is None:
            yield CallFault(self._no_action(name, action), is_no_action=True)
            return
        if how is CallCheck.ACTIONS:
            return
        for sentence in self._misfits(called, arguments, closed=how is CallCheck.CLOSED):
            yield CallFault(f"does not fit the action {_shown(called.action)}: {sentence}")

    def _check_of(self, name: str) -> CallCheck:
        kind = tool_kinds().of(self._documents[name]) if name in self._documents else None
        return CallCheck.UNKNOWN if kind is None else kind.call_check

    def _actions(self, name: str) -> "_Actions":
        """The actions of a tool by their names: agents have many calls, and tools many actions."""
        if name not in self._known:
            self._known[name] = _Actions(self.actions(name))
        return self._known[name]

    def _no_action(self, name: str, action: str) -> str:
        key = (name, action)
        if key not in self._unknown:
            suggests = len(self._unknown) < _MOST_SUGGESTIONS
            self._unknown[key] = _no_action(self.actions(name), action, suggests=suggests)
        return self._unknown[key]

    def _misfits(self, action: Action, arguments: JsonObject, *, closed: bool) -> list[str]:
        key = (action.tool, action.name)
        try:
            if key not in self._schemas:
                self._schemas[key] = _schemas_of(action, closed=closed)
            visible, complete = self._schemas[key]
            filled = {name: value for name, value in arguments.items() if not _is_blank(value)}
            wrong, also_wrong = visible.faults(filled), complete.faults(filled)
        except (InvalidSchema, SchemaTooDeep, UnresolvableReference):
            # The tool's own fault, which is found where the tool is checked.
            return []
        # What the model is not asked for is in the complete schema only, and what is filled in is required there only:
        # what neither of them takes is a fault.
        real = [fault for id, fault in wrong.items() if id in also_wrong and not _is_left_blank(id, arguments)]
        messages = (sentence for fault in real for sentence in sentences([fault], visible.schema, filled))
        return list(dict.fromkeys(messages))[:_MOST_FAULTS]


class _Actions:
    """The actions of one tool; of several with one name the first."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self.by_own_name: dict[str, Action] = {}
        self.by_any_name: dict[str, Action] = {}
        """By the action's own name, and by what it is called towards the model."""
        for each in actions:
            self.by_own_name.setdefault(each.action, each)
            self.by_any_name.setdefault(each.action, each)
            self.by_any_name.setdefault(each.name, each)


_FaultId = tuple[str, Path, str]
"""Keyword, where the part is, and the name of the member that is missing or not known."""


class _Schema:
    """One of the two schemas of an action."""

    def __init__(self, schema: JsonObject) -> None:
        self.schema = schema
        self._validator = Validator(schema)

    def faults(self, arguments: JsonObject) -> dict[_FaultId, ValueFault]:
        """What is wrong with arguments; nothing where finding that out takes long."""
        faults = self._validator.faults(arguments) or ()
        return {id: each for fault in faults for id, each in _told_apart(fault) if not _is_blank(each.instance)}


def _schemas_of(action: Action, *, closed: bool) -> tuple[_Schema, _Schema]:
    """What the model is asked for, and all that there is; `closed`: other members than those declared are unknown."""
    schema = action.input_schema
    if closed and as_object(schema.get("properties")) and _OPEN.isdisjoint(schema):
        schema = {**schema, "additionalProperties": False}
    visible = _Schema(schema)
    return visible, visible if action.complete_schema is None else _Schema(action.complete_schema())


def _told_apart(fault: ValueFault) -> Iterator[tuple[_FaultId, ValueFault]]:
    """A fault, or one for each unknown member."""
    if fault.keyword in ("additionalProperties", "unevaluatedProperties"):
        for name in as_list(fault.details.get("unexpected")):
            yield ("unknown", fault.where, str(name)), replace(fault, details={"unexpected": [name]})
    else:
        yield (fault.keyword, fault.where, str(fault.details.get("property", ""))), fault


def _is_left_blank(id: _FaultId, arguments: JsonObject) -> bool:
    """Whether it is that an argument is missing which is there, and blank."""
    keyword, where, name = id
    return keyword == "required" and not where and name in arguments


def _is_blank(value: JsonValue) -> bool:
    """Whether a value is left open: as editors store fields that nobody filled, or as a reference."""
    return value is None or (isinstance(value, str) and (not value.strip() or value.startswith(_REFERENCE)))


def _no_action(offered: Sequence[Action], action: str, *, suggests: bool) -> str:
    message = f"the tool {_shown(offered[0].tool_display_name)} has no action {_shown(action)}"
    compared = _MOST_COMPARED if suggests and len(action) <= _LONGEST_NAME else 0
    by_folded = {each.action.casefold(): each.action for each in offered[:compared]}
    close = [by_folded[folded] for folded in get_close_matches(action.casefold(), by_folded)]
    if close:
        return f"{message}; did you mean {' or '.join(map(_shown, close))}?"
    named = ", ".join(_shown(each.action) for each in offered[:_MOST_NAMED])
    more = f" and {len(offered) - _MOST_NAMED} more" if len(offered) > _MOST_NAMED else ""
    return f"{message}; it has {named}{more}"


def _shown(name: str) -> str:
    return repr(name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…")
