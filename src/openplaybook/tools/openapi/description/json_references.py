"""References: `#/components/schemas/Pet` to the value it points at (RFC 6901, RFC 3986 §2.1), in whichever document."""

from functools import lru_cache
from typing import cast
from urllib.parse import unquote

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.description.document_bundle import DocumentBundle

_MAX_HOPS = 16


class UnresolvableReference(Exception):
    """A `$ref` leads nowhere, in a circle, or out of the documents that are there."""


def resolve(root: JsonObject, value: JsonValue) -> JsonObject:
    """`value`, or what it refers to when it is a reference object; raises `UnresolvableReference`.

    Members beside the `$ref` (OpenAPI 3.1: summary and description) win over those of the target.
    """
    beside: JsonObject | None = None
    for _ in range(_MAX_HOPS):
        if not isinstance(value, dict):
            raise UnresolvableReference(f"an object was expected, not {type(value).__name__}")
        current = cast(JsonObject, value)
        reference = current.get("$ref")
        if not isinstance(reference, str):
            return {**current, **beside} if beside else current
        if len(current) > 1:
            beside = {**{key: item for key, item in current.items() if key != "$ref"}, **(beside or {})}
        value = target(root, reference)
    raise UnresolvableReference("the reference leads in a circle")


def target(root: JsonObject, reference: str) -> JsonValue:
    """The value a reference points at; raises `UnresolvableReference`."""
    if not isinstance(root, DocumentBundle):
        return _followed(root, reference)
    if reference not in root.found:
        root.found[reference] = _followed(root, reference)
    return root.found[reference]


def _followed(root: JsonObject, reference: str) -> JsonValue:
    if not reference:
        raise UnresolvableReference("a reference is empty")
    document, *parts = pointer(reference)
    value = _document(root, document, reference) if document else root
    for part in parts:
        members = as_object(value)
        if part in members:
            value = members[part]
        elif part.isdecimal() and part.isascii() and int(part) < len(as_list(value)):
            value = as_list(value)[int(part)]
        else:
            return _marked(root, reference)
    return value


@lru_cache(maxsize=65_536)
def pointer(reference: str) -> tuple[str, ...]:
    """The document of a reference as it is written, empty for the same one, and the decoded parts of its pointer.

    A fragment that is no pointer is one part, `#` and the name.
    """
    document, _, fragment = reference.partition("#")
    if not fragment:
        return (document,)
    if not fragment.startswith("/"):
        return (document, f"#{fragment}")
    parts = unquote(fragment[1:]).split("/")
    return (document, *(part.replace("~1", "/").replace("~0", "~") for part in parts))


def _document(root: JsonObject, uri: str, reference: str) -> JsonValue:
    if not isinstance(root, DocumentBundle):
        raise UnresolvableReference(f"{reference} leaves the document")
    try:
        return root.document(uri)
    except KeyError:
        return _marked(root, reference)
    except UnreadableDocument as error:
        raise UnresolvableReference(f"{uri} cannot be read: {error}") from error


def _marked(root: JsonObject, reference: str) -> JsonValue:
    """The schema that has the reference as its own name, where no pointer leads to one."""
    if isinstance(root, DocumentBundle):
        try:
            return root.marked(reference)
        except (KeyError, UnreadableDocument):
            document = pointer(reference)[0]
            if document:
                raise UnresolvableReference(
                    f"{reference} leaves the document; give the text of {root.absolute(document)} in settings.documents"
                ) from None
    raise UnresolvableReference(f"{reference} does not exist in the document")
