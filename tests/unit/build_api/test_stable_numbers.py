"""Numbers that follow from names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from build_api.stable_numbers import check_distinct, enum_numbers, field_number

NAMES = st.from_regex(r"[a-z][a-zA-Z0-9]{0,12}", fullmatch=True)


@given(NAMES)
def test_a_field_number_is_one_that_protobuf_takes_and_none_of_our_extensions(name: str) -> None:
    assert 1_000_000 < field_number(name) <= 2**29 - 2


@given(st.lists(st.from_regex(r"[a-z]{3,8}", fullmatch=True), min_size=2, max_size=2))
def test_fields_are_in_the_order_of_their_first_three_letters(names: list[str]) -> None:
    first, second = sorted(names, key=lambda name: name[:3])

    assert first[:3] == second[:3] or field_number(first) < field_number(second)


@pytest.mark.parametrize("name", ["", "9lives", "_meta", "$ref"])
def test_a_name_that_begins_with_no_letter_has_no_number(name: str) -> None:
    with pytest.raises(ValueError, match="begins with a letter"):
        field_number(name)


def test_the_first_enum_value_is_nothing_and_the_others_do_not_depend_on_their_neighbours() -> None:
    before = enum_numbers(["STATE_UNSPECIFIED", "ACTIVE", "ERROR"])
    after = enum_numbers(["STATE_UNSPECIFIED", "CREATING", "ACTIVE", "ERROR"])

    assert before["STATE_UNSPECIFIED"] == 0
    assert before.items() < after.items()
    assert all(0 <= number < 2**31 for number in after.values())


def test_two_names_with_one_number_are_refused() -> None:
    with pytest.raises(ValueError, match="Connection: auth and also have one number"):
        check_distinct("Connection", {"auth": 1, "host": 2, "also": 1})
