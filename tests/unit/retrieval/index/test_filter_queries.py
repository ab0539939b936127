"""The index lets through just what the evaluator does."""

from random import Random

import pytest
import tantivy
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.filters.evaluation import predicate
from openplaybook.retrieval.filters.parser import MAX_DEPTH, parsed_filter
from openplaybook.retrieval.filters.syntax import FilterNode
from openplaybook.retrieval.index.filter_queries import translated
from openplaybook.retrieval.index.metadata_fields import (
    SAMPLE_TERM,
    TERMS,
    add_metadata_fields,
    metadata_members,
    number_code,
)
from tests.kit.filter_samples import DOCUMENTS, DOUBLES, INDEXED_CONDITIONS, LOCAL_CONDITIONS, URIS, Dice, trees
from tests.kit.thoroughness import sample

Document = tuple[JsonObject, str]


class FilledIndex:
    """An index in memory, of documents by their numbers."""

    def __init__(self, documents: list[Document]) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("number", fast=True, stored=True)
        builder.add_text_field("text")
        add_metadata_fields(builder)
        self.schema = builder.build()
        self._documents = documents
        index = tantivy.Index(self.schema)
        writer = index.writer(15_000_000, 1)
        for number, (data, uri) in enumerate(documents):
            writer.add_document(
                tantivy.Document(number=number, text="word", **metadata_members(data, uri, str(number)))
            )
            if number == len(documents) // 2:
                writer.commit()  # two segments, whose columns may be of different types
        writer.commit()
        index.reload()
        self.searcher = index.searcher()

    def found(self, node: FilterNode) -> set[int]:
        """The documents that the query finds and the residual lets through."""
        translation = translated(node, self.schema)
        numbers = self._numbers(translation.query or tantivy.Query.all_query(), 0.0 if translation.query else 1.0)
        words = tantivy.Query.const_score_query(tantivy.Query.term_query(self.schema, "text", "word"), 2.5)
        assert numbers == self._numbers(translation.narrowed(words), 2.5)
        if translation.residual is None:
            return numbers
        test = predicate(translation.residual)
        return {number for number in numbers if test(*self._documents[number])}

    def _numbers(self, query: tantivy.Query, score: float) -> set[int]:
        hits = self.searcher.search(query, max(1, len(self._documents))).hits
        assert {found for found, _ in hits} <= {score}
        return {self.searcher.doc(address)["number"][0] for _, address in hits}

    def expected(self, node: FilterNode) -> set[int]:
        """The documents that meet the filter."""
        test = predicate(node)
        return {number for number, document in enumerate(self._documents) if test(*document)}


@pytest.mark.sweep
def test_the_index_agrees_with_the_evaluator_on_six_hundred_thousand_pairs() -> None:
    for seed in sample(range(100), 20):
        dice = Dice(Random(seed))
        index = FilledIndex([dice.document() for _ in range(100)])
        for node in (dice.filter() for _ in range(60)):
            assert index.found(node) == index.expected(node), node


@given(
    st.lists(st.tuples(DOCUMENTS, URIS), max_size=4),
    st.lists(trees(LOCAL_CONDITIONS), max_size=4),
)
@settings(deadline=None)
def test_the_index_agrees_with_the_evaluator(documents: list[Document], nodes: list[FilterNode]) -> None:
    index = FilledIndex(documents)
    for node in nodes:
        assert index.found(node) == index.expected(node)


@given(trees(INDEXED_CONDITIONS))
def test_conditions_on_texts_numbers_and_dates_leave_nothing_over(node: FilterNode) -> None:
    translation = translated(node, FilledIndex([]).schema)
    assert translation.query is not None
    assert translation.residual is None


@given(DOUBLES, DOUBLES)
def test_codes_are_ordered_as_numbers_are(one: float, other: float) -> None:
    assert (number_code(one) < number_code(other)) is (one < other)
    assert (number_code(one) == number_code(other)) is (one == other)
    assert -(2**63) <= number_code(one) < 2**63


SITES = [
    ({}, f"https://example.com/{path}") for path in ("", "a", "a/", "a/b", "ab/c", "/".join("abcdefghijklmnopqrstuvw"))
]


