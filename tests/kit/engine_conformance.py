"""What every search engine does, as functions that take one whose stores are empty.

Words of documents and requests stand in the same form, as engines differ in what they know of a language.
"""

from dataclasses import replace

from openplaybook.jsonvalues import loads
from openplaybook.retrieval.base import (
    Boost,
    DocumentPage,
    Passage,
    SearchEngine,
    SearchHit,
    SearchRequest,
    SearchResults,
    StoreDocument,
    StoreStatistics,
)
from openplaybook.retrieval.filters.parser import parsed_filter
from tests.kit.followed_store import STORE, document, found

OTHER = STORE + "-other"
WHOLE = StoreDocument(
    id="whole/ü ?x",
    title="Tides",
    uri="https://example.com/tides#now",
    passages=(Passage("The moon pulls the sea.", ("Sea", "Moon"), 3), Passage("Twice a day."), Passage("")),
    data={"number": loads(b"12345678901234567890.5"), "n": 2**70, "list": [1, {"a": None}], "city": "Rome"},
    language="en",
    question="Why are there tides?",
    media_type="text/html",
    digest="d1",
    source={"content": {"uri": "gs://b/tides.html"}, "deep": [[1.5]]},
)
"""A document with everything."""


def ids(results: SearchResults) -> list[str]:
    """Of the documents of hits."""
    return [hit.document for hit in results.hits]


async def documents_come_back_as_they_were_put(engine: SearchEngine) -> None:
    """Each with all that it has, exactly."""
    bare = StoreDocument("bare", "", "", ())
    await engine.put(STORE, [WHOLE, bare])
    assert await engine.get(STORE, WHOLE.id) == WHOLE
    assert await engine.get(STORE, "bare") == bare
    assert await engine.get(STORE, "none") is None
    assert await engine.get(OTHER, "bare") is None
    assert await engine.digests(STORE, [WHOLE.id, "bare", "none"]) == {WHOLE.id: "d1", "bare": ""}
    assert await engine.digests(OTHER, ["bare"]) == {}


async def pages_go_by_id(engine: SearchEngine) -> None:
    """And say where to go on."""
    put = {id: document(id) for id in ("a", "B", "é", "a/b", "z", "\U0001f600")}
    await engine.put(STORE, list(put.values()))
    ordered = [put[id] for id in sorted(put)]
    assert await engine.page(STORE) == DocumentPage(tuple(ordered), "")
    assert await engine.page(STORE, limit=2) == DocumentPage(tuple(ordered[:2]), ordered[1].id)
    assert await engine.page(STORE, after=ordered[1].id, limit=4) == DocumentPage(tuple(ordered[2:]), "")
    assert await engine.page(STORE, after="\U0001f600") == DocumentPage((), "")
    assert await engine.page(OTHER) == DocumentPage((), "")


async def many_documents_are_paged_through(engine: SearchEngine) -> None:
    """More than any single answer has."""
    put = [document(f"d{number:03}") for number in range(130)]
    await engine.put(STORE, put)
    first = await engine.page(STORE)
    assert (first.documents, first.next_after) == (tuple(put[:100]), "d099")
    assert await engine.page(STORE, after="d099") == DocumentPage(tuple(put[100:]), "")


async def what_is_replaced_or_deleted_is_gone(engine: SearchEngine) -> None:
    """With all passages of the older state."""
    await engine.put(STORE, [replace(WHOLE, id="a"), document("b", "yellow pear")])
    await found(engine, SearchRequest("moon"), ["a"])
    await engine.put(STORE, [document("a", "green pear")])
    await found(engine, SearchRequest("moon"), [])
    assert (await found(engine, SearchRequest("green"), ["a"])).hits[0].text == "green pear"
    assert await engine.delete(STORE, ["b", "none", "b"]) == 1
    await found(engine, SearchRequest("yellow"), [])
    assert await engine.get(STORE, "b") is None
    assert await engine.delete(OTHER, ["a"]) == 0


async def the_last_of_equal_ids_counts(engine: SearchEngine) -> None:
    """In one call."""
    await engine.put(STORE, [document("a", "first"), document("a", "second")])
    assert await engine.get(STORE, "a") == document("a", "second")
    await found(engine, SearchRequest("first"), [])


async def a_hit_is_a_passage(engine: SearchEngine) -> None:
    """With what its document is."""
    await engine.put(STORE, [WHOLE])
    hit = (await found(engine, SearchRequest("moon"), [WHOLE.id])).hits[0]
    shown = SearchHit(
        document=WHOLE.id,
        passage=0,
        score=hit.score,
        title="Tides",
        uri=WHOLE.uri,
        text="The moon pulls the sea.",
        headings=("Sea", "Moon"),
        page=3,
        data=WHOLE.data,
        question="Why are there tides?",
    )
    assert hit == shown
    assert hit.score > 0
    assert (await engine.search(STORE, SearchRequest("twice"))).hits[0].passage == 1


