"""The search of a description for what is odd: one pass over its objects, each looked at as what it is."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.oddities.misspellings import Spelling
from openplaybook.tools.openapi.oddities.object_shapes import (
    BODY,
    ENCODING,
    INJECTIONS,
    PARAMETER,
    PATH_ITEM,
    SCHEMA,
    SHAPES,
    Leads,
    ObjectShape,
    ShapeMember,
)
from openplaybook.tools.openapi.oddities.oddity_list import OddityList, Place, cut, kind
from openplaybook.tools.openapi.oddities.parameters import tell_parameter
from openplaybook.tools.openapi.oddities.types import tell_types
from openplaybook.tools.openapi.requests.styles import QUERY_STYLES
from openplaybook.tools.schema.keyword_values import TYPES

_MANY_NAMES = 10_000
"""Properties of one schema; more are not judged when it is used either."""
_MOST_COMPARED = 1_000
"""Properties of one schema that names are compared with."""
_LENGTH_OF_INJECTIONS, _SLIPS = 22, 4
"""Letters of our own extensions, and how many more or less a slip makes of them."""

_Part: TypeAlias = tuple[JsonValue, str, Place]


class DescriptionSearch:
    """Looks through the objects it is given, and each only once, however many aliases lead to it."""

    def __init__(self, found: OddityList, *, is_swagger: bool) -> None:
        self._found = found
        self._is_swagger = is_swagger
        self._spelling = Spelling()
        self._seen: set[int] = set()
        """Identities of objects that lead to others."""
        self._waiting: list[_Part] = []

    def look(self, value: JsonValue, shape: str, place: Place) -> None:
        """Look at an object of a shape and at all that it leads to."""
        self._waiting.append((value, shape, place))
        while self._waiting and not self._found.is_full:
            self._one(*self._waiting.pop())

    def _one(self, value: JsonValue, shape: str, place: Place) -> None:
        if not isinstance(value, dict):
            if value is not None and not (shape == SCHEMA and isinstance(value, bool)):
                self._found.tell(place, f"{SHAPES[shape].title} is an object, not {kind(value)}; it is ignored")
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
                part for key in members if key in known.leading for part in self._parts(members, known, key, place)
            ]
            self._waiting.extend(reversed(parts))

    def _special(self, members: JsonObject, shape: str, place: Place) -> None:
        if shape == PARAMETER:
            self._parameter(members, place)
        elif shape == BODY and not as_object(members.get("content")):
            self._found.tell(place, "the requestBody has no content, so no body is sent")
        elif shape == ENCODING and members.get("style") not in (None, *QUERY_STYLES):
            style, allowed = cut(members["style"]), ", ".join(QUERY_STYLES)
            self._found.tell((place, ".style"), f"the style {style!r} is not one of {allowed}; form is used")

    def _parts(self, members: JsonObject, known: ObjectShape, key: str, place: Place) -> Iterator[_Part]:
        return self._led_to(members[key], known.members[key], (place, f".{key}"))

    def _led_to(self, value: JsonValue, member: ShapeMember, place: Place) -> Iterator[_Part]:
        if value is None:
            return
        if not isinstance(value, member.takes):
            if member.is_read:
                wanted = "a list" if member.leads is Leads.LIST else "an object"
                self._found.tell(
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
                    self._found.tell((place, f".{name}"), f"{name} is a text, not {kind(members[name])}; it is ignored")
                continue
            is_extension = name.startswith("x-")
            if is_extension and abs(len(name) - _LENGTH_OF_INJECTIONS) > _SLIPS:
                continue
            meant = self._spelling.meant(name, INJECTIONS if is_extension else frozenset(known.members))
            expected = known.members[meant].takes if meant in known.members else (str,)
            if meant and meant not in members and isinstance(members[name], expected):
                told = f"{cut(name)} is unknown in {known.title} and is ignored; did you mean {meant}?"
                self._found.tell((place, f".{cut(name)}"), told)

    def _schema(self, members: JsonObject, place: Place) -> None:
        declared = members.get("type")
        if declared is not None and not (isinstance(declared, str) and declared in TYPES):
            tell_types(members, place, self._found, self._spelling, has_files=self._is_swagger)
        if "required" in members:
            self._required(members, place)
        if "enum" in members and not isinstance(members["enum"], list | None):
            self._found.tell((place, ".enum"), f"enum is a list, not {kind(members['enum'])}; it is ignored")

    def _required(self, members: JsonObject, place: Place) -> None:
        """Names that are required and nearly those of properties."""
        properties, required = as_object(members.get("properties")), as_list(members["required"])
        unknown: Sequence[str] = [name for name in required if isinstance(name, str) and name not in properties]
        if not unknown or not 0 < len(properties) <= _MOST_COMPARED:
            return
        names = frozenset(properties)
        for name in dict.fromkeys(unknown):
            if (meant := self._spelling.meant(name, names)) and meant not in required:
                told = f"{cut(name)} is required but not a property; did you mean {cut(meant)}?"
                self._found.tell((place, ".required"), told)

    def _parameter(self, members: JsonObject, place: Place) -> None:
        tell_parameter(members, place, self._found, self._spelling, is_swagger=self._is_swagger)
        if self._is_swagger and "schema" not in members:
            self._schema(members, place)
