"""Places in the resources of an app: where they name each other, and where they hold texts that are files."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, cast

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.packages.ces.app_layout import AGENTS, APP, EXAMPLES, GUARDRAILS, TOOLS, TOOLSETS
from openplaybook.resources.ces.agent_checks import CALLBACKS
from openplaybook.resources.tool_kinds import KindField, ToolMessage, tool_kinds

Place: TypeAlias = tuple[str | int, ...]
"""Keys and positions from a resource down to a value in it."""
Pattern: TypeAlias = tuple[str, ...]
"""A place of a message; `*` is every item of a list."""

_CHUNK = ("messages", "*", "chunks", "*")
_TOOL_OF_CHUNK = {
    (*_CHUNK, *rest): collection
    for call in ("toolCall", "toolResponse")
    for rest, collection in (((call, "tool"), TOOLS), ((call, "toolsetTool", "toolset"), TOOLSETS))
}

_REFERENCES: dict[str, dict[Pattern, str]] = {
    APP: {("rootAgent",): AGENTS, ("guardrails", "*"): GUARDRAILS},
    AGENTS: {
        ("tools", "*"): TOOLS,
        ("childAgents", "*"): AGENTS,
        ("toolsets", "*", "toolset"): TOOLSETS,
        ("transferRules", "*", "childAgent"): AGENTS,
        ("guardrails", "*"): GUARDRAILS,
    },
    EXAMPLES: {("entryAgent",): AGENTS, (*_CHUNK, "agentTransfer", "targetAgent"): AGENTS, **_TOOL_OF_CHUNK},
    GUARDRAILS: {("action", "transferAgent", "agent"): AGENTS},
}
"""Of the resources of a collection, the places that name a resource, and the collection it is in. Of tools, their kinds
say it."""

_FAKES = ("toolFakeConfig", "codeBlock", "pythonCode")
_TEXTS: dict[str, tuple[Pattern, ...]] = {
    APP: (("globalInstruction",),),
    AGENTS: (
        ("instruction",),
        *((name, "*", "pythonCode") for name in CALLBACKS),
        ("transferRules", "*", "deterministicTransfer", "pythonCodeCondition", "pythonCode"),
    ),
    TOOLS: (_FAKES,),
    TOOLSETS: (_FAKES,),
    EXAMPLES: (),
    GUARDRAILS: tuple(
        ("codeCallback", name.removesuffix("s"), "pythonCode") for name in CALLBACKS if "Tool" not in name
    ),
}
"""Of the resources of a collection, the places of texts that are files of their own. The same."""
_MESSAGES = {TOOLS: ToolMessage.APP_TOOL, TOOLSETS: ToolMessage.APP_TOOLSET}


def reference_places(collection: str) -> dict[Pattern, str]:
    """Of the resources of a collection, the places that name a resource, and the collection it is in."""
    of_kinds = {(field.name, *keys): to for field in _fields(collection) for keys, to in field.references}
    return {**_REFERENCES.get(collection, {}), **of_kinds}


def text_places(collection: str) -> Sequence[Pattern]:
    """Of the resources of a collection, the places of texts that are files of their own."""
    of_kinds = [(field.name, *place.keys) for field in _fields(collection) for place in field.texts]
    return [*of_kinds, *_TEXTS[collection]]


def _fields(collection: str) -> Sequence[KindField]:
    return tool_kinds().fields(_MESSAGES[collection]) if collection in _MESSAGES else ()


def values_at(resource: JsonObject, pattern: Pattern) -> Iterator[tuple[Place, JsonValue]]:
    """The places that a pattern means in a resource, with what is there."""
    yield from _values(resource, pattern, ())


def _values(value: JsonValue, pattern: Pattern, at: Place) -> Iterator[tuple[Place, JsonValue]]:
    if not pattern:
        yield at, value
    elif pattern[0] == "*" and isinstance(value, list):
        for position, item in enumerate(cast("list[JsonValue]", value)):
            yield from _values(item, pattern[1:], (*at, position))
    elif isinstance(value, dict) and pattern[0] in value:
        yield from _values(as_object(value)[pattern[0]], pattern[1:], (*at, pattern[0]))


def with_value(value: JsonValue, at: Place, new: JsonValue) -> JsonValue:
    """The same JSON with another value at a place, whose last key may be a new one; nothing is changed in place."""
    if not at:
        return new
    first, rest = at[0], at[1:]
    if isinstance(value, list) and isinstance(first, int):
        items = cast("list[JsonValue]", value)
        return [with_value(item, rest, new) if position == first else item for position, item in enumerate(items)]
    members = as_object(value)
    return {**members, str(first): with_value(members.get(str(first)), rest, new)}


def rewritten(resource: JsonObject, pattern: Pattern, change: Callable[[Place, str], str]) -> JsonObject:
    """The resource with every text at a pattern's places replaced by what `change` gives for it."""
    for at, value in list(values_at(resource, pattern)):
        if isinstance(value, str) and (new := change(at, value)) != value:
            resource = as_object(with_value(resource, at, new))
    return resource


def json_path(at: Place) -> str:
    """A place as a JSON path, such as `$.toolsets[0].toolset`."""
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in at)
