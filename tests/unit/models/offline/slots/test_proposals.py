"""From words to values, and which slot gets which."""

from datetime import date

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.slots.assignment import assign
from openplaybook.models.offline.slots.proposals import words_of
from openplaybook.models.offline.slots.slot_lessons import Lesson, lesson_for
from openplaybook.models.offline.slots.slot_schema import slots_of
from openplaybook.models.offline.slots.value_contexts import is_listing, place_of, taught_by
from openplaybook.models.offline.spans.recognition import recognise

TEXT: JsonObject = {"type": "string"}


def lessons(properties: JsonObject, *required: str) -> list[Lesson]:
    return [
        lesson_for(slot) for slot in slots_of({"type": "object", "properties": properties, "required": list(required)})
    ]


def teach(lesson: Lesson, text: str, value: JsonValue) -> None:
    reading = read(text)
    place = place_of(value, reading, recognise(reading, date(2026, 11, 20)))
    assert place is not None
    lesson.taught.append(taught_by(reading, place))
    lesson.know(value)


def given(taught: list[Lesson], text: str, *forbidden: str, asked: str = "") -> dict[str, JsonValue]:
    reading = read(text)
    words = words_of(reading, recognise(reading, date(2026, 11, 20)), frozenset(forbidden))
    found = assign(taught, words, asked_slot=(asked,) if asked else None)
    return {".".join(proposal.slot.path): proposal.value for proposal in found}


def test_a_needed_number_is_taken_and_an_optional_one_only_with_a_hint() -> None:
    assert given(lessons({"count": {"type": "integer"}}, "count"), "give me 5") == {"count": 5}
    assert given(lessons({"count": {"type": "integer"}}), "give me 5") == {}
    assert given(lessons({"count": {"type": "integer"}}), "a count of 5") == {"count": 5}


def test_two_numbers_go_where_their_words_point() -> None:
    both = lessons({"width": {"type": "number"}, "height": {"type": "number"}}, "width", "height")
    assert given(both, "height 3 and width 4") == {"height": 3, "width": 4}
    assert given(both, "4 in width, 3 in height") == {"width": 4, "height": 3}


def test_one_word_fills_one_slot_only() -> None:
    assert given(lessons({"a": TEXT, "b": TEXT}, "a", "b"), "it is for Kim") == {"a": "Kim"}


@pytest.mark.parametrize(
    ("text", "value"),
    [("the OPEN ones", "open"), ("is it on hold?", "on_hold"), ("shippeds", "shipped"), ("opening", None)],
)
def test_options_are_found_whatever_their_case_number_or_dashes(text: str, value: JsonValue) -> None:
    taught = lessons({"status": {"enum": ["open", "on_hold", "shipped"]}})
    assert given(taught, text) == ({} if value is None else {"status": value})


def test_a_boolean_is_meant_when_it_is_named_and_a_negation_turns_it() -> None:
    taught = lessons({"gift_wrap": {"type": "boolean"}})
    assert given(taught, "with gift wrap please") == {"gift_wrap": True}
    assert given(taught, "without any gift wrap") == {"gift_wrap": False}
    assert given(taught, "it is a gift") == {}


def test_the_place_of_a_value_is_learned_from_an_example() -> None:
    taught = lessons({"label": {"type": "array", "items": TEXT}, "owner": TEXT})
    teach(taught[0], "show me all dogs", "dog")
    teach(taught[1], "which belong to Maria?", "Maria")
    assert given(taught, "show me all rabbits") == {"label": ["rabbit"]}
    assert given(taught, "show me all pets", "pet") == {}
    assert given(taught, "what belongs to kim?", "belong") == {"owner": "kim"}


def test_a_list_fills_an_array() -> None:
    taught = lessons({"colour": {"type": "array", "items": TEXT}})
    teach(taught[0], "paint it with colour red", "red")
    assert given(taught, "paint it with colour blue, green and red") == {"colour": ["blue", "green", "red"]}


def test_values_of_a_kind_go_to_slots_of_that_kind() -> None:
    taught = lessons(
        {
            "email": TEXT,
            "day": {"type": "string", "format": "date"},
            "time": {**TEXT, "description": "HH:MM"},
            "link": {"type": "string", "format": "uri"},
            "phone": TEXT,
            "title": TEXT,
        },
        "email",
        "day",
        "time",
        "link",
        "phone",
        "title",
    )
    text = 'a@b.org, tomorrow at 7pm, https://x.org/y, +49 30 123456, title "Two Boats"'
    assert given(taught, text) == {
        "email": "a@b.org",
        "day": "2026-11-21",
        "time": "19:00",
        "link": "https://x.org/y",
        "phone": "+49 30 123456",
        "title": "Two Boats",
    }


def test_what_does_not_fit_the_pattern_is_no_value() -> None:
    taught = lessons({"zip": {"type": "string", "pattern": "^[0-9]{5}$"}}, "zip")
    assert given(taught, "my zip is 1234") == {}
    assert given(taught, "my zip is 12345") == {"zip": "12345"}


def test_what_was_asked_for_needs_less_evidence() -> None:
    taught = lessons({"count": {"type": "integer"}})
    assert given(taught, "5", asked="count") == {"count": 5}


def test_only_commas_and_conjunctions_list() -> None:
    assert [is_listing(text) for text in (", ", " and ", ", or ", " with ", "")] == [True, True, True, False, False]


def test_a_name_is_not_torn_apart() -> None:
    taught = lessons({"start": TEXT, "goal": TEXT}, "start", "goal")
    assert given(taught, "start New York") == {"start": "New York"}
