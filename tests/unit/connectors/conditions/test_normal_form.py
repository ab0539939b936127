"""A condition in normal form says the same, and has NOT before single tests only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.connectors.conditions.evaluation import truth
from openplaybook.connectors.conditions.normal_form import like_kind, normal
from openplaybook.connectors.conditions.parser import parsed_condition
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

COLUMNS = st.sampled_from(["a", "b"])
VALUES = st.sampled_from([0, 1, 2])
TESTS = st.one_of(
    st.builds(ColumnComparison, COLUMNS, st.sampled_from(ComparisonOperator), VALUES),
    st.builds(Membership, COLUMNS, st.lists(VALUES, min_size=1, max_size=3).map(tuple)),
    st.builds(Range, COLUMNS, VALUES, VALUES),
    st.builds(Likeness, COLUMNS, st.sampled_from(["1%", "%2", "_", "%"])),
    st.builds(Absence, COLUMNS),
)
CONDITIONS: st.SearchStrategy[Condition] = st.recursive(
    TESTS,
    lambda inner: st.one_of(
        inner.map(ConditionNegation),
        st.lists(inner, min_size=2, max_size=3).map(lambda terms: ConditionConjunction(tuple(terms))),
        st.lists(inner, min_size=2, max_size=3).map(lambda terms: ConditionDisjunction(tuple(terms))),
    ),
    max_leaves=8,
)


def is_normal(condition: Condition) -> bool:
    if isinstance(condition, ConditionNegation):
        return isinstance(condition.term, Membership | Likeness | Absence)
    if isinstance(condition, ConditionConjunction | ConditionDisjunction):
        return all(is_normal(term) and not isinstance(term, type(condition)) for term in condition.terms)
    return not isinstance(condition, Range)


@given(CONDITIONS, st.fixed_dictionaries({"a": st.none() | VALUES, "b": st.none() | VALUES}))
def test_the_normal_form_is_true_false_and_unknown_where_the_condition_is(
    condition: Condition, fields: dict[str, int | None]
) -> None:
    assert truth(normal(condition), fields) is truth(condition, fields)
    assert is_normal(normal(condition))


@pytest.mark.parametrize(
    ("pattern", "kind", "text"),
    [
        ("abc", "=", "abc"),
        ("abc%", "prefix", "abc"),
        ("%abc", "suffix", "abc"),
        ("%abc%", "contains", "abc"),
        ("%", "contains", ""),
        ("a%c", "like", "a%c"),
        ("a_c", "like", "a_c"),
        (r"100\%", "=", "100%"),
        (r"%a\_b%", "contains", "a_b"),
    ],
)
def test_a_like_pattern_is_told_by_where_its_wildcards_are(pattern: str, kind: str, text: str) -> None:
    condition = parsed_condition(f"a LIKE '{pattern}'")
    assert isinstance(condition, Likeness)
    assert like_kind(condition) == (kind, text)
