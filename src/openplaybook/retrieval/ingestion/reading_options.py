"""How what is put into a store is read: what the store's settings say to those who make its documents."""

from dataclasses import dataclass, field
from functools import cached_property

from openplaybook.jsonvalues import dumps
from openplaybook.retrieval.base import StoreFacts
from openplaybook.retrieval.extraction.base import ExtractionOptions
from openplaybook.retrieval.language.detection import primary_subtag
from openplaybook.retrieval.passages.passage_cutter import MOST_TOKENS, PassageOptions

_FORM = 1
"""Of what is made of a source; with the next number all documents are read again when they are imported again."""


@dataclass(frozen=True)
class StoreReading:
    """Settings of one store."""

    facts: StoreFacts
    most_tokens: int = MOST_TOKENS
    """Of a passage."""
    include_headings: bool = True
    """Whether passages have the headings that they stand under."""
    is_whole: bool = False
    """Whether a file is not cut, and is one passage."""
    options: ExtractionOptions = field(default_factory=ExtractionOptions)

    @cached_property
    def language(self) -> str:
        """Primary subtag of the language that the store declares; empty where it declares none."""
        return primary_subtag(self.facts.language)

    @cached_property
    def digested(self) -> bytes:
        """All that decides, beside a source, what document is made of it; part of the digests of documents."""
        facts, cut = self.facts, [self.most_tokens, self.include_headings, self.is_whole]
        return dumps([_FORM, facts.type.value, facts.language, *cut, self.options.to_json()])

    @property
    def passages(self) -> PassageOptions:
        """How files are cut."""
        return PassageOptions(self.most_tokens, self.include_headings, self.is_whole)
