import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import FunctionResult
from openplaybook.models.offline.knowledge.answer_templates import fill, middle_separator
from openplaybook.models.offline.knowledge.learned_answers import AnswerTemplate, facts_of, learn, size_of
from openplaybook.models.offline.knowledge.lesson_book import Book, open_book
from openplaybook.models.offline.knowledge.result_outcome import ResultOutcome, items_in, message_in, read_outcome
from openplaybook.models.offline.language.own_sentences import ENGLISH, GERMAN
from openplaybook.models.offline.result_answers import answer_about
from tests.unit.models.offline.talk import function

_NESTED: JsonObject = {"error": {"error": {"error": {"error": "x"}}}}
_PERSON: JsonObject = {"name": "Kim", "active": True, "home": {"city": "Bonn"}}


def ok(body: JsonValue, status: str = "200") -> ResultOutcome:
    return ResultOutcome(status, is_error=False, body=body, message="")


def learned(text: str, arguments: JsonObject, body: JsonValue) -> AnswerTemplate | None:
    return learn(text, arguments, ok(body), "Example", frozenset())


def again(template: AnswerTemplate | None, arguments: JsonObject, body: JsonValue) -> str | None:
    assert template is not None
    return fill(template.parts, facts_of(arguments, ok(body)))


def test_values_of_call_and_result_become_holes() -> None:
    template = learned("Room 4 costs 99.5 in Rome.", {"city": "Rome"}, {"room": 4, "price": 99.5})
    assert again(template, {"city": "Oslo"}, {"room": 7, "price": 80.0}) == "Room 7 costs 80 in Oslo."


def test_a_clause_without_its_value_is_left_out() -> None:
    body: JsonObject = {"name": "Luna", "owner": "Kim", "label": ["cat", "shy"]}
    template = learned("This is Luna, owned by Kim, labels: cat and shy.", {}, body)
    assert again(template, {}, {"name": "Milo", "label": ["dog"]}) == "This is Milo, labels: dog."
    assert again(template, {}, {"name": "Milo", "label": ["a", "b", "c"]}) == "This is Milo, labels: a, b and c."
    assert again(template, {}, {"owner": "Tom"}) is None


def test_items_of_a_list_are_told_like_the_first() -> None:
    items: list[JsonValue] = [{"id": 2, "name": "A1"}, {"id": 3, "name": "B2"}]
    template = learned("There are 2 ships: A1 (no. 2) and B2 (no. 3).", {}, items)
    more: list[JsonValue] = [{"id": 7, "name": "C"}, {"id": 8, "name": "D"}, {"id": 9, "name": "E"}]
    assert again(template, {}, more) == "There are 3 ships: C (no. 7), D (no. 8) and E (no. 9)."
    assert again(template, {}, more[:1]) == "There are 1 ship: C (no. 7)."


def test_a_list_of_words_and_a_list_inside_an_object_are_lists_too() -> None:
    template = learned("Colours: red, green and blue.", {}, ["red", "green", "blue"])
    assert again(template, {}, ["black", "white"]) == "Colours: black and white."
    template = learned("I found two: X-1 and X-2.", {}, {"rows": [{"no": "X-1"}, {"no": "X-2"}], "page": 1})
    rows: JsonObject = {"rows": [{"no": "X-7"}, {"no": "X-8"}, {"no": "X-9"}], "page": 1}
    assert again(template, {}, rows) == "I found three: X-7, X-8 and X-9."


def test_an_example_with_one_item_does_not_show_how_to_tell_several() -> None:
    template = learned("I found Luna.", {}, [{"name": "Luna"}])
    assert again(template, {}, [{"name": "Milo"}]) == "I found Milo."
    assert again(template, {}, [{"name": "Milo"}, {"name": "Tom"}]) is None


def test_a_long_list_is_cut_and_counted() -> None:
    template = learned("Names: A1, B2 and C3.", {}, [{"n": "A1"}, {"n": "B2"}, {"n": "C3"}])
    told = again(template, {}, [{"n": f"N{number}"} for number in range(40)])
    assert told == "Names: N0, N1, N2, N3, N4 and 35 more."


@pytest.mark.parametrize(
    "text",
    ["It was built in 1888.", "It is run by Conrad.", "There are 7 of them.", "Luna lives in Rome."],
)
def test_an_answer_with_something_the_call_did_not_give_is_not_reused(text: str) -> None:
    assert learned(text, {}, {"name": "Luna", "city": "Oslo"}) is None


def test_names_that_the_agent_uses_itself_may_stand_in_an_answer() -> None:
    template = learn("Welcome to Acme, Kim!", {}, ok({"name": "Kim"}), "Example", frozenset(("acme",)))
    assert again(template, {}, {"name": "Lee"}) == "Welcome to Acme, Lee!"


