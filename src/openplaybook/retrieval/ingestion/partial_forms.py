"""Documents of which an import brings some members only: the others stay as the store has them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import SearchEngine
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.ingestion.document_form import DocumentForm, document_form, document_json
from openplaybook.retrieval.ingestion.document_reader import READING

FormMerge: TypeAlias = Callable[[DocumentForm], Awaitable[DocumentForm]]
"""Completes a document before its contents are loaded. Raises `InvalidSource`, `EngineUnavailable`."""

_DATA = ("structData", "jsonData")
MEMBERS = (*_DATA, "content", "schemaId", "parentDocumentId", "aclInfo")
"""Members of a `Document` that can be brought alone."""


@dataclass(frozen=True, slots=True)
class PartialForms:
    """Completes documents of one store."""

    engine: SearchEngine
    store: str
    members: Sequence[str]
    """Of `MEMBERS`, those that are taken from what is brought."""

    async def merged(self, form: DocumentForm) -> DocumentForm:
        """The document with its other members as they are stored; one that is new is taken whole."""
        stored = await self.engine.get(self.store, form.id)
        if stored is None:
            return form
        before = await READING.run(lambda: document_form(document_json(stored), form.id))
        own: JsonObject = {name: form.kept[name] for name in MEMBERS if name in self.members and name in form.kept}
        kept: JsonObject = {name: value for name, value in before.kept.items() if name not in self.members}
        brings_data, brings_content = any(name in self.members for name in _DATA), "content" in self.members
        data, content = form if brings_data else before, form if brings_content else before
        if not data.data and not content.has_content:
            raise InvalidSource("update_mask leaves neither data nor contents of the document")
        kept.pop("isJson", None)
        is_json: JsonObject = {"isJson": True} if data.kept.get("isJson") else {}
        return DocumentForm(
            id=form.id,
            data=data.data,
            media_type=content.media_type,
            raw=content.raw,
            uri=content.uri,
            kept={**kept, **own, **is_json},
        )