@pytest.mark.parametrize(
    ("text", "has_query", "residual"),
    [
        ('siteSearch:"https://example.com/a/*"', True, None),
        ('siteSearch:"example.com"', True, None),
        ('siteSearch:"example.com/a"', True, 'siteSearch:"example.com/a"'),
        ('siteSearch:"*.com/*"', False, 'siteSearch:"*.com/*"'),
        ('NOT siteSearch:"example.com/a/*"', True, None),
        ('NOT siteSearch:"example.com/a"', False, 'NOT siteSearch:"example.com/a"'),
        ('siteSearch:"example.com" AND x: GEO_DISTANCE(0, 0, 5)', True, "x: GEO_DISTANCE(0, 0, 5)"),
        ('siteSearch:"example.com" OR x: GEO_DISTANCE(0, 0, 5)', False, None),
    ],
)
def test_what_the_index_cannot_tell_is_left_over(text: str, has_query: bool, residual: str | None) -> None:
    index, node = FilledIndex(SITES), parsed_filter(text)
    translation = translated(node, index.schema)
    assert (translation.query is not None) is has_query
    if " OR " in text:
        assert translation.residual == node
    else:
        assert translation.residual == (residual and parsed_filter(residual))
    assert index.found(node) == index.expected(node)


def test_a_term_of_any_length_is_found() -> None:
    texts = ["x" * length for length in (150, 190, 250, 300, 70_000)]
    index = FilledIndex([({"name": text}, "") for text in texts])
    for number, text in enumerate(texts[:4]):
        assert index.found(parsed_filter(f'name: ANY("{text}")')) == {number}


def test_names_of_fields_may_hold_anything() -> None:
    data: list[JsonObject] = [{"a.b": 1}, {"a": {"b": 2}}, {"a-b": 3}, {"ä.é": 4}, {'"': 5, "": 6, "a:b[": 7}]
    index = FilledIndex([(item, "") for item in data])
    assert index.found(parsed_filter("a.b: IN(0, 9)")) == {0, 1}
    assert index.found(parsed_filter("a-b = 3")) == {2}
    assert index.found(parsed_filter("ä.é > 3")) == {3}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ('(a < 1 AND b = "x") OR (a > 5 AND b = "y")', 2),
        ('c = "x" AND (a < 1 OR b < 1)', 2),
        ("NOT (a < 1 AND b < 1)", 2),
        ("(a < 1 OR b < 1) AND (a > 5 OR b > 5)", 4),
        ("NOT ((a < 1 AND b < 1) OR c < 1)", 2),
        ('a = "x" OR b: ANY("y", "z")', 0),
        ('a = "x" OR b < 1', 2),
        ("(a < 1 OR b < 1 OR c < 1) AND (a > 5 OR b > 5)", 0),
        ("a < 1 OR a < 2 OR a < 3 OR a < 4 OR a < 5", 0),
        ("a < 1 AND b < 1", 0),
        ("a < 1 OR x: GEO_DISTANCE(0, 0, 5)", 0),
    ],
)
def test_unions_are_taken_apart_into_few_alternatives(text: str, number: int) -> None:
    assert len(translated(parsed_filter(text), FilledIndex([]).schema).alternatives) == number


def test_how_much_a_filter_lets_through_is_counted_in_a_small_index() -> None:
    index = FilledIndex([({"x": number}, "") for number in range(10)])
    assert translated(parsed_filter("x < 4"), index.schema).share(index.searcher, index.schema) == 0.4
    assert translated(parsed_filter("x: GEO_DISTANCE(0, 0, 5)"), index.schema).share(index.searcher, index.schema) == 1


def test_how_much_a_filter_lets_through_is_estimated_from_a_sample_in_a_large_index() -> None:
    documents: list[Document] = [({"x": number % 4}, "") for number in range(60_000)]
    index = FilledIndex(documents)
    sampled = [
        data["x"]
        for number, (data, uri) in enumerate(documents)
        if SAMPLE_TERM in metadata_members(data, uri, str(number)).get(TERMS, ())
    ]
    share = translated(parsed_filter("x >= 2 OR x < 1"), index.schema).share(index.searcher, index.schema)
    assert len(sampled) >= 200
    assert share == sum(x != 1 for x in sampled) / len(sampled)


def test_the_deepest_filter_is_translated() -> None:
    index = FilledIndex([({"b": 1}, ""), ({"a": 1, "b": 1}, ""), ({}, "")])
    for start in ("NOT (a = 1 OR ", "(NOT a = 1 OR ", "NOT (NOT a = 1 AND "):
        node = parsed_filter(start * MAX_DEPTH + "b = 1" + ")" * MAX_DEPTH)
        assert index.found(node) == index.expected(node)


def test_deep_data_are_indexed() -> None:
    inner: JsonValue = {"b": "x"}
    for _ in range(5_000):
        inner = [inner]
    assert FilledIndex([({"a": inner}, "")]).found(parsed_filter('a.b = "x"')) == {0}


def test_an_empty_index_finds_nothing() -> None:
    index = FilledIndex([])
    assert index.found(parsed_filter("NOT a > 3 OR b < 2")) == set()
