"""Claims of an answer, with their places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.retrieval.answers.claims import MAX_CLAIMS, claims_of


def test_places_are_counted_in_bytes() -> None:
    answer = "Größe zählt. Der Bär wiegt 300 kg."
    first, second = claims_of(answer, "de")
    data = answer.encode()
    assert data[first.start : first.end].decode() == first.text == "Größe zählt."
    assert data[second.start : second.end].decode() == second.text == "Der Bär wiegt 300 kg."


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("Hello!", "en"),
        ("You're welcome.", "en"),
        ("Do you want to know more?", "en"),
        ("I don't know.", "en"),
        ("I'm not sure about that.", "en"),
        ("NOT_ENOUGH_INFORMATION", "en"),
        ("Guten Tag!", "de"),
        ("Das weiß ich nicht.", "de"),
        ("你好！", "zh"),
        ("不知道。", "zh"),
        ("¿Algo más?", "es"),
        ("...", "en"),
    ],
)
def test_what_states_nothing_needs_no_check(sentence: str, language: str) -> None:
    assert [each.needs_check for each in claims_of(sentence, language)] in ([], [False])


@pytest.mark.parametrize(
    "sentence",
    [
        "Hello, the price is 40 dollars.",
        "I don't know who said it, but it costs 40 dollars.",
        "Surely cats sleep a lot.",
        "Thanks to vaccines, measles became rare.",
    ],
)
def test_a_statement_with_a_greeting_needs_a_check(sentence: str) -> None:
    assert [each.needs_check for each in claims_of(sentence, "en")] == [True]


@pytest.mark.parametrize("signs", [",", ".x", "!x", "\n", ".!"])
def test_a_greeting_with_signs_without_end_is_looked_at_once(signs: str) -> None:
    assert claims_of(f"Hi{signs * 9_000}a b c d", "en")[-1].needs_check


def test_no_sentence_is_lost_where_there_are_too_many() -> None:
    answer = "Cats sleep. " * (MAX_CLAIMS + 50)
    claims = claims_of(answer, "en")
    assert len(claims) == MAX_CLAIMS
    assert claims[-1].end == len(answer.rstrip())


@given(st.text(), st.sampled_from(["", "en", "de", "zh", "th", "ar"]))
def test_places_are_true_of_any_text(text: str, language: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    for claim in claims_of(text, language):
        assert data[claim.start : claim.end].decode("utf-8", "surrogatepass") == claim.text
