"""Engines elsewhere that answer with JSON of any shape: it is read, or an error of the engine."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.retrieval.base import Passage, SearchEngine, SearchRequest, StoreDocument
from openplaybook.retrieval.errors import EngineFault, RetrievalError
from openplaybook.retrieval.opensearch.cluster_address import ClusterAddress
from openplaybook.retrieval.opensearch.cluster_connection import ClusterConnection
from openplaybook.retrieval.opensearch.opensearch_engine import OpenSearchEngine
from openplaybook.retrieval.vertex.vertex_address import VertexAddress
from openplaybook.retrieval.vertex.vertex_connection import VertexConnection
from openplaybook.retrieval.vertex.vertex_engine import VertexEngine

STORE = "projects/p/locations/global/collections/c/dataStores/d"
NAMES = [
    *("hits", "total", "value", "_source", "inner_hits", "found", "lead", "_score", "docs", "error", "type", "reason"),
    *("root_cause", "items", "index", "status", "result", "aggregations", "languages", "buckets", "key", "doc_count"),
    *("form", "id", "data", "analysis", "heads", "en", "title", "text", "headings", "passages", "page", "digest"),
    *("results", "document", "chunk", "structData", "jsonData", "openplaybook", "derivedStructData", "snippets"),
    *("extractive_segments", "pageNumber", "documents", "nextPageToken", "billingEstimation", "content", "modelScores"),
]
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    LEAVES | st.sampled_from(["en", "{}", "[]", '{"form":1}', 10**400]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=25,
)
KNOWN: JsonObject = {"i": {"mappings": {"_meta": {"openplaybook": {"layout": 1}}}}}
COUNTED: JsonObject = {"languages": {"buckets": [{"key": "en", "doc_count": 1}]}}
CALLS: dict[str, Callable[[SearchEngine], Awaitable[object]]] = {
    "search": lambda engine: engine.search(STORE, SearchRequest("words", explain=True)),
    "list": lambda engine: engine.search(STORE, SearchRequest("")),
    "get": lambda engine: engine.get(STORE, "a"),
    "page": lambda engine: engine.page(STORE),
    "digests": lambda engine: engine.digests(STORE, ["a"]),
    "statistics": lambda engine: engine.statistics(STORE),
    "delete": lambda engine: engine.delete(STORE, ["a"]),
    "put": lambda engine: engine.put(STORE, [StoreDocument("a", "A", "", (Passage("words"),))]),
    "drop": lambda engine: engine.drop(STORE),
}


@dataclass
class Answers:
    """A transport that answers one thing, but for what an engine has to know before it asks for more."""

    answer: JsonValue
    status: int = 200

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        known = KNOWN if request.url.endswith("/_mapping") else self.answer
        return HttpResponse(self.status, (), dumps(known), False, 0.0)

    async def aclose(self) -> None: ...


def engines(answers: Answers) -> Sequence[SearchEngine]:
    cluster = OpenSearchEngine(ClusterConnection(ClusterAddress("http://search.test"), answers))
    return cluster, VertexEngine(VertexConnection(VertexAddress(), answers, None))


@pytest.mark.parametrize("call", CALLS)
@settings(deadline=None)
@given(
    answer=VALUES
    | st.lists(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5), max_size=2).map(
        lambda hits: {"hits": {"total": {"value": 1}, "hits": hits}, "aggregations": COUNTED, "results": hits}
    ),
    status=st.sampled_from([200, 200, 200, 404, 429, 500]),
)
async def test_any_answer_is_read_or_an_error_of_the_engine(call: str, answer: JsonValue, status: int) -> None:
    for engine in engines(Answers(answer, status)):
        with suppress(RetrievalError):
            await CALLS[call](engine)


async def test_what_is_missing_in_an_answer_is_said_to_be_the_engines_fault() -> None:
    hits = {"hits": {"total": {"value": 1}, "hits": [{"_id": "a"}]}, "aggregations": COUNTED}
    with pytest.raises(EngineFault, match=r"no answer to what it was asked \(KeyError\)"):
        await CALLS["search"](engines(Answers(hits))[0])


@pytest.mark.parametrize("call", ["page", "list", "statistics"])
async def test_lists_without_end_end(call: str) -> None:
    vertex = engines(Answers({"documents": [], "nextPageToken": "next"}))[1]
    with suppress(EngineFault):
        await CALLS[call](vertex)
