"""Values that do not come from the model: the session's id, session parameters, the request's payload, defaults.

Precedence: session or payload, then the model, then the schema's default; with none of them the input is left out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.base import ToolContext
from openplaybook.tools.openapi.definitions import Definitions
from openplaybook.tools.schema.dialect import INJECTION, SESSION_ID

_SESSION_PREFIX = "$session.params."
_PAYLOAD_PREFIX = "$request.payload."
_MAX_DEPTH = 32
_MAX_MADE_DEPTH = 6
"""Levels of objects that are made where the model gave none."""

_MAX_LOOKED_AT = 200_000
"""Schemas looked at for one call; objects that require each other grow with the power of the depth."""


class Missing(Enum):
    """The value that stands for no value, since null is one."""

    MISSING = "MISSING"


MISSING = Missing.MISSING


def is_known_source(source: str) -> bool:
    """Whether a source has a form that is understood: a bare name, `$session.params.x` or `$request.payload.x`."""
    return source == SESSION_ID or not source.startswith("$") or source.startswith((_SESSION_PREFIX, _PAYLOAD_PREFIX))


class TooMuchToFill(Exception):
    """The description asks for more values to be filled in than a call may take."""


@dataclass(slots=True)
class Sources:
    """Where injected values come from, for one call."""

    context: ToolContext
    left: int = _MAX_LOOKED_AT
    """Schemas that may still be looked at."""

    def look(self) -> None:
        """Count one schema; raises `TooMuchToFill`."""
        self.left -= 1
        if self.left < 0:
            raise TooMuchToFill("the values that the description fills in by itself are too many")

    def value(self, source: str) -> JsonValue:
        """The value of a source, or `MISSING`; null counts as no value."""
        if source == SESSION_ID:
            return self.context.session_id
        if source.startswith(_PAYLOAD_PREFIX):
            return _at(self.context.payload, source.removeprefix(_PAYLOAD_PREFIX))
        return _at(self.context.parameters, source.removeprefix(_SESSION_PREFIX))


def _at(values: Mapping[str, JsonValue], path: str) -> JsonValue:
    """The value called `path`, or found by following its dots."""
    if path in values:
        found: JsonValue = values[path]
    else:
        found = dict(values)
        for part in path.split("."):
            found = as_object(found).get(part)
    return MISSING if found is None else found


class Filler:
    """Puts injected and default values into arguments, guided by the schemas of one document."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._mentioned: dict[tuple[int, str], tuple[JsonObject, bool]] = {}
        """By identity and keyword: the schema, so that it stays alive and keeps its identity, and the answer."""
        self._in_definition: dict[tuple[str, str], bool] = {}
        """By name and keyword."""

    def concerns(self, schema: JsonObject) -> bool:
        """Whether anything could be filled in, at any depth; raises what converting a definition raises."""
        return self._mentions(schema, INJECTION) or self._mentions(schema, "default")

    def fill(self, schema: JsonObject, value: JsonValue, sources: Sources, *, required: bool) -> JsonValue:
        """`value` (or `MISSING`) as it is to be sent, or `MISSING`.

        An object that the model left out is made when an injected value goes into it, or when it is required and a
        default does. An optional one is not made from defaults: its mere presence may mean something to the service.
        Raises `TooMuchToFill`.
        """
        return self._fill(schema, value, sources, required, 0)[0]

    def fill_body(self, schema: JsonObject, value: JsonValue, sources: Sources, *, required: bool) -> JsonValue:
        """Like `fill`, for a whole body: an optional one is also made when its defaults alone make it complete."""
        filled = self.fill(schema, value, sources, required=required)
        if filled is MISSING and not required:
            filled = self.fill(schema, MISSING, sources, required=True)
            names = as_list(self._definitions.look_through(schema).get("required"))
            if filled is not MISSING and any(name not in as_object(filled) for name in names):
                return MISSING
        return filled

    def _fill(
        self, schema: JsonObject, value: JsonValue, sources: Sources, required: bool, depth: int
    ) -> tuple[JsonValue, bool]:
        """The filled value, and whether something in it was injected."""
        if depth > _MAX_DEPTH:
            return value, False
        sources.look()
        seen = self._definitions.look_through(schema)
        source = seen.get(INJECTION)
        if isinstance(source, str) and is_known_source(source):
            found = sources.value(source)
            if found is not MISSING:
                return found, True
        if isinstance(value, list):
            items = as_object(seen.get("items"))
            return [self._fill(items, item, sources, True, depth + 1)[0] for item in as_list(value)], False
        if value is not MISSING and not isinstance(value, dict):
            return value, False
        if value is MISSING and "default" in seen:
            return seen["default"], False
        if value is MISSING and (depth > _MAX_MADE_DEPTH or not (required or self._mentions(schema, INJECTION))):
            return MISSING, False
        return self._fill_object(seen, value, sources, required, depth)

    def _fill_object(
        self, schema: JsonObject, value: JsonValue, sources: Sources, required: bool, depth: int
    ) -> tuple[JsonValue, bool]:
        filled: JsonObject = {} if value is MISSING else dict(cast(JsonObject, value))
        is_injected = False
        for name, child, is_needed in self._properties(schema, 0, set()):
            item, came_from_session = self._fill(child, filled.get(name, MISSING), sources, is_needed, depth + 1)
            if item is not MISSING:
                filled[name] = item
                is_injected = is_injected or came_from_session
        if value is MISSING and not (filled and (is_injected or required)):
            return MISSING, False
        return filled, is_injected

    def _properties(self, schema: JsonObject, depth: int, known: set[str]) -> list[tuple[str, JsonObject, bool]]:
        """Name, schema and whether it is required, of the properties of an object and of what it is composed of.

        `known` are the references followed so far: each is followed once, whatever refers to it.
        """
        needed = as_list(schema.get("required"))
        found = [
            (name, as_object(child), name in needed) for name, child in as_object(schema.get("properties")).items()
        ]
        if depth < _MAX_DEPTH:
            for part in map(as_object, as_list(schema.get("allOf"))):
                reference = str(part.get("$ref", ""))
                if reference not in known:
                    known.update({reference} - {""})
                    found.extend(self._properties(self._definitions.look_through(part), depth + 1, known))
        return found

    def _mentions(self, schema: JsonObject, keyword: str) -> bool:
        """Whether a schema, or one it refers to, has the keyword anywhere."""
        known = self._mentioned.get((id(schema), keyword))
        if known is None:
            names = self._definitions.closure(tuple(dict.fromkeys(_references(schema))))
            answer = _has_key(schema, keyword) or any(self._is_in(name, keyword) for name in names)
            known = self._mentioned[id(schema), keyword] = (schema, answer)
        return known[1]

    def _is_in(self, name: str, keyword: str) -> bool:
        """Whether a definition itself has the keyword."""
        key = (name, keyword)
        if key not in self._in_definition:
            self._in_definition[key] = _has_key(self._definitions.definition(name), keyword)
        return self._in_definition[key]


def _has_key(value: JsonValue, key: str) -> bool:
    members = as_object(value)
    return key in members or any(_has_key(item, key) for item in (*members.values(), *as_list(value)))


def _references(value: JsonValue) -> Iterator[str]:
    """Names of the definitions a converted schema refers to directly."""
    members = as_object(value)
    reference = members.get("$ref")
    if isinstance(reference, str):
        yield reference.removeprefix("#/$defs/")
    for item in (*members.values(), *as_list(value)):
        yield from _references(item)
