"""Several documents: what the references of a description lead to outside of it, read when it is first needed."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import cast
from urllib.parse import urljoin

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.parser_process import read_text
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

NOWHERE = "https://document.invalid/"
"""Where a description stands that does not say so (RFC 2606 §2)."""

_MAX_SEARCHED = 2_000_000
"""Values of a document that are looked at for anchors."""


class DocumentBundle(dict[str, JsonValue]):
    """A description, with the other documents its references may lead to."""

    def __init__(self, root: JsonObject, texts: Mapping[str, str], uri: str) -> None:
        """`texts` by URI, which like references may be relative to `uri`, where the description stands."""
        super().__init__(root)
        self.found: dict[str, JsonValue] = {}
        """What references were found to lead to."""
        self._uri = urljoin(NOWHERE, uri)
        self._texts = {self.absolute(key): text for key, text in texts.items()}
        self._documents: dict[str, JsonValue] = {}
        self._unreadable: dict[str, tuple[str, int | None]] = {}
        """Why a document cannot be read, and the line."""
        self._marks: dict[str, Mapping[str, JsonValue]] = {}

    def absolute(self, reference: str) -> str:
        """The URI of the document that a reference of the description leads to."""
        return urljoin(self._uri, reference).partition("#")[0]

    def document(self, reference: str) -> JsonValue:
        """The document that a reference leads to; raises `KeyError` for an unknown one, and `UnreadableDocument`.

        References in it are absolute, or begin with `#` where they lead back into the description.
        """
        uri = self.absolute(reference)
        if uri == self._uri:
            # Not among the documents: in a circle with itself, a large description would outlive its tool.
            return self
        if uri in self._unreadable:
            raise UnreadableDocument(*self._unreadable[uri])
        if uri not in self._documents:
            try:
                value = read_text(self._texts[uri])
            except UnreadableDocument as error:
                self._unreadable[uri] = str(error), error.line
                raise
            self._documents[uri] = self._rebased(value, uri)
        return self._documents[uri]

    def read_all(self) -> None:
        """Read all documents now, since references are followed where nothing may block; those that cannot be read are
        told of where they are needed."""
        for uri in self._texts:
            with suppress(UnreadableDocument):
                self.document(uri)

    def marked(self, reference: str) -> JsonValue:
        """The schema that calls itself what a reference says, by `$anchor`, `$dynamicAnchor` or `$id`, or is called so
        in the `$defs` of a schema, from which generators write pointers as if it were the document.

        JSON Schema 2020-12 core §8.2. Raises `KeyError` when there is none, and `UnreadableDocument`.
        """
        uri, _, anchor = reference.partition("#")
        home = self.absolute(uri) if self.absolute(uri) in self._texts else self._uri
        if home not in self._marks:
            self._marks[home] = dict(_marks(self.document(home)))
        marks = self._marks[home]
        return marks[f"#{anchor}"] if anchor else marks[uri]

    def _rebased(self, value: JsonValue, uri: str) -> JsonValue:
        """A document's value, each reference in it as the description would write it."""
        if isinstance(value, list):
            return [self._rebased(item, uri) for item in cast(list[JsonValue], value)]
        if not isinstance(value, dict):
            return value
        members = {key: self._rebased(item, uri) for key, item in cast(JsonObject, value).items()}
        for key in ("$ref", "$dynamicRef"):
            if isinstance(members.get(key), str):
                members[key] = self._as_seen_from_here(members[key], uri)
        mapping = as_object(as_object(members.get("discriminator")).get("mapping"))
        for name, reference in mapping.items():
            if isinstance(reference, str) and ("#" in reference or "/" in reference):
                mapping[name] = self._as_seen_from_here(reference, uri)
        return members

    def _as_seen_from_here(self, reference: str, uri: str) -> str:
        absolute, _, fragment = urljoin(uri, reference).partition("#")
        return f"#{fragment}" if absolute == self._uri else f"{absolute}#{fragment}"


def _marks(document: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """The schemas of a document that have names of their own, by how references write these."""
    waiting: list[JsonValue] = [document]
    for _ in range(_MAX_SEARCHED):
        if not waiting:
            return
        value = waiting.pop()
        members = as_object(value)
        for key in ("$anchor", "$dynamicAnchor"):
            if isinstance(members.get(key), str):
                yield f"#{members[key]}", value
        if isinstance(members.get("$id"), str):
            yield members["$id"].rstrip("#"), value
        for name, schema in as_object(members.get("$defs")).items():
            yield f"#/$defs/{name}", schema
        waiting.extend((*members.values(), *as_list(value)))
