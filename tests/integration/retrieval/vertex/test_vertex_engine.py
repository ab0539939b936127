"""Vertex AI Search as an engine, against our own Discovery Engine services, and against what Google answers."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from openplaybook.credentials.errors import CredentialRefused, CredentialUnavailable
from openplaybook.credentials.identity.bearer_requests import BearerAccess
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.retrieval.base import (
    Boost,
    ControlPoint,
    DocumentPage,
    Passage,
    SearchRequest,
    SearchResults,
    StoreDocument,
    StoreStatistics,
)
from openplaybook.retrieval.errors import EngineFault, EngineUnavailable, InvalidSearchFilter, InvalidSource
from openplaybook.retrieval.filters.parser import parsed_filter
from openplaybook.retrieval.vertex.vertex_address import ResultText, VertexAddress
from openplaybook.retrieval.vertex.vertex_connection import LIMITS, VertexConnection
from openplaybook.retrieval.vertex.vertex_engine import VertexEngine
from tests.integration.services.discoveryengine.stores import STORE, Stores, serving
from tests.kit.discovery_peer import DiscoveryPeer, failed
from tests.kit.http_peer import HttpPeer, answer, http_peer

PAGE = StoreDocument(
    id="tides",
    title="Tides",
    uri="https://example.com/tides",
    passages=(Passage("The moon pulls the sea.", ("Sea",), 2), Passage("Twice a day."), Passage("")),
    data={"topic": "sea", "n": 2**70},
    language="en",
    media_type="text/html",
    digest="d1",
    source={"deep": [1.5]},
)
RECORD = StoreDocument("cats", "Cats", "", (Passage("topic: cats"),), {"topic": "cats", "legs": 4}, digest="d2")
FAQ = StoreDocument("why", "", "", (Passage("By the moon."),), question="Why are there tides?")


@dataclass
class Google:
    """Our services in the place of Google's."""

    stores: Stores
    peer: DiscoveryPeer
    http: HttpPeer
    transport: HttpTransport

    def engine(self, access: BearerAccess | None = None, *, results: ResultText = ResultText.SEGMENTS) -> VertexEngine:
        return VertexEngine(VertexConnection(VertexAddress(self.http.url, results), self.transport, access))

    @property
    def last(self) -> JsonObject:
        """The latest message."""
        return self.peer.asked[-1][1]


@dataclass
class Access:
    """Tokens of this server."""

    tokens: list[str]
    forgotten: list[str] = field(default_factory=list[str])
    error: Exception | None = None

    async def token(self) -> str:
        if self.error:
            raise self.error
        return self.tokens[0]

    def forget(self, token: str) -> bool:
        self.forgotten.append(self.tokens.pop(0))
        return bool(self.tokens)


@pytest.fixture
async def google(tmp_path: Path) -> AsyncIterator[Google]:
    (tmp_path / "bucket").mkdir()
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")))
    async with serving(tmp_path, tmp_path / "bucket") as stores:
        peer = DiscoveryPeer(stores)
        async with http_peer(peer) as http:
            yield Google(stores, peer, http, transport)
    await transport.aclose()


async def test_documents_with_text_come_back_as_they_were_put(google: Google) -> None:
    await google.stores.create("CONTENT_REQUIRED")
    engine = google.engine()
    await engine.put(STORE, [PAGE])
    assert await engine.get(STORE, "tides") == PAGE
    assert await engine.get(STORE, "none") is None
    assert await engine.digests(STORE, ["tides", "none", "tides"]) == {"tides": "d1"}


async def test_records_and_questions_come_back_as_they_were_put(google: Google) -> None:
    await google.stores.create("NO_CONTENT")
    engine = google.engine()
    await engine.put(STORE, [RECORD, FAQ])
    assert await engine.get(STORE, "cats") == RECORD
    assert await engine.get(STORE, "why") == FAQ
    assert (await engine.page(STORE)).documents == (RECORD, FAQ)


async def test_contents_are_sent_as_they_came_for_google_to_read(google: Google) -> None:
    await google.stores.create("CONTENT_REQUIRED")
    content = {"mimeType": "text/plain", "rawBytes": "aGVsbG8gd29ybGQ="}
    put = replace(PAGE, source={"content": content, "schemaId": "default_schema"})
    engine = google.engine()
    await engine.put(STORE, [put])
    await google.stores.engine.settle(STORE)
    assert google.last["document"]["content"] == content
    assert await engine.get(STORE, "tides") == replace(put, passages=())
    found = await engine.search(STORE, SearchRequest("hello"))
    assert [(hit.document, hit.text, hit.data) for hit in found.hits] == [("tides", "hello world", PAGE.data)]


