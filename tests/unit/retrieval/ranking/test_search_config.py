"""Search configurations are read whole, or refused with the place."""

from contextlib import suppress
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.base import Boost, ControlPoint
from openplaybook.retrieval.errors import InvalidSearchConfig
from openplaybook.retrieval.filters.parser import parsed_filter
from openplaybook.retrieval.ranking.search_config import EVERY_DOCUMENT, boosts_in, search_config, seconds_of

SHORT = "projects/p/locations/l/dataStores/d"
STORE = "projects/p/locations/l/collections/default_collection/dataStores/d"
CONDITION = 'country: ANY("Canada")'


def spec(**members: JsonValue) -> JsonObject:
    return {"conditionBoostSpecs": [{"condition": CONDITION, **members}]}


def control(**members: JsonValue) -> JsonObject:
    usual = {
        "fieldName": "made",
        "attributeType": "FRESHNESS",
        "interpolationType": "LINEAR",
        "controlPoints": [{"attributeValue": "5D", "boostAmount": 0.5}],
    }
    return spec(boostControlSpec=usual | members)


def test_a_whole_configuration_is_read() -> None:
    config = search_config(
        {
            "boostSpecs": [{"dataStores": [SHORT], "spec": [spec(boost=0.5), spec(boost=-1)]}],
            "filterSpecs": [{"dataStores": [STORE], "filter": CONDITION}, {"dataStores": [SHORT], "filter": "a < 1"}],
        }
    )
    condition = parsed_filter(CONDITION)
    assert config.boosts_for(STORE) == (Boost(condition, 0.5), Boost(condition, -1))
    assert config.filter_for(STORE) == parsed_filter(f"{CONDITION} AND a < 1")
    assert config.boosts_for("another") == ()
    assert config.filter_for("another") is None


def test_an_empty_configuration_says_nothing() -> None:
    assert search_config({}).boosts == search_config({}).filters == ()


def test_a_boost_by_value_is_read_and_counts_before_the_number() -> None:
    points = [{"attributeValue": "T24H", "boostAmount": 1}, {"attributeValue": "T1M"}]
    (boost,) = boosts_in(control(controlPoints=points))
    assert boost == Boost(
        parsed_filter(CONDITION),
        field="made",
        is_freshness=True,
        points=(ControlPoint(60, 0), ControlPoint(86_400, 1)),
    )


def test_a_boost_by_value_needs_no_condition_and_takes_numbers_of_names() -> None:
    points = [{"attributeValue": "-1.5", "boostAmount": 0.5}]
    entry = cast(
        JsonObject, control(attributeType=1, interpolationType=1, controlPoints=points)["conditionBoostSpecs"][0]
    )
    del entry["condition"]
    (boost,) = boosts_in({"conditionBoostSpecs": [entry]})
    assert boost == Boost(EVERY_DOCUMENT, field="made", points=(ControlPoint(-1.5, 0.5),))


