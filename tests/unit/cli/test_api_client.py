"""Reading an array while it is written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.cli.api_client import array_items
from openplaybook.cli.errors import CommandError

ITEMS = st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=5) | st.integers() | st.none(), max_size=3))


@given(ITEMS, st.integers(1, 7), st.sampled_from([None, 1]))
def test_items_are_the_same_however_the_bytes_are_cut(
    items: list[dict[str, str | int | None]], size: int, indent: int | None
) -> None:
    text = json.dumps(items, ensure_ascii=False, indent=indent).encode()
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert list(array_items(pieces)) == items


def test_an_item_is_given_as_soon_as_it_is_whole() -> None:
    items = array_items(iter([b'[{"a": 1}', b", {", b'"b": 2}]']))
    assert next(items) == {"a": 1}


@pytest.mark.parametrize("text", [b"", b"[", b'[{"a": 1}', b'[{"a": 1}, {"b"'])
def test_an_answer_that_breaks_off_is_an_error(text: bytes) -> None:
    with pytest.raises(CommandError, match="response ended early"):
        list(array_items([text]))
