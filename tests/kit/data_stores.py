"""Stores in memory: an engine that finds by common words, and a directory that knows what was put there."""

from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import (
    Passage,
    SearchHit,
    SearchRequest,
    SearchResults,
    StoreDocument,
    StoreFacts,
    StoreSearch,
    StoreType,
    store_name,
)
from openplaybook.retrieval.errors import InvalidSearchFilter, RetrievalError
from openplaybook.retrieval.filters.evaluation import matches
from tests.kit.memory_engine import MemoryEngine

STORES = "projects/p/locations/global/collections/default_collection/dataStores"
DOCS = f"{STORES}/docs"


def document(id: str, text: str, title: str = "", uri: str = "", question: str = "", **data: object) -> StoreDocument:
    """A document of one passage."""
    return StoreDocument(id, title or id, uri, (Passage(text),), data, question=question)


class RankingEngine(MemoryEngine):
    """Finds documents that have any word of a request, keeps to filters and boosts, and remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, SearchRequest]] = []
        self.fault: RetrievalError | None = None
        """Raised by every search."""
        self.refused_filter: InvalidSearchFilter | None = None
        """Raised by every search that has a filter."""

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

    engine: RankingEngine = field(default_factory=RankingEngine)
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
