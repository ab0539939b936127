"""How what is put into a store is read: what the store's settings say to those who make its documents."""

from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import StoreFacts
from openplaybook.retrieval.extraction.base import ExtractionOptions

_FORM = 1
"""Of what is made of a source; with the next number all documents are read again when they are imported again."""


@dataclass(frozen=True, slots=True)
class StoreReading:
    """Settings of one store."""

    facts: StoreFacts
    most_tokens: int = 500
    """Of a passage."""
    options: ExtractionOptions = field(default_factory=ExtractionOptions)

    @property
    def form(self) -> JsonObject:
        """All that decides, beside a source, what document is made of it; part of the digests of documents."""
        return {
            "form": _FORM,
            "type": self.facts.type.value,
            "language": self.facts.language,
            "tokens": self.most_tokens,
            "options": self.options.to_json(),
        }
