"""The body of an operation: the media type that is chosen, what is given for it, and its writer."""

from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.tools.openapi.description.json_references import resolve
from openplaybook.tools.openapi.requests.bodies.body_writers import (
    MultipartWriter,
    Writer,
    allows_text,
    file_writer,
    form_writer,
    json_writer,
    text_writer,
)
from openplaybook.tools.openapi.requests.bodies.file_arguments import file_schema, is_file, with_files
from openplaybook.tools.openapi.requests.bodies.form_fields import fields_of, raw_members
from openplaybook.tools.openapi.requests.bodies.media_types import (
    BodyFormat,
    essence_of,
    is_valid,
    kind_of,
    lines_of_json,
)
from openplaybook.tools.openapi.requests.bodies.part_headers import ARGUMENT, PartHeaders, part_headers
from openplaybook.tools.openapi.requests.bodies.schema_views import view
from openplaybook.tools.openapi.requests.bodies.xml import XmlWriter
from openplaybook.tools.openapi.requests.styles import text
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.openapi.schemas.surveys import survey
from openplaybook.tools.schema.dialect import is_true

_JSON, _BINARY = "application/json", "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Body:
    """The body of an operation's requests."""

    media_type: str
    """As the description has it."""
    required: bool
    schema: JsonObject
    """2020-12, description included, sources of injection kept; raw bytes are described as files."""
    references: tuple[str, ...]
    """Names of the `$defs` the schema uses directly."""
    write: Writer


def body_of(root: JsonObject, operation: JsonObject, definitions: Definitions) -> Body | None:
    """The body of an operation, or None when it has none. Raises `UnresolvableReference` and `SchemaTooDeep`."""
    if operation.get("requestBody") is None:
        return None
    source = resolve(root, operation["requestBody"])
    contents = as_object(source.get("content"))
    if not contents:
        return None
    declared = min(contents, key=lambda each: _rank(each, contents, definitions))
    media = as_object(contents[declared])
    schema, references = definitions.convert(media.get("schema"))
    changed, write = _Maker(root, declared, media, schema, definitions).make()
    if changed is not schema:
        schema, references = changed, survey(changed).references
    if isinstance(source.get("description"), str) and "description" not in schema:
        schema = {**schema, "description": source["description"]}
    return Body(declared, is_true(source.get("required")), schema, references, write)


_ORDER = (BodyFormat.FORM, BodyFormat.MULTIPART, BodyFormat.XML, BodyFormat.TEXT, BodyFormat.LINES)


def _rank(declared: str, contents: JsonObject, definitions: Definitions) -> int:
    """How well a media type suits values that are JSON: less is better."""
    kind, essence = kind_of(declared), essence_of(declared)
    if kind in (BodyFormat.JSON, BodyFormat.FORM) and len(contents) > 1 and _has_files(contents, definitions):
        # Neither carries files, and something else that is offered does.
        return 15
    if kind is BodyFormat.JSON:
        return 0 if essence == _JSON else 1
    if kind is BodyFormat.ANY:
        return 19 if _is_file_schema(as_object(contents[declared]), definitions) else 2
    if kind is BodyFormat.FILE:
        return 20 if essence == _BINARY else 21
    common = ("application/x-www-form-urlencoded", "multipart/form-data", "application/xml", "text/plain")
    return 3 + 2 * _ORDER.index(kind) + (essence not in common)


def _has_files(contents: JsonObject, definitions: Definitions) -> bool:
    """Whether a form that is offered has members that are files."""
    forms = [as_object(media) for declared, media in contents.items() if kind_of(declared) is BodyFormat.MULTIPART]
    return any(
        with_files(definitions.convert(form.get("schema"))[0], definitions, raw_members(form))[1] for form in forms
    )


def _is_file_schema(media: JsonObject, definitions: Definitions) -> bool:
    return is_file(view(definitions.convert(media.get("schema"))[0], definitions))


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes the writer for one media type object, and the schema of what it takes."""

    root: JsonObject
    declared: str
    media: JsonObject
    schema: JsonObject
    definitions: Definitions

    def make(self) -> tuple[JsonObject, Writer]:
        kind = kind_of(self.declared)
        if kind is BodyFormat.JSON:
            return self.schema, json_writer(self._sent())
        if kind is BodyFormat.MULTIPART:
            return self._multipart()
        schema_view = view(self.schema, self.definitions)
        if is_file(schema_view):
            return self._file(_BINARY if kind is BodyFormat.ANY and "*" not in self.declared else self.declared)
        match kind:
            case BodyFormat.FORM:
                return self.schema, form_writer(self._sent(), fields_of(self.media, self.definitions))
            case BodyFormat.XML:
                writer = XmlWriter(self.definitions)
                accepted = _or_xml(self.schema) if schema_view.is_opaque else self.schema
                return accepted, text_writer(self._sent(), lambda value: writer.document(value, self.schema))
            case BodyFormat.LINES:
                return self.schema, text_writer(self._sent(), lines_of_json)
            case BodyFormat.TEXT:
                return self.schema, text_writer(self._sent("text/plain"), text)
            case BodyFormat.FILE if schema_view.type in ("", "string"):
                return self._file(self.declared)
            case _:
                return self.schema, json_writer(self._sent())

    def _sent(self, otherwise: str = _JSON) -> str:
        """What stands in `Content-Type`: a range is sent as a type in it."""
        return self.declared if is_valid(self.declared) else otherwise

    def _file(self, media_type: str) -> tuple[JsonObject, Writer]:
        own = self.definitions.look_through(self.schema)
        return file_schema(own, allows_text=allows_text(media_type)), file_writer(media_type)

    def _multipart(self) -> tuple[JsonObject, Writer]:
        essence = essence_of(self.declared)
        media_type = "multipart/form-data" if "*" in essence else essence
        if _is_file_schema(self.media, self.definitions):
            writer = MultipartWriter(media_type, file_members=frozenset({"file"}))
            return file_schema(self.definitions.look_through(self.schema), allows_text=True), writer
        schema, files = with_files(self.schema, self.definitions, raw_members(self.media))
        fields = fields_of(self.media, self.definitions)
        described = frozenset(view(self.schema, self.definitions).properties)
        headers = part_headers(self.root, self.media, self.definitions)
        writer = MultipartWriter(media_type, fields, described, frozenset(files), headers)
        return _with_headers(schema, headers, self.definitions), writer


def _or_xml(schema: JsonObject) -> JsonObject:
    """The schema of an object of which nothing is known, or its text: what its elements are, only the model knows."""
    descriptions = [str(schema["description"])] if schema.get("description") else []
    return {
        **schema,
        "type": ["object", "string"],
        "description": "\n".join([*descriptions, "As an object, or as XML"]),
    }


def _with_headers(schema: JsonObject, headers: PartHeaders, definitions: Definitions) -> JsonObject:
    """The schema of a multipart body, the headers of its parts beside its members."""
    if not headers.schema:
        return schema
    resolved = definitions.look_through(schema)
    required: list[JsonValue] = [*resolved.get("required", []), *([ARGUMENT] if headers.is_required else [])]
    return {
        **resolved,
        "properties": {**as_object(resolved.get("properties")), ARGUMENT: headers.schema},
        "required": required,
    }
