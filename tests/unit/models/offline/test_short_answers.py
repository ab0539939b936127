"""All that the user said, as the value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.short_answers import short_answer
from openplaybook.models.offline.slots.slot_lessons import Lesson, lesson_for
from openplaybook.models.offline.slots.slot_schema import slots_of
from openplaybook.models.offline.slots.value_contexts import ValuePlace, taught_by

TEXT: JsonObject = {"type": "string"}
LIST: JsonObject = {"type": "array", "items": TEXT}


def lesson(schema: JsonObject) -> Lesson:
    return lesson_for(slots_of({"type": "object", "properties": {"x": schema}})[0])


def answer(text: str, schema: JsonObject = TEXT) -> JsonValue:
    found = short_answer(lesson(schema), text)
    assert len(found) <= 1
    return found[0].value if found else None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Fluffy", "Fluffy"),
        ("  Fluffy  ", "Fluffy"),
        ("Fluffy.", "Fluffy"),
        ("Fluffy!!", "Fluffy"),
        ("it is Fluffy", "Fluffy"),
        ("It's Fluffy, please.", "Fluffy"),
        ("my name is Kim Lee", "Kim Lee"),
        ("my  name   is Kim", "Kim"),
        ("it\tis\nKim", "Kim"),
        ("call it 'Little Rex'", "Little Rex"),
        ('"quoted"', "quoted"),
        ("„Zitat“", "Zitat"),
        ("in Oslo", "Oslo"),
        ("the blue one", "blue one"),
        ("es ist Bello bitte", "Bello"),
        ("er heißt Bello", "Bello"),
        ("I'd like window seat", "window seat"),
        ("Oslo please", "Oslo"),
        ("Oslo,please", "Oslo"),
        ("a b c d e f", "a b c d e f"),
    ],
)
def test_the_value_stands_without_lead_in_please_and_marks(text: str, value: str) -> None:
    assert answer(text) == value


@pytest.mark.parametrize(
    "text", ["", "   ", "...", "'", "yes", "no", "thanks", "hello", "never mind", "why?", "a b c d e f g", "please?"]
)
def test_small_talk_questions_and_long_texts_are_no_value(text: str) -> None:
    assert answer(text) is None


@pytest.mark.parametrize("text", ["it is", "my name is", "the"])
def test_a_lead_in_alone_is_taken_as_it_is(text: str) -> None:
    assert answer(text) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("red", ["red"]),
        ("red, green and blue", ["red", "green", "blue"]),
        ("red and dark green", ["red", "dark green"]),
        ("red & green", ["red", "green"]),
        ("red or green", ["red", "green"]),
        ("rot, grün und blau", ["rot", "grün", "blau"]),
        ("rojo y verde", ["rojo", "verde"]),
        ("rouge et vert", ["rouge", "vert"]),
        ("red,,green", ["red", "green"]),
        ("it is red and green, please", ["red", "green"]),
    ],
)
def test_a_list_is_taken_apart_in_every_language_that_is_read(text: str, value: JsonValue) -> None:
    assert answer(text, LIST) == value


@pytest.mark.parametrize(
    ("text", "value"), [("yes", True), ("Ja", True), ("of course", True), ("no", False), ("nein danke", False)]
)
def test_a_yes_or_no_answers_a_boolean(text: str, value: bool) -> None:
    assert answer(text, {"type": "boolean"}) is value


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "boolean"}, "maybe"),
        ({"type": "integer"}, "five"),
        ({"enum": ["red", "green"]}, "blue"),
        ({"type": "string", "format": "date"}, "some day"),
        ({"type": "string", "maxLength": 3}, "Fluffy"),
        ({"type": "string", "pattern": "^[0-9]{5}$"}, "somewhere"),
        ({"type": "array", "items": {"type": "object"}}, "Fluffy"),
        ({}, "Fluffy"),
    ],
)
def test_what_a_slot_cannot_hold_is_no_answer(schema: JsonObject, text: str) -> None:
    assert answer(text, schema) is None


def test_where_every_example_had_digits_words_alone_do_not_do() -> None:
    taught = lesson(TEXT)
    taught.taught.append(taught_by(read("order AB-1"), ValuePlace(6, 10)))
    assert short_answer(taught, "the blue one") == []
    assert [found.value for found in short_answer(taught, "it is AB-2")] == ["AB-2"]


@given(st.text(max_size=40), st.sampled_from([TEXT, LIST, {"type": "boolean"}]))
def test_a_value_is_made_of_the_words_it_rests_on(text: str, schema: JsonObject) -> None:
    for found in short_answer(lesson(schema), text):
        pieces = [text[start:end] for start, end in found.places]
        assert all(0 <= start < end <= len(text) for start, end in found.places)
        assert found.value == (pieces if schema is LIST else pieces[0] if schema is TEXT else found.value)
        assert all(piece == piece.strip() for piece in pieces) or schema["type"] == "boolean"


@given(st.from_regex(r"[A-Z][a-z]{3,8}x", fullmatch=True), st.sampled_from(["it is", "My name is", "call it", "für"]))
def test_any_word_behind_a_lead_in_is_the_value(word: str, opening: str) -> None:
    assert answer(f"{opening}  {word}!") == (word if opening != "für" else f"für  {word}")
