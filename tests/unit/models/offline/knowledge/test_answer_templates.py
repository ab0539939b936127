"""Answers with holes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.knowledge.answer_templates import (
    Facts,
    Hole,
    Items,
    Part,
    fill,
    join,
    middle_separator,
)

NAME, OWNER = Hole("result", ("name",)), Hole("result", ("owner",))


def told(
    *parts: Part, arguments: JsonObject | None = None, body: JsonValue = None, items: list[JsonValue] | None = None
) -> str | None:
    return fill(parts, Facts(arguments or {}, body, items))


@pytest.mark.parametrize(
    ("hole", "text"),
    [
        (Hole("argument", ("city",)), "Bonn"),
        (Hole("result", ("price",)), "5"),
        (Hole("result", ("deep", "ok")), "yes"),
        (Hole("result", ("tags",), " and "), "a, b and c"),
        (Hole("count"), "2"),
        (Hole("count", in_words=True), "two"),
        (Hole("result", ("gone",)), None),
        (Hole("result", ("deep",)), None),
        (Hole("result", ("none",)), None),
        (Hole("result", ("empty",)), None),
        (Hole("argument", ("price",)), None),
    ],
)
def test_a_hole_is_filled_from_its_source(hole: Hole, text: str | None) -> None:
    body: JsonObject = {"price": 5.0, "deep": {"ok": True}, "tags": ["a", "b", "c"], "none": None, "empty": ""}
    filled = told("It is ", hole, ".", arguments={"city": "Bonn"}, body=body, items=[1, 2])
    assert filled == (None if text is None else f"It is {text}.")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"name": "Rex", "owner": "Kim"}, "This is Rex, owned by Kim. Bye."),
        ({"name": "Rex"}, "This is Rex. Bye."),
        ({"owner": "Kim"}, None),
        ({}, None),
    ],
)
def test_a_clause_that_lacks_its_value_is_left_out_but_not_the_first(body: JsonObject, text: str | None) -> None:
    assert told("This is ", NAME, ", owned by ", OWNER, ". Bye.", body=body) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"name": "Rex", "owner": "Kim"}, "This is Rex. Its owner is Kim! Bye."),
        ({"name": "Rex"}, "This is Rex. Bye."),
    ],
)
def test_a_sentence_is_left_out_with_its_mark(body: JsonObject, text: str) -> None:
    assert told("This is ", NAME, ". Its owner is ", OWNER, "! Bye.", body=body) == text


def test_words_without_holes_are_said_as_they_are() -> None:
    assert told("All done.") == "All done."
    assert told() == ""


def test_nothing_is_told_when_every_value_is_missing() -> None:
    assert told("Well, here is ", NAME, ".", body={}) is None


PATTERN = (Hole("item", ("n",)), " (", Hole("item", ("id",)), ")")


@pytest.mark.parametrize(
    ("count", "text"),
    [(1, "A0 (0)"), (2, "A0 (0) and A1 (1)"), (3, "A0 (0), A1 (1) and A2 (2)"), (0, None)],
)
def test_items_are_told_one_by_one(count: int, text: str | None) -> None:
    items: list[JsonValue] = [{"n": f"A{number}", "id": number} for number in range(count)]
    assert told(Items(PATTERN, ", ", " and "), items=items) == text


def test_an_item_that_lacks_a_value_makes_the_list_untold() -> None:
    assert told(Items((Hole("item", ("n",)),), ", ", " and "), items=[{"n": "A"}, {}]) is None


def test_how_several_are_told_must_have_been_shown() -> None:
    one = Items((Hole("item", ("n",)),), None, "")
    assert told(one, items=[{"n": "A"}]) == "A"
    assert told(one, items=[{"n": "A"}, {"n": "B"}]) is None


@pytest.mark.parametrize(("count", "text"), [(1, "I found 1 pet."), (2, "I found 2 pets."), (11, "I found 11 pets.")])
def test_the_noun_behind_a_count_agrees_with_it(count: int, text: str) -> None:
    assert told("I found ", Hole("count"), " pets.", items=[1] * count) == text


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a & b"), (["a", "b", "c"], "a; b & c")]
)
def test_words_are_joined_with_another_mark_before_the_last(words: list[str], text: str) -> None:
    assert join(words, "; ", " & ") == text


@pytest.mark.parametrize(
    ("last", "middle"),
    [
        (" and ", ", "),
        (") or ", "), "),
        (" und ", ", "),
        (" y ", ", "),
        (" et ", ", "),
        (", and ", ", "),
        ("; ", "; "),
    ],
)
def test_between_two_stands_what_stands_before_the_last_without_its_conjunction(last: str, middle: str) -> None:
    assert middle_separator(last) == middle


PIECES = st.text(alphabet="ab ,.;(!?", max_size=6) | st.just(NAME) | st.just(OWNER) | st.just(Hole("count"))


@given(st.lists(PIECES, max_size=6), st.dictionaries(st.sampled_from(["name", "owner"]), st.text(max_size=4)))
def test_any_template_is_filled_or_given_up(parts: list[Part], body: JsonObject) -> None:
    text = told(*parts, body=body)
    assert text is None or isinstance(text, str)
    if all(isinstance(part, str) for part in parts):
        assert text == "".join(str(part) for part in parts)
