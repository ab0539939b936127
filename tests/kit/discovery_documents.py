"""Google's discovery documents: their methods, values that fit their schemas, and what is wrong with one that does not.

Values are drawn in the form that a server gives them: what has the default value is left out, times and durations have
their canonical spelling.
"""

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, TypeAlias

from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object

Draw: TypeAlias = Callable[[st.SearchStrategy[Any]], Any]

_DEEPEST = 3
_TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
_NUMBERS = st.floats(allow_nan=False, allow_infinity=False).filter(bool)
_INT32, _INT64 = (-(2**31), 2**31 - 1), (-(2**63), 2**63 - 1)
_FREE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | _TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXT, inner, max_size=2),
    max_leaves=4,
)
_STRUCT = st.dictionaries(_TEXT, _FREE, max_size=3)
_MARK = "@type"
_ANY = "type.googleapis.com/google.protobuf.Struct"

_SCALARS: Mapping[tuple[str, str], st.SearchStrategy[JsonValue]] = {
    ("boolean", ""): st.just(True),
    ("integer", "int32"): st.integers(*_INT32).filter(bool),
    ("number", "double"): _NUMBERS,
    ("string", ""): _TEXT,
    ("string", "byte"): st.binary(min_size=1, max_size=5).map(lambda data: base64.b64encode(data).decode()),
    ("string", "int64"): st.integers(*_INT64).filter(bool).map(str),
    ("string", "google-datetime"): st.sampled_from(["2026-11-22T08:30:00Z", "1999-12-31T23:59:59.500Z"]),
    ("string", "google-duration"): st.sampled_from(["60s", "0.250s", "-3s"]),
    ("string", "google-fieldmask"): st.sampled_from(["description", "authConfig.authType,labels"]),
    ("any", ""): _FREE,
}
_PATTERNS: Mapping[str, str] = {
    "byte": r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?",
    "int64": r"-?\d{1,19}",
    "google-datetime": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3}|\.\d{6}|\.\d{9})?Z",
    "google-duration": r"-?\d+(?:\.\d{3}|\.\d{6}|\.\d{9})?s",
    "google-fieldmask": r"(?:[a-zA-Z0-9.]+(?:,[a-zA-Z0-9.]+)*)?",
}
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


@dataclass(frozen=True)
class DocumentMethod:
    """One method of a document."""

    id: str
    """As the document has it, without the name of the API: `projects.locations.connections.get`."""
    content: JsonObject

    @property
    def resource(self) -> Sequence[str]:
        """The resources that lead to it."""
        return self.id.split(".")[:-1]

    @property
    def name(self) -> str:
        return self.id.rpartition(".")[2]

    @property
    def template(self) -> str:
        """Its path, with `*` for every segment that varies."""
        return re.sub(r"\{\w+\}", "*", f"/{self.content['flatPath']}")


@cache
def document(name: str) -> JsonObject:
    """The document of an API, such as `connectors.v1`."""
    folder = resources.files("googleapiclient.discovery_cache.documents")
    return as_object(json.loads(folder.joinpath(f"{name}.json").read_bytes()))


def methods(name: str) -> Iterator[DocumentMethod]:
    """Every method of an API."""
    yield from _walk("", document(name)["resources"])


def _walk(prefix: str, found: JsonObject) -> Iterator[DocumentMethod]:
    for resource, content in found.items():
        for method, described in content.get("methods", {}).items():
            yield DocumentMethod(f"{prefix}{resource}.{method}", described)
        yield from _walk(f"{prefix}{resource}.", content.get("resources", {}))


def values(name: str, schema: str, choices: Mapping[str, Sequence[str]]) -> st.SearchStrategy[JsonObject]:
    """Values of a schema; `choices` are the members, by schema, of which a value has one at most."""

    @st.composite
    def drawn(draw: Draw) -> JsonObject:
        return _Maker(draw, name, choices).of_schema(schema, 0)

    return drawn()


class _Maker:
    def __init__(self, draw: Draw, name: str, choices: Mapping[str, Sequence[str]]) -> None:
        self._draw = draw
        self._schemas = document(name)["schemas"]
        self._choices = choices

    def of_schema(self, schema: str, depth: int) -> JsonObject:
        properties = dict(self._schemas[schema].get("properties", {}))
        one_of = self._choices.get(schema, ())
        for left_out in sorted(set(one_of) - {self._draw(st.sampled_from(one_of))}) if one_of else ():
            del properties[left_out]
        wanted = self._draw(st.sets(st.sampled_from(sorted(properties)), max_size=6)) if properties else ()
        made = {key: self._of_form(properties[key], depth + 1) for key in sorted(wanted)}
        return {key: value for key, value in made.items() if value != [] and value is not _NOTHING}

    def _of_form(self, form: JsonObject, depth: int) -> JsonValue:
        if form.get("type") == "array":
            items = [self._of_form(form["items"], depth) for _ in range(self._draw(st.integers(1, 2)))]
            return [item for item in items if item is not _NOTHING]
        if "$ref" in form:
            return _NOTHING if depth > _DEEPEST else self.of_schema(form["$ref"], depth)
        if "enum" in form:
            return self._draw(st.sampled_from(form["enum"][1:]))
        if form["type"] == "object":
            return self._of_object(form.get("additionalProperties", {"type": "any"}), depth)
        return self._draw(_SCALARS[form["type"], form.get("format", "")])

    def _of_object(self, inner: JsonObject, depth: int) -> JsonValue:
        if inner.get("type") == "any":
            made = self._draw(_STRUCT)
            return {_MARK: _ANY, "value": made} if _MARK in inner.get("description", "") else made
        keys = self._draw(st.sets(_TEXT, min_size=1, max_size=2))
        made = {key: self._of_form(inner, depth) for key in sorted(keys)}
        return _NOTHING if _NOTHING in made.values() else made


_NOTHING: Any = object()


def faults(name: str, value: JsonValue, schema: str) -> list[str]:
    """What in a value does not fit a schema, with its place; nothing where all does."""
    return list(_faults(document(name)["schemas"], value, {"$ref": schema}, "$"))


def _faults(schemas: JsonObject, value: JsonValue, form: JsonObject, path: str) -> Iterator[str]:
    form = {"type": "object", **schemas[form["$ref"]]} if "$ref" in form else form
    kind, text_form = form["type"], form.get("format", "")
    if kind == "any":
        return
    if not _is_of(value, kind):
        yield f"{path}: {value!r} is no {kind}"
    elif "enum" in form and value not in form["enum"]:
        yield f"{path}: {value!r} is none of {form['enum']}"
    elif kind == "string" and text_form in _PATTERNS and not re.fullmatch(_PATTERNS[text_form], value):
        yield f"{path}: {value!r} is no {text_form}"
    elif kind == "array":
        for index, item in enumerate(value):
            yield from _faults(schemas, item, form["items"], f"{path}[{index}]")
    elif kind == "object":
        yield from _member_faults(schemas, value, form, path)


def _is_of(value: JsonValue, kind: str) -> bool:
    return isinstance(value, _KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _member_faults(schemas: JsonObject, value: JsonObject, form: JsonObject, path: str) -> Iterator[str]:
    properties: JsonObject = form.get("properties", {})
    for key, item in value.items():
        inner = properties.get(key) or form.get("additionalProperties")
        if inner is None:
            yield f"{path}.{key} is unknown"
        else:
            yield from _faults(schemas, item, inner, f"{path}.{key}")