async def test_documents_that_others_put_are_what_google_knows_of_them(google: Google) -> None:
    await google.stores.create("NO_CONTENT")
    await google.stores.fill({"id": "a", "structData": {"title": "A", "url": "https://a.test", "text": "apples"}})
    engine = google.engine()
    found = await engine.get(STORE, "a")
    assert found is not None
    assert (found.title, found.uri, found.digest) == ("A", "https://a.test", "")
    assert found.data == {"title": "A", "url": "https://a.test", "text": "apples"}
    (hit,) = (await engine.search(STORE, SearchRequest("apples"))).hits
    assert (hit.document, hit.title, hit.uri, hit.data) == ("a", "A", "https://a.test", found.data)
    assert hit.text == "title: A\ntext: apples"


async def test_searches_are_passed_on(google: Google) -> None:
    await google.stores.create("CONTENT_REQUIRED")
    engine = google.engine()
    await engine.put(STORE, [PAGE, replace(PAGE, id="other", data={"topic": "land"}, title="Lands")])
    await google.stores.engine.settle(STORE)
    request = SearchRequest(
        "moon",
        limit=5,
        offset=0,
        filter=parsed_filter('topic: ANY("sea") AND n > 1'),
        boosts=[
            Boost(parsed_filter('topic: ANY("sea")'), 0.5),
            Boost(parsed_filter("n > 1"), field="n", points=(ControlPoint(1.0, 0.1), ControlPoint(2.5, -1.0))),
            Boost(parsed_filter("n > 1"), field="d", is_freshness=True, points=(ControlPoint(86400.0, 0.1),)),
        ],
        language="en",
        most_per_document=3,
    )
    (hit,) = (await engine.search(STORE, request)).hits
    assert (hit.document, hit.title, hit.uri, hit.data) == ("tides", "Tides", PAGE.uri, PAGE.data)
    assert hit.text == "The moon pulls the sea.\n\nTwice a day."
    assert hit.score > 0
    assert google.last == {
        "servingConfig": f"{STORE}/servingConfigs/default_search",
        "query": "moon",
        "pageSize": 5,
        "offset": 0,
        "languageCode": "en",
        "filter": 'topic: ANY("sea") AND n > 1',
        "contentSearchSpec": {
            "searchResultMode": "DOCUMENTS",
            "snippetSpec": {"returnSnippet": True},
            "extractiveContentSpec": {"maxExtractiveSegmentCount": 3},
        },
        "boostSpec": {
            "conditionBoostSpecs": [
                {"condition": 'topic: ANY("sea")', "boost": 0.5},
                {"condition": "n > 1", "boostControlSpec": control("n", "NUMERICAL", ("1.0", 0.1), ("2.5", -1.0))},
                {"condition": "n > 1", "boostControlSpec": control("d", "FRESHNESS", ("T86400S", 0.1))},
            ]
        },
    }


def control(name: str, kind: str, *points: tuple[str, float]) -> JsonObject:
    written = [{"attributeValue": value, "boostAmount": amount} for value, amount in points]
    return {"fieldName": name, "attributeType": kind, "interpolationType": "LINEAR", "controlPoints": written}


async def test_snippets_and_chunks_are_hits_too(google: Google) -> None:
    await google.stores.create("CONTENT_REQUIRED")
    await google.engine().put(STORE, [PAGE])
    (hit,) = (await google.engine(results=ResultText.SNIPPETS).search(STORE, SearchRequest("moon"))).hits
    assert hit.text == "The moon pulls the sea.\n\nTwice a day."
    (hit,) = (await google.engine(results=ResultText.CHUNKS).search(STORE, SearchRequest("moon"))).hits
    assert (hit.document, hit.passage, hit.data) == ("tides", 0, PAGE.data)
    assert hit.text == "The moon pulls the sea.\n\nTwice a day."


async def test_without_words_documents_are_listed(google: Google) -> None:
    await google.stores.create("NO_CONTENT")
    engine = google.engine()
    await engine.put(STORE, [replace(RECORD, id=f"d{n}") for n in range(5)])
    await google.stores.engine.settle(STORE)
    assert await ids(engine, SearchRequest("", limit=2, offset=1)) == ["d1", "d2"]
    assert await ids(engine, SearchRequest("", limit=10)) == ["d0", "d1", "d2", "d3", "d4"]
    assert sorted(await ids(engine, SearchRequest("", filter=parsed_filter("legs = 4")))) == [f"d{n}" for n in range(5)]


async def ids(engine: VertexEngine, request: SearchRequest) -> list[str]:
    return [hit.document for hit in (await engine.search(STORE, request)).hits]


async def test_pages_go_on_where_google_says(google: Google) -> None:
    await google.stores.create("NO_CONTENT")
    engine, put = google.engine(), [replace(RECORD, id=f"d{n}") for n in range(5)]
    await engine.put(STORE, put)
    first = await engine.page(STORE, limit=3)
    assert first.documents == tuple(put[:3])
    assert await engine.page(STORE, after=first.next_after, limit=3) == DocumentPage(tuple(put[3:]), "")


