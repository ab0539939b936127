"""The parameters of an operation: where each goes and how it is written there."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from openplaybook.egress.base import is_framing
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps_ascii
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, resolve
from openplaybook.tools.openapi.requests.bodies.form_fields import urlencoded
from openplaybook.tools.openapi.requests.bodies.media_types import BodyFormat, json_text, kind_of, lines_of_json
from openplaybook.tools.openapi.requests.bodies.xml import XmlWriter
from openplaybook.tools.openapi.requests.parameter_places import (
    BODY_ARGUMENT,
    ParameterPlace,
    cookie_encoded,
    percent_encoded,
    reserved_kept,
)
from openplaybook.tools.openapi.requests.styles import PATH_STYLES, QUERY_STYLES, Encode, Style, cookie, simple, text
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.openapi.schemas.injection import source_beside
from openplaybook.tools.schema.dialect import INJECTION, is_true

_SPECIFIED_AS_IGNORED = frozenset({"accept", "content-type"})
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


class InvalidParameter(Exception):
    """A parameter's definition cannot be used."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter, ready to be written into requests."""

    name: str
    """On the wire."""
    argument: str
    """As the model calls it: the name, with the place added where two places use the same name."""
    place: ParameterPlace
    required: bool
    schema: JsonObject
    """2020-12, description included, source of injection kept."""
    references: tuple[str, ...]
    """Names of the `$defs` the schema uses directly."""
    style: Style
    explode: bool
    encode: Encode

    def write(self, value: JsonValue) -> str:
        """The parameter's text in its place, name included where the place needs it."""
        return self.style(self.name, value, self.explode, self.encode)


def merged(root: JsonObject, path_item: JsonObject, operation: JsonObject) -> list[JsonObject]:
    """The parameter objects of an operation: its own, and those of its path that it does not override.

    Raises `UnresolvableReference`.
    """
    parameters: dict[tuple[JsonValue, JsonValue], JsonObject] = {}
    for listed in (path_item.get("parameters"), operation.get("parameters")):
        for parameter in as_list(listed):
            resolved = resolve(root, parameter)
            parameters[str(resolved.get("name")), str(resolved.get("in"))] = resolved
    return list(parameters.values())


def ignored_because(parameter: JsonObject, covered: Collection[tuple[str, str]] = ()) -> str:
    """Why a parameter plays no part; empty when it does.

    `covered` are places and names (of headers in lower case) of what the authentication of the operation sends.
    `Accept` and `Content-Type` follow from the media types, and `Authorization` from the tool's authentication (OAS
    3.1.1 §4.8.12.1), unless the session supplies it; headers that frame the message are never a parameter,
    nor is what no header can be called, unless the operation cannot do without it.
    """
    place, name = str(parameter.get("in")), str(parameter.get("name", ""))
    if (place, name.lower() if place == "header" else name) in covered:
        return "it is a credential, which comes from the tool's authentication, so the parameter is ignored"
    if place != "header":
        return ""
    name = name.lower()
    if name in _SPECIFIED_AS_IGNORED:
        return "the header follows from the operation's media types, so the parameter is ignored"
    if is_framing(name):
        return "the header belongs to the HTTP connection, so the parameter is ignored"
    is_injected = INJECTION in parameter or INJECTION in as_object(parameter.get("schema"))
    if name == "authorization" and not is_injected:
        return "the header comes from the tool's authentication, so the parameter is ignored"
    if not _HEADER_NAME.fullmatch(name) and not is_true(parameter.get("required")):
        return "no header can have this name, so the parameter is ignored"
    return ""


Known: TypeAlias = dict[tuple[int, str], tuple[JsonObject, Parameter]]
"""By the identity of a parameter object and its argument: the object, so that it stays alive, and what it became."""


def build(parameters: Sequence[JsonObject], definitions: Definitions, known: Known) -> list[Parameter]:
    """Compile parameter objects; raises `InvalidParameter`, `UnresolvableReference` and `SchemaTooDeep`.

    `known` remembers those that operations of one document share.
    """
    built: list[Parameter] = []
    taken = {BODY_ARGUMENT}
    for source in parameters:
        name = source.get("name")
        if not isinstance(name, str) or not name:
            raise InvalidParameter("a parameter has no name")
        argument = name
        while argument in taken:
            argument = f"{argument}_{source.get('in')}"
        taken.add(argument)
        key = (id(source), argument)
        if key not in known:
            known[key] = (source, _parameter(name, argument, source, definitions))
        built.append(known[key][1])
    return built


