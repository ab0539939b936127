"""Texts made to take time or memory."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import loads
from openplaybook.wire.codec import JsonError, json_parser, parse_text
from openplaybook.wire.codec.json_parser import MAX_EXACT, MAX_NESTING, MAX_VALUES


def refusal(json_parser: bytes) -> str:
    with pytest.raises(JsonError) as caught:
        parse_text(json_parser)
    return str(caught.value)


def test_as_many_values_as_are_allowed_are_read() -> None:
    value = [0] * (MAX_VALUES - 2)
    assert parse_text(json.dumps(value).encode()) == value


@pytest.mark.parametrize("item", [b"0", b"[]", b"{}", b'{"a":1}'])
def test_more_values_are_refused(item: bytes) -> None:
    assert refusal(b"[" + b",".join([item] * MAX_VALUES) + b"]") == "$: more than 100,000 values"


def test_commas_and_brackets_within_strings_are_no_values() -> None:
    value = {"text": ',[{"\\' * MAX_VALUES, "more": ",\u00e9" * MAX_VALUES}
    assert parse_text(json.dumps(value).encode()) == value
    assert parse_text(json.dumps(value, ensure_ascii=False).encode()) == value


def test_an_escaped_colon_in_a_large_text_costs_one_pass() -> None:
    json_parser = b'{"a":"' + b"x" * 5_000_000 + b'\\u003a"}'
    assert parse_text(json_parser) == {"a": "x" * 5_000_000 + ":"}


@pytest.mark.timeout(10)
def test_a_string_without_its_end_is_passed_over_once() -> None:
    quotes = b'\\",' * MAX_VALUES
    assert refusal(b'["' + quotes) == "$: line 1 column 2: Unterminated string starting at"


def test_nesting_is_counted_before_anything_is_built() -> None:
    message = f"$: objects and arrays are nested more than {MAX_NESTING} levels deep"
    assert refusal(b"[" * 1_000_000) == message
    assert refusal(b'{"a":' * 1_000_000) == message


@pytest.mark.parametrize("number", ["0.1234567890123456789", "1e-999", "-1e999", str(2**64), str(-(2**70))])
@pytest.mark.parametrize("before", ["", '"\\u003a",'])
def test_numbers_that_no_double_holds_are_few(number: str, before: str) -> None:
    few = ",".join([number] * MAX_EXACT)
    assert len(parse_text(f"[{before}{few}]".encode())) >= MAX_EXACT
    with pytest.raises(JsonError, match="more than 5,000 numbers that neither 64 bits nor a double hold"):
        parse_text(f"[{before}{few},{number}]".encode())


@pytest.mark.parametrize("number", ["0.12345678901234568", "1e-300", "1234567890123456789", str(2**64 - 1)])
def test_numbers_that_a_double_or_64_bits_hold_may_be_many(number: str) -> None:
    many = ",".join([number] * 2 * MAX_EXACT)
    assert parse_text(f"[{many}]".encode()) == [loads(number)] * 2 * MAX_EXACT


@pytest.mark.parametrize("piece", [1, 2, 3, 7])
@given(st.text(alphabet='"\\[]{},a: ', max_size=60))
def test_pieces_make_no_difference(piece: int, written: str) -> None:
    """What is deep or has many values is seen wherever a piece ends, within an escape too."""
    shape = (f"[{written}" + "[" * MAX_NESTING).encode()
    whole = refusal(shape)
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(json_parser, "PIECE", piece)
        assert refusal(shape) == whole


@pytest.mark.parametrize("strings", ['"a" ', '""'])
def test_strings_without_end_are_too_many_values(strings: str) -> None:
    """A text without brackets and commas has few values, and would be gone through string by string."""
    assert refusal(strings.encode() * 1_000_000) == "$: more than 100,000 values"
