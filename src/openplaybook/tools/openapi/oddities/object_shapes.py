"""The objects of a description: their members, what these hold, and what is found through them.

OAS 3.1.1 §4.8, OAS 2.0, and the keywords of every draft of JSON Schema, so that none of them is taken for a slip.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from openplaybook.jsonvalues import NUMBERS


class Leads(Enum):
    """How a member leads to further objects."""

    NOWHERE = "nowhere"
    ONE = "one object"
    LIST = "a list of objects"
    NAMED = "objects by name"


@dataclass(frozen=True, slots=True)
class ShapeMember:
    """A known member of an object."""

    takes: tuple[type, ...]
    """Types of its values."""
    leads: Leads = Leads.NOWHERE
    shape: str = ""
    """What it leads to."""
    is_read: bool = False
    """Whether a value of another type changes what is sent."""


@dataclass(frozen=True, slots=True)
class ObjectShape:
    """A kind of object."""

    title: str
    members: Mapping[str, ShapeMember]
    names: frozenset[str]
    """Of all members that are known, this server's own extensions included."""
    leading: frozenset[str]
    """Names of the members that lead to further objects."""


_TEXT, _FLAG, _NUMBER = ShapeMember((str,)), ShapeMember((bool, str)), ShapeMember((*NUMBERS, str))
_LIST, _OBJECT, _ANY = ShapeMember((list,)), ShapeMember((dict,)), ShapeMember((str, bool, *NUMBERS, list, dict))


def _one(shape: str) -> ShapeMember:
    return ShapeMember((dict,), Leads.ONE, shape, is_read=True)


def _many(shape: str) -> ShapeMember:
    return ShapeMember((list,), Leads.LIST, shape, is_read=True)


def _named(shape: str) -> ShapeMember:
    return ShapeMember((dict,), Leads.NAMED, shape, is_read=True)


def _shape(title: str, members: Mapping[str, ShapeMember], extensions: frozenset[str] = frozenset()) -> ObjectShape:
    leading = frozenset(name for name, member in members.items() if member.shape)
    return ObjectShape(title, members, frozenset(members) | extensions, leading)


SCHEMA = "schema"
PARAMETER = "parameter"
BODY = "body"
ENCODING = "encoding"
PATH_ITEM = "path item"
INJECTIONS = frozenset({"x-agent-input-parameter", "x-ces-session-context"})

_SCHEMA_OR_FLAG = ShapeMember((dict, bool, str), Leads.ONE, SCHEMA, is_read=True)
_KEYWORDS: Mapping[str, ShapeMember] = {
    **dict.fromkeys(("not", "if", "then", "else", "contains", "propertyNames", "contentSchema"), _one(SCHEMA)),
    **dict.fromkeys(("additionalProperties", "unevaluatedProperties"), _SCHEMA_OR_FLAG),
    **dict.fromkeys(("unevaluatedItems", "additionalItems"), ShapeMember((dict, bool), Leads.ONE, SCHEMA)),
    "items": ShapeMember((dict, list, bool), Leads.ONE, SCHEMA, is_read=True),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), _many(SCHEMA)),
    **dict.fromkeys(("properties", "patternProperties"), _named(SCHEMA)),
    **dict.fromkeys(("dependentSchemas", "$defs", "definitions"), ShapeMember((dict,), Leads.NAMED, SCHEMA)),
    "enum": ShapeMember((list,), is_read=True),
    "required": ShapeMember((list, bool)),
    "type": ShapeMember((str, list)),
    **dict.fromkeys(("title", "description", "format", "pattern", "contentEncoding", "contentMediaType"), _TEXT),
    **dict.fromkeys(("$ref", "$id", "id", "$schema", "$anchor", "$comment", "$vocabulary", "$dynamicRef"), _TEXT),
    **dict.fromkeys(("$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "extends", "disallow"), _ANY),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly", "nullable"), _FLAG),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _NUMBER),
    **dict.fromkeys(("minimum", "maximum", "multipleOf", "divisibleBy", "minContains", "maxContains"), _NUMBER),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), ShapeMember((bool, int, float, str))),
    **dict.fromkeys(("default", "const", "example", "examples", "discriminator", "links"), _ANY),
    **dict.fromkeys(("dependentRequired", "dependencies", "xml", "externalDocs"), _OBJECT),
    **dict.fromkeys(("collectionFormat", "media"), _ANY),
}
_OF_PARAMETER: Mapping[str, ShapeMember] = {
    **dict.fromkeys(("name", "in", "description", "style", "collectionFormat", "$ref", "summary"), _TEXT),
    **dict.fromkeys(("required", "deprecated", "allowEmptyValue", "explode", "allowReserved"), _FLAG),
    **dict.fromkeys(("example", "examples"), _ANY),
    "schema": _one(SCHEMA),
    "content": _named("media"),
}
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")