def _parameter(name: str, argument: str, source: JsonObject, definitions: Definitions) -> Parameter:
    try:
        place = ParameterPlace(source.get("in"))
    except ValueError:
        allowed = ", ".join(place.value for place in ParameterPlace)
        raise InvalidParameter(f"{name}: in must be one of {allowed}, not {source.get('in')!r}") from None
    if place is ParameterPlace.HEADER and not _HEADER_NAME.fullmatch(name):
        raise InvalidParameter(f"{name!r} is not a header name")
    contents = as_object(source.get("content"))
    media_type = next(iter(contents), "")
    holder = as_object(contents[media_type]) if contents else source
    schema, references = _schema(name, source, holder.get("schema"), definitions)
    if place is ParameterPlace.QUERY and is_true(source.get("allowEmptyValue")):
        schema = _or_empty(schema)
    style_name = _style_name(source, place)
    explode = is_true(source["explode"]) if "explode" in source else style_name in ("form", "deepObject")
    return Parameter(
        name=name,
        argument=argument,
        place=place,
        required=place is ParameterPlace.PATH or is_true(source.get("required")),
        schema=schema,
        references=references,
        style=as_content(media_type, place, schema, definitions) if contents else _STYLES[place][style_name],
        explode=explode,
        encode=_encoder(place, is_true(source.get("allowReserved"))),
    )


def _schema(
    name: str, source: JsonObject, described: JsonValue, definitions: Definitions
) -> tuple[JsonObject, tuple[str, ...]]:
    """The schema with what stands beside it in the parameter, and the names of the `$defs` it uses."""
    try:
        schema, references = definitions.convert(described if described is not None else {"type": "string"})
    except UnresolvableReference as error:
        raise InvalidParameter(f"{name}: {error}") from error
    if isinstance(source.get("description"), str) and "description" not in schema:
        schema = {**schema, "description": source["description"]}
    injected = source_beside(source)
    return ({**schema, INJECTION: injected} if injected else schema), references


def _or_empty(schema: JsonObject) -> JsonObject:
    """A schema that admits the empty text too, which says that the parameter is there and has no value."""
    if schema.get("type") == "string" and schema.keys().isdisjoint(_LIMITS_OF_TEXTS):
        return schema
    beside = {key: value for key, value in schema.items() if key in _ABOUT}
    return {**beside, "anyOf": [{key: value for key, value in schema.items() if key not in beside}, {"const": ""}]}


_LIMITS_OF_TEXTS = frozenset({"enum", "const", "minLength", "pattern", "format", "$ref", "allOf", "anyOf", "oneOf"})
_ABOUT = frozenset({"title", "description", "default", "deprecated", INJECTION})


_DEFAULT_STYLE: Mapping[ParameterPlace, str] = {
    ParameterPlace.PATH: "simple",
    ParameterPlace.QUERY: "form",
    ParameterPlace.HEADER: "simple",
    ParameterPlace.COOKIE: "form",
}
_STYLES: Mapping[ParameterPlace, Mapping[str, Style]] = {
    ParameterPlace.PATH: PATH_STYLES,
    ParameterPlace.QUERY: QUERY_STYLES,
    ParameterPlace.HEADER: {"simple": simple},
    ParameterPlace.COOKIE: {"form": cookie},
}


def _style_name(source: JsonObject, place: ParameterPlace) -> str:
    style = source.get("style")
    return style if isinstance(style, str) and style in _STYLES[place] else _DEFAULT_STYLE[place]


def style_remark(source: JsonObject) -> str:
    """What is used in place of a style that its place does not have (OAS 3.1.1 §4.8.12.4); empty where it has it."""
    style, place = source.get("style"), ParameterPlace(source.get("in"))
    if not style or (isinstance(style, str) and style in _STYLES[place]):
        return ""
    return f"style {style} is not allowed in {place.value}, so {_DEFAULT_STYLE[place]} is used; allowed: " + ", ".join(
        _STYLES[place]
    )


def _encoder(place: ParameterPlace, allow_reserved: bool) -> Encode:
    if place is ParameterPlace.HEADER:
        return str
    if place is ParameterPlace.COOKIE:
        return cookie_encoded
    # In a path, a reserved character would lead to another path or begin the query (OAS 3.1.1 §4.8.12.1).
    return reserved_kept if allow_reserved and place is ParameterPlace.QUERY else percent_encoded


def as_content(media_type: str, place: ParameterPlace, schema: JsonObject, definitions: Definitions) -> Style:
    """The value as a text of the media type; its name before it in a query and in a cookie."""
    is_named = place in (ParameterPlace.QUERY, ParameterPlace.COOKIE)
    xml = XmlWriter(definitions)

    def spell(name: str, value: JsonValue) -> str:
        match kind_of(media_type):
            case BodyFormat.JSON | BodyFormat.ANY if place is ParameterPlace.HEADER:
                # Escaped, since headers hold ASCII only (RFC 9110 §5.5).
                return dumps_ascii(value)
            case BodyFormat.JSON | BodyFormat.ANY:
                return json_text(value)
            case BodyFormat.XML:
                return xml.document(value, schema, name)
            case BodyFormat.FORM:
                return urlencoded(value, {})
            case BodyFormat.LINES:
                return lines_of_json(value)
            case _:
                return text(value)

    def write(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
        spelled = encode(spell(name, value))
        return f"{encode(name)}={spelled}" if is_named else spelled

    return write
