"""Results of Google become hits, whatever a store's edition answers."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import Boost, ControlPoint, SearchRequest
from openplaybook.retrieval.ranking.search_config import EVERY_DOCUMENT, seconds_of
from openplaybook.retrieval.vertex.vertex_address import ResultText
from openplaybook.retrieval.vertex.vertex_search import hits_in, search_body


def result(id: str, derived: JsonObject, score: float | None = None, **data: object) -> JsonObject:
    scores = {} if score is None else {"modelScores": {"relevance_score": {"values": [score]}}}
    return {"id": id, "document": {"id": id, "structData": data, "derivedStructData": derived}, **scores}


@pytest.mark.parametrize(
    ("derived", "texts"),
    [
        (
            {"extractive_segments": [{"content": "one", "pageNumber": "3"}, {"content": "two"}]},
            [("one", 3), ("two", 0)],
        ),
        ({"extractive_answers": [{"content": "short", "pageNumber": 2}]}, [("short", 2)]),
        ({"snippets": [{"snippet": "a <b>cat</b> &amp; a dog"}, {"snippet": "x"}]}, [("a cat & a dog", 0)]),
        ({"extractive_segments": [{"content": ""}], "snippets": [{"snippet": "s"}]}, [("s", 0)]),
        ({}, [("kind: cat", 0)]),
    ],
)
def test_texts_are_segments_or_answers_or_snippets_or_the_data(
    derived: JsonObject, texts: list[tuple[str, int]]
) -> None:
    hits = hits_in({"results": [result("a", {"title": "T", "link": "https://e.com", **derived}, kind="cat")]})
    assert [(hit.text, hit.page) for hit in hits] == texts
    assert [(hit.document, hit.passage, hit.title, hit.uri) for hit in hits] == [
        ("a", at, "T", "https://e.com") for at in range(len(texts))
    ]


def test_scores_are_googles_where_they_agree_with_its_order_else_ranks() -> None:
    one, two = result("a", {}, 0.9), result("b", {}, 0.5)
    assert [hit.score for hit in hits_in({"results": [one, two]})] == [0.9, 0.5]
    assert [hit.score for hit in hits_in({"results": [two, one]})] == [1.0, 0.5]
    assert [hit.score for hit in hits_in({"results": [one, result("c", {})]})] == [1.0, 0.5]
    assert hits_in({}) == []


def test_chunks_are_passages_of_their_documents() -> None:
    chunk = {
        "name": "projects/p/locations/l/collections/c/dataStores/d/branches/0/documents/doc/chunks/c7",
        "id": "c7",
        "content": "text",
        "pageSpan": {"pageStart": 4, "pageEnd": 5},
        "documentMetadata": {"title": "T", "uri": "gs://b/f", "structData": {"n": 1}},
    }
    (hit,) = hits_in({"results": [{"id": "c7", "chunk": chunk}]})
    assert (hit.document, hit.passage, hit.text, hit.page) == ("doc", 7, "text", 4)
    assert (hit.title, hit.uri, hit.data) == ("T", "gs://b/f", {"n": 1})


def test_a_boost_without_condition_has_none_at_google() -> None:
    boost = Boost(EVERY_DOCUMENT, field="made", is_freshness=True, points=(ControlPoint(90061.5, 0.5),))
    body = search_body(SearchRequest("x", boosts=[boost]), ResultText.SNIPPETS)
    (spec,) = body["boostSpec"]["conditionBoostSpecs"]
    assert "condition" not in spec
    (point,) = spec["boostControlSpec"]["controlPoints"]
    assert seconds_of(point["attributeValue"]) == 90061.5


def test_any_number_of_passages_means_as_many_segments_as_google_gives() -> None:
    body = search_body(SearchRequest("x", most_per_document=0), ResultText.SEGMENTS)
    assert body["contentSearchSpec"]["extractiveContentSpec"] == {"maxExtractiveSegmentCount": 10}
    assert body.keys() == {"query", "pageSize", "offset", "contentSearchSpec"}
