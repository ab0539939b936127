"""Whether a vendor's schema takes a value, more strictly than JSON Schema: a member that the schema does not name is a
fault, and so is one that only the vendor sets.
"""

import re
from collections.abc import Iterator

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, is_number
from tests.kit.vendor_mock.vendor_document import VendorDocument

_MOST_DEPTH = 12


class StrictSchema:
    """Judges values of requests."""

    def __init__(self, document: VendorDocument, *, is_text: bool = False) -> None:
        """`is_text`: values came as texts, of a query or a form, and stand for what they say."""
        self._document = document
        self._is_text = is_text

    def faults(self, schema: JsonValue, value: JsonValue, path: str, depth: int = 0) -> list[str]:
        """What is wrong with a value; empty where nothing is."""
        members = self._document.resolved(schema)
        if depth > _MOST_DEPTH or not members:
            return []
        if value is None:
            return [] if self._is_text or self._takes_null(members) else [f"{path}: null is not taken"]
        if self._is_text and value == "":
            return []
        return list(self._checked(members, value, path, depth))

    def _checked(self, members: JsonObject, value: JsonValue, path: str, depth: int) -> Iterator[str]:
        for kind in ("oneOf", "anyOf"):
            choices = as_list(members.get(kind))
            if choices:
                found = [self.faults(each, value, path, depth + 1) for each in choices]
                if all(found):
                    yield min(found, key=len)[0]
                return
        merged = self.merged(members, depth)
        value = self._meant(merged, value)
        kinds = merged.get("type")
        kinds = [kinds] if isinstance(kinds, str) else [each for each in as_list(kinds) if each != "null"]
        if not kinds and merged.get("properties"):
            kinds = ["object"]
        if kinds and not any(_is_of(kind, value, merged) for kind in kinds):
            yield f"{path}: {value!r} is not of type {' or '.join(kinds)}"
            return
        yield from self._limits(merged, value, path)
        if isinstance(value, dict):
            yield from self._members(merged, as_object(value), path, depth)
        elif isinstance(value, list) and merged.get("items"):
            for index, each in enumerate(as_list(value)):
                yield from self.faults(merged["items"], each, f"{path}[{index}]", depth + 1)

    def merged(self, members: JsonObject, depth: int = 0) -> JsonObject:
        """A schema with what it is made of (`allOf`) put together."""
        parts = as_list(members.get("allOf"))
        if not parts or depth > _MOST_DEPTH:
            return members
        made: JsonObject = {name: value for name, value in members.items() if name != "allOf"}
        for part in parts:
            inner = self.merged(self._document.resolved(part), depth + 1)
            for name, value in inner.items():
                if name == "properties":
                    made[name] = as_object(value) | as_object(made.get(name))
                elif name == "required":
                    made[name] = [*as_list(made.get(name)), *as_list(value)]
                else:
                    made.setdefault(name, value)
        return made

    def _limits(self, members: JsonObject, value: JsonValue, path: str) -> Iterator[str]:
        allowed = as_list(members.get("enum"))
        if allowed and value not in allowed and str(value) not in [str(each) for each in allowed]:
            yield f"{path}: {value!r} is none of {allowed[:8]}"
        most, least = members.get("maximum"), members.get("minimum")
        if is_number(value) and is_number(most) and value > most:
            yield f"{path}: {value} is more than {most}"
        if is_number(value) and is_number(least) and value < least:
            yield f"{path}: {value} is less than {least}"
        if isinstance(value, str):
            longest = members.get("maxLength")
            if isinstance(longest, int) and len(value) > longest:
                yield f"{path}: is longer than {longest}"
            pattern = members.get("pattern")
            if isinstance(pattern, str) and not _meets(pattern, value):
                yield f"{path}: {value!r} does not meet {pattern}"

    def _members(self, members: JsonObject, value: JsonObject, path: str, depth: int) -> Iterator[str]:
        properties = as_object(members.get("properties"))
        others = members.get("additionalProperties")
        is_open = others is True or isinstance(others, dict) or not properties
        for name, each in value.items():
            if name in properties:
                if self._document.resolved(properties[name]).get("readOnly") is True:
                    yield f"{path}.{name}: is set by the system"
                yield from self.faults(properties[name], each, f"{path}.{name}", depth + 1)
            elif not is_open:
                yield f"{path}.{name}: is not a member; there are {sorted(properties)[:12]}"
            elif isinstance(others, dict):
                yield from self.faults(others, each, f"{path}.{name}", depth + 1)
        for name in as_list(members.get("required")):
            is_set_there = self._document.resolved(properties.get(name)).get("readOnly") is True
            if isinstance(name, str) and name not in value and not is_set_there:
                yield f"{path}.{name}: is required"

    def _takes_null(self, members: JsonObject) -> bool:
        kinds = members.get("type")
        choices = [*as_list(members.get("oneOf")), *as_list(members.get("anyOf"))]
        return (
            members.get("nullable") is True
            or kinds is None
            or kinds in ("null", "any")
            or (isinstance(kinds, list) and "null" in kinds)
            or any(self._takes_null(self._document.resolved(each)) for each in choices)
        )

    def _meant(self, members: JsonObject, value: JsonValue) -> JsonValue:
        """A text as what it stands for."""
        if not self._is_text or not isinstance(value, str):
            return value
        kind = members.get("type")
        if kind == "boolean" and value in ("true", "false"):
            return value == "true"
        if kind == "integer" and re.fullmatch(r"-?\d+", value):
            return int(value)
        if kind == "number" and re.fullmatch(r"-?\d+(\.\d+)?", value):
            return float(value)
        if kind == "array":
            return value.split(",")
        return value