async def test_documents_are_deleted_and_counted(google: Google) -> None:
    engine = google.engine()
    assert await engine.statistics(STORE) == StoreStatistics(0, 0, 0)
    await google.stores.create("NO_CONTENT")
    await engine.put(STORE, [RECORD, FAQ])
    assert (await engine.statistics(STORE)).documents == 2
    assert await engine.delete(STORE, ["cats", "none", ".."]) == 1
    assert (await engine.statistics(STORE)).documents == 1


async def test_google_is_told_to_purge_a_store_that_is_dropped(google: Google) -> None:
    await google.stores.create("NO_CONTENT")
    engine = google.engine()
    await engine.put(STORE, [RECORD])
    await engine.drop(STORE)
    branch = f"{STORE}/branches/default_branch"
    assert google.peer.asked[-1] == (
        "DocumentService.PurgeDocuments",
        {"parent": branch, "filter": "*", "force": True},
    )
    google.peer.instead = lambda received: failed(404, "no such store")
    await engine.drop(STORE)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (replace(RECORD, id=".."), "none that a document can have at Google"),
        (replace(RECORD, id=""), "none that a document can have"),
        (replace(PAGE, passages=(Passage("x" * 1_000_009),)), "more than 1,000,000 bytes; put it into a bucket"),
        (replace(PAGE, title="\ud800"), "cannot be stored"),
    ],
)
async def test_documents_that_google_does_not_take_are_refused_before_any_is_sent(
    google: Google, bad: StoreDocument, words: str
) -> None:
    with pytest.raises(InvalidSource, match=words):
        await google.engine().put(STORE, [RECORD, bad])
    assert google.peer.asked == []


async def test_a_filter_that_google_refuses_is_an_invalid_filter(google: Google) -> None:
    await google.stores.create("NO_CONTENT")
    google.peer.instead = lambda received: failed(400, "Unsupported field in filter: topic")
    with pytest.raises(InvalidSearchFilter, match="does not take the filter: Unsupported field"):
        await google.engine().search(STORE, SearchRequest("x", filter=parsed_filter("n > 1")))
    with pytest.raises(EngineFault, match="400"):
        await google.engine().search(STORE, SearchRequest("x"))


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (failed(503, "try later"), EngineUnavailable, r"responded with 503 \(try later\)"),
        (failed(429, "quota"), EngineUnavailable, "429"),
        (failed(403, "no permission"), EngineFault, r"403 \(no permission\); it was asked without credentials"),
        (failed(404, "no such store"), EngineFault, r"404 \(no such store\)"),
        (answer(b"<html>", "502 Bad Gateway", "text/html"), EngineUnavailable, "502"),
        (answer(b"", "302 Found", Location="http://127.0.0.1:1/"), EngineFault, "302"),
    ],
)
async def test_failures_say_whether_to_try_again(
    google: Google, reply: bytes, kind: type[Exception], words: str
) -> None:
    google.peer.instead = lambda received: reply
    with pytest.raises(kind, match=words):
        await google.engine().search(STORE, SearchRequest("x"))


async def test_tokens_are_sent_renewed_and_never_told(google: Google) -> None:
    await google.stores.create("NO_CONTENT")
    google.peer.tokens = {"good-token"}
    access = Access(["old-token", "good-token"])
    await google.engine(access).put(STORE, [RECORD])
    assert access.forgotten == ["old-token"]
    with pytest.raises(EngineFault, match=r"401.*it was asked as this server") as caught:
        await google.engine(Access(["bad-token"])).get(STORE, "cats")
    assert "bad-token" not in str(caught.value)


@pytest.mark.parametrize(
    ("error", "kind"), [(CredentialUnavailable("not now"), EngineUnavailable), (CredentialRefused("no"), EngineFault)]
)
async def test_without_a_token_nothing_is_asked(google: Google, error: Exception, kind: type[Exception]) -> None:
    with pytest.raises(kind, match="Vertex AI Search cannot be asked"):
        await google.engine(Access([], error=error)).get(STORE, "cats")
    assert google.peer.asked == []


async def test_a_server_that_is_not_there_is_unavailable(google: Google) -> None:
    gone = VertexEngine(VertexConnection(VertexAddress("http://127.0.0.1:1"), google.transport, None))
    with pytest.raises(EngineUnavailable, match="does not respond"):
        await gone.get(STORE, "cats")


async def test_an_answer_that_is_too_large_is_a_fault(google: Google) -> None:
    small = replace(LIMITS, max_bytes=10)
    engine = VertexEngine(VertexConnection(VertexAddress(google.http.url), google.transport, None, small))
    google.peer.instead = lambda received: answer(dumps({"results": ["x" * 100]}))
    with pytest.raises(EngineFault, match="more than 10 bytes"):
        await engine.search(STORE, SearchRequest("x"))


async def test_a_store_that_holds_nothing_has_nothing(google: Google) -> None:
    await google.stores.create("NO_CONTENT")
    assert await google.engine().search(STORE, SearchRequest("x")) == SearchResults((), 0)
    await google.engine().put(STORE, [])
