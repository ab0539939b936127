"""MongoDB, Cypher and SQL++ find, of any condition, all that meets it, and no more where they say so."""

import re
from collections.abc import Sequence
from typing import Any

import mongomock
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.connectors.base import DataType, EntityOperation, EntityType, Field
from openplaybook.connectors.conditions.evaluation import meets
from openplaybook.connectors.conditions.syntax import (
    Absence,
    ColumnComparison,
    ComparisonOperator,
    Condition,
    ConditionConjunction,
    ConditionDisjunction,
    ConditionNegation,
    Likeness,
    Membership,
    Range,
)
from openplaybook.connectors.plugins.mongodb.query_documents import QueryLanguage
from openplaybook.connectors.plugins.neo4j_graph.cypher import CYPHER
from openplaybook.connectors.plugins.parameter_tests import ParameterTests
from openplaybook.connectors.plugins.pushdown import native_test
from openplaybook.jsonvalues import JsonObject
from tests.kit.bolt_server import meets_leaves

_TYPE = EntityType(
    "guests",
    (
        Field("_id", DataType.STRING, is_key=True),
        Field("name", DataType.STRING),
        Field("count", DataType.BIGINT),
        Field("active", DataType.BOOLEAN),
        Field("mixed", DataType.OTHER),
    ),
    frozenset(EntityOperation),
)
_RECORDS: Sequence[JsonObject] = [
    {"name": name, "count": count, "active": active, "mixed": mixed}
    for name, count, active, mixed in (
        ("ada", 1, True, 1),
        ("a.a", 2, False, "x"),
        ("Ada", 0, None, [1]),
        ("", -1, True, {"a": 1}),
        (None, None, None, None),
        ("adam", 9007199254740991, False, 2.5),
        ("Ägeri", 3, True, "1"),
    )
]
_TEXTS = st.sampled_from(["ada", "a.a", "Ada", "b", "", "Ägeri", "1"])
_NUMBERS = st.integers(-2, 4)
_LITERALS = st.one_of(_TEXTS, _NUMBERS, st.booleans())
_COLUMNS = st.sampled_from(["name", "count", "active", "mixed"])
_TESTS = st.one_of(
    st.builds(ColumnComparison, _COLUMNS, st.sampled_from(ComparisonOperator), _LITERALS),
    st.builds(Membership, _COLUMNS, st.lists(_LITERALS, min_size=1, max_size=3).map(tuple)),
    st.builds(Range, st.just("count"), _NUMBERS, _NUMBERS),
    st.builds(Range, st.just("name"), _TEXTS, _TEXTS),
    st.builds(Absence, _COLUMNS),
    st.builds(Likeness, st.just("name"), st.sampled_from(["a%", "a.%", "%a", "A_a", "%", "ada", "\\%%", "Ä%"])),
)
_CONDITIONS = st.recursive(
    _TESTS,
    lambda inner: st.one_of(
        st.builds(ConditionNegation, inner),
        st.builds(ConditionConjunction, st.tuples(inner, inner)),
        st.builds(ConditionDisjunction, st.tuples(inner, inner)),
    ),
    max_leaves=5,
)


def _held_to(condition: Condition, found: Sequence[bool], *, is_whole: bool) -> None:
    wanted = [meets(condition, each) for each in _RECORDS]
    missing = [each for each, is_met, is_found in zip(_RECORDS, wanted, found, strict=True) if is_met and not is_found]
    assert not missing
    if is_whole:
        assert list(found) == wanted


@given(_CONDITIONS)
def test_mongodb_finds_all_that_meets_a_condition(condition: Condition) -> None:
    native = native_test(condition, QueryLanguage(_TYPE))
    if native is None:
        return
    collection: Any = mongomock.MongoClient()["shop"]["guests"]
    collection.insert_many([{"_id": number, **each} for number, each in enumerate(_RECORDS)])
    keys = {each["_id"] for each in collection.find(native.native)}
    _held_to(condition, [number in keys for number in range(len(_RECORDS))], is_whole=native.is_whole)


@given(_CONDITIONS)
def test_texts_with_parameters_find_all_that_meets_a_condition(condition: Condition) -> None:
    language = ParameterTests(CYPHER, _TYPE)
    native = native_test(condition, language)
    if native is None:
        return
    assert not re.search(r"ada|Ada|Ägeri", native.native)
    found = [meets_leaves(native.native, each, language.parameters) for each in _RECORDS]
    _held_to(condition, found, is_whole=native.is_whole)
