"""Fills injected and default values into arguments, guided by their schemas."""

from collections.abc import Mapping, Sequence
from typing import cast

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, restore_integers
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.openapi.schemas.injection import (
    MISSING,
    Sources,
    TooLongToFill,
    as_declared,
    is_known_source,
)
from openplaybook.tools.openapi.schemas.surveys import Surveys, survey
from openplaybook.tools.schema.checked_formats import FORMATS
from openplaybook.tools.schema.dialect import INJECTION
from openplaybook.tools.schema.errors import InvalidSchema, Unjudged
from openplaybook.tools.schema.validator import Validator

_MAX_DEPTH = 32
_MAX_MADE_DEPTH = 6
"""Levels of objects that are made where the model gave none."""

_MAX_BRANCHES = 50
_MAX_NEEDED = 1_000
"""Definitions that the branches of a choice may need, all in all, for one of them to be filled in."""

_PLAIN: Mapping[str, type] = {"string": str, "boolean": bool, "integer": int}
_NO_LIMIT = frozenset({"type", "default", "title", "description", "examples", "deprecated", "readOnly", "writeOnly"})
"""Keywords with which a value only has to have the type."""


class Filler:
    """Puts injected and default values into arguments, guided by the schemas of one document."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._surveys = Surveys(definitions)
        self._usable: dict[int, tuple[JsonObject, bool]] = {}
        """By identity: the schema, and whether its default may be used."""
        self._validators: dict[int, tuple[JsonObject, Validator]] = {}
        """By identity: the schema, and what checks values against it."""

    def concerns(self, schema: JsonObject) -> bool:
        """Whether anything could be filled in, at any depth; raises what converting a definition raises."""
        return self._surveys.is_filled(schema)

    def sources(self, schema: JsonObject) -> Sequence[str]:
        """The sources in a schema, at any depth; raises what converting a definition raises."""
        return self._surveys.sources(schema)

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
            if filled is not MISSING and not self._is_meant(schema, restore_integers(filled), sources):
                return MISSING
        return filled

    def has_usable_default(self, schema: JsonObject, resolved: JsonObject) -> bool:
        """Whether there is a default, and one that fits its own schema: others are the description's fault."""
        if "default" not in resolved:
            return False
        known = self._usable.get(id(schema))
        if known is None:
            default, kind = restore_integers(resolved["default"]), resolved.get("type")
            is_plain = isinstance(kind, str) and type(default) is _PLAIN.get(kind) and _NO_LIMIT.issuperset(resolved)
            known = self._usable[id(schema)] = (schema, is_plain or self._is_usable(schema, default))
        return known[1]

    def _fill(
        self, schema: JsonObject, value: JsonValue, sources: Sources, required: bool, depth: int
    ) -> tuple[JsonValue, bool]:
        """The filled value, and whether something in it was injected."""
        if depth > _MAX_DEPTH:
            return value, False
        sources.look()
        resolved = self._definitions.look_through(schema)
        source = resolved.get(INJECTION)
        if isinstance(source, str) and is_known_source(source):
            injected = sources.value(source)
            if injected is not MISSING:
                return as_declared(injected, resolved), True
        if isinstance(value, list):
            items = as_object(resolved.get("items"))
            return [self._fill(items, item, sources, True, depth + 1)[0] for item in as_list(value)], False
        if value is not MISSING and not isinstance(value, dict):
            return value, False
        if value is MISSING and self.has_usable_default(schema, resolved):
            return resolved["default"], False
        if value is MISSING and (depth > _MAX_MADE_DEPTH or not (required or self._surveys.of(schema).sources)):
            return MISSING, False
        return self._fill_object(resolved, value, sources, required, depth)

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
        return (filled if value is MISSING else self._fill_branch(schema, filled, sources, depth)), is_injected

    def _fill_branch(self, schema: JsonObject, value: JsonObject, sources: Sources, depth: int) -> JsonObject:
        """`value` with what the branch of a choice fills in, where it is the only one that fits.

        The branch is chosen by the members that it fills in itself, so that a choice within a choice costs no more.
        """
        for key in ("oneOf", "anyOf"):
            branches = [as_object(branch) for branch in as_list(schema.get(key))]
            if not any(self.concerns(branch) for branch in branches) or self._is_large(branches):
                continue
            candidates = [(each, self._with_own_members(each, value, sources, depth)) for each in branches]
            fitting = [
                (branch, candidate) for branch, candidate in candidates if self._is_meant(branch, candidate, sources)
            ]
            if len(fitting) == 1:
                branch, candidate = fitting[0]
                whole = self._fill(branch, value, sources, True, depth + 1)[0]
                return whole if self._is_meant(branch, whole, sources) else candidate
        return value

    def _is_large(self, branches: Sequence[JsonObject]) -> bool:
        """Whether judging a value by each branch would keep others waiting."""
        needed = (len(self._surveys.of(branch).references) for branch in branches)
        return len(branches) > _MAX_BRANCHES or sum(needed) > _MAX_NEEDED

    def _with_own_members(self, schema: JsonObject, value: JsonObject, sources: Sources, depth: int) -> JsonObject:
        """`value` with the members that it lacks and that have a value of their own."""
        sources.look()
        members = self._properties(self._definitions.look_through(schema), 0, set())
        own = {
            name: self._fill(child, MISSING, sources, is_needed, depth + 1)[0]
            for name, child, is_needed in members
            if name not in value
        }
        return {**value, **{name: item for name, item in own.items() if item is not MISSING}}

    def _is_usable(self, schema: JsonObject, default: JsonValue) -> bool:
        try:
            return self._fits(schema, default)
        except Unjudged:
            return False

    def _is_meant(self, schema: JsonObject, value: JsonValue, sources: Sources) -> bool:
        """Whether a value fits a schema that is chosen by that. Raises `TooLongToFill` where that takes too long."""
        try:
            if sources.may_wait:
                return not self._validator(schema).problems(value)
            sources.judge(self._validator(schema).effort(value))
            return self._fits(schema, value)
        except Unjudged as error:
            raise TooLongToFill(f"an object that the description completes {error}") from error
        except InvalidSchema:
            # Told when the arguments are checked, by the schema that this one is part of.
            return False

    def _fits(self, schema: JsonObject, value: JsonValue) -> bool:
        try:
            return self._validator(schema).fits(value)
        except InvalidSchema:
            # Told when the arguments are checked, by the schema that this one is part of.
            return False

    def _validator(self, schema: JsonObject) -> Validator:
        if id(schema) not in self._validators:
            names = self._definitions.closure(survey(schema).references)
            definitions = {name: self._definitions.definition(name) for name in names}
            self._validators[id(schema)] = (schema, Validator({**schema, "$defs": definitions}, formats=FORMATS))
        return self._validators[id(schema)][1]

    def _properties(self, schema: JsonObject, depth: int, known: set[str]) -> list[tuple[str, JsonObject, bool]]:
        """Name, schema and whether it is required, of the properties of an object and of what it is composed of.

        `known` are the references followed so far: each is followed once, whatever refers to it.
        """
        needed = as_list(schema.get("required"))
        properties = [
            (name, as_object(child), name in needed) for name, child in as_object(schema.get("properties")).items()
        ]
        if depth < _MAX_DEPTH:
            for part in map(as_object, as_list(schema.get("allOf"))):
                reference = str(part.get("$ref", ""))
                if reference not in known:
                    known.update({reference} - {""})
                    properties.extend(self._properties(self._definitions.look_through(part), depth + 1, known))
        return properties