def _is_of(kind: str, value: JsonValue, members: JsonObject) -> bool:
    if kind == "string":
        return isinstance(value, str)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        is_text = members.get("format") in ("int64", "long") and isinstance(value, str) and value.lstrip("-").isdigit()
        return is_text or (isinstance(value, int) and not isinstance(value, bool))
    if kind == "number":
        return is_number(value)
    if kind == "array":
        return isinstance(value, list)
    return isinstance(value, dict) if kind == "object" else True


def _meets(pattern: str, value: str) -> bool:
    try:
        return re.search(pattern, value) is not None
    except re.error:
        return True


def sample_of(document: VendorDocument, schema: JsonValue, depth: int = 0) -> JsonValue:
    """A small value that a schema takes: of objects what is required, else their first member."""
    strict = StrictSchema(document)
    members = strict.merged(document.resolved(schema))
    for kind in ("oneOf", "anyOf"):
        choices = [each for each in as_list(members.get(kind)) if document.resolved(each).get("type") != "null"]
        objects = [each for each in choices if document.resolved(each).get("properties")]
        if choices:
            return sample_of(document, (objects or choices)[0], depth + 1)
    if "enum" in members:
        return next(each for each in as_list(members["enum"]) if each is not None)
    kind = members.get("type")
    kind = next((each for each in as_list(kind) if each != "null"), "string") if isinstance(kind, list) else kind
    if kind == "array":
        return [sample_of(document, members.get("items"), depth + 1)] if depth < 6 else []
    if kind == "object" or members.get("properties"):
        return _sample_object(document, members, depth)
    simple: dict[str, JsonValue] = {"integer": 1, "number": 1, "boolean": True}
    return simple.get(str(kind), _sample_text(members))


def _sample_object(document: VendorDocument, members: JsonObject, depth: int) -> JsonValue:
    properties = {
        name: each
        for name, each in as_object(members.get("properties")).items()
        if document.resolved(each).get("readOnly") is not True
    }
    wanted = [name for name in as_list(members.get("required")) if name in properties] or list(properties)[:1]
    if not properties:
        return {"sample": "1"}
    return {name: sample_of(document, properties[name], depth + 1) for name in wanted} if depth < 6 else {}


def _sample_text(members: JsonObject) -> str:
    form = members.get("format")
    samples = {"date": "2026-11-26", "date-time": "2026-11-26T09:00:00Z", "uri": "https://example.org/a"}
    return samples.get(str(form), "1")
