"""Examples cut into turns, and the day that their dates tell."""

from datetime import date

from openplaybook.models.base import ExampleDialogue
from openplaybook.models.offline.rehearsals.example_turns import day_of, turns_of
from tests.unit.models.offline.talk import TODAY, example

TALK = example(
    "Two turns",
    "A: Hello!",
    "U: book a boat",
    "A: Which one?",
    "U: the red one",
    ("book", {"boat": "red"}, {"id": 1}),
    "A: Done.",
    "A: Anything else?",
)


def test_a_turn_begins_with_the_users_words() -> None:
    first, second = turns_of(TALK)
    assert (first.user.text, first.words, first.calls, len(first.before)) == ("book a boat", "Which one?", (), 1)
    assert ([call.name for call in first.following], first.is_last) == (["book"], False)
    assert (second.words, second.is_last, second.following) == ("Done.\nAnything else?", True, ())
    [(call, result)] = second.calls
    assert (call.arguments, result and result.output) == ({"boat": "red"}, {"id": 1})


def test_an_example_without_a_user_has_no_turns() -> None:
    assert list(turns_of(example("Alone", "A: Hello!"))) == []


def dated(words: str, day: str) -> ExampleDialogue:
    return example("Dated", f"U: {words}", ("book", {"day": day}, {}))


def test_words_like_tomorrow_tell_the_day_of_an_example() -> None:
    assert day_of(dated("a boat for tomorrow", "2024-05-02"), TODAY) == date(2024, 5, 1)
    assert day_of(dated("a boat in 3 days", "2024-05-04"), TODAY) == date(2024, 5, 1)


def test_a_whole_date_tells_no_day() -> None:
    assert day_of(dated("a boat for 2024-05-02", "2024-05-02"), TODAY) == TODAY
    assert day_of(dated("a boat for two", "2024-05-02"), TODAY) == TODAY
