"""The engine of a cluster: what it asks, what it makes of failures, and what other processes do meanwhile."""

import json
from base64 import b64encode
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest
import trustme

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import HttpLimits
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject, loads
from openplaybook.retrieval.base import Passage, SearchRequest, StoreDocument
from openplaybook.retrieval.errors import EngineFault, EngineUnavailable, InvalidSearchFilter, InvalidSource
from openplaybook.retrieval.filters.syntax import AddressDistance, GeoDistance
from openplaybook.retrieval.opensearch.cluster_address import ClusterAddress
from openplaybook.retrieval.opensearch.cluster_connection import LIMITS, ClusterConnection
from openplaybook.retrieval.opensearch.index_layout import ANALYZERS, alias_of
from openplaybook.retrieval.opensearch.opensearch_engine import OpenSearchEngine
from tests.kit.certificates import server_tls
from tests.kit.followed_store import STORE, document
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.search_cluster.cluster import SearchCluster, failed

ALIAS = alias_of("openplaybook", STORE)
INDEX = f"{ALIAS}-1"


@dataclass
class Site:
    """A cluster, and engines of several processes that use it."""

    cluster: SearchCluster
    peer: HttpPeer
    transport: HttpTransport

    def engine(
        self, limits: HttpLimits = LIMITS, *, authorization: str = "", prefix: str = "openplaybook"
    ) -> OpenSearchEngine:
        address = ClusterAddress(self.peer.url, authorization, prefix=prefix)
        return OpenSearchEngine(ClusterConnection(address, self.transport, limits))

    def sent(self, operation: str) -> list[Received]:
        """Requests for an operation."""
        return [each for each in self.peer.requests if operation in each.target]


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    cluster = SearchCluster()
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")))
    async with http_peer(cluster) as peer:
        yield Site(cluster, peer, transport)
    await transport.aclose()


async def test_the_index_of_a_store_is_made_with_its_first_document_and_never_by_a_read(site: Site) -> None:
    engine = site.engine()
    await engine.search(STORE, SearchRequest("a"))
    await engine.page(STORE)
    await engine.delete(STORE, ["a"])
    assert site.cluster.indexes == {}
    await engine.put(STORE, [document("a")])
    await engine.put(STORE, [document("b")])
    assert list(site.cluster.indexes) == [INDEX]
    assert [each.method for each in site.sent(INDEX)] == ["PUT"]
    made = site.cluster.indexes[INDEX].made
    assert made["mappings"]["dynamic"] == "strict"
    assert made["mappings"]["_meta"] == {"openplaybook": {"layout": 1, "store": STORE}}


async def test_two_processes_begin_a_store_at_once(site: Site) -> None:
    one, other = site.engine(), site.engine()
    await other.search(STORE, SearchRequest("a"))
    await one.put(STORE, [document("a")])
    site.cluster.instead = lambda received: (
        failed(404, "index_not_found_exception", "none yet") if "_mapping" in received.target else None
    )
    await other.put(STORE, [document("b")])
    assert sorted(site.cluster.indexes[INDEX].entries) == ["a", "b"]


async def test_a_store_that_another_process_dropped_begins_again(site: Site) -> None:
    one, other = site.engine(), site.engine()
    await one.put(STORE, [document("a", "apple")])
    await other.drop(STORE)
    assert (await one.search(STORE, SearchRequest("apple"))).hits == ()
    await one.put(STORE, [document("b", "apple")])
    await other.drop(STORE)
    assert await one.get(STORE, "b") is None
    assert await one.delete(STORE, ["b"]) == 0
    await other.drop(STORE)
    await one.put(STORE, [document("c", "apple")])
    assert list(site.cluster.indexes[INDEX].entries) == ["c"]


async def test_installations_that_share_a_cluster_do_not_see_each_other(site: Site) -> None:
    await site.engine(prefix="one").put(STORE, [document("a")])
    assert await site.engine(prefix="two").get(STORE, "a") is None


async def test_writes_wait_until_they_are_found_and_reach_no_index_but_that_of_the_store(site: Site) -> None:
    await site.engine().put(STORE, [document("a")])
    (sent,) = site.sent("_bulk")
    assert sent.target == f"/{ALIAS}/_bulk?refresh=wait_for&require_alias=true"
    assert sent.header("Content-Type") == "application/x-ndjson"


