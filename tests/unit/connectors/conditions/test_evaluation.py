"""Conditions are tried on entities as SQL tries them on rows."""

import sqlite3
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.connectors.conditions.evaluation import is_like, meets, truth
from openplaybook.connectors.conditions.parser import parsed_condition

ROW = {"name": "Müller", "age": 41, "price": "19.90", "vip": True, "gone": None, "home": {"city": "Bern"}, "a.b": 7}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("age > 40 AND age <= 41", True),
        ("price = 19.9", True),
        ("price < 100", True),
        ("vip = TRUE", True),
        ("vip = 'true'", True),
        ("home.city = 'Bern'", True),
        ("a.b = 7", True),
        ("name LIKE 'M_l%'", True),
        ("name LIKE 'm%'", False),
        ("name IN ('x', 'Müller')", True),
        ("age BETWEEN 42 AND 50", False),
        ("gone IS NULL", True),
        ("nowhere.at.all IS NULL", True),
        ("gone = 1", None),
        ("NOT gone = 1", None),
        ("gone = 1 OR age = 41", True),
        ("gone = 1 AND age = 0", False),
        ("gone <> 1 AND age = 41", None),
    ],
)
def test_a_condition_is_true_false_or_unknown(text: str, expected: bool | None) -> None:
    assert truth(parsed_condition(text), ROW) is expected
    assert meets(parsed_condition(text), ROW) is (expected is True)


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        ("2026-11-26", "day >= '2026-11-26'", True),
        ("2026-11-26T10:00:00Z", "day = '2026-11-26T11:00:00+01:00'", True),
        ("2026-11-26T00:30:00+01:00", "day < '2026-11-26'", True),
        ("2026-13-40", "day > '2026-12-01'", True),
    ],
)
def test_moments_are_compared_as_such(value: str, text: str, expected: bool) -> None:
    assert meets(parsed_condition(text), {"day": value}) is expected


@given(st.text("ab%_c", max_size=8), st.text("abc", max_size=8))
def test_like_is_what_sqlite_takes_it_for(pattern: str, text: str) -> None:
    with sqlite3.connect(":memory:") as database:
        database.execute("PRAGMA case_sensitive_like = ON")
        (expected,) = database.execute("SELECT ? LIKE ? ESCAPE '\\'", (text, pattern)).fetchone()
    database.close()
    assert is_like(text, pattern) is bool(expected)


def test_an_escaped_sign_stands_for_itself() -> None:
    assert is_like("100%", r"100\%")
    assert not is_like("1000", r"100\%")
    assert is_like("a_b", r"a\_b")
    assert not is_like("acb", r"a\_b")


def test_a_hostile_pattern_takes_no_time() -> None:
    assert not is_like("a" * 20_000, "%a" * 5_000 + "b")
    assert not is_like("a" * 100_000, "%a" + "_" * 19_000 + "b%")
    assert not is_like("a" * 100_000, "%a" + "_a" * 9_000 + "b%")


@pytest.mark.parametrize("text", ["", "ab", "ababcab", "abcabcabc", "xab", "aXbab"])
@pytest.mark.parametrize("pattern", ["%a_c%", "%b_b%c%", "%a_b", "a%_b_a%", "%_a_%", "%X_a%", "%a%b_%", r"%\__c%"])
def test_long_texts_are_compared_as_short_ones_are(pattern: str, text: str) -> None:
    long = "ac" * 25_000
    for whole in (long + text, text + long, text + long + text):
        with sqlite3.connect(":memory:") as database:
            database.execute("PRAGMA case_sensitive_like = ON")
            (expected,) = database.execute("SELECT ? LIKE ? ESCAPE '\\'", (whole, pattern)).fetchone()
        database.close()
        assert is_like(whole, pattern) is bool(expected)


_LITERALS = st.one_of(st.integers(-3, 3), st.booleans().map(int))
_TESTS = st.one_of(
    st.tuples(st.sampled_from("ab"), st.sampled_from(["=", "<>", "<", "<=", ">", ">="]), _LITERALS).map(
        lambda each: f"{each[0]} {each[1]} {each[2]}"
    ),
    st.sampled_from(["a IS NULL", "b IS NOT NULL", "a IN (1, 2)", "b NOT IN (0)", "a BETWEEN -1 AND 1"]),
)


def _joined(terms: list[str], words: list[str], negated: list[bool]) -> str:
    """The terms from left to right, each pair in parentheses, some negated."""
    text = terms[0]
    for term, word, is_negated in zip(terms[1:], words, negated, strict=False):
        text = f"({text} {word} {'NOT ' if is_negated else ''}({term}))"
    return text


_CONDITIONS = st.builds(
    _joined,
    st.lists(_TESTS, min_size=1, max_size=6),
    st.lists(st.sampled_from(["AND", "OR"]), min_size=5, max_size=5),
    st.lists(st.booleans(), min_size=5, max_size=5),
)


@given(st.lists(_LITERALS | st.none(), min_size=2, max_size=2), _CONDITIONS)
def test_conditions_agree_with_sqlite(values: list[Any], text: str) -> None:
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE t (a INTEGER, b INTEGER)")
        database.execute("INSERT INTO t VALUES (?, ?)", values)
        (expected,) = database.execute(f"SELECT ({text}) FROM t").fetchone()
    database.close()
    found = truth(parsed_condition(text), dict(zip("ab", values, strict=True)))
    assert found is (None if expected is None else bool(expected))
