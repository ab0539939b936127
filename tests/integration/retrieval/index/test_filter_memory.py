"""Searches with a filter that came before find what a filter finds that is new."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
import tantivy

from openplaybook.retrieval.base import Boost, SearchRequest, StoreDocument
from openplaybook.retrieval.filters.parser import parsed_filter
from openplaybook.retrieval.filters.syntax import AnyOf
from openplaybook.retrieval.index.filter_memory import FilterMemory
from openplaybook.retrieval.index.filter_queries import translated
from openplaybook.retrieval.index.index_view import IndexView
from openplaybook.retrieval.index.passage_entry import ID, entries, entry_schema, register_analyzer
from openplaybook.retrieval.index.passage_search import PassageSearch
from tests.kit.followed_store import document

_DOCUMENTS = 1200
_WORDS = ["apple", "pear", "plum", "fig", "grape", "melon", "cherry", "lemon", "lime", "kiwi"]
_FILTERS = {
    "half": "n < 5",
    "most": 'NOT kind: ANY("k3")',
    "twentieth": 'kind: ANY("k3") AND n < 5',
    "either": 'kind: ANY("k1") OR n > 7',
    "none": 'kind: ANY("missing")',
}


@pytest.fixture(scope="module")
def view() -> IndexView:
    """Three segments, in which some documents were replaced and deleted."""
    index = tantivy.Index(entry_schema())
    register_analyzer(index)
    writer = index.writer(15_000_000, 1)
    chance = random.Random(1)
    for number in range(_DOCUMENTS):
        for entry in entries(_made(chance, number)):
            writer.add_document(entry)
        if number % 400 == 399:
            writer.commit()
    for number in range(0, _DOCUMENTS, 50):
        writer.delete_documents_by_term(ID, f"d{number}")
    writer.commit()
    index.config_reader("manual")
    index.reload()
    return IndexView(index)


def _made(chance: random.Random, number: int) -> StoreDocument:
    text = " ".join(chance.choices(_WORDS, range(1, len(_WORDS) + 1), k=chance.randint(3, 12)))
    return document(f"d{number}", text, data={"kind": f"k{number % 10}", "n": chance.randrange(10)})


def _results(view: IndexView, request: SearchRequest) -> tuple[Sequence[tuple[str, int, float]], int, Sequence[str]]:
    assert request.filter is not None
    found = PassageSearch(view, request, translated(request.filter, view.schema)).results()
    return [(hit.document, hit.passage, hit.score) for hit in found.hits], found.total, found.notes


@pytest.mark.parametrize("name", _FILTERS)
@pytest.mark.parametrize(
    "request_",
    [
        SearchRequest("apple"),
        SearchRequest("apple pear kiwi lime", limit=3),
        SearchRequest("kiwi", limit=7, offset=20),
        SearchRequest("lemon", limit=400),
        SearchRequest("lime kiwi", most_per_document=1, boosts=(Boost(AnyOf("kind", ("k4",)), 0.5),)),
        SearchRequest("kiwis"),
        SearchRequest("nothing"),
    ],
    ids=lambda each: f"{each.text} {each.limit}",
)
def test_both_find_the_same(view: IndexView, request_: SearchRequest, name: str) -> None:
    request = replace(request_, filter=parsed_filter(_FILTERS[name]))
    view.filters = FilterMemory(view.schema, view.searcher)
    new = _results(view, request)
    view.filters = FilterMemory(view.schema, view.searcher, from_passages=1)
    assert [_results(view, request) for _ in range(5)] == [new] * 5


@pytest.mark.parametrize(
    ("filter_", "is_remembered"),
    [("n < 5", True), ('kind: ANY("missing")', False), ("at: GEO_DISTANCE(50, 11, 1000)", False)],
)
def test_a_filter_is_remembered_from_its_third_use_on_where_that_helps(
    view: IndexView, filter_: str, *, is_remembered: bool
) -> None:
    node = parsed_filter(filter_)
    memory = FilterMemory(view.schema, view.searcher, from_passages=1)
    uses = [memory.of(node, translated(node, view.schema)).admission() is not None for _ in range(4)]
    assert uses == [False, False, is_remembered, is_remembered]
    large = FilterMemory(view.schema, view.searcher, from_passages=_DOCUMENTS + 1)
    assert [large.of(node, translated(node, view.schema)).admission() for _ in range(4)] == [None] * 4


def test_filters_that_were_not_used_for_longest_are_forgotten(view: IndexView) -> None:
    memory = FilterMemory(view.schema, view.searcher)
    first = AnyOf("kind", ("first",))
    known = memory.of(first, translated(first, view.schema))
    for number in range(300):
        node = AnyOf("kind", (f"x{number}",))
        memory.of(node, translated(node, view.schema))
        if number == 100:
            assert memory.of(first, translated(first, view.schema)) is known
    assert memory.of(first, translated(first, view.schema)) is known
    for number in range(300, 600):
        node = AnyOf("kind", (f"x{number}",))
        memory.of(node, translated(node, view.schema))
    assert memory.of(first, translated(first, view.schema)) is not known