async def test_much_is_written_in_several_requests(site: Site) -> None:
    put = [document(f"d{number}", "word " * 600_000) for number in range(4)]
    await site.engine().put(STORE, put)
    assert [len(each.body.splitlines()) // 2 for each in site.sent("_bulk")] == [2, 2]
    assert len(site.cluster.indexes[INDEX].entries) == 4


async def test_what_the_cluster_has_no_room_for_is_said_to_be_put_again(site: Site) -> None:
    site.cluster.refused_ids = {"b"}
    engine = site.engine()
    with pytest.raises(EngineUnavailable, match=r"429 .*queue is full\); 2 of 3 documents were written; put all of"):
        await engine.put(STORE, [document("a"), document("b"), document("c")])
    site.cluster.refused_ids = set()
    await engine.put(STORE, [document("a"), document("b"), document("c")])
    assert len((await engine.page(STORE)).documents) == 3
    site.cluster.refused_ids = {"a"}
    with pytest.raises(EngineUnavailable, match="to delete these documents again is safe"):
        await engine.delete(STORE, ["a"])


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (document("x" * 129), "1 to 128 characters"),
        (replace(document("a"), passages=(Passage("x"),) * 100_001), "100,001 passages, numbers and places"),
        (replace(document("a"), uri="https://e.com/" + "é" * 15_000), "has 30,006 bytes"),
        (document("a", "\ud800"), "cannot be stored"),
    ],
)
async def test_documents_that_the_engine_cannot_take_are_refused_before_any_is_written(
    site: Site, bad: StoreDocument, words: str
) -> None:
    with pytest.raises(InvalidSource, match=words):
        await site.engine().put(STORE, [document("good"), bad])
    assert site.peer.requests == []


async def test_ids_that_no_document_can_have_are_not_asked_for(site: Site) -> None:
    engine = site.engine()
    await engine.put(STORE, [document("a")])
    assert await engine.get(STORE, "\ud800") is None
    assert await engine.digests(STORE, ["", "x" * 129]) == {}
    assert site.sent("_mget") == []


async def test_an_index_of_a_newer_version_is_left_alone(site: Site) -> None:
    await site.engine().put(STORE, [document("a")])
    site.cluster.indexes[INDEX].made["mappings"]["_meta"]["openplaybook"]["layout"] = 2
    engine = site.engine()
    for call in (engine.put(STORE, [document("b")]), engine.search(STORE, SearchRequest("b")), engine.get(STORE, "a")):
        with pytest.raises(EngineFault, match="has layout 2, and this version of OpenPlaybook knows 1"):
            await call


async def test_an_entry_of_a_newer_form_is_not_guessed_at(site: Site) -> None:
    engine = site.engine()
    await engine.put(STORE, [document("a", "apple")])
    site.cluster.indexes[INDEX].entries["a"]["form"] = 2
    for call in (engine.get(STORE, "a"), engine.search(STORE, SearchRequest("apple"))):
        with pytest.raises(EngineFault, match=r"document 'a' was written by a newer version of OpenPlaybook \(form 2"):
            await call


@pytest.mark.parametrize("authorization", ["ApiKey a-secret-key", f"Basic {b64encode(b'me:a-secret-key').decode()}"])
async def test_credentials_are_sent_and_never_told(site: Site, authorization: str) -> None:
    site.cluster.authorization = authorization
    await site.engine(authorization=authorization).put(STORE, [document("a")])
    secret = authorization.partition(" ")[2]
    site.cluster.instead = lambda received: failed(403, "security_exception", f"{secret} may not do this")
    with pytest.raises(EngineFault, match=r"security_exception.*may not do this.*setting search_engine") as caught:
        await site.engine(authorization=authorization).put(STORE, [document("a")])
    assert "secret" not in str(caught.value)
    assert secret not in str(caught.value)
    assert secret not in repr(ClusterAddress(site.peer.url, authorization))


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (failed(503, "cluster_block_exception", "no master"), EngineUnavailable, r"503 \(cluster_block_exception: no"),
        (failed(429, "circuit_breaking_exception", "too much"), EngineUnavailable, "429"),
        (failed(400, "parsing_exception", "unknown query"), EngineFault, r"400 \(parsing_exception: unknown query"),
        (answer(b"<html>", "502 Bad Gateway", "text/html"), EngineUnavailable, r"502 \(no reason is given\)"),
        (answer(b"<html>", content_type="text/html"), EngineFault, "no answer of a search engine"),
        (answer(b'{"error": "plain"}', "400 Bad Request"), EngineFault, r"400 \(no reason is given: plain\)"),
        (answer(b"", "302 Found", Location="http://127.0.0.1:1/"), EngineFault, "302"),
        (answer(b"[]"), EngineFault, "no answer of a search engine"),
    ],
)
async def test_failures_say_whether_to_try_again(site: Site, reply: bytes, kind: type[Exception], words: str) -> None:
    engine = site.engine()
    await engine.put(STORE, [document("a")])
    site.cluster.instead = lambda received: reply
    with pytest.raises(kind, match=words):
        await engine.search(STORE, SearchRequest("a"))
    with pytest.raises(kind, match=words):
        await engine.put(STORE, [document("a")])


async def test_a_cluster_that_is_not_there_is_unavailable(site: Site) -> None:
    gone = OpenSearchEngine(ClusterConnection(ClusterAddress("http://127.0.0.1:1"), site.transport))
    with pytest.raises(EngineUnavailable, match=r"the search engine at http://127\.0\.0\.1:1 does not respond"):
        await gone.search(STORE, SearchRequest("a"))
    forbidden = OpenSearchEngine(ClusterConnection(ClusterAddress("http://10.0.0.1"), site.transport))
    with pytest.raises(EngineFault, match=r"10\.0\.0\.1"):
        await forbidden.search(STORE, SearchRequest("a"))