def test_the_separator_between_two_comes_from_the_last() -> None:
    assert middle_separator(") and ") == "), "
    assert middle_separator("; ") == "; "


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ([], "empty"),
        ([1], "one"),
        ([1, 2], "many"),
        ({"a": 1}, "object"),
        ({"rows": [{"a": 1}]}, "one"),
        ({"tags": ["a"]}, "object"),
        (None, "object"),
        ({"rows": []}, "empty"),
    ],
)
def test_a_result_has_a_size(body: JsonValue, size: str) -> None:
    assert size_of(ok(body)) == size


def test_two_lists_make_no_list() -> None:
    assert items_in({"a": [{"x": 1}], "b": [{"y": 1}]}) is None


def result(output: JsonValue, *, is_error: bool = False) -> FunctionResult:
    return FunctionResult("1", "f", output, is_error)


def test_an_outcome_is_taken_out_of_its_response_code() -> None:
    assert read_outcome(result({"201": {"id": 1}})) == ok({"id": 1}, "201")
    assert read_outcome(result({"temperature": 3})) == ok({"temperature": 3}, "")
    assert read_outcome(result({"404": {"message": "gone"}})) == ResultOutcome("404", True, {"message": "gone"}, "gone")


def test_an_error_is_told_in_the_words_of_the_other_side_else_of_the_tool() -> None:
    report: JsonObject = {"error": {"code": "HTTP_ERROR", "message": "answered 404"}}
    assert read_outcome(result(report, is_error=True)).message == "answered 404"
    report["output"] = {"404": {"error": {"message": "There is no pet 99."}}}
    assert read_outcome(result(report, is_error=True)).message == "There is no pet 99."


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("broken", "broken"),
        ({"detail": "d"}, "d"),
        ({"errors": [{"title": "t"}]}, "t"),
        (_NESTED, ""),
        ({}, ""),
        (None, ""),
        ([1], ""),
    ],
)
def test_a_message_is_searched_under_usual_names(body: JsonValue, message: str) -> None:
    assert message_in(body) == message


def book(*templates: AnswerTemplate | None) -> Book:
    made = open_book(function("f", "Does it", {}))
    made.answers += [template for template in templates if template is not None]
    return made


def test_the_example_with_the_same_arguments_and_size_is_preferred() -> None:
    plain = learned("I found Kim.", {}, [{"name": "Kim"}])
    filtered = learned("In Rome I found Lee.", {"city": "Rome"}, [{"name": "Lee"}])
    empty = learned("Nobody in Oslo.", {"city": "Oslo"}, [])
    made = book(plain, filtered, empty)
    assert answer_about(made, {}, result([{"name": "Ann"}]), ENGLISH) == ("I found Ann.", "Example")
    assert answer_about(made, {"city": "Bonn"}, result([{"name": "Ann"}]), ENGLISH)[0] == "In Bonn I found Ann."
    assert answer_about(made, {"city": "Bonn"}, result([]), ENGLISH)[0] == "Nobody in Bonn."


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (
            {"200": _PERSON},
            "Here is what I found: name Kim, active yes, home city Bonn.",
        ),
        ({"201": {"id": 4}}, "Done: id 4."),
        ({"204": None}, "Done."),
        ({"200": []}, "I didn't find anything."),
        ({"200": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]}, "I found 2: A (id 1) and B (id 2)."),
        ({"200": ["x", "y"]}, "I found 2: x and y."),
        ({"200": [{"a": 1}, {"a": 2}]}, "I found 2: a 1 and a 2."),
    ],
)
def test_without_an_example_a_result_is_told_plainly(output: JsonValue, text: str) -> None:
    assert answer_about(None, {}, result(output), ENGLISH) == (text, "plain")


def test_without_an_example_a_failure_is_told_plainly() -> None:
    assert answer_about(None, {}, result({"error": {"message": "Too late."}}, is_error=True), ENGLISH)[0] == (
        "Sorry, that did not work: Too late."
    )
    assert answer_about(None, {}, result({}, is_error=True), GERMAN)[0] == "Das hat leider nicht geklappt."


def test_a_very_long_plain_answer_is_cut() -> None:
    text, _ = answer_about(None, {}, result({"text": "x" * 5000}), ENGLISH)
    assert len(text) == len("Here is what I found: .") + 2001


def test_words_for_a_day_of_the_example_become_the_day_of_the_call() -> None:
    template = learned("Tomorrow the pharmacy Luna is open.", {"day": "2026-11-21"}, {"name": "Luna"})
    assert again(template, {"day": "2026-11-29"}, {"name": "Sol"}) == "November 29, 2026 the pharmacy Sol is open."
    assert learned("Luna is open on Sunday.", {}, {"name": "Luna"}) is None
    assert again(learned("Luna is open on Sunday.", {}, {"name": "Luna", "day": "Sunday"}), {}, {"name": "Sol"}) is None
    said = "Luna is open. Can I help you with anything else today?"
    assert again(learned(said, {}, {"name": "Luna"}), {}, {"name": "Sol"}) == said.replace("Luna", "Sol")