async def titles_questions_and_headings_are_searched(engine: SearchEngine) -> None:
    """As texts are."""
    put = [
        document("title", "nothing", title="tides"),
        document("text", "tides"),
        replace(document("question", "nothing"), question="tides"),
        replace(document("heading"), passages=(Passage("nothing", ("tides",)),)),
        document("none", "nothing", title="nothing"),
    ]
    await engine.put(STORE, put)
    await found(engine, SearchRequest(""), sorted(each.id for each in put))
    results = await engine.search(STORE, SearchRequest("tides"))
    assert set(ids(results)) == {"title", "text", "question", "heading"}
    assert results.total == 4


async def several_passages_of_a_document_are_found(engine: SearchEngine) -> None:
    """As many as the request allows, best first."""
    texts = ("red wine", "red red red wine bottle", "white wine", "red")
    await engine.put(STORE, [replace(document("a"), passages=tuple(map(Passage, texts))), document("b", "beer")])
    await found(engine, SearchRequest("red"), ["a"])
    assert len((await engine.search(STORE, SearchRequest("red", most_per_document=2))).hits) == 2
    all_ = (await engine.search(STORE, SearchRequest("red", most_per_document=0))).hits
    assert {hit.passage for hit in all_} == {0, 1, 3}
    assert [hit.score for hit in all_] == sorted((hit.score for hit in all_), reverse=True)
    later = (await engine.search(STORE, SearchRequest("red", most_per_document=0, offset=1, limit=1))).hits
    assert [hit.passage for hit in later] == [all_[1].passage]


async def pages_of_hits_follow_each_other(engine: SearchEngine) -> None:
    """Without a gap, and without any hit twice."""
    await engine.put(STORE, [document(f"d{n}", "wine " * (n + 1) + "and water") for n in range(9)])
    await found(engine, SearchRequest("", limit=1), ["d0"])
    whole = ids(await engine.search(STORE, SearchRequest("wine")))
    parts = [ids(await engine.search(STORE, SearchRequest("wine", limit=4, offset=start))) for start in (0, 4, 8, 12)]
    assert [id for part in parts for id in part] == whole
    assert sorted(whole) == [f"d{n}" for n in range(9)]
    by_id = [ids(await engine.search(STORE, SearchRequest("", limit=4, offset=start))) for start in (0, 4, 8)]
    assert [id for part in by_id for id in part] == sorted(whole)


async def what_has_settled_is_found(engine: SearchEngine) -> None:
    """At once, however closely changes follow each other."""
    await engine.settle(STORE)
    for number in range(4):
        await engine.put(STORE, [document(f"d{number}", "moon")])
        await engine.settle(STORE)
        assert len(ids(await engine.search(STORE, SearchRequest("moon")))) == number + 1


async def filters_narrow(engine: SearchEngine) -> None:
    """What words find, and what is listed by id."""
    data = [{"city": "Rome", "price": 5}, {"city": "Oslo", "price": 7.5}, {"city": ["Rome", "Bonn"]}, {}]
    await engine.put(STORE, [document(f"d{n}", "hotel", data=each) for n, each in enumerate(data)])
    for text, expected in {
        'city: ANY("Rome")': ["d0", "d2"],
        'NOT city: ANY("Rome")': ["d1", "d3"],
        "price > 5": ["d1"],
        'price: IN(5, 8) AND NOT city: ANY("Oslo")': ["d0"],
        'siteSearch:"https://example.com/d*"': ["d0", "d1", "d2", "d3"],
        'siteSearch:"example.com/*3"': ["d3"],
        'city: ANY("Bonn") OR price = 7.5': ["d1", "d2"],
    }.items():
        await found(engine, SearchRequest("", filter=parsed_filter(text)), expected)
        assert sorted(ids(await engine.search(STORE, SearchRequest("hotel", filter=parsed_filter(text))))) == expected
    one = SearchRequest("hotel", limit=1, filter=parsed_filter('city: ANY("Rome")'))
    assert (await engine.search(STORE, one)).total == 2


async def distances_narrow(engine: SearchEngine) -> None:
    """By any place of a field, and negated too."""
    data = [{"at": "34.1,-118.2"}, {"at": {"latitude": 34.2, "longitude": -118.2}}, {"at": "here"}]
    await engine.put(STORE, [document(f"d{n}", "hotel", data=each) for n, each in enumerate(data)])
    near = parsed_filter("at: GEO_DISTANCE(34.1, -118.2, 500)")
    await found(engine, SearchRequest("hotel", filter=near), ["d0"])
    far = parsed_filter("NOT at: GEO_DISTANCE(34.1, -118.2, 500)")
    await found(engine, SearchRequest("", filter=far), ["d1", "d2"])
    await found(engine, SearchRequest("", filter=far, offset=1), ["d2"])


