"""Which documents the references of a description lead to, beside those that are there."""

from collections.abc import Iterator, Mapping
from typing import cast

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.parser_process import read_text
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list
from openplaybook.tools.openapi.description.document_bundle import DocumentBundle

_EXAMPLES = frozenset({"example", "examples", "default", "enum", "const"})
"""Members whose values are data: what looks like a reference in them is none."""


def missing_documents(text: str, texts: Mapping[str, str], uri: str) -> list[str]:
    """Absolute URIs of the documents that are needed beside `texts` by the description `text` that stands at `uri`.

    What cannot be read needs nothing: it is told where the description is judged.
    """
    bundle = _bundle(text, texts, uri)
    if bundle is None:
        return []
    missing: dict[str, None] = {}
    visited: set[str] = set()
    waiting: list[JsonValue] = [bundle]
    while waiting:
        for reference in _leading_out(waiting.pop()):
            target = bundle.absolute(reference)
            if target in visited:
                continue
            visited.add(target)
            try:
                waiting.append(bundle.document(target))
            except KeyError:
                if not _is_marked(bundle, reference):
                    missing[target] = None
            except UnreadableDocument:
                continue
    return list(missing)


def _bundle(text: str, texts: Mapping[str, str], uri: str) -> DocumentBundle | None:
    try:
        root = read_text(text)
    except UnreadableDocument:
        return None
    return DocumentBundle(cast(JsonObject, root), texts, uri) if isinstance(root, dict) else None


def _is_marked(bundle: DocumentBundle, reference: str) -> bool:
    try:
        bundle.marked(reference)
    except (KeyError, UnreadableDocument):
        return False
    return True


def _leading_out(value: JsonValue) -> Iterator[str]:
    """The references in a document that are not to be followed within it."""
    waiting: list[JsonValue] = [value]
    while waiting:
        current = waiting.pop()
        if not isinstance(current, dict):
            waiting.extend(as_list(current))
            continue
        members = cast(JsonObject, current)
        reference = members.get("$ref")
        if isinstance(reference, str) and reference and not reference.startswith(("#", "@")):
            yield reference
        waiting.extend(item for key, item in members.items() if key not in _EXAMPLES and not key.startswith("x-"))
