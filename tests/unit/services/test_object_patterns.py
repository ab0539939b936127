"""Patterns of names of objects."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.services.object_patterns import ObjectPattern, TooManyStars, pattern_of


@pytest.mark.parametrize(
    ("pattern", "fitting"),
    [
        ("a", ["a"]),
        ("a*", ["a", "ab"]),
        ("*", ["a", "ab", "b"]),
        ("**", ["a", "ab", "a/b", "a/b/c", "b"]),
        ("a/*", ["a/b"]),
        ("a/**", ["a/b", "a/b/c"]),
        ("**b", ["ab", "a/b", "b"]),
        ("*/b", ["a/b"]),
        ("", []),
    ],
)
def test_names_fit_as_cloud_storage_says(pattern: str, fitting: list[str]) -> None:
    assert [*ObjectPattern(pattern).fitting(["a", "ab", "a/b", "a/b/c", "b"])] == fitting


@given(st.text("ab/*.", max_size=8), st.text("ab/.", max_size=8))
def test_a_pattern_means_what_an_expression_of_it_means(pattern: str, name: str) -> None:
    expression = ".*".join("[^/]*".join(map(re.escape, part.split("*"))) for part in pattern.split("**"))
    assert ObjectPattern(pattern).fits(name) == bool(re.fullmatch(expression, name))


def test_a_name_that_is_made_for_a_pattern_is_judged_at_once() -> None:
    pattern = ObjectPattern("*a" * 6 + "b")
    assert not pattern.fits("a" * 255)
    assert pattern.fits("a" * 255 + "b")


def test_a_name_is_a_pattern_where_it_has_stars_or_means_a_folder() -> None:
    assert pattern_of("a/b.txt") is None
    folder, some = pattern_of("a/"), pattern_of("a/b*c")
    assert folder is not None
    assert some is not None
    assert (folder.beginning, folder.fits("a/b/c"), some.beginning) == ("a/", True, "a/b")
    with pytest.raises(TooManyStars):
        pattern_of("*a" * 7)
