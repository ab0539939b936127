"""Filters and boosts of a tool, of a request and of a call, brought together for each store."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.errors import InvalidSearchConfig
from openplaybook.retrieval.filters.syntax import AnyOf, Conjunction
from openplaybook.tools.data_store.references import ReferencedValues
from openplaybook.tools.data_store.search_scope import SearchScope, call_filter, effective_config
from openplaybook.tools.data_store.tool_settings import SearchedStore, SearchToolSettings
from tests.kit.data_stores import DOCS, STORES

FAQ = f"{STORES}/faq"
SHORT = "projects/p/locations/global/dataStores/docs"
BOOST: JsonObject = {"conditionBoostSpecs": [{"condition": 'tier: ANY("$session.params.tier")', "boost": 0.5}]}
SETTINGS = SearchToolSettings(
    stores=(SearchedStore(DOCS, filter='a: ANY("$session.params.tier")'), SearchedStore(FAQ)),
    boosts=({"spec": [BOOST]},),
)
GOLD = ReferencedValues({"tier": "gold"})
STORES_SEARCHED = (DOCS, FAQ)


def scope(requested: JsonObject | None = None, of_call: str = "") -> SearchScope:
    return SearchScope(effective_config(SETTINGS, STORES_SEARCHED, requested or {}, GOLD), call_filter(of_call).node)


def test_what_the_tool_says_holds_where_it_says_it() -> None:
    made = scope()
    assert [made.filter_for(name) for name in STORES_SEARCHED] == [AnyOf("a", ("gold",)), None]
    # A boost that names no store is meant for all.
    assert [boost.condition for name in STORES_SEARCHED for boost in made.boosts_for(name)] == [
        AnyOf("tier", ("gold",)),
        AnyOf("tier", ("gold",)),
    ]


def test_a_filter_of_the_call_holds_in_every_store_beside_its_own() -> None:
    made, own = scope(of_call='b: ANY("x")'), AnyOf("b", ("x",))
    assert made.filter_for(DOCS) == Conjunction((AnyOf("a", ("gold",)), own))
    assert made.filter_for(FAQ) == own


def test_what_the_request_says_replaces_all_that_the_tool_says() -> None:
    made = scope({"filterSpecs": [{"dataStores": [SHORT], "filter": 'c: ANY("$session.params.tier")'}]})
    assert made.filter_for(DOCS) == AnyOf("c", ("$session.params.tier",))
    assert (made.filter_for(FAQ), made.boosts_for(DOCS)) == (None, ())


def test_a_reference_without_a_value_keeps_the_search_from_being_made() -> None:
    with pytest.raises(InvalidSearchConfig, match=r"the filter for .*docs: \$session.params.tier has no value"):
        effective_config(SETTINGS, STORES_SEARCHED, {}, ReferencedValues())


@pytest.mark.parametrize("text", ["a =", "a: ANY()", 'a: GEO_DISTANCE("Rome", 5)', "(" * 5_000])
def test_a_filter_of_the_call_that_cannot_be_used_is_left_out_with_a_note(text: str) -> None:
    read = call_filter(text)
    assert (read.node, read.note.startswith("The filter was ignored: ")) == (None, True)
    assert call_filter("  ") == call_filter("")
