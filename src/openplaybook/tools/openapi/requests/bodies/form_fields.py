"""How the members of a form are written: after `encoding` (OAS 3.1.1 §4.8.15), and as
`application/x-www-form-urlencoded` (RFC 1866 §8.2.1)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import parse_qsl

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.requests.bodies.media_types import (
    BodyFormat,
    essence_of,
    first_of,
    json_text,
    kind_of,
    lines_of_json,
)
from openplaybook.tools.openapi.requests.bodies.schema_views import view
from openplaybook.tools.openapi.requests.bodies.xml import XmlWriter
from openplaybook.tools.openapi.requests.parameter_places import form_encoded, percent_encoded, reserved_kept
from openplaybook.tools.openapi.requests.styles import QUERY_STYLES, Encode, Style, form, text
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.schema.dialect import is_true

Write: TypeAlias = Callable[[JsonValue], str]


@dataclass(frozen=True, slots=True)
class FieldStyle:
    """A member written as a query parameter would be (RFC 6570)."""

    style: Style
    explode: bool
    encode: Encode

    def write(self, name: str, value: JsonValue) -> str:
        """`name=value`, or several of them, or nothing."""
        return self.style(name, value, self.explode, self.encode)

    def pairs(self, name: str, value: JsonValue) -> list[tuple[str, str]]:
        """The same without the encoding, which only keeps a query's delimiters apart."""
        return parse_qsl(self.style(name, value, self.explode, percent_encoded), keep_blank_values=True)


@dataclass(frozen=True, slots=True)
class FormField:
    """A member of a form."""

    style: FieldStyle | None = None
    """None: `write` gives the text of each value."""
    write: Write = text
    allowed: str = ""
    """`contentType`: media types and ranges separated by commas; empty: the value decides."""
    media_type: str = ""
    """The first of them that is no range."""
    transfer_encoding: str = ""
    """`contentEncoding`: how its texts encode bytes."""


def fields_of(media: JsonObject, definitions: Definitions) -> dict[str, FormField]:
    """The members of a form's media type object whose writing differs from the default."""
    encodings = as_object(media.get("encoding"))
    schema, _ = definitions.convert(media.get("schema"))
    properties = view(schema, definitions).properties
    fields: dict[str, FormField] = {}
    for name in dict.fromkeys([*properties, *encodings]):
        field = _field(name, as_object(encodings.get(name)), properties.get(name, {}), definitions)
        if field != _DEFAULT:
            fields[name] = field
    return fields


def raw_members(media: JsonObject) -> list[str]:
    """Members for which `encoding` names nothing but media types of files."""
    encodings = as_object(media.get("encoding"))
    return [name for name, encoding in encodings.items() if _is_raw(as_object(encoding).get("contentType"))]


def _is_raw(allowed: JsonValue) -> bool:
    return isinstance(allowed, str) and all(kind_of(each.strip()) is BodyFormat.FILE for each in allowed.split(","))


_DEFAULT = FormField()


def _field(name: str, encoding: JsonObject, schema: JsonObject, definitions: Definitions) -> FormField:
    schema_view = view(schema, definitions)
    if not {"style", "explode", "allowReserved"}.isdisjoint(encoding):
        return FormField(style=_style(encoding), transfer_encoding=schema_view.content_encoding)
    allowed = encoding.get("contentType")
    if not isinstance(allowed, str) or not allowed:
        return FormField(transfer_encoding=schema_view.content_encoding)
    media_type = first_of(allowed)
    described = schema_view.items if schema_view.type == "array" else schema
    return FormField(
        None, _writer(media_type, name, described, definitions), allowed, media_type, schema_view.content_encoding
    )


def _style(encoding: JsonObject) -> FieldStyle:
    name = str(encoding.get("style") or "form")
    explode = is_true(encoding["explode"]) if "explode" in encoding else name in ("form", "deepObject")
    encode = reserved_kept if is_true(encoding.get("allowReserved")) else percent_encoded
    return FieldStyle(QUERY_STYLES.get(name, form), explode, encode)


def _writer(media_type: str, name: str, schema: JsonObject, definitions: Definitions) -> Write:
    """How one value becomes text of a media type."""
    match kind_of(media_type) if essence_of(media_type) else BodyFormat.TEXT:
        case BodyFormat.JSON:
            return json_text
        case BodyFormat.XML:
            writer = XmlWriter(definitions)
            return lambda value: writer.document(value, schema, name)
        case BodyFormat.LINES:
            return lines_of_json
        case _:
            return text


def values_of(value: JsonValue) -> list[JsonValue]:
    """The values that are written under one name: an array's items, without those that are null."""
    return [item for item in (as_list(value) if isinstance(value, list) else [value]) if item is not None]


def urlencoded(value: JsonValue, fields: Mapping[str, FormField]) -> str:
    """An object's members as a form: arrays repeat the name, nested objects are JSON, null is left out.

    A text is a form already, as some descriptions ask for it.
    """
    if isinstance(value, str):
        return value
    return "&".join(pair for pair in _pairs(value, fields) if pair)


def _pairs(value: JsonValue, fields: Mapping[str, FormField]) -> Iterator[str]:
    for name, member in as_object(value).items():
        field = fields.get(name, _DEFAULT)
        if field.style is not None:
            yield "" if member is None else field.style.write(name, member)
        else:
            for each in values_of(member):
                yield f"{form_encoded(name)}={form_encoded(field.write(each))}"
