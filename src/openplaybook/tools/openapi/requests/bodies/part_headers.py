"""Headers of the parts of a multipart body, from `encoding.headers` (OAS 3.1.1 §4.8.15)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, resolve
from openplaybook.tools.openapi.requests.styles import simple
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.schema.dialect import is_true

ARGUMENT = "partHeaders"
"""The member of a body that holds the headers of its parts: `{part: {header: value}}`."""


@dataclass(frozen=True, slots=True)
class PartHeaders:
    """The headers that a body's parts carry beyond those that follow from their content."""

    fixed: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """By part: those with one possible value."""
    schema: JsonObject = field(default_factory=dict[str, JsonValue])
    """Of `ARGUMENT`; empty when nothing is asked of the model."""
    is_required: bool = False

    def of(self, argument: JsonValue) -> dict[str, dict[str, str]]:
        """All headers by part; `given` is the model's argument."""
        by_part = {part: dict(headers) for part, headers in self.fixed.items()}
        for part, headers in as_object(argument).items():
            for name, value in as_object(headers).items():
                if value is not None:
                    by_part.setdefault(part, {})[name] = simple(name, value, False, str)
        return by_part


NONE = PartHeaders()


def part_headers(root: JsonObject, media: JsonObject, definitions: Definitions) -> PartHeaders:
    """The headers declared for the parts of a multipart media type object; broken ones are passed over."""
    fixed: dict[str, dict[str, str]] = {}
    described: JsonObject = {}
    needed: list[str] = []
    for part, encoding in as_object(media.get("encoding")).items():
        properties: JsonObject = {}
        required: list[str] = []
        for name, declared in as_object(as_object(encoding).get("headers")).items():
            schema, is_needed = _header(root, declared, definitions)
            only = _only_value(schema)
            if name.lower() == "content-type":
                continue
            if only is not None:
                fixed.setdefault(part, {})[name] = simple(name, only, False, str)
                continue
            properties[name] = schema
            required += [name] if is_needed else []
        if properties:
            described[part] = {"type": "object", "properties": properties, "required": required}
            needed += [part] if required else []
    if not described:
        return PartHeaders(fixed) if fixed else NONE
    schema: JsonObject = {"type": "object", "description": "Headers of the parts of the body, by part"}
    return PartHeaders(fixed, {**schema, "properties": described, "required": needed}, bool(needed))


def _header(root: JsonObject, declared: JsonValue, definitions: Definitions) -> tuple[JsonObject, bool]:
    try:
        header = resolve(root, declared)
        schema, _ = definitions.convert(header.get("schema"))
        schema = definitions.look_through(schema)
    except UnresolvableReference:
        return {}, False
    if "description" in header and "description" not in schema:
        schema = {**schema, "description": header["description"]}
    return schema, is_true(header.get("required"))


def _only_value(schema: JsonObject) -> JsonValue:
    """The value a header always has: its constant, its only choice, its default; None when there is none."""
    options = as_list(schema.get("enum"))
    return schema.get("const", options[0] if len(options) == 1 else schema.get("default"))
