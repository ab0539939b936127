"""The schema of records: which fields there are, of what type, found out from the records themselves.

Types and key properties are those of Discovery Engine's schemas (`Schema.struct_schema`, `keyPropertyMapping`).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, cast

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number

_DATE: Final = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
    r"(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?"
)
_PLACE: Final = re.compile(r"\s*(-?\d{1,2}[.]\d{1,17})\s*,\s*(-?\d{1,3}[.]\d{1,17})\s*")
_PLACE_MEMBERS: Final = ({"latitude", "longitude"}, {"lat", "lng"}, {"lat", "lon"})
_MAX_LATITUDE, _MAX_LONGITUDE = 90.0, 180.0
_MAX_FIELDS: Final = 2_000
_KEY_PROPERTIES: Final = {
    "title": ("title", "headline", "name"),
    "uri": ("uri", "url", "link"),
    "description": ("description", "summary", "abstract"),
    "category": ("category", "categories"),
}
"""Key property → names of fields that have it, the best first."""
_JSON_SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"


class FieldType(Enum):
    """Of the values of a field."""

    STRING = "string"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    DATETIME = "datetime"
    GEOLOCATION = "geolocation"
    OBJECT = "object"


@dataclass(frozen=True, slots=True)
class RecordField:
    """One field."""

    path: tuple[str, ...]
    """Names from the outermost object to the field; arrays add none."""
    type: FieldType
    is_array: bool = False
    key_property: str = ""
    """`title`, `uri`, `description` or `category`; empty for most fields."""


@dataclass(frozen=True, slots=True)
class RecordSchema:
    """Fields of records, in the order in which they were met."""

    fields: tuple[RecordField, ...] = ()

    def to_json_schema(self) -> JsonObject:
        """The JSON schema, as Discovery Engine writes it."""
        root: JsonObject = {"$schema": _JSON_SCHEMA, "type": "object", "properties": {}}
        for item in self.fields:
            parent = root
            for name in item.path[:-1]:
                parent = as_object(parent["properties"][name])
                parent = as_object(parent.get("items", parent))
            parent.setdefault("properties", {})[item.path[-1]] = _field_schema(item)
        return root


def _field_schema(item: RecordField) -> JsonObject:
    schema: JsonObject = {"type": item.type.value}
    if item.type is not FieldType.OBJECT:
        if item.key_property:
            schema["keyPropertyMapping"] = item.key_property
        schema |= {"retrievable": True, "indexable": not item.key_property or item.key_property == "category"}
        if item.type is FieldType.STRING:
            schema["searchable"] = True
    return {"type": "array", "items": schema} if item.is_array else schema


def value_type(value: JsonValue) -> FieldType | None:
    """The type of one value; None for null and for arrays, which have that of what they hold."""
    if isinstance(value, bool):
        return FieldType.BOOLEAN
    if isinstance(value, int):
        return FieldType.INTEGER
    if isinstance(value, str):
        return text_type(value)
    if isinstance(value, dict):
        return FieldType.GEOLOCATION if _is_place(cast(JsonObject, value)) else FieldType.OBJECT
    return FieldType.NUMBER if is_number(value) else None


def text_type(text: str) -> FieldType:
    """The type of a text: a date, a pair of coordinates, or just a text."""
    if _DATE.fullmatch(text):
        return FieldType.DATETIME
    if found := _PLACE.fullmatch(text):
        is_place = abs(float(found[1])) <= _MAX_LATITUDE and abs(float(found[2])) <= _MAX_LONGITUDE
        return FieldType.GEOLOCATION if is_place else FieldType.STRING
    return FieldType.STRING


def _is_place(value: JsonObject) -> bool:
    return set(value) in _PLACE_MEMBERS and all(map(is_number, value.values()))


def common_type(one: FieldType, other: FieldType) -> FieldType:
    """The type that has the values of both."""
    if one is other:
        return one
    if {one, other} == {FieldType.INTEGER, FieldType.NUMBER}:
        return FieldType.NUMBER
    return FieldType.OBJECT if FieldType.OBJECT in (one, other) else FieldType.STRING


@dataclass(slots=True)
class SchemaDetector:
    """Looks at records and knows their schema. Fields beyond 2,000 are not looked at."""

    _types: dict[tuple[str, ...], FieldType] = field(default_factory=dict[tuple[str, ...], FieldType])
    _arrays: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]])

    def add_all(self, records: Iterable[JsonObject]) -> None:
        """Look at some more records."""
        for record in records:
            self._add(record)

    def _add(self, record: JsonObject) -> None:
        for path, value, is_array in _values((), record, is_array=False):
            found = value_type(value)
            if found is None or (path not in self._types and len(self._types) >= _MAX_FIELDS):
                continue
            self._types[path] = common_type(self._types.get(path, found), found)
            if is_array:
                self._arrays.add(path)

    def schema(self) -> RecordSchema:
        """The schema of all records so far."""
        keys = dict(self._key_paths())
        fields = [
            RecordField(path, kind, path in self._arrays, keys.get(path, ""))
            for path, kind in self._types.items()
            if self._has_objects_above(path)
        ]
        return RecordSchema(tuple(fields))

    def _has_objects_above(self, path: tuple[str, ...]) -> bool:
        return all(self._types.get(path[:end]) is FieldType.OBJECT for end in range(1, len(path)))

    def _key_paths(self) -> Iterator[tuple[tuple[str, ...], str]]:
        outermost = {path[0].lower(): path for path in self._types if len(path) == 1}
        for key_property, names in _KEY_PROPERTIES.items():
            found = next((outermost[name] for name in names if name in outermost), None)
            if found and self._types[found] is FieldType.STRING:
                yield found, key_property


def _values(
    path: tuple[str, ...], value: JsonValue, *, is_array: bool
) -> Iterator[tuple[tuple[str, ...], JsonValue, bool]]:
    """All fields of a record with their values; whether an array holds them."""
    if isinstance(value, list):
        for item in as_list(value):
            yield from _values(path, item, is_array=True)
        return
    if path:
        yield path, value, is_array
    if isinstance(value, dict) and not _is_place(cast(JsonObject, value)):
        for name, member in cast(JsonObject, value).items():
            yield from _values((*path, name), member, is_array=False)
