"""What stores hold and what a search asks: documents in passages, requests, hits; the `SearchEngine` port.

A store is known by its resource name, `projects/P/locations/L/collections/C/dataStores/D`; `store_name` makes the short
form of Dialogflow, `projects/P/locations/L/dataStores/D`, whole with the collection `default_collection`.
"""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, runtime_checkable

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.filters.syntax import FilterNode

DEFAULT_COLLECTION = "default_collection"

_PAGE = 200
"""Documents that are asked for at once, by who looks at all of a store."""

_STORE = re.compile(r"(projects/[^/]+/locations/[^/]+)/(?:collections/([^/]+)/)?dataStores/([^/]+)")


def store_name(name: str) -> str | None:
    """The whole name of a store, with its collection; None where the text is no name of a store."""
    found = _STORE.fullmatch(name)
    return found and f"{found[1]}/collections/{found[2] or DEFAULT_COLLECTION}/dataStores/{found[3]}"


class StoreType(Enum):
    """What a store is filled with (`DataStoreConnection.DataStoreType` of Dialogflow CX)."""

    PUBLIC_WEB = "PUBLIC_WEB"
    UNSTRUCTURED = "UNSTRUCTURED"
    STRUCTURED = "STRUCTURED"


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """What whoever searches a store has to know of it."""

    name: str
    """Whole resource name."""
    display_name: str
    type: StoreType
    language: str = ""
    """BCP-47 code that its documents were declared to have; empty where none was declared."""
    is_faq: bool = False
    """Whether its records are questions with their answers."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document that is searched and shown by itself. A document that is not cut is one passage."""

    text: str
    headings: tuple[str, ...] = ()
    """Headings above it, outermost first; they are searched with it, and are no part of the text."""
    page: int = 0
    """Page on which it begins, from 1; 0 where there are no pages."""


@dataclass(frozen=True, slots=True)
class StoreDocument:
    """A document as a store holds it."""

    id: str
    """Unique in its store, at most 128 characters."""
    title: str
    uri: str
    passages: tuple[Passage, ...]
    data: JsonObject = field(default_factory=dict[str, JsonValue])
    """`structData`: what filters and boosts see."""
    language: str = ""
    """Primary subtag of BCP-47, such as `de`; empty where it is not known."""
    question: str = ""
    """Of an FAQ entry, whose only passage is the answer; empty for all others."""
    media_type: str = ""
    digest: str = ""
    """Of the source as it was read: a source with the same digest is not read again."""
    source: JsonObject = field(default_factory=dict[str, JsonValue])
    """What its maker wants back as it was given, such as the document's `content`; nothing in here is searched."""


@dataclass(frozen=True, slots=True)
class ControlPoint:
    """Of a boost that depends on a value: at this value the boost is this."""

    value: float
    """A number, or an age in seconds."""
    boost: float


