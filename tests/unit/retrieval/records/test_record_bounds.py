"""Data that become many times as large when they are written out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.records.record_bounds import judge_data
from openplaybook.retrieval.records.record_text import named_lines, title_of
from openplaybook.retrieval.records.source_lines import RecordLimits

SMALL = RecordLimits(max_path=20, max_names=100)


def test_a_long_name_around_many_values_is_refused() -> None:
    with pytest.raises(InvalidSource, match=r"has a name of more than 1,000 characters, .*: 'xxxx"):
        judge_data({"x" * 2_000_000: {str(number): number for number in range(100_000)}})
    with pytest.raises(InvalidSource, match=r"the names of its fields, .*, have more than 10,000,000 characters"):
        judge_data({"x" * 900: {str(number): number for number in range(20_000)}})


def test_a_list_has_the_name_of_its_field_for_each_value() -> None:
    with pytest.raises(InvalidSource, match="more than 100 characters"):
        judge_data({"x" * 10: [1] * 10}, SMALL)
    judge_data({"x" * 10: [1] * 9}, SMALL)


@given(
    st.recursive(
        st.none() | st.booleans() | st.text("ab", max_size=3),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab", max_size=6), inner, max_size=4),
    )
)
def test_what_is_within_the_limits_is_written_out_within_them(data: JsonValue) -> None:
    try:
        judge_data(data, SMALL)
    except InvalidSource:
        return
    lines = named_lines(data).splitlines()
    assert sum(len(line.partition(": ")[0]) for line in lines if ": " in line) <= SMALL.max_names


def test_a_title_of_any_length_is_shown_in_short() -> None:
    assert title_of({"title": " T "}) == "T"
    assert title_of({"title": "x" * 1_000_000}) == "x" * 500 + "…"