@pytest.mark.parametrize(
    ("wrong", "path", "says"),
    [
        ({"conditionBoostSpecs": [{}]}, "[0].condition", "the name of a field"),
        (spec(condition="a !"), "[0].condition", "at character 3 of the filter"),
        (spec(condition='a: GEO_DISTANCE("Rome", 5)'), "[0].condition", "cannot be found offline"),
        (spec(condition=5), "[0].condition", "a text"),
        (spec(boost=1.1), "[0].boost", "from -1 to 1"),
        (spec(boost="1"), "[0].boost", "from -1 to 1"),
        (spec(boost=True), "[0].boost", "from -1 to 1"),
        (spec(boost=float("nan")), "[0].boost", "from -1 to 1"),
        (spec(boostControlSpec=[]), "[0].boostControlSpec", "an object"),
        (control(attributeType="NEW"), "[0].boostControlSpec.attributeType", "NUMERICAL or FRESHNESS"),
        (control(attributeType=True), "[0].boostControlSpec.attributeType", "NUMERICAL or FRESHNESS"),
        (control(interpolationType=None), "[0].boostControlSpec.interpolationType", "LINEAR"),
        (control(fieldName=""), "[0].boostControlSpec.fieldName", "a field"),
        (control(controlPoints=[]), "[0].boostControlSpec.controlPoints", "at least one"),
        (control(controlPoints={}), "[0].boostControlSpec.controlPoints", "a list"),
        (
            control(controlPoints=[{"attributeValue": "5"}]),
            "[0].boostControlSpec.controlPoints[0].attributeValue",
            "an age",
        ),
        (
            control(controlPoints=[{"attributeValue": "1D"}, {"attributeValue": "T24H"}]),
            "[0].boostControlSpec.controlPoints",
            "the same",
        ),
        (
            control(attributeType="NUMERICAL", controlPoints=[{"attributeValue": "inf"}]),
            "[0].boostControlSpec.controlPoints[0].attributeValue",
            "a number",
        ),
        (
            control(controlPoints=[{"attributeValue": "5D", "boostAmount": -2}]),
            "[0].boostControlSpec.controlPoints[0].boostAmount",
            "from -1 to 1",
        ),
        ({"conditionBoostSpecs": [{"condition": "a < 1"}] * 21}, "", "21 entries are more than the 20"),
        ({"conditionBoostSpecs": ["x"]}, "[0]", "an object"),
    ],
)
def test_what_cannot_be_taken_is_refused_with_its_place(wrong: JsonObject, path: str, says: str) -> None:
    config: JsonObject = {"boostSpecs": [{"dataStores": [SHORT], "spec": [wrong]}]}
    with pytest.raises(InvalidSearchConfig) as refused:
        search_config(config)
    assert refused.value.path == f"searchConfig.boostSpecs[0].spec[0].conditionBoostSpecs{path}"
    assert says in str(refused.value)


def test_names_of_stores_and_filters_are_checked() -> None:
    with pytest.raises(InvalidSearchConfig) as refused:
        search_config({"filterSpecs": [{"dataStores": ["d"], "filter": "a < 1"}]})
    assert refused.value.path == "searchConfig.filterSpecs[0].dataStores[0]"
    with pytest.raises(InvalidSearchConfig) as refused:
        search_config({"filterSpecs": [{"dataStores": [SHORT], "filter": ""}]})
    assert refused.value.path == "searchConfig.filterSpecs[0].filter"


@pytest.mark.parametrize(
    ("age", "seconds"),
    [
        ("5D", 432_000),
        ("3DT12H30M", 304_200),
        ("T24H", 86_400),
        ("T1.5S", 1.5),
        ("0D", 0),
        ("1DT", 86_400),
        ("", None),
        ("T", None),
        ("5", None),
        ("P5D", None),
        ("T5D", None),
        ("-5D", None),
        ("5d", None),
        ("12H", None),
    ],
)
def test_ages_are_read(age: str, seconds: float | None) -> None:
    assert seconds_of(age) == seconds


def test_a_configuration_of_any_size_is_not_read() -> None:
    long = " OR ".join(f'field: ANY("{number}")' for number in range(400))
    config: JsonObject = {"filterSpecs": [{"dataStores": [SHORT], "filter": long}] * 20}
    with pytest.raises(InvalidSearchConfig, match="searchConfig: it has more than the 100,000 characters"):
        search_config(config)


KEYS = [
    "boostSpecs",
    "filterSpecs",
    "dataStores",
    "spec",
    "conditionBoostSpecs",
    "condition",
    "boost",
    "boostControlSpec",
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=3) | st.sampled_from([SHORT, CONDITION]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
)


@given(st.dictionaries(st.sampled_from(KEYS[:2]), VALUES))
def test_any_json_is_a_configuration_or_refused(config: JsonObject) -> None:
    with suppress(InvalidSearchConfig):
        search_config(config)
