"""Answers about results, in an example's words or in our own."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Declaration, DeclarationKind, FunctionResult
from openplaybook.models.offline.knowledge.learned_answers import AnswerTemplate, learn
from openplaybook.models.offline.knowledge.lesson_book import Book, open_book
from openplaybook.models.offline.knowledge.result_outcome import ResultOutcome
from openplaybook.models.offline.language.own_sentences import ENGLISH, FRENCH, GERMAN, SPANISH, Wording, wording_for
from openplaybook.models.offline.result_answers import answer_about
from tests.unit.models.offline.talk import function

PET: JsonObject = {"id": 3, "name": "Luna", "isIndoor": True, "label": ["cat", "shy"], "home": {"city": "Bonn"}}


def said(output: JsonValue, wording: Wording = ENGLISH, *, is_error: bool = False, book: Book | None = None) -> str:
    return answer_about(book, {}, FunctionResult("1", "f", output, is_error), wording)[0]


@pytest.mark.parametrize(
    ("output", "english", "german"),
    [
        ({"200": {"a": 1}}, "Here is what I found: a 1.", "Das habe ich gefunden: a 1."),
        ({"201": {"id": 4}}, "Done: id 4.", "Erledigt: id 4."),
        ({"204": None}, "Done.", "Erledigt."),
        ({"200": {}}, "Done.", "Erledigt."),
        ({"200": []}, "I didn't find anything.", "Ich habe nichts gefunden."),
        ({"200": ["x"]}, "I found 1: x.", "Ich habe 1 gefunden: x."),
        ({"200": ["x", "y"]}, "I found 2: x and y.", "Ich habe 2 gefunden: x und y."),
        ({"200": "sunny"}, "Here is what I found: sunny.", "Das habe ich gefunden: sunny."),
        ({"200": {"ok": True}}, "Here is what I found: ok yes.", "Das habe ich gefunden: ok ja."),
        ({"404": {"message": "No."}}, "Sorry, that did not work: No.", "Das hat leider nicht geklappt: No."),
        ({"500": None}, "Sorry, that did not work.", "Das hat leider nicht geklappt."),
    ],
)
def test_a_result_is_told_plainly_in_both_languages(output: JsonValue, english: str, german: str) -> None:
    assert (said(output), said(output, GERMAN)) == (english, german)


def test_an_object_is_told_member_by_member() -> None:
    assert said({"200": PET}) == (
        "Here is what I found: id 3, name Luna, is indoor yes, label cat and shy, home city Bonn."
    )


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (PET, "Luna (id 3, is indoor yes, label cat and shy, home city Bonn)"),
        ({"title": "T"}, "T"),
        ({"id": 7, "size": 2}, "7 (size 2)"),
        ({"size": 2}, "size 2"),
        (5.0, "5"),
        (False, "no"),
        (["a", "b"], "a and b"),
    ],
)
def test_an_item_of_a_list_is_told_by_its_name(item: JsonValue, text: str) -> None:
    assert said({"200": [item]}) == f"I found 1: {text}."


def test_a_long_list_is_cut_and_says_how_much_is_left() -> None:
    text = said({"200": [f"n{number}" for number in range(35)]})
    assert text == "I found 35: n0, n1, n2, n3, n4 and 30 more."


def test_very_long_texts_are_cut() -> None:
    assert len(said({"200": ["x" * 5000]})) < 2100
    assert len(said({"500": {"message": "x" * 5000}})) < 2100


def test_braces_in_a_result_are_only_braces() -> None:
    assert said({"200": {"a": "{0} {} {x}"}}) == "Here is what I found: a {0} {} {x}."


def test_a_called_playbook_has_spoken_itself() -> None:
    playbook = Declaration("p", "", {}, None, DeclarationKind.PLAYBOOK, "P")
    book = open_book(playbook)
    assert said({"state": "OK"}, book=book) == "Is there anything else I can do for you?"
    assert said({"message": "No."}, is_error=True, book=book) == "Sorry, that did not work: No."


def template(text: str, body: JsonValue, status: str = "200", **arguments: JsonValue) -> AnswerTemplate:
    learned = learn(text, arguments, ResultOutcome(status, status[0] in "45", body, ""), text, frozenset())
    assert learned is not None
    return learned


def answer(templates: list[AnswerTemplate], output: JsonValue, **arguments: JsonValue) -> str:
    book = open_book(function("f", "", {}))
    book.answers = templates
    return answer_about(book, arguments, FunctionResult("1", "f", output), ENGLISH)[1]


def test_the_template_closest_to_the_call_is_taken() -> None:
    plain, by_city = template("It is Anna.", {"n": "Anna"}), template("In Rome: Anna.", {"n": "Anna"}, city="Rome")
    created = template("New: Anna.", {"n": "Anna"}, "201")
    templates = [plain, by_city, created]
    assert answer(templates, {"200": {"n": "Bea"}}) == "It is Anna."
    assert answer(templates, {"200": {"n": "Bea"}}, city="Oslo") == "In Rome: Anna."
    assert answer(templates, {"201": {"n": "Bea"}}) == "New: Anna."


def test_a_failure_is_told_only_as_an_example_of_the_same_failure_shows() -> None:
    gone = template("There is no pet 9.", {"pet": 9}, "404")
    assert answer([gone], {"404": {"pet": 8}}) == "There is no pet 9."
    assert answer([gone], {"500": {"pet": 8}}) == "plain"
    assert answer([gone], {"200": {"pet": 8}}) == "plain"


def test_a_template_whose_values_are_missing_gives_way_to_plain_words() -> None:
    assert answer([template("It is Anna.", {"n": "Anna"})], {"200": {"m": 1}}) == "plain"


@pytest.mark.parametrize(
    ("code", "wording"),
    [
        ("en", ENGLISH),
        ("en-GB", ENGLISH),
        ("de", GERMAN),
        ("DE-at", GERMAN),
        ("fr", FRENCH),
        ("es", SPANISH),
        ("nl", ENGLISH),
        ("", ENGLISH),
    ],
)
def test_the_wording_is_that_of_the_language_else_english(code: str, wording: Wording) -> None:
    assert wording_for(code) is wording
