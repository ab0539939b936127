"""What a system is given of a condition leaves out nothing that meets it."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.connectors.conditions.evaluation import meets
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
    Test,
)
from openplaybook.connectors.plugins.pushdown import NativeTest, equal_texts, literal_prefix, native_test
from openplaybook.jsonvalues import JsonObject


class _Language:
    """Writes a condition as one, of tests of `a` alone, those of `b` being what it cannot."""

    def test(self, test: Test, *, is_negated: bool) -> NativeTest[Condition] | None:
        if test.column != "a":
            return None
        return NativeTest(ConditionNegation(test) if is_negated else test)

    def joined(self, terms: Sequence[Condition], *, is_all: bool) -> Condition:
        return ConditionConjunction(tuple(terms)) if is_all else ConditionDisjunction(tuple(terms))


_COLUMNS = st.sampled_from(["a", "b"])
_TESTS = st.one_of(
    st.builds(ColumnComparison, _COLUMNS, st.sampled_from(ComparisonOperator), st.integers(0, 3)),
    st.builds(Membership, _COLUMNS, st.tuples(st.integers(0, 3), st.integers(0, 3))),
    st.builds(Range, _COLUMNS, st.integers(0, 3), st.integers(0, 3)),
    st.builds(Absence, _COLUMNS),
    st.builds(Likeness, _COLUMNS, st.sampled_from(["1%", "%", "_"])),
)
_CONDITIONS = st.recursive(
    _TESTS,
    lambda inner: st.one_of(
        st.builds(ConditionNegation, inner),
        st.builds(ConditionConjunction, st.tuples(inner, inner)),
        st.builds(ConditionDisjunction, st.tuples(inner, inner)),
    ),
    max_leaves=6,
)


@given(_CONDITIONS)
def test_nothing_that_meets_a_condition_is_left_out_by_its_native_part(condition: Condition) -> None:
    native = native_test(condition, _Language())
    values = [None, 0, 1, 2, 3]
    entities: list[JsonObject] = [{"a": a, "b": b} for a in values for b in values]
    for entity in entities:
        if native is not None and meets(condition, entity):
            assert meets(native.native, entity)
        if native is not None and native.is_whole:
            assert meets(native.native, entity) is meets(condition, entity)


@pytest.mark.parametrize(
    ("text", "native"),
    [
        ("a = 1 AND b = 2", "a = 1"),
        ("a = 1 OR b = 2", None),
        ("NOT (a = 1 OR b = 2)", "a != 1"),
        ("NOT a BETWEEN 1 AND 2", "a < 1 OR a > 2"),
    ],
)
def test_of_all_that_must_hold_parts_may_be_left_out(text: str, native: str | None) -> None:
    found = native_test(parsed_condition(text), _Language())
    assert (found and found.native) == (native and parsed_condition(native))


def test_texts_that_a_column_must_be_are_found() -> None:
    condition = parsed_condition("a = 'x' AND (b = 'y' AND a = 'z') AND (a = 'u' OR b = 'v') AND a != 'w'")
    assert equal_texts(condition, "a") == ["x", "z"]


@pytest.mark.parametrize(
    ("pattern", "prefix"),
    [
        ("ab%", ("ab", True)),
        ("a_b%", ("a", False)),
        ("a\\%%", ("a%", True)),
        ("%a", ("", False)),
        ("ab", ("ab", False)),
    ],
)
def test_the_beginning_of_a_pattern_is_found(pattern: str, prefix: tuple[str, bool]) -> None:
    assert literal_prefix(Likeness("a", pattern)) == prefix
