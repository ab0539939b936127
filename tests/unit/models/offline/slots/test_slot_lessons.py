"""What a schema and examples teach about one slot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.slots.slot_lessons import Lesson, cue_strength, lesson_for, value_keys
from openplaybook.models.offline.slots.slot_schema import Slot, slots_of
from openplaybook.models.offline.slots.value_contexts import ValuePlace, taught_by

TEXT: JsonObject = {"type": "string"}


def slot(schema: JsonObject, name: str = "x") -> Slot:
    return slots_of({"type": "object", "properties": {name: schema}})[0]


def known(schema: JsonObject) -> list[JsonValue]:
    return list(lesson_for(slot(schema)).known.values())


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        (TEXT, []),
        ({**TEXT, "enum": ["OPEN", "on_hold"]}, ["OPEN", "on_hold"]),
        ({"const": "fixed"}, ["fixed"]),
        ({"type": "integer", "enum": [1, 2]}, []),
        ({**TEXT, "examples": ["cat", "dog"]}, ["cat", "dog"]),
        ({**TEXT, "examples": ["cat", 5, None, {"a": 1}]}, ["cat"]),
        ({**TEXT, "examples": ["toolong"], "maxLength": 3}, []),
        ({"type": "array", "items": {**TEXT, "enum": ["a1", "b2"]}}, ["a1", "b2"]),
        ({**TEXT, "enum": ["open"], "examples": ["shut"]}, ["open"]),
    ],
)
def test_a_lesson_knows_the_options_and_examples_of_its_schema(schema: JsonObject, values: list[JsonValue]) -> None:
    assert known(schema) == values


@pytest.mark.parametrize(
    ("description", "values"),
    [
        ("Kind of animal, such as dog, cat or rabbit.", ["dog", "cat", "rabbit"]),
        ("Kind of animal (e.g. dog, cat)", ["dog", "cat"]),
        ("For example: red, dark green. Nothing else.", ["red", "dark green"]),
        ("One of `small`, `large`", ["small", "large"]),
        ("Either hot or cold", ["hot", "cold"]),
        ("Tierart, z. B. hund oder katze", ["hund", "katze"]),
        ("Zum Beispiel rot und blau", ["rot", "blau"]),
        ("A word such as the very long one we never meant", []),
        ("Name of the pet", []),
        ("", []),
    ],
)
def test_a_lesson_knows_the_words_its_description_names(description: str, values: list[str]) -> None:
    assert known({**TEXT, "description": description}) == values


def test_a_lesson_remembers_words_and_leaves_numbers_to_their_recogniser() -> None:
    lesson = lesson_for(slot(TEXT))
    for value in ("cat", ["small dog", "big"], 5, True, None, "", "..."):
        lesson.know(value)
    assert lesson.known == {("cat",): "cat", ("small", "dog"): "small dog", ("big",): "big"}


def test_the_first_spelling_of_a_value_stays() -> None:
    lesson = lesson_for(slot({**TEXT, "enum": ["Dogs", "dog"]}))
    assert list(lesson.known.values()) == ["Dogs"]


def test_a_lesson_does_not_grow_without_end() -> None:
    lesson = lesson_for(slot(TEXT))
    for number in range(1000):
        lesson.know(f"value{number}x")
    assert len(lesson.known) == 500


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("show me small dogs", [("small dogs", "small dog"), ("dogs", "dog")]),
        ("show me dogs", [("dogs", "dog")]),
        ("a SMALL, dog", [("SMALL, dog", "small dog"), ("dog", "dog")]),
        ("dog dog", [("dog", "dog"), ("dog", "dog")]),
        ("on hold", [("on hold", "on_hold")]),
        ("doghouse", []),
        ("", []),
    ],
)
def test_known_values_are_found_as_whole_words_the_longest_first(text: str, found: list[tuple[str, str]]) -> None:
    lesson = lesson_for(slot({**TEXT, "enum": ["dog", "small dog", "on_hold"]}))
    assert [(text[start:end], value) for start, end, value in lesson.find_known(read(text))] == found


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("On_Hold", ("on", "hold")),
        ("in-progress", ("in", "progress")),
        ("DOGS", ("dog",)),
        ("O'Brien", ("o'brien",)),
        ("--", ()),
    ],
)
def test_a_value_is_compared_by_its_words(value: str, words: tuple[str, ...]) -> None:
    assert value_keys(value) == words


def taught(*lessons: tuple[str, str]) -> Lesson:
    lesson = lesson_for(slot(TEXT))
    for text, value in lessons:
        start = text.index(value)
        lesson.taught.append(taught_by(read(text), ValuePlace(start, start + len(value), value.endswith("s"))))
    return lesson


def test_digits_are_wanted_when_every_example_has_them() -> None:
    assert taught(("order AB-1", "AB-1"), ("zip 10115", "10115")).wants_digits
    assert not taught(("order AB-1", "AB-1"), ("order it", "it")).wants_digits
    assert not taught().wants_digits


def test_a_plural_is_wanted_in_the_singular_when_an_example_shows_it() -> None:
    assert taught(("show dogs", "dogs"), ("show cat", "cat")).is_plural
    assert not taught(("show cat", "cat")).is_plural


@pytest.mark.parametrize(
    ("schema", "name", "text", "strength"),
    [
        (TEXT, "owner", "the owner Kim", 1.0),
        (TEXT, "owner", "owner is Kim", 0.85),
        (TEXT, "owner", "owner of it is Kim", 0.55),
        (TEXT, "owner", "owner of it there is Kim", 0.0),
        (TEXT, "owner", "Kim owner", 0.9),
        (TEXT, "owner", "Kim is owner", 0.75),
        (TEXT, "owner", "Kim", 0.0),
        ({**TEXT, "description": "Person who pays"}, "x", "person Kim", 0.7),
        (TEXT, "petId", "number Kim", 1.0),
        (TEXT, "zip_code", "number Kim", 0.8),
        ({"type": "number"}, "zip_code", "number Kim", 0.0),
    ],
)
def test_a_cue_is_the_stronger_the_nearer_it_stands(schema: JsonObject, name: str, text: str, strength: float) -> None:
    start = text.index("Kim")
    assert cue_strength(slot(schema, name), read(text), start, start + 3) == pytest.approx(strength)


@given(st.text(max_size=40), st.text(max_size=10), st.data())
def test_a_cue_is_never_stronger_than_one_and_three_further_words(text: str, name: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert 0.0 <= cue_strength(slot(TEXT, name or "x"), read(text), start, end) <= 1.6


@given(st.text(max_size=80))
def test_any_description_is_read(description: str) -> None:
    assert all(isinstance(value, str) for value in known({**TEXT, "description": description}))
