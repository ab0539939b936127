"""What a GraphQL system tells of a type (specification of October 2021, §4): the values in it, which may be read."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from openplaybook.connectors.rest.manifest.field_notation import from_words
from openplaybook.connectors.rest.manifest.model import RestField
from openplaybook.connectors.rest.reply_paths import value_at
from openplaybook.connectors.rest.system_request import SystemRequest
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps

_MOST_TEXT = 500
"""Characters of a description."""
_MOST_WRAPPED = 6
"""Lists and marks of values that are never null around a type, such as `[String!]!`."""
_OF_TYPE = "kind name " + "ofType { kind name " * 5 + "}" * 5
_FIELDS = f"fields {{ name description args {{ name }} type {{ {_OF_TYPE} }} }}"
_QUERY = f"query($name: String!) {{ __type(name: $name) {{ {_FIELDS} }} }}"
_WORDS: Mapping[str, str] = {
    "ID": "string",
    "String": "string",
    "Int": "integer",
    "Float": "double",
    "Boolean": "boolean",
    "Date": "date",
    "DateTime": "timestamp",
    "ISO8601DateTime": "timestamp",
    "Decimal": "decimal",
    "Money": "decimal",
    "UnsignedInt64": "int64",
    "BigInt": "int64",
    "JSON": "any",
}
"""Scalars that are more than a text."""


def type_request(name: str) -> SystemRequest:
    """Asks for a type."""
    variables: JsonObject = {"name": name}
    body = dumps({"query": _QUERY, "variables": variables})
    return SystemRequest("POST", "", content_type="application/json", body=body, is_description=True)


def type_fields(reply: JsonValue) -> list[RestField]:
    """The values of a type, read-only: what may be written another type tells. None of a type that is not there."""
    return list(_values(as_list(value_at(reply, "data.__type.fields"))))


def _values(fields: list[JsonValue]) -> Iterator[RestField]:
    for each in fields:
        members = as_object(each)
        name = members.get("name")
        word = _word(as_object(members.get("type")))
        if not isinstance(name, str) or not name.isidentifier() or not word or members.get("args"):
            # Objects need a selection of their own, and arguments are for whoever writes a manifest.
            continue
        made = from_words(name, f"{word} ro nofilter", name)
        described = str(members.get("description") or "")[:_MOST_TEXT]
        yield replace(made, field=replace(made.field, description=described))


def _word(kind: JsonObject) -> str:
    """How manifests call a type; empty for objects."""
    suffix = ""
    for _ in range(_MOST_WRAPPED):
        if kind.get("kind") == "LIST":
            suffix = "[]"
        elif kind.get("kind") != "NON_NULL":
            break
        kind = as_object(kind.get("ofType"))
    if kind.get("kind") not in ("SCALAR", "ENUM"):
        return ""
    return _WORDS.get(str(kind.get("name")), "string") + suffix
