"""Tokens of texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.retrieval.passages.token_counter import TOKEN, count_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n\t", 0),
        ("Cats need water.", 4),
        ("Straßenbahnhaltestelle", 3),
        ("don't", 3),
        ("猫需要水。", 5),
        ("고양이는 물", 5),
        ("สวัสดีครับ", 4),
        ("кошка", 1),
        ("日本のcat", 4),
    ],
)
def test_each_script_is_counted_in_its_own_way(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@given(st.text(st.sampled_from("ab ж猫ก고.'\n_é"), max_size=60))
def test_the_short_way_counts_as_the_long_one(text: str) -> None:
    assert count_tokens(text) == len(TOKEN.findall(text))


def test_a_long_text_is_counted_as_a_short_one() -> None:
    assert count_tokens("cat ж. " * 30_000) == 90_000
