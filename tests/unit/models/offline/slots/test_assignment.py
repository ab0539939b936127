"""One joint assignment of words to slots."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.slots.assignment import assign
from openplaybook.models.offline.slots.proposals import Proposal, RecognisedWords, proposals_for, words_of
from openplaybook.models.offline.slots.slot_lessons import Lesson, lesson_for
from openplaybook.models.offline.slots.slot_schema import Path, slots_of
from openplaybook.models.offline.spans.recognition import recognise

TEXT: JsonObject = {"type": "string"}
INTEGER: JsonObject = {"type": "integer"}
COLOURS: JsonObject = {"type": "array", "items": {"enum": ["red", "green", "dark_blue"]}}


def lessons(required: bool = True, **properties: JsonObject) -> list[Lesson]:
    names = list(properties) if required else []
    return [lesson_for(slot) for slot in slots_of({"type": "object", "properties": properties, "required": names})]


def words(text: str, *forbidden: str) -> RecognisedWords:
    reading = read(text)
    return words_of(reading, recognise(reading, date(2026, 11, 20)), frozenset(forbidden))


def given_values(taught: list[Lesson], text: str, asked: Path | None = None) -> dict[str, JsonValue]:
    return {one.slot.name: one.value for one in assign(taught, words(text), asked_slot=asked)}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("from 3 to 7", {"start": 3, "end": 7}),
        ("3 7", {"start": 3, "end": 7}),
        ("the end is 3 and the start 7", {"start": 7, "end": 3}),
        ("end 3, start 7", {"start": 7, "end": 3}),
        ("only 3", {"start": 3}),
        ("three and seven", {"start": 3, "end": 7}),
        ("1 2 3", {"start": 1, "end": 2}),
        ("nothing", {}),
    ],
)
def test_unnamed_numbers_go_to_slots_in_the_order_of_the_schema(text: str, values: dict[str, JsonValue]) -> None:
    assert given_values(lessons(start=INTEGER, end=INTEGER), text) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("red", {"colour": ["red"]}),
        ("reds and greens", {"colour": ["red", "green"]}),
        ("dark blue, red", {"colour": ["dark_blue", "red"]}),
        ("rot oder green", {"colour": ["green"]}),
        ("red red", {"colour": ["red"]}),
        ("blue", {}),
    ],
)
def test_options_fill_an_array_once_each_in_the_order_they_are_said(text: str, values: dict[str, JsonValue]) -> None:
    assert given_values(lessons(required=False, colour=COLOURS), text) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("with breakfast", {"breakfast": True}),
        ("without breakfast", {"breakfast": False}),
        ("no breakfast", {"breakfast": False}),
        ("ohne breakfast", {"breakfast": False}),
        ("BREAKFAST", {"breakfast": True}),
        ("break fast", {}),
    ],
)
def test_a_boolean_is_meant_when_its_name_is_said(text: str, values: dict[str, JsonValue]) -> None:
    assert given_values(lessons(required=False, breakfast={"type": "boolean"}), text) == values


def test_what_was_asked_for_is_served_first() -> None:
    both = lessons(required=False, owner=TEXT, name=TEXT)
    assert given_values(both, "it is Kim", asked=("name",)) == {"name": "Kim"}
    assert given_values(both, "it is Kim", asked=("owner",)) == {"owner": "Kim"}
    assert given_values(both, "it is Kim") == {}


def test_forbidden_words_and_pieces_of_something_whole_are_no_free_values() -> None:
    free = words("buy milk at AB-12 x", "milk")
    assert [free.reading.text[start:end] for start, end in free.runs] == ["buy", "AB-12", "x"] or "milk" not in [
        free.reading.text[start:end] for start, end in free.runs
    ]


def test_proposals_come_best_first_and_say_where_they_stand() -> None:
    (taught,) = lessons(count=INTEGER)
    found = proposals_for(taught, words("a count of 5 or 6"))
    assert [(one.value, one.places) for one in found] == [(5, ((11, 12),)), (6, ((16, 17),))]
    assert found[0].score > found[1].score
    assert found[0].evidence("a count of 5 or 6") == {
        "slot": "count",
        "value": 5,
        "source": "span:number",
        "words": ["5"],
        "at": [11],
        "score": round(found[0].score, 3),
    }


def test_proposals_overlap_when_they_rest_on_the_same_words() -> None:
    (slot,) = (lesson.slot for lesson in lessons(x=TEXT))

    def resting(*places: tuple[int, int]) -> Proposal:
        return Proposal(slot, "v", places, "context", 1.0)

    assert resting((0, 3)).overlaps(resting((2, 5)))
    assert resting((0, 3), (8, 9)).overlaps(resting((8, 12)))
    assert not resting((0, 3)).overlaps(resting((3, 5)))
    assert (resting((0, 3), (8, 9)).start, resting((0, 3), (8, 9)).end) == (0, 9)


SLOTS = st.dictionaries(
    st.sampled_from(["name", "owner", "count", "size", "since", "colour", "wrap"]),
    st.sampled_from(
        [TEXT, INTEGER, COLOURS, {"type": "boolean"}, {"type": "string", "format": "date"}, {"type": "number"}]
    ),
    max_size=6,
)
PIECES = [
    "3",
    "4.5",
    "red",
    "green",
    "Kim",
    "Lee",
    "tomorrow",
    "name",
    "owner",
    "count",
    "of",
    "is",
    "wrap",
    "no",
    ",",
    "and",
]


@settings(deadline=None)
@given(SLOTS, st.lists(st.sampled_from(PIECES), max_size=10), st.booleans())
def test_every_slot_is_filled_once_and_no_word_used_twice(
    properties: dict[str, JsonObject], said: list[str], required: bool
) -> None:
    text = " ".join(said)
    found = assign(lessons(required, **properties), words(text))
    assert len({one.slot.path for one in found}) == len(found)
    assert not any(one.overlaps(other) for one in found for other in found if one is not other)
    assert [one.start for one in found] == sorted(one.start for one in found)
    assert all(0 <= start < end <= len(text) for one in found for start, end in one.places)


@settings(deadline=None)
@given(SLOTS, st.lists(st.sampled_from(PIECES), max_size=10))
def test_the_order_of_the_slots_decides_nothing_but_ties(properties: dict[str, JsonObject], said: list[str]) -> None:
    there = assign(lessons(True, **properties), words(" ".join(said)))
    back = assign(lessons(True, **dict(reversed(properties.items()))), words(" ".join(said)))
    assert sum(one.score for one in there) == pytest.approx(sum(one.score for one in back))
