"""JSON texts."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue, loads
from openplaybook.wire.api import Api
from openplaybook.wire.codec import json_parser
from openplaybook.wire.codec.json_parser import (
    LONG,
    MAX_EXACT,
    MAX_NESTING,
    MAX_VALUES,
    JsonError,
    parse_text,
    with_strings,
    without_long_strings,
)
from tests.kit.thoroughness import examples

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "$: line 1 column 1: Expecting value"),
        (b'{"a": }', "$: line 1 column 7: Expecting value"),
        (b'{\n "a": 1\n "b"}', "$: line 3 column 2: Expecting ',' delimiter"),
        (b'{"a": 1} x', "$: line 1 column 10: Extra data"),
        (b'{"a": "\xff"}', "$: byte 7 is not UTF-8"),
        (b"\xef\xbb\xbf{}", "$: line 1 column 1: Expecting value"),
        (b'{"a": 1, "b": 2, "a": 3}', "$: the key 'a' is given twice in one object"),
        (b'[{"x": {"a": ":", "a": "::"}}]', "$: the key 'a' is given twice in one object"),
        (b'{"a": "::", "a": "\\u003a\\u003A"}', "$: the key 'a' is given twice in one object"),
        (b'{"a": NaN}', '$: NaN is not JSON; floating point fields take it as a string, "NaN"'),
        (b'{"a": -Infinity}', '$: -Infinity is not JSON; floating point fields take it as a string, "-Infinity"'),
        (b"[" * 401 + b"]" * 401, "$: objects and arrays are nested more than 400 levels deep"),
        (b"[" * 100_000, "$: objects and arrays are nested more than 400 levels deep"),
        (b"9" * 5000, "$: a number has more than 4,000 digits"),
    ],
)
def test_a_bad_text_is_refused_with_its_place(text: bytes, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        parse_text(text)

    assert str(caught.value) == message


def test_brackets_within_strings_do_not_count_as_nesting() -> None:
    value = ["[" * 2 * MAX_NESTING + '\\"' + "{" * MAX_NESTING]

    assert parse_text(json.dumps(value).encode()) == value


@given(JSON)
def test_every_json_value_is_read_in_any_layout(value: object) -> None:
    assert parse_text(json.dumps(value).encode()) == value
    assert parse_text(json.dumps(value, indent=2, ensure_ascii=False).encode()) == value


@given(st.binary(max_size=40))
def test_any_bytes_give_a_value_or_a_json_error(text: bytes) -> None:
    with suppress(JsonError):
        parse_text(text)


MOST = 1_000
PIECE = 512 * 1024


def read(text: bytes) -> JsonValue:
    cut = without_long_strings(text, MOST)
    assert cut is not None
    short, strings = cut
    assert len(short) < LONG
    return with_strings(json.loads(short), strings)


@pytest.mark.parametrize(
    "unit", ["x", "é", "✓", "😀", '"', "\\", "\n", "\x00", "/", 'a"', "\\u0041", "x" * 7 + "😀", ": "]
)
@pytest.mark.parametrize("ensure_ascii", [True, False])
def test_a_long_string_is_read_as_it_is_written(unit: str, ensure_ascii: bool) -> None:
    value = {"a": [1, "b" + unit * ((PIECE + 20) // len(unit)), {"c": ""}], "d": "e"}
    assert read(json.dumps(value, ensure_ascii=ensure_ascii).encode()) == value


@settings(deadline=None, max_examples=examples(10))
@given(st.lists(st.tuples(st.text(min_size=1, max_size=6), st.integers(1, 200_000)), min_size=1, max_size=4))
def test_any_long_string_is_read_as_it_is_written(parts: list[tuple[str, int]]) -> None:
    value = {"a": "".join(text * times for text, times in parts) + "b" * LONG}
    assert read(json.dumps(value).encode()) == value
    assert read(json.dumps(value, ensure_ascii=False).encode("utf-8")) == value


def test_several_long_strings_stand_in_their_places() -> None:
    value = [{"a": letter * LONG, "b": [letter * LONG, letter]} for letter in "xyz"]
    assert read(json.dumps(value, indent=1).encode()) == value
    assert read(json.dumps("x" * LONG).encode()) == "x" * LONG


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "short"}',
        json.dumps({"x" * LONG: 1}),
        json.dumps({"x" * LONG: 1}).replace(":", " \n :"),
        f'["{"x" * LONG}',
        f'["{"x" * LONG}\n"]',
        f'["{"x" * LONG}\\q"]',
        f'["{"x" * LONG}\\ud800"]',
        f'["{"x" * LONG}\\udc00"]',
        f'["{"x" * LONG}\\u12"]',
        f'["{"x" * LONG}\\',
        json.dumps(["x" * LONG, *["s"] * MOST]),
    ],
)
def test_what_has_no_long_value_or_is_malformed_in_one_is_not_cut(text: str) -> None:
    assert without_long_strings(text.encode(), MOST) is None


def test_bytes_that_are_no_utf_8_are_not_cut() -> None:
    assert without_long_strings(b'["%b\xff"]' % (b"x" * LONG), MOST) is None
    assert without_long_strings(b'["%b"]' % (b"\x80" * PIECE * 2), MOST) is None


LARGE = "x: [,{" * 200_000
"""A string with more marks than a text may have values."""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'{{"a": "{LARGE}", "b": ]}}', f"line 1 column {len(LARGE) + 16}: Expecting value"),
        (f'{{"a": "{LARGE}",\n "b": ]}}', "line 2 column 7: Expecting value"),
        (f'{{"a": "{LARGE}", "a": 1}}', "the key 'a' is given twice in one object"),
        (f'{{"a": "{LARGE}", "b": [{"1," * MAX_VALUES}1]}}', "more than 100,000 values"),
        (f'{{"a": "{LARGE}", "b": NaN}}', 'NaN is not JSON; floating point fields take it as a string, "NaN"'),
        (f'{{"a": "{LARGE}\n"}}', f"line 1 column {len(LARGE) + 8}: Invalid control character at"),
    ],
)
def test_errors_of_large_texts_say_what_is_wrong_and_where(text: str, message: str) -> None:
    with pytest.raises(JsonError) as refused:
        parse_text(bytearray(text.encode()))
    assert str(refused.value) == f"$: {message}"


def test_a_large_text_is_read_with_its_numbers_and_strings() -> None:
    value = {"a": LARGE, "b": 12345678901234567890123, "c": [LARGE, "é"]}
    assert parse_text(json.dumps(value).encode()) == value


@pytest.mark.parametrize("unit", ["x", "é", "✓😀"])
def test_a_message_takes_a_very_long_string(unit: str, api: Api) -> None:
    text = unit * 1_200_000
    message = api.codec.from_json({"textSchema": text}, api.message("google.cloud.dialogflow.cx.v3.Tool.OpenApiTool")())
    assert message.text_schema == text


def test_half_a_pair_in_a_very_long_string_is_refused(api: Api) -> None:
    tool = api.message("google.cloud.dialogflow.cx.v3.Tool.OpenApiTool")()
    with pytest.raises(JsonError, match="half of a surrogate pair"):
        api.codec.from_json({"textSchema": "é" * 1_200_000 + "\ud800"}, tool)


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
    assert refusal(b'{"a":' * 200_000) == message


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
    assert refusal(strings.encode() * 600_000) == "$: more than 100,000 values"
