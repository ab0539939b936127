"""Schemas of bodies as those who write them see them: references followed, compositions merged."""

from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.schemas.definitions import Definitions

_MAX_DEPTH = 16
_COMPOSED = ("allOf", "anyOf", "oneOf")


@dataclass(slots=True)
class SchemaView:
    """What a schema says about its values' parts. Of several that a composition names, the first."""

    type: str = ""
    """The first type other than null; empty when none is stated."""
    properties: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    items: JsonObject = field(default_factory=dict[str, JsonValue])
    others: JsonObject = field(default_factory=dict[str, JsonValue])
    """The schema of further members."""
    xml: JsonObject = field(default_factory=dict[str, JsonValue])
    format: str = ""
    content_type: str = ""
    """`contentMediaType`."""
    content_encoding: str = ""

    @property
    def is_opaque(self) -> bool:
        """Whether values are objects of which nothing is described."""
        return self.type == "object" and not self.properties and not self.others


def view(schema: JsonObject, definitions: Definitions) -> SchemaView:
    """The view of a schema; raises what converting a definition raises."""
    result = SchemaView()
    _add(result, schema, definitions, set(), 0)
    return result


def _add(result: SchemaView, schema: JsonObject, definitions: Definitions, known: set[str], depth: int) -> None:
    """Add what a schema says; `known` are the references followed so far, each of which is followed once."""
    reference = str(schema.get("$ref", ""))
    if reference in known or depth > _MAX_DEPTH:
        return
    known.update({reference} - {""})
    resolved = definitions.look_through(schema)
    result.type = result.type or _first_type(resolved)
    result.items = result.items or as_object(resolved.get("items"))
    result.others = result.others or as_object(resolved.get("additionalProperties"))
    result.xml = result.xml or as_object(resolved.get("xml"))
    result.format = result.format or str(resolved.get("format", ""))
    result.content_type = result.content_type or str(resolved.get("contentMediaType", ""))
    result.content_encoding = result.content_encoding or str(resolved.get("contentEncoding", ""))
    for name, child in as_object(resolved.get("properties")).items():
        result.properties.setdefault(name, as_object(child))
    for key in _COMPOSED:
        for part in as_list(resolved.get(key)):
            _add(result, as_object(part), definitions, known, depth + 1)


def _first_type(schema: JsonObject) -> str:
    declared = schema.get("type")
    names = [declared] if isinstance(declared, str) else as_list(declared)
    return next((str(name) for name in names if name != "null"), "")
