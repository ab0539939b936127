"""Words that pick one of several things."""

import pytest

from openplaybook.models.offline.language.ordinals import Pick, pick_in


@pytest.mark.parametrize(
    ("text", "words", "number"),
    [
        ("I take the second one, please", "the second one", 1),
        ("the last", "the last", -1),
        ("first option", "first option", 0),
        ("Ich nehme die zweite", "die zweite", 1),
        ("Mehr zum dritten", "zum dritten", 2),
        ("quiero la primera", "la primera", 0),
        ("reserve el último", "el último", -1),
        ("plutôt la deuxième", "la deuxième", 1),
        ("prendo la terza", "la terza", 2),
        ("mi parli dell'ultimo", "dell'ultimo", -1),
        ("fico com o segundo", "o segundo", 1),
        ("二番目を予約して", "二番目", 1),
        ("2つ目でお願いします", "2つ目", 1),
        ("세 번째 것으로 할게요", "세 번째 것", 2),
    ],
)
def test_a_thing_is_picked_by_its_number(text: str, words: str, number: int) -> None:
    start = text.index(words)
    assert pick_in(text) == Pick(number, start, start + len(words))


@pytest.mark.parametrize("text", ["wait a second", "first of all, hello", "in zwei Sekunden", "un segundo, por favor"])
def test_other_words_with_a_number_pick_nothing(text: str) -> None:
    assert pick_in(text) is None
