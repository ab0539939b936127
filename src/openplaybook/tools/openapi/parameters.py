"""The parameters of an operation: where each goes and how it is written there."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from urllib.parse import quote

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps
from openplaybook.tools.openapi.definitions import Definitions
from openplaybook.tools.openapi.references import UnresolvableReference, resolve
from openplaybook.tools.openapi.styles import PATH_STYLES, QUERY_STYLES, Encode, Style, simple
from openplaybook.tools.schema.dialect import INJECTION, is_true

BODY_ARGUMENT = "requestBody"
"""The argument that holds an operation's body."""


class Place(Enum):
    """Where in a request a parameter stands."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    COOKIE = "cookie"


_SPECIFIED_AS_IGNORED = frozenset({"accept", "content-type"})
_FRAMING = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "expect", "keep-alive"}
)
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_UNENCODED_IN_COOKIE = "!#$&'()*+/:<=>?@[]^`{|}"
_RESERVED = ":/?[]@!$'()*,;"


class InvalidParameter(Exception):
    """A parameter's definition cannot be used."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter, ready to be written into requests."""

    name: str
    """On the wire."""
    argument: str
    """As the model calls it: the name, with the place added where two places use the same name."""
    place: Place
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
    found: dict[tuple[JsonValue, JsonValue], JsonObject] = {}
    for listed in (path_item.get("parameters"), operation.get("parameters")):
        for parameter in as_list(listed):
            resolved = resolve(root, parameter)
            found[str(resolved.get("name")), str(resolved.get("in"))] = resolved
    return list(found.values())


def ignored_because(parameter: JsonObject) -> str:
    """Why a header parameter plays no part; empty when it does.

    `Accept` and `Content-Type` follow from the media types, and `Authorization` from the tool's authentication (OAS
    3.1.1 §4.8.12.1), unless the session supplies it; headers that frame the message are never a parameter.
    """
    if parameter.get("in") != "header":
        return ""
    name = str(parameter.get("name", "")).lower()
    if name in _SPECIFIED_AS_IGNORED:
        return "the header follows from the operation's media types, so the parameter is ignored"
    if name in _FRAMING or name.startswith("proxy-"):
        return "the header belongs to the HTTP connection, so the parameter is ignored"
    is_injected = INJECTION in parameter or INJECTION in as_object(parameter.get("schema"))
    if name == "authorization" and not is_injected:
        return "the header comes from the tool's authentication, so the parameter is ignored"
    return ""


def build(parameters: Sequence[JsonObject], definitions: Definitions) -> list[Parameter]:
    """Compile parameter objects; raises `InvalidParameter`, `UnresolvableReference` and `SchemaTooDeep`."""
    built: list[Parameter] = []
    taken = {BODY_ARGUMENT}
    for parameter in parameters:
        name = parameter.get("name")
        if not isinstance(name, str) or not name:
            raise InvalidParameter("a parameter has no name")
        argument = name if name not in taken else f"{name}_{parameter.get('in')}"
        taken.add(argument)
        built.append(_parameter(name, argument, parameter, definitions))
    return built


def _parameter(name: str, argument: str, source: JsonObject, definitions: Definitions) -> Parameter:
    try:
        place = Place(source.get("in"))
    except ValueError:
        allowed = ", ".join(place.value for place in Place)
        raise InvalidParameter(f"{name}: in must be one of {allowed}, not {source.get('in')!r}") from None
    if place is Place.HEADER and not _HEADER_NAME.fullmatch(name):
        raise InvalidParameter(f"{name!r} is not a header name")
    contents = as_object(source.get("content"))
    holder = as_object(contents[next(iter(contents))]) if contents else source
    described = holder.get("schema")
    try:
        schema, references = definitions.convert(described if described is not None else {"type": "string"})
    except UnresolvableReference as error:
        raise InvalidParameter(f"{name}: {error}") from error
    for key in ("description", INJECTION):
        if isinstance(source.get(key), str) and (key == INJECTION or key not in schema):
            schema = {**schema, key: source[key]}
    style_name = str(source.get("style") or _DEFAULT_STYLE[place])
    explode = is_true(source["explode"]) if "explode" in source else style_name in ("form", "deepObject")
    return Parameter(
        name=name,
        argument=argument,
        place=place,
        required=place is Place.PATH or is_true(source.get("required")),
        schema=schema,
        references=references,
        style=_as_content if contents else _style(name, place, style_name),
        explode=explode,
        encode=_encoder(place, is_true(source.get("allowReserved"))),
    )


_DEFAULT_STYLE: Mapping[Place, str] = {
    Place.PATH: "simple",
    Place.QUERY: "form",
    Place.HEADER: "simple",
    Place.COOKIE: "form",
}
_STYLES: Mapping[Place, Mapping[str, Style]] = {
    Place.PATH: PATH_STYLES,
    Place.QUERY: QUERY_STYLES,
    Place.HEADER: {"simple": simple},
    Place.COOKIE: {"form": QUERY_STYLES["form"]},
}


def _style(name: str, place: Place, style: str) -> Style:
    known = _STYLES[place]
    if style not in known:
        raise InvalidParameter(f"{name}: style {style} is not allowed in {place.value}; allowed: {', '.join(known)}")
    return known[style]


def _as_content(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """A parameter described by a media type: the value as JSON."""
    return f"{encode(name)}={encode(dumps(value).decode())}"


def _encoder(place: Place, allow_reserved: bool) -> Encode:
    if place is Place.HEADER:
        return str
    if place is Place.COOKIE:
        return partial(_quoted, safe=_UNENCODED_IN_COOKIE)
    # In a path, a reserved character would lead to another path or begin the query (OAS 3.1.1 §4.8.12.1).
    return partial(_quoted, safe=_RESERVED if allow_reserved and place is Place.QUERY else "")


def _quoted(text: str, safe: str) -> str:
    # Most names and values need no encoding, and finding that out is far cheaper than encoding.
    return text if text.isascii() and text.isalnum() else quote(text, safe=safe)
