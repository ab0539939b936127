"""Conditions are read into one tree, or refused with the place and what is allowed there."""

from decimal import Decimal

import pytest

from openplaybook.connectors.conditions.parser import (
    MOST_CHARACTERS,
    MOST_DEPTH,
    MOST_PATTERN,
    MOST_PATTERNS,
    MOST_VALUES,
    parsed_condition,
)
from openplaybook.connectors.conditions.syntax import (
    Absence,
    ColumnComparison,
    ComparisonOperator,
    ConditionConjunction,
    ConditionDisjunction,
    ConditionNegation,
    Likeness,
    Membership,
    Range,
    columns_of,
)
from openplaybook.connectors.errors import InvalidCondition

A, B, C = (ColumnComparison(name, ComparisonOperator.EQUAL, value) for name, value in (("a", 1), ("b", 2), ("c", 3)))


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a = 'it''s'", ColumnComparison("a", ComparisonOperator.EQUAL, "it's")),
        ("a <> -2.50", ColumnComparison("a", ComparisonOperator.UNEQUAL, Decimal("-2.50"))),
        ("a == 007", ColumnComparison("a", ComparisonOperator.EQUAL, 7)),
        ("a >= 1e3", ColumnComparison("a", ComparisonOperator.GREATER_OR_EQUAL, Decimal("1e3"))),
        ("a != TRUE", ColumnComparison("a", ComparisonOperator.UNEQUAL, True)),
        ("address.city = 'x'", ColumnComparison("address.city", ComparisonOperator.EQUAL, "x")),
        ('"my ""col" < 1', ColumnComparison('my "col', ComparisonOperator.LESS, 1)),
        ("`IN` in (1, 'a', false)", Membership("IN", (1, "a", False))),
        ("a not in (1)", ConditionNegation(Membership("a", (1,)))),
        ("a LIKE 'x%'", Likeness("a", "x%")),
        ("a between 1 and 2 and b = 2", ConditionConjunction((Range("a", 1, 2), B))),
        ("a is not null", ConditionNegation(Absence("a"))),
        ("a=1 or b=2 and c=3", ConditionDisjunction((A, ConditionConjunction((B, C))))),
        ("(a=1 OR b=2) AND NOT c=3", ConditionConjunction((ConditionDisjunction((A, B)), ConditionNegation(C)))),
    ],
)
def test_a_condition_is_read(text: str, tree: object) -> None:
    assert parsed_condition(text) == tree


@pytest.mark.parametrize(
    ("text", "position", "said"),
    [
        ("", 0, "a column is expected, but the condition ends"),
        ("1=1", 0, "a column is expected, but '1' is found"),
        ("a = b", 4, "a value is expected: a text in single quotes, a number, TRUE or FALSE, but 'b' is found"),
        ("a = NULL", 4, "what is not there is asked for with IS NULL"),
        ("lower(a) = 'x'", 5, "functions are not allowed"),
        ("a = (select 1)", 4, "a value is expected"),
        ("a = 'x'; drop table t", 7, "';' cannot be read here"),
        ("a = 'x' -- y", 8, "'-' cannot be read here"),
        ("a = 'x", 4, "a quote is not closed"),
        ("a = 1 b", 6, "AND, OR or the end is expected"),
        ("a LIKE 3", 7, "a text in single quotes is expected after LIKE"),
        ("a between 1 or 2", 12, "AND is expected between the two values"),
        ("a in ()", 6, "a value is expected"),
        ("(a = 1", 6, "')' is expected"),
        ("a ~ 1", 2, "'~' cannot be read here"),
        ("a 1", 2, "is expected after a column"),
        ("a = 12x", 4, "'1' cannot be read here"),
        ("(" * (MOST_DEPTH + 1) + "a = 1", MOST_DEPTH, f"at most {MOST_DEPTH} parentheses"),
        ("a in (" + "1," * MOST_VALUES + "1)", None, f"at most {MOST_VALUES:,} values"),
        (f"a LIKE '{'_' * (MOST_PATTERN + 1)}'", 7, f"at most {MOST_PATTERN:,} characters"),
        (" OR ".join(["a LIKE '_'"] * (MOST_PATTERNS + 1)), None, f"at most {MOST_PATTERNS} LIKE"),
        ("a" * (MOST_CHARACTERS + 1), MOST_CHARACTERS, f"at most {MOST_CHARACTERS:,} characters"),
    ],
)
def test_what_is_no_condition_is_refused_with_its_place(text: str, position: int | None, said: str) -> None:
    with pytest.raises(InvalidCondition) as refused:
        parsed_condition(text)
    assert said in str(refused.value)
    assert position is None or refused.value.position == position


def test_columns_are_known_by_name_whatever_their_case() -> None:
    assert parsed_condition("NAME = 'x'", ["id", "Name"]) == ColumnComparison("Name", ComparisonOperator.EQUAL, "x")
    with pytest.raises(InvalidCondition, match=r"there is no column 'pass'; there are: id, Name \(at character 11"):
        parsed_condition("id = 1 OR pass = 'x'", ["id", "Name"])


def test_of_a_column_that_is_there_it_is_said_that_it_cannot_be_filtered_by() -> None:
    said = r"the column 'Notes' cannot be filtered by; these can be: id, Name \(at character 1 of"
    with pytest.raises(InvalidCondition, match=said):
        parsed_condition("notes = 'x'", ["id", "Name"], ["Notes", "Name"])
    with pytest.raises(InvalidCondition, match="there is no column 'other'; there are: id, Name"):
        parsed_condition("other = 'x'", ["id", "Name"], ["Notes"])


def test_two_columns_that_differ_in_case_alone_are_told_apart() -> None:
    assert parsed_condition("a = 1", ["A", "a"]) == A
    with pytest.raises(InvalidCondition, match="there is no column 'AB'"):
        parsed_condition("AB = 1", ["Ab", "aB"])


def test_the_columns_of_a_condition_are_told_once() -> None:
    assert columns_of(parsed_condition("b = 1 AND (a IS NULL OR NOT b IN (2))")) == ("b", "a")
    assert columns_of(None) == ()
