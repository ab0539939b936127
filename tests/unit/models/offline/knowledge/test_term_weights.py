"""Comparing utterances by weighted words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.models.offline.knowledge.term_weights import Terms, coverage, learn_weights, similarity, terms_of
from openplaybook.models.offline.language.tokenizer import read

WEIGHTS = learn_weights([{"show", "pet"}, {"add", "pet"}, {"weather", "pet"}])


def terms(text: str, *places: tuple[int, int, str]) -> Terms:
    return terms_of(read(text), WEIGHTS, places)


def test_a_word_weighs_the_more_the_fewer_things_share_it() -> None:
    assert WEIGHTS.of("show") == WEIGHTS.of("add") > WEIGHTS.of("pet") > 0.5
    assert WEIGHTS.of("unheard") == 1.5
    assert WEIGHTS.of("=petId") == 1.0


def test_without_anything_learned_every_word_is_unknown() -> None:
    assert learn_weights([]).by_key == {}
    assert learn_weights([]).of("x") == 1.5


@pytest.mark.parametrize(
    ("text", "word", "share"),
    [("the show", "the", 0.25), ("which show", "which", 0.5), ("show 12", "12", 0.5), ("show unheard", "unheard", 1.0)],
)
def test_function_words_question_words_and_numbers_weigh_a_part(text: str, word: str, share: float) -> None:
    full = 1.5 if share == 1 else 0.8
    assert terms(text).weights[word] == pytest.approx(full * share)


def test_the_words_of_a_value_count_as_its_slot() -> None:
    found = terms("show pet 12", (9, 11, "petId"))
    assert (set(found.weights), found.slots) == ({"show", "pet", "=petId"}, frozenset({"=petId"}))


def test_a_name_and_a_foreign_word_that_nobody_knows_weigh_little() -> None:
    plain = terms_of(read("weather Oslo"), WEIGHTS, ())
    named = terms_of(read("weather Oslo"), WEIGHTS, (), names={8})
    assert (plain.weights["oslo"], named.weights["oslo"]) == (1.5, 0.4)
    foreign = read("zeige das Dings")
    assert terms_of(foreign, WEIGHTS, (), is_foreign=True).weights["ding"] == pytest.approx(0.45)
    assert terms_of(foreign, WEIGHTS, (), is_foreign=True).weights["show"] == WEIGHTS.of("show")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("show pet", "show pet", 1.0),
        ("show pet", "pet show!", 1.0),
        ("show pet", "add weather", 0.0),
        ("", "show", 0.0),
    ],
)
def test_equal_words_are_alike_in_any_order_and_others_not_at_all(one: str, other: str, expected: float) -> None:
    assert similarity(terms(one), terms(other)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "about", "parameters", "expected"),
    [
        ("show pet", {"show", "pet"}, set[str](), 1.0),
        ("show pet", {"show"}, {"pet"}, 1.0),
        ("show pet", {"weather"}, {"pet"}, 0.0),
        ("", {"show"}, set[str](), 0.0),
    ],
)
def test_a_description_covers_what_it_speaks_of(
    text: str, about: set[str], parameters: set[str], expected: float
) -> None:
    assert coverage(terms(text), about, parameters) == pytest.approx(expected)


@given(st.text(max_size=40), st.text(max_size=40))
def test_likeness_is_the_same_both_ways_and_within_its_bounds(one: str, other: str) -> None:
    there, back = similarity(terms(one), terms(other)), similarity(terms(other), terms(one))
    assert there == pytest.approx(back)
    assert 0.0 <= there <= 1.0 + 1e-9


@given(st.text(max_size=40), st.sets(st.sampled_from(["show", "pet", "add", "the"])))
def test_a_share_is_within_its_bounds(text: str, about: set[str]) -> None:
    assert 0.0 <= coverage(terms(text), about, {"weather"}) <= 1.0 + 1e-9


@given(st.lists(st.sets(st.text(max_size=4), max_size=5), max_size=6))
def test_any_groups_give_weights_from_a_half_to_one_and_a_half(groups: list[set[str]]) -> None:
    learned = learn_weights(groups)
    assert all(0.5 < weight <= 1.5 for weight in learned.by_key.values())
    assert set(learned.by_key) == {key for group in groups for key in group}
