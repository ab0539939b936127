"""A clause lets through what the filter does: the fake cluster's evaluation agrees with the meaning of filters."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.retrieval.base import StoreDocument
from openplaybook.retrieval.errors import InvalidSearchFilter
from openplaybook.retrieval.filters.evaluation import matches
from openplaybook.retrieval.filters.parser import parsed_filter
from openplaybook.retrieval.filters.syntax import AnyOf, Conjunction, Exclusion, FilterNode, SiteMatch
from openplaybook.retrieval.opensearch.document_entry import document_entry
from openplaybook.retrieval.opensearch.filter_clauses import filter_clause
from openplaybook.retrieval.opensearch.index_layout import new_index
from tests.kit.filter_samples import DOCUMENTS, INDEXED_CONDITIONS, LOCAL_CONDITIONS, URIS, Dice, trees
from tests.kit.search_cluster.clauses import Evaluation, View
from tests.kit.search_cluster.held_index import HeldIndex

INDEX = HeldIndex(new_index("store", "alias"))


def is_let_through(node: FilterNode, data: JsonObject, uri: str) -> bool:
    """By the clause, and where something is left to be tested, by that too."""
    translated = filter_clause(node)
    entry = loads(dumps(document_entry(StoreDocument("a", "", uri, (), data))))
    assert INDEX.fault(entry) == ""
    clause = translated.clause or {"match_all": {}}
    evaluation = Evaluation(lambda name, term: 1.0)
    if evaluation.score(loads(dumps(clause)), View(entry, INDEX.mapping)) is None:
        return False
    return translated.residual is None or matches(translated.residual, data, uri)


@given(trees(LOCAL_CONDITIONS), DOCUMENTS, URIS)
def test_a_clause_agrees_with_the_meaning_of_its_filter(node: FilterNode, data: JsonObject, uri: str) -> None:
    assert is_let_through(node, data, uri) is matches(node, data, uri)


@given(trees(INDEXED_CONDITIONS))
def test_all_but_distances_is_translated_whole(node: FilterNode) -> None:
    translated = filter_clause(node)
    assert translated.residual is None
    assert translated.clause is not None


def test_thousands_of_filters_agree_on_documents_that_they_meet() -> None:
    random = Random(20261126)
    dice, met = Dice(random), 0
    for _ in range(1000):
        node, (data, uri) = dice.filter(), dice.document()
        is_met = matches(node, data, uri)
        assert is_let_through(node, data, uri) is is_met, (node, data, uri)
        met += is_met
    assert met > 200


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ('city: ANY("Rome", "Oslo")', {"terms": {"terms": ["t4:city=Rome", "t4:city=Oslo"]}}),
        ('non-smoking = "true"', {"terms": {"terms": ["t11:non-smoking=true", "b11:non-smoking=True"]}}),
        ('siteSearch:"https://Example.com/help/*"', {"prefix": {"address": {"value": "example.com/help/"}}}),
        ('siteSearch:"example.com/a?b=1"', {"term": {"address": {"value": "example.com/a?b=1"}}}),
        ('siteSearch:"*.example.com/a?b*"', {"wildcard": {"address": {"value": "*.example.com/a\\?b*"}}}),
    ],
)
def test_conditions_are_clauses_of_the_engine(text: str, clause: JsonObject) -> None:
    assert filter_clause(parsed_filter(text)).clause == clause


def test_a_distance_is_asked_for_a_little_wider_and_tested_on_the_hits() -> None:
    node = parsed_filter("at: GEO_DISTANCE(34.1, -118.2, 1000)")
    translated = filter_clause(node)
    assert translated.residual == node
    assert translated.clause is not None
    asked = translated.clause["nested"]["query"]["bool"]["filter"][1]["geo_distance"]
    assert asked == {"distance": "1002m", "places.point": {"lat": 34.1, "lon": -118.2}}


def test_what_excludes_a_distance_is_left_to_the_test() -> None:
    node = parsed_filter('NOT at: GEO_DISTANCE(34.1, -118.2, 1000) AND city: ANY("Rome")')
    translated = filter_clause(node)
    assert translated.residual == parsed_filter("NOT at: GEO_DISTANCE(34.1, -118.2, 1000)")
    assert translated.clause == {"bool": {"filter": [{"terms": {"terms": ["t4:city=Rome"]}}]}}


def test_a_filter_that_is_deeper_than_the_engine_takes_is_refused() -> None:
    node: FilterNode = AnyOf("a", ("b",))
    for _ in range(19):
        node = Conjunction((Exclusion(node), AnyOf("a", ("b",)))) if isinstance(node, AnyOf) else Exclusion(node)
    with pytest.raises(InvalidSearchFilter, match="up to 20 levels"):
        filter_clause(node)


ODD = st.lists(st.sampled_from(["a", "b", "*", "?", "\\", "/", "."]), max_size=8).map("".join)


@given(ODD, ODD)
def test_a_star_alone_stands_for_other_characters(pattern: str, uri: str) -> None:
    assert is_let_through(SiteMatch(pattern), {}, uri) is matches(SiteMatch(pattern), {}, uri)