async def boosts_move_hits(engine: SearchEngine) -> None:
    """And leave none out."""
    put = [document("a", "wine wine wine", data={"kind": "old"}), document("b", "wine and water", data={"kind": "new"})]
    await engine.put(STORE, put)
    await found(engine, SearchRequest("wine"), ["a", "b"])
    boost = Boost(parsed_filter('kind: ANY("new")'), 1.0)
    assert ids(await engine.search(STORE, SearchRequest("wine", boosts=[boost]))) == ["b", "a"]
    assert ids(await engine.search(STORE, SearchRequest("wine", boosts=[boost], offset=1))) == ["a"]


async def a_hit_says_why_it_was_found(engine: SearchEngine) -> None:
    """Where the request asks for it, in the request's words."""
    await engine.put(STORE, [document("a", "green apples", title="Garden"), document("b", "pears")])
    results = await found(engine, SearchRequest("Garden APPLES beer", explain=True), ["a"])
    assert {(each.term, each.field) for each in results.hits[0].matched} == {("Garden", "title"), ("APPLES", "text")}
    assert all(each.weight > 0 for each in results.hits[0].matched)
    assert (await engine.search(STORE, SearchRequest("garden"))).hits[0].matched == ()


async def languages_are_analysed_each_by_its_own_rules(engine: SearchEngine) -> None:
    """In one store."""
    put = [document("en", "cheap houses", language="en"), document("de", "billige Häuser", language="de")]
    await engine.put(STORE, [*put, document("zh", "便宜的房子", language="zh"), document("xx", "zug", language="xx")])
    await found(engine, SearchRequest("house"), ["en"])
    await found(engine, SearchRequest("Haus"), ["de"])
    await found(engine, SearchRequest("房子"), ["zh"])
    await found(engine, SearchRequest("Zug"), ["xx"])


async def stores_are_counted(engine: SearchEngine) -> None:
    """By documents, passages, bytes and languages."""
    assert await engine.statistics(STORE) == StoreStatistics(0, 0, 0)
    await engine.put(STORE, [WHOLE, document("a", language="de"), document("b", language="")])
    statistics = await engine.statistics(STORE)
    assert (statistics.documents, statistics.passages) == (3, 5)
    await engine.delete(STORE, ["a", WHOLE.id])
    assert (await engine.statistics(STORE)).documents == 1


async def a_dropped_store_begins_again(engine: SearchEngine) -> None:
    """And leaves the others alone."""
    await engine.drop(STORE)
    await engine.put(STORE, [document("a", "apple")])
    await engine.put(OTHER, [document("b", "apple")])
    await found(engine, SearchRequest("apple"), ["a"])
    await engine.drop(STORE)
    assert (await engine.search(STORE, SearchRequest(""))).hits == ()
    assert (await engine.statistics(STORE)).documents == 0
    await engine.put(STORE, [document("c", "apple")])
    await found(engine, SearchRequest("apple"), ["c"])
    await found(engine, SearchRequest("apple"), ["b"], OTHER)


async def nothing_is_found_where_nothing_is(engine: SearchEngine) -> None:
    """Nor by what is no word."""
    assert await engine.search(STORE, SearchRequest("x")) == SearchResults((), 0)
    await engine.put(STORE, [])
    assert await engine.search(STORE, SearchRequest("", filter=parsed_filter("a > 1"))) == SearchResults((), 0)
    await engine.put(STORE, [document("a", "apple")])
    await found(engine, SearchRequest("apple"), ["a"])
    assert await engine.search(STORE, SearchRequest("?! …")) == SearchResults((), 0)
    assert (await engine.search(STORE, SearchRequest("apple", offset=5))).hits == ()


CONFORMANCE = (
    documents_come_back_as_they_were_put,
    pages_go_by_id,
    many_documents_are_paged_through,
    what_is_replaced_or_deleted_is_gone,
    the_last_of_equal_ids_counts,
    a_hit_is_a_passage,
    titles_questions_and_headings_are_searched,
    several_passages_of_a_document_are_found,
    pages_of_hits_follow_each_other,
    what_has_settled_is_found,
    filters_narrow,
    distances_narrow,
    boosts_move_hits,
    a_hit_says_why_it_was_found,
    languages_are_analysed_each_by_its_own_rules,
    stores_are_counted,
    a_dropped_store_begins_again,
    nothing_is_found_where_nothing_is,
)
"""All of them."""
