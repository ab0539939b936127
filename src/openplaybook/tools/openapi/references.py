"""Local references: `#/components/schemas/Pet` to the value it points at (RFC 6901, RFC 3986 §2.1)."""

from typing import cast
from urllib.parse import unquote

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_MAX_HOPS = 16


class UnresolvableReference(Exception):
    """A `$ref` leads nowhere, in a circle, or out of the document."""


def resolve(root: JsonObject, value: JsonValue) -> JsonObject:
    """`value`, or what it refers to when it is a reference object; raises `UnresolvableReference`.

    Members beside the `$ref` (OpenAPI 3.1: summary and description) win over those of the target.
    """
    beside: JsonObject = {}
    for _ in range(_MAX_HOPS):
        if not isinstance(value, dict):
            raise UnresolvableReference(f"an object was expected, not {type(value).__name__}")
        current = cast(JsonObject, value)
        reference = current.get("$ref")
        if not isinstance(reference, str):
            return {**current, **beside} if beside else current
        beside = {**{key: item for key, item in current.items() if key != "$ref"}, **beside}
        value = target(root, reference)
    raise UnresolvableReference("the reference leads in a circle")


def target(root: JsonObject, reference: str) -> JsonValue:
    """The value a reference points at; raises `UnresolvableReference`."""
    value: JsonValue = root
    for part in pointer(reference):
        members = as_object(value)
        if part in members:
            value = members[part]
        elif part.isdigit() and int(part) < len(as_list(value)):
            value = as_list(value)[int(part)]
        else:
            raise UnresolvableReference(f"{reference} does not exist in the document")
    return value


def pointer(reference: str) -> tuple[str, ...]:
    """The parts of a local reference, decoded; raises `UnresolvableReference` for one that leaves the document."""
    if reference == "#":
        return ()
    if not reference.startswith("#/"):
        raise UnresolvableReference(f"{reference} leaves the document; only references that start with #/ are followed")
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in unquote(reference[2:]).split("/"))
