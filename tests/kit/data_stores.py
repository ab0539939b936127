"""Stores in memory: an engine that finds by common words, and a directory that knows what was put there."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import (
    DocumentPage,
    Passage,
    SearchHit,
    SearchRequest,
    SearchResults,
    StoreDocument,
    StoreFacts,
    StoreSearch,
    StoreStatistics,
    StoreType,
    store_name,
)
from openplaybook.retrieval.errors import InvalidSearchFilter, RetrievalError
from openplaybook.retrieval.filters.evaluation import matches

STORES = "projects/p/locations/global/collections/default_collection/dataStores"
DOCS = f"{STORES}/docs"


def document(id: str, text: str, title: str = "", uri: str = "", question: str = "", **data: object) -> StoreDocument:
    """A document of one passage."""
    return StoreDocument(id, title or id, uri, (Passage(text),), data, question=question)


@dataclass
class MemoryEngine:
    """A `SearchEngine` that holds everything in dictionaries and remembers what it was asked."""

    stores: dict[str, dict[str, StoreDocument]] = field(default_factory=dict[str, dict[str, StoreDocument]])
    asked: list[tuple[str, SearchRequest]] = field(default_factory=list[tuple[str, SearchRequest]])
    fault: RetrievalError | None = None
    """Raised by every search."""
    refused_filter: InvalidSearchFilter | None = None
    """Raised by every search that has a filter."""

    async def put(self, store: str, documents: Sequence[StoreDocument]) -> None:
        """Add or replace documents."""
        self.stores.setdefault(store, {}).update({each.id: each for each in documents})

    async def delete(self, store: str, ids: Sequence[str]) -> int:
        """Take documents away."""
        held = self.stores.get(store, {})
        return sum(held.pop(id, None) is not None for id in ids)

    async def get(self, store: str, id: str) -> StoreDocument | None:
        """One document."""
        return self.stores.get(store, {}).get(id)

    async def page(self, store: str, *, after: str = "", limit: int = 100) -> DocumentPage:
        """Documents by id."""
        left = [each for id, each in sorted(self.stores.get(store, {}).items()) if id > after]
        return DocumentPage(tuple(left[:limit]), left[limit - 1].id if len(left) > limit else "")

    async def digests(self, store: str, ids: Sequence[str]) -> dict[str, str]:
        """Digests by id."""
        held = self.stores.get(store, {})
        return {id: held[id].digest for id in ids if id in held}

    async def search(self, store: str, request: SearchRequest) -> SearchResults:
        """Passages by the number of words that they share with the request."""
        self.asked.append((store, request))
        if self.fault is not None:
            raise self.fault
        if self.refused_filter is not None and request.filter is not None:
            raise self.refused_filter
        wanted = _words(request.text)
        scored = [
            (_score(each, wanted, request), each)
            for each in self.stores.get(store, {}).values()
            if request.filter is None or matches(request.filter, each.data, each.uri)
        ]
        found = sorted((each for each in scored if each[0] > 0), key=lambda each: (-each[0], each[1].id))
        hits = tuple(_hit(score, each) for score, each in found)
        return SearchResults(hits[request.offset : request.offset + request.limit], len(hits))

    async def settle(self, store: str) -> None:
        return None

    async def statistics(self, store: str) -> StoreStatistics:
        """How much a store holds."""
        held = self.stores.get(store, {})
        return StoreStatistics(len(held), sum(len(each.passages) for each in held.values()), 0)

    async def drop(self, store: str) -> None:
        """Delete a store."""
        self.stores.pop(store, None)

    async def close(self) -> None:
        """Nothing is held open."""


@dataclass
class MemoryDirectory:
    """A `StoreDirectory` over a dictionary."""

    known: dict[str, StoreFacts] = field(default_factory=dict[str, StoreFacts])

    async def facts(self, name: str) -> StoreFacts | None:
        """What a store is."""
        return self.known.get(store_name(name) or name)


@dataclass
class Shelves:
    """An engine and a directory that belong together."""

    engine: MemoryEngine = field(default_factory=MemoryEngine)
    directory: MemoryDirectory = field(default_factory=MemoryDirectory)

    @property
    def search(self) -> StoreSearch:
        """As tools get them."""
        return StoreSearch(self.engine, self.directory)

    def store(
        self,
        *documents: StoreDocument,
        name: str = DOCS,
        kind: StoreType = StoreType.UNSTRUCTURED,
        is_faq: bool = False,
    ) -> str:
        """Add a store with documents; gives its name."""
        self.directory.known[name] = StoreFacts(name, name.rpartition("/")[2], kind, "en", is_faq=is_faq)
        self.engine.stores.setdefault(name, {}).update({each.id: each for each in documents})
        return name


def connection(store: str = DOCS, kind: str = "UNSTRUCTURED") -> JsonObject:
    """A `DataStoreConnection`."""
    return {"dataStoreType": kind, "dataStore": store}


def _words(text: str) -> frozenset[str]:
    return frozenset(word.strip(".,?!").lower() for word in text.split())


def _score(each: StoreDocument, wanted: frozenset[str], request: SearchRequest) -> float:
    said = _words(f"{each.title} {each.question} {' '.join(passage.text for passage in each.passages)}")
    boost = sum(boost.boost for boost in request.boosts if matches(boost.condition, each.data, each.uri))
    common = float(len(said & wanted))
    return max(0.01, common + 10 * boost) if common else 0.0


def _hit(score: float, each: StoreDocument) -> SearchHit:
    return SearchHit(
        each.id, 0, score, each.title, each.uri, each.passages[0].text, data=each.data, question=each.question
    )
