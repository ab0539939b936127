"""JSON texts."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.wire.codec import JsonError, parse_text
from openplaybook.wire.codec.json_parser import MAX_NESTING

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