MISPLACED = frozenset(_KEYWORDS) - frozenset(_OF_PARAMETER) - {"title", "id", "externalDocs", "x-nullable", "readOnly"}
"""Keywords that say something of a parameter's value only in its schema, since OpenAPI 3."""

_V2: Mapping[str, ShapeMember] = dict.fromkeys(("consumes", "produces", "schemes"), _LIST)

SHAPES: Mapping[str, ObjectShape] = {
    SCHEMA: _shape("a schema", _KEYWORDS, INJECTIONS),
    PARAMETER: _shape("a parameter", {**_KEYWORDS, **_OF_PARAMETER}, INJECTIONS),
    "header": _shape("a header", {**_KEYWORDS, **_OF_PARAMETER}),
    BODY: _shape("a requestBody", {"content": _named("media"), "required": _FLAG, "description": _TEXT, "$ref": _TEXT}),
    "media": _shape(
        "a media type",
        {
            "schema": _one(SCHEMA),
            "encoding": _named(ENCODING),
            "example": _ANY,
            "examples": _ANY,
            **dict.fromkeys(("itemSchema", "itemEncoding", "prefixEncoding"), _ANY),
        },
    ),
    ENCODING: _shape(
        "an encoding",
        {
            **dict.fromkeys(("contentType", "style"), _TEXT),
            **dict.fromkeys(("explode", "allowReserved"), _FLAG),
            "headers": _named("header"),
        },
    ),
    "response": _shape(
        "a response",
        {
            **dict.fromkeys(("description", "$ref", "summary"), _TEXT),
            "headers": _named("header"),
            "content": _named("media"),
            "schema": _one(SCHEMA),
            **dict.fromkeys(("links", "examples", "example"), _ANY),
        },
    ),
    "operation": _shape(
        "an operation",
        {
            **dict.fromkeys(("summary", "description", "operationId"), _TEXT),
            **dict.fromkeys(("tags", "security", "servers"), _LIST),
            **dict.fromkeys(("externalDocs", "callbacks"), _OBJECT),
            "deprecated": _FLAG,
            "parameters": _many(PARAMETER),
            "requestBody": _one(BODY),
            "responses": _named("response"),
            **_V2,
        },
    ),
    PATH_ITEM: _shape(
        "a path",
        {
            **dict.fromkeys(METHODS, ShapeMember((dict,))),
            **dict.fromkeys(("summary", "description", "$ref"), _TEXT),
            "servers": _LIST,
            "parameters": _many(PARAMETER),
        },
    ),
    "components": _shape(
        "components",
        {
            "schemas": _named(SCHEMA),
            "parameters": _named(PARAMETER),
            "requestBodies": _named(BODY),
            "responses": _named("response"),
            "headers": _named("header"),
            **dict.fromkeys(("examples", "securitySchemes", "links", "callbacks"), _OBJECT),
            **dict.fromkeys(("pathItems", "mediaTypes"), _OBJECT),
        },
    ),
    "description": _shape(
        "a description",
        {
            **dict.fromkeys(("openapi", "swagger", "host", "basePath", "$schema", "id", "$self"), _TEXT),
            **dict.fromkeys(("jsonSchemaDialect", "$id"), _TEXT),
            **dict.fromkeys(("info", "externalDocs", "webhooks", "paths", "securityDefinitions"), _OBJECT),
            **dict.fromkeys(("servers", "security", "tags"), _LIST),
            "components": ShapeMember((dict,), Leads.ONE, "components", is_read=True),
            "definitions": _named(SCHEMA),
            "parameters": _named(PARAMETER),
            "responses": _named("response"),
            **_V2,
        },
    ),
}
