"""Filters as they are written."""

import pytest
from hypothesis import given

from openplaybook.retrieval.filters.filter_text import filter_text
from openplaybook.retrieval.filters.parser import parsed_filter
from openplaybook.retrieval.filters.syntax import FilterNode
from tests.kit.filter_samples import CONDITIONS, trees


@given(trees(CONDITIONS))
def test_reading_what_was_written_gives_the_same_tree(tree: FilterNode) -> None:
    assert parsed_filter(filter_text(tree)) == tree


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('a:ANY( "x","y" )', 'a: ANY("x", "y")'),
        ("-a:IN(1i,2e)", "NOT a: IN(1, 2)"),
        ("a:IN(1e,2i)", "a: IN(1e, 2i)"),
        ("a:IN(*,1.50)", "a: IN(*, 1.5)"),
        ("(a<1 AND b<2)OR c<3", "a < 1 AND b < 2 OR c < 3"),
        ("(a<1 OR b<2)AND c<3", "(a < 1 OR b < 2) AND c < 3"),
        ("NOT(a<1 AND b<2)", "NOT (a < 1 AND b < 2)"),
        ("NOT(NOT(a<1))", "NOT (NOT a < 1)"),
        ('fileType:"pdf"', 'siteSearch:"*.pdf"'),
        ("x:GEO_DISTANCE(1.0,2.5,300)", "x: GEO_DISTANCE(1, 2.5, 300)"),
        ("a = 1e30", "a = 1e+30"),
    ],
)
def test_each_filter_has_one_text(text: str, written: str) -> None:
    assert filter_text(parsed_filter(text)) == written
