"""Long strings of large JSON texts: what is read is the same, however it is cut."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue
from openplaybook.wire.api import Api
from openplaybook.wire.codec.errors import JsonError
from openplaybook.wire.codec.json_parser import MAX_VALUES, parse_text
from openplaybook.wire.codec.long_strings import LONG, with_strings, without_long_strings

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


@settings(deadline=None, max_examples=10)
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