async def test_a_cluster_may_have_a_certificate_of_the_operators_own(site: Site) -> None:
    authority = trustme.CA()
    trusted, others = (each.cert_pem.bytes() for each in (authority, trustme.CA()))
    async with http_peer(SearchCluster(), server_tls(authority, "127.0.0.1")) as peer:
        url = f"https://127.0.0.1:{peer.port}"
        engine = OpenSearchEngine(ClusterConnection(ClusterAddress(url, ca_certificate=trusted), site.transport))
        await engine.put(STORE, [document("a", "apple")])
        assert (await engine.search(STORE, SearchRequest("apple"))).total == 1
        wary = OpenSearchEngine(ClusterConnection(ClusterAddress(url, ca_certificate=others), site.transport))
        with pytest.raises(EngineUnavailable, match="certificate"):
            await wary.get(STORE, "a")


async def test_an_answer_that_is_too_large_is_a_fault(site: Site) -> None:
    await site.engine().put(STORE, [document("a", "word " * 1000)])
    engine = site.engine(replace(LIMITS, max_bytes=3000))
    site.cluster.instead = None
    with pytest.raises(EngineFault, match="more than 3,000 bytes"):
        await engine.get(STORE, "a")


async def test_a_long_request_is_cut_to_what_the_engine_takes(site: Site) -> None:
    engine = site.engine()
    put = [document(language, "word", language=language) for language in [*ANALYZERS][:8]]
    await engine.put(STORE, put)
    await engine.search(STORE, SearchRequest("word " * 5000))
    await engine.search(STORE, SearchRequest("日本語の文" * 800))
    for sent in site.sent("_search"):
        assert _clauses(loads(sent.body)) <= 1024


def _clauses(value: object) -> int:
    """Words times fields of a body, as the engine counts them."""
    if isinstance(value, list):
        return sum(map(_clauses, value))
    if not isinstance(value, dict):
        return 0
    if "fields" in value:
        text = str(value["query"])
        terms = len(text.split()) if text.isascii() else len("".join(text.split()))
        return terms * len(value["fields"])
    return sum(map(_clauses, value.values()))


async def test_hits_behind_the_last_that_the_engine_counts_are_not_found(site: Site) -> None:
    engine = site.engine()
    await engine.put(STORE, [document("a", "apple")])
    results = await engine.search(STORE, SearchRequest("apple", offset=10_000))
    assert (results.hits, results.notes) == ((), ("the search engine finds the first 10,000 documents alone",))


async def test_a_distance_that_few_meet_is_looked_for_in_so_many_documents_only(site: Site) -> None:
    engine = site.engine()
    # Just outside of the distance, where the engine's coordinates cannot tell.
    put = [document(f"d{n:04}", data={"at": f"0.00000{n % 9 + 1},10.0"}) for n in range(2700)]
    await engine.put(STORE, put)
    none = SearchRequest("", filter=GeoDistance("at", 0.0, 10.0, 0.0))
    results = await engine.search(STORE, none)
    assert results.hits == ()
    assert results.notes == ("the filter let few documents through: not all that match were looked at",)
    one = GeoDistance("at", 0.0, 10.0, 0.12)
    assert len((await engine.search(STORE, SearchRequest("", filter=one, limit=50))).hits) == 50


async def test_an_address_on_the_map_is_refused(site: Site) -> None:
    engine = site.engine()
    await engine.put(STORE, [document("a")])
    with pytest.raises(InvalidSearchFilter, match="cannot be found offline"):
        await engine.search(STORE, SearchRequest("a", filter=AddressDistance("at", "Palo Alto", 5)))


async def test_the_language_of_a_request_is_searched_however_few_documents_have_it(site: Site) -> None:
    engine = site.engine()
    many = [
        document(f"{language}{n}", "word", language=language) for language in ("en", "fr", "it", "nl") for n in "ab"
    ]
    await engine.put(STORE, [*many, document("de", "billige Häuser", language="de")])
    assert [hit.document for hit in (await engine.search(STORE, SearchRequest("Haus", language="de-AT"))).hits] == [
        "de"
    ]
    asked = [loads(each.body) for each in site.sent("_search")][-1]["query"]["bool"]["must"][0]["bool"]["should"][0]
    assert [each.split(".")[1] for each in asked["multi_match"]["fields"][::2]] == ["de", "en", "fr", "it"]


async def test_a_title_counts_twice(site: Site) -> None:
    engine = site.engine()
    await engine.put(STORE, [document("a", "apple")])
    await engine.search(STORE, SearchRequest("apple"))
    body: JsonObject = json.loads(site.sent("_search")[-1].body)
    heads, _ = body["query"]["bool"]["must"][0]["bool"]["should"]
    assert heads["multi_match"]["fields"] == ["heads.en.title^2", "heads.en.question^2"]