@dataclass(frozen=True, slots=True)
class Boost:
    """Documents that meet the condition are moved up (boost > 0) or down (boost < 0), and never left out."""

    condition: FilterNode
    boost: float = 0.0
    """-1 to 1."""
    field: str = ""
    """Field whose value sets the boost in place of the number above; empty where there is none."""
    is_freshness: bool = False
    """Whether the field holds a date, whose age counts."""
    points: tuple[ControlPoint, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is looked for in one store."""

    text: str
    """Words or a question; empty for all documents that the filter lets through, by id."""
    limit: int = 10
    """Hits, at most; 1 to 100."""
    offset: int = 0
    filter: FilterNode | None = None
    boosts: Sequence[Boost] = ()
    language: str = ""
    """Of the text, a BCP-47 code; empty: that of the store, or guessed from the text."""
    most_per_document: int = 1
    """Passages of one document, at most; 0 for any number."""
    explain: bool = False
    """Whether hits say why they were found."""


@dataclass(frozen=True, slots=True)
class MatchedTerm:
    """One term of the request that was found in a passage."""

    term: str
    """As it is written in the request."""
    field: str
    """Where it was found: `title`, `headings`, `text`, `question`."""
    weight: float
    """Its part of the score."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A passage that was found."""

    document: str
    """Id of its document."""
    passage: int
    """Position in the document, from 0."""
    score: float
    """The higher the better; comparable within one response only."""
    title: str
    uri: str
    text: str
    headings: tuple[str, ...] = ()
    page: int = 0
    data: JsonObject = field(default_factory=dict[str, JsonValue])
    question: str = ""
    matched: tuple[MatchedTerm, ...] = ()
    """Heaviest first; empty unless the request asks for it."""


@dataclass(frozen=True, slots=True)
class WordCounts:
    """How common the words of a request are in a store."""

    passages: int
    """Of the store."""
    by_term: Mapping[str, int]
    """Passages that have a term, about; 0 for a term of the request that none has."""


@dataclass(frozen=True, slots=True)
class SearchResults:
    """What one store has for a request."""

    hits: tuple[SearchHit, ...]
    total: int
    """Documents that match, estimated where counting them would take long."""
    notes: tuple[str, ...] = ()
    """Sentences for the trace, such as of a filter that compares a field with a value of another type."""
    counts: WordCounts | None = None
    """None where the engine does not tell."""


@dataclass(frozen=True, slots=True)
class StoreStatistics:
    """How much a store holds."""

    documents: int
    passages: int
    bytes: int
    """Of documents as they are stored, without the index."""
    languages: tuple[tuple[str, int], ...] = ()
    """Language and number of its documents, most first."""


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Some of a store's documents, by id."""

    documents: tuple[StoreDocument, ...]
    next_after: str
    """Id to go on after; empty where there are no more."""


class SearchEngine(Protocol):
    """Keeps the documents of stores and searches them.

    What a call has acknowledged survives the end of the process at any moment, and is found within a second. A document
    is in a store with all its passages, or not at all.
    """

    async def put(self, store: str, documents: Sequence[StoreDocument]) -> None:
        """Add documents, or replace those of the same id, all of them or none. A store begins with its first document.

        Raises `QuotaExceeded`, `EngineUnavailable`.
        """
        ...

    async def delete(self, store: str, ids: Sequence[str]) -> int:
        """Take documents away; gives how many there were. Raises `EngineUnavailable`."""
        ...

    async def get(self, store: str, id: str) -> StoreDocument | None:
        """One document; None where there is none of that id."""
        ...

    async def page(self, store: str, *, after: str = "", limit: int = 100) -> DocumentPage:
        """Documents by id, those that follow `after`."""
        ...

    async def digests(self, store: str, ids: Sequence[str]) -> dict[str, str]:
        """Digests of those documents that the store has, by id."""
        ...

    async def search(self, store: str, request: SearchRequest) -> SearchResults:
        """What matches, best first; nothing for a store that holds nothing.

        Raises `InvalidSearchFilter` where the engine cannot do what the filter asks, `EngineUnavailable`,
        `EngineFault`.
        """
        ...

    async def settle(self, store: str) -> None:
        """Return when what was acknowledged before is found, or after some seconds."""
        ...

    async def statistics(self, store: str) -> StoreStatistics:
        """How much the store holds."""
        ...

    async def drop(self, store: str) -> None:
        """Delete all documents of a store and give back the disk that they took."""
        ...

    async def close(self) -> None:
        """Finish what was begun, and let go of files and connections."""
        ...


async def document_pages(engine: SearchEngine, store: str) -> AsyncIterator[Sequence[StoreDocument]]:
    """All documents of a store, some at a time, each page asked for when the one before is done with.

    Documents may be deleted meanwhile: pages go on after the last id of the page before.
    """
    after = ""
    while True:
        page = await engine.page(store, after=after, limit=_PAGE)
        yield page.documents
        after = page.next_after
        if not after:
            return


@runtime_checkable
class AdoptingEngine(Protocol):
    """An engine of stores that exist without this server, and that others fill as well.

    A store that is new here may hold documents, and what it holds stays when it is not known here any more.
    """

    adopts_stores: bool


class StoreDirectory(Protocol):
    """Knows which stores there are."""

    async def facts(self, name: str) -> StoreFacts | None:
        """What a store is, by its whole or short name; None where there is none."""
        ...


@dataclass(frozen=True, slots=True)
class StoreSearch:
    """What a tool needs in order to search: which stores there are, and the engine that searches them."""

    engine: SearchEngine
    directory: StoreDirectory
