"""Explanations of scores become words of the request with weights."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import MatchedTerm
from openplaybook.retrieval.opensearch.match_explanation import matched_terms, words_by_term


def node(description: str, value: float, *details: JsonObject) -> JsonObject:
    return {"description": description, "value": value, "details": list(details)}


def test_terms_of_heads_and_of_the_passage_are_told_in_words_of_the_request() -> None:
    best = node("weight(passages.en.text:appl in 9) [PerFieldSimilarity], result of:", 3.0)
    title = node("weight(heads.en.title:appl in 4) [PerFieldSimilarity], result of:", 2.0, node("idf, computed as", 9))
    heads = node("sum of:", 6.0, node("max of:", 2.0, title), node("Score based on 2 child docs", 3.0, best))
    here = node("weight(passages.en.text:pie in 8) [BM25], result of:", 1.0)
    passage = node("sum of:", 1.0, here, node("weight(passages.de.text:die in 8) [BM25], result of:", 0.0))
    assert matched_terms(heads, passage, {"en": {"appl": "Apples"}}) == (
        MatchedTerm("Apples", "title", 2.0),
        MatchedTerm("pie", "text", 1.0),
    )


def test_places_of_words_are_counted_as_the_engine_does() -> None:
    tokens = [
        {"token": "appl", "start_offset": 3, "end_offset": 9},
        {"token": "appl", "start_offset": 10, "end_offset": 15},
    ]
    assert words_by_term("\U0001f600 Apples apple", {"tokens": tokens}) == {"appl": "Apples"}
    assert words_by_term("x", {}) == {}
