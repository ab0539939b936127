"""The search of a description for what is odd: one pass over its objects, each looked at as what it is."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.oddities.misspellings import Spelling
from openplaybook.tools.openapi.oddities.object_shapes import (
    BODY,
    ENCODING,
    INJECTIONS,
    MISPLACED,
    PARAMETER,
    PATH_ITEM,
    SCHEMA,
    SHAPES,
    Leads,
    ObjectShape,
    ShapeMember,
)
from openplaybook.tools.openapi.oddities.oddity_list import OddityList, Place, cut, kind
from openplaybook.tools.openapi.requests.parameter_places import ParameterPlace
from openplaybook.tools.openapi.requests.styles import QUERY_STYLES
from openplaybook.tools.schema.keyword_values import TYPES, json_type

_MANY_NAMES = 10_000
"""Properties of one schema; more are not judged when it is used either."""
_MOST_COMPARED = 1_000
"""Properties of one schema that names are compared with."""
_LENGTH_OF_INJECTIONS, _SLIPS = 22, 4
"""Letters of our own extensions, and how many more or less a slip makes of them."""

_Part: TypeAlias = tuple[JsonValue, str, Place]
_PLACES = frozenset(place.value for place in ParameterPlace)
_PLACES_OF_2_0 = (_PLACES - {ParameterPlace.COOKIE.value}) | {"body", "formData"}
_COLLECTIONS = frozenset({"csv", "ssv", "tsv", "pipes", "multi"})
_REPEATABLE = frozenset({"query", "formData"})
"""Places where OpenAPI 2.0 lets an array repeat its parameter."""
_FILE = "file"


class DescriptionSearch:
    """Looks through the objects it is given, and each only once, however many aliases lead to it."""

    def __init__(self, oddities: OddityList, *, is_swagger: bool) -> None:
        self._oddities = oddities
        self._is_swagger = is_swagger
        self._spelling = Spelling()
        self._seen: set[int] = set()
        """Identities of objects that lead to others."""
        self._waiting: list[_Part] = []

    def look(self, value: JsonValue, shape: str, place: Place) -> None:
        """Look at an object of a shape and at all that it leads to."""
        self._waiting.append((value, shape, place))
        while self._waiting and not self._oddities.is_full:
            self._one(*self._waiting.pop())

    def _one(self, value: JsonValue, shape: str, place: Place) -> None:
        if not isinstance(value, dict):
            if value is not None and not (shape == SCHEMA and isinstance(value, bool)):
                self._oddities.tell(place, f"{SHAPES[shape].title} is an object, not {kind(value)}; it is ignored")
            return
        members = as_object(value)
        if "$ref" in members and isinstance(members["$ref"], str) and shape != PATH_ITEM:
            return
        known = SHAPES[shape]
        if not members.keys() <= known.members.keys():
            self._unknown(members, known, place)
        if shape == SCHEMA:
            self._schema(members, place)
        else:
            self._special(members, shape, place)
        if not known.leading.isdisjoint(members) and id(members) not in self._seen:
            self._seen.add(id(members))
            parts = [
                part
                for key in members
                if key in known.leading
                for part in self._led_to(members[key], known.members[key], (place, f".{key}"))
            ]
            self._waiting.extend(reversed(parts))

    def _special(self, members: JsonObject, shape: str, place: Place) -> None:
        if shape == PARAMETER:
            self._parameter(members, place)
        elif shape == BODY and not as_object(members.get("content")):
            self._oddities.tell(place, "the requestBody has no content, so no body is sent")
        elif shape == ENCODING and members.get("style") not in (None, *QUERY_STYLES):
            style, allowed = cut(members["style"]), ", ".join(QUERY_STYLES)
            self._oddities.tell((place, ".style"), f"the style {style!r} is not one of {allowed}; form is used")

    def _led_to(self, value: JsonValue, member: ShapeMember, place: Place) -> Iterator[_Part]:
        if value is None:
            return
        if not isinstance(value, member.takes):
            if member.is_read:
                wanted = "a list" if member.leads is Leads.LIST else "an object"
                self._oddities.tell(
                    place, f"{place[1][1:]} is {wanted}, not {kind(value)}; it is ignored" if place else ""
                )
            return
        if isinstance(value, list):
            yield from ((item, member.shape, (place, f"[{number}]")) for number, item in enumerate(as_list(value)))
        elif member.leads is Leads.NAMED:
            if len(as_object(value)) <= _MANY_NAMES or member.shape != SCHEMA:
                yield from (
                    (item, member.shape, (place, f".{name}"))
                    for name, item in as_object(value).items()
                    if not name.startswith("x-") or isinstance(item, dict)
                )
        elif isinstance(value, dict):
            yield value, member.shape, place

    def _unknown(self, members: JsonObject, known: ObjectShape, place: Place) -> None:
        """Members that are nearly known ones, and hold what those would."""
        for name in members.keys() - known.members.keys():
            if name in known.names:
                if not isinstance(members[name], str):
                    self._oddities.tell(
                        (place, f".{name}"), f"{name} is a text, not {kind(members[name])}; it is ignored"
                    )
                continue
            is_extension = name.startswith("x-")
            if is_extension and abs(len(name) - _LENGTH_OF_INJECTIONS) > _SLIPS:
                continue
            meant = self._spelling.meant(name, INJECTIONS if is_extension else frozenset(known.members))
            expected = known.members[meant].takes if meant in known.members else (str,)
            if meant and meant not in members and isinstance(members[name], expected):
                message = f"{cut(name)} is unknown in {known.title} and is ignored; did you mean {meant}?"
                self._oddities.tell((place, f".{cut(name)}"), message)

    def _schema(self, members: JsonObject, place: Place) -> None:
        declared = members.get("type")
        if declared is not None and not (isinstance(declared, str) and declared in TYPES):
            tell_types(members, place, self._oddities, self._spelling, has_files=self._is_swagger)
        if "required" in members:
            self._required(members, place)
        if "enum" in members and not isinstance(members["enum"], list | None):
            self._oddities.tell((place, ".enum"), f"enum is a list, not {kind(members['enum'])}; it is ignored")

    def _required(self, members: JsonObject, place: Place) -> None:
        """Names that are required and nearly those of properties."""
        properties, required = as_object(members.get("properties")), as_list(members["required"])
        unknown: Sequence[str] = [name for name in required if isinstance(name, str) and name not in properties]
        if not unknown or not 0 < len(properties) <= _MOST_COMPARED:
            return
        names = frozenset(properties)
        for name in dict.fromkeys(unknown):
            if (meant := self._spelling.meant(name, names)) and meant not in required:
                message = f"{cut(name)} is required but not a property; did you mean {cut(meant)}?"
                self._oddities.tell((place, ".required"), message)

    def _parameter(self, members: JsonObject, place: Place) -> None:
        tell_parameter(members, place, self._oddities, self._spelling, is_swagger=self._is_swagger)
        if self._is_swagger and "schema" not in members:
            self._schema(members, place)


def tell_parameter(
    source: JsonObject, place: Place, oddities: OddityList, spelling: Spelling, *, is_swagger: bool
) -> None:
    """Tell of places that are none, and of what is guessed for want of a schema."""
    where = source.get("in")
    known = _PLACES_OF_2_0 if is_swagger else _PLACES
    if not isinstance(where, str) or where not in known:
        meant = spelling.meant(where, known) if isinstance(where, str) else ""
        hint = f"; did you mean {meant}?" if meant else ""
        oddities.tell((place, ".in"), f"in is {cut(where)!r}, which is not one of {', '.join(sorted(known))}{hint}")
    elif is_swagger:
        _tell_collection(source, place, oddities)
    else:
        _tell_schema(source, place, oddities)


def _tell_schema(source: JsonObject, place: Place, oddities: OddityList) -> None:
    name = cut(source.get("name"))
    contents = as_object(source.get("content"))
    if len(contents) > 1:
        first = cut(next(iter(contents)))
        oddities.tell((place, ".content"), f"{name} has several media types, where one is allowed; {first} is used")
    beside = sorted(MISPLACED & source.keys())
    if beside and "schema" in source:
        listed = ", ".join(beside)
        oddities.tell(place, f"{name}: {listed} next to schema is ignored; since OpenAPI 3 it belongs in schema")
    elif "schema" not in source and not contents:
        reason = f"; {', '.join(beside)} next to it is ignored; since OpenAPI 3 it belongs in schema" if beside else ""
        oddities.tell(place, f"{name} has no schema and is taken as a text{reason}")


def _tell_collection(source: JsonObject, place: Place, oddities: OddityList) -> None:
    written = source.get("collectionFormat")
    if written is None or source.get("type") != "array":
        return
    at, name = (place, ".collectionFormat"), cut(source.get("name"))
    if not isinstance(written, str) or written not in _COLLECTIONS:
        allowed = ", ".join(sorted(_COLLECTIONS))
        oddities.tell(at, f"{name}: the collectionFormat {cut(written)!r} is not one of {allowed}; csv is used")
    elif written == "multi" and str(source.get("in")) not in _REPEATABLE:
        oddities.tell(at, f"{name}: the collectionFormat multi is for queries and forms; csv is used")


def tell_types(members: JsonObject, place: Place, oddities: OddityList, spelling: Spelling, *, has_files: bool) -> None:
    """Tell of what `type` says that JSON Schema does not know; `has_files`: OpenAPI 2.0 knows the type file."""
    declared = members["type"]
    at = (place, ".type")
    if isinstance(declared, list):
        for number, name in enumerate(as_list(declared)):
            if not isinstance(name, str) or name not in TYPES:
                _tell((at, f"[{number}]"), name, oddities, spelling, is_only=len(as_list(declared)) == 1)
    elif not (has_files and declared == _FILE) and declared is not None:
        _tell(at, declared, oddities, spelling, is_only=True)


def _tell(at: Place, name: JsonValue, oddities: OddityList, spelling: Spelling, *, is_only: bool) -> None:
    if isinstance(name, str) and (read := json_type(name)):
        oddities.tell(at, f"the type {cut(name)!r} is not a type of JSON Schema; it is read as {read}")
        return
    effect = "so any value is taken" if is_only else "so it is left out"
    if name is None:
        oddities.tell(at, f"the type null is not known, {effect}; did you mean 'null'?")
    elif isinstance(name, str):
        meant = spelling.meant(name, TYPES)
        hint = f"; did you mean {meant}?" if meant else ""
        oddities.tell(at, f"the type {cut(name)!r} is not known, {effect}{hint}")
    else:
        oddities.tell(at, f"a type is a text, not {kind(name)}, {effect}")
