"""What one example teaches."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Declaration, DeclarationKind, ExampleDialogue
from openplaybook.models.offline.knowledge.episodes import episodes_of
from openplaybook.models.offline.knowledge.lesson_book import Book, open_book
from openplaybook.models.offline.knowledge.teacher import teach
from openplaybook.models.offline.language.local_tables import ENGLISH_FORMS
from tests.unit.models.offline.talk import example, function

TEXT: JsonObject = {"type": "string"}
FIND = function("find", "Find pets", {"kind": {"type": "array", "items": TEXT}, "owner": TEXT})
ADD = function("add", "Add a pet", {"body": {"type": "object", "properties": {"name": TEXT, "kind": TEXT}}})
END = Declaration("end", "Leave", {"type": "object", "properties": {"state": TEXT}}, None, DeclarationKind.END, "")


def taught(*examples: ExampleDialogue) -> dict[str, Book]:
    books = {declaration.name: open_book(declaration) for declaration in (FIND, ADD, END)}
    for shown in examples:
        for episode in episodes_of(shown):
            teach(episode, books, frozenset(), ENGLISH_FORMS)
    return books


def test_where_values_stand_is_learned_from_the_words_before_a_call() -> None:
    books = taught(
        example("x", "U: show all small dogs of Kim", ("find", {"kind": ["small", "dog"], "owner": "Kim"}, []))
    )
    (sample,) = books["find"].samples
    assert sorted(sample.places) == [(9, 14, "kind"), (15, 19, "kind"), (23, 26, "owner")]
    kind, owner = books["find"].lessons
    assert [one.context.before for one in kind.taught] == ["all", "small"]
    assert [one.context.before for one in owner.taught] == ["of"]
    assert (kind.is_plural, owner.is_plural) == (True, False)
    assert list(kind.known.values()) == ["small", "dog"]


def test_a_value_that_nobody_said_teaches_no_place() -> None:
    books = taught(example("x", "U: show them", ("find", {"owner": "Kim"}, [])))
    assert books["find"].lessons[1].taught == []
    assert list(books["find"].lessons[1].known.values()) == ["Kim"]


def test_a_question_is_learned_for_what_its_answer_gave() -> None:
    books = taught(
        example("x", "U: add a pet", "A: What is its name?", "U: Rex", ("add", {"body": {"name": "Rex"}}, {}))
    )
    assert {path[-1]: lesson.question for path, lesson in books["add"].paths.items()} == {
        "name": "What is its name?",
        "kind": "",
    }


def test_an_answer_of_values_alone_is_no_sample_of_what_users_say() -> None:
    books = taught(
        example("x", "U: add a pet", "A: Its name?", "U: it is Rex", ("add", {"body": {"name": "Rex"}}, {})),
        example("y", "U: add one", "A: Its name?", "U: a huge parrot Rex", ("add", {"body": {"name": "Rex"}}, {})),
    )
    texts = [sample.reading.text for sample in books["add"].samples]
    assert texts == ["add a pet", "add one", "a huge parrot Rex"]


def test_a_yes_before_a_call_makes_the_question_a_confirmation() -> None:
    books = taught(
        example("x", "U: add Rex", "A: Really add Rex?", "U: yes", ("add", {"body": {"name": "Rex"}}, {"id": 1}))
    )
    confirmation = books["add"].confirmation
    assert confirmation is not None
    assert confirmation.parts[0] == "Really add "
    assert taught(example("x", "U: add Rex", ("add", {"body": {"name": "Rex"}}, {})))["add"].confirmation is None


def test_values_that_results_show_are_known_under_their_own_name() -> None:
    items = [{"owner": "Kim", "kind": "cat", "age": 3}, {"owner": "Lee", "nickname": "L"}]
    books = taught(example("x", "U: show them", ("find", {}, {"200": items})))
    assert list(books["find"].paths[("owner",)].known.values()) == ["Kim", "Lee"]
    assert list(books["find"].paths[("kind",)].known.values()) == ["cat"]
    assert list(books["add"].paths[("body", "kind")].known.values()) == ["cat"]
    assert books["add"].paths[("body", "name")].known == {}


def test_a_call_after_a_call_is_a_step_with_the_sources_of_its_arguments() -> None:
    books = taught(
        example(
            "x",
            "U: copy pets of Kim",
            ("find", {"owner": "Kim"}, {"200": {"title": "Rex"}}),
            ("add", {"body": {"name": "Rex", "kind": "Kim"}}, {}),
            "A: Done.",
        )
    )
    (step,) = books["find"].steps
    assert (step.after, step.name) == ("find", "add")
    assert step.sources == (
        (("body", "name"), "result", ("title",)),
        (("body", "kind"), "argument", ("owner",)),
    )
    assert books["add"].steps == []


def test_the_answer_after_the_last_call_is_its_template() -> None:
    books = taught(example("x", "U: pets of Kim", ("find", {"owner": "Kim"}, {"200": {"n": "Rex"}}), "A: Kim has Rex."))
    (answer,) = books["find"].answers
    assert (answer.status, answer.size, answer.example) == ("200", "object", "x")
    assert books["add"].answers == []


@pytest.mark.parametrize(
    ("entries", "state", "ends"),
    [
        ((("find", {}, []), "A: None."), "OK", True),
        ((("find", {}, []), "A: None."), "", False),
        ((("find", {}, []), "A: None."), "CANCELLED", False),
        ((("find", {}, []), ("end", {"state": "OK"}, {})), "", True),
    ],
)
def test_an_example_that_is_over_after_a_call_says_so(
    entries: tuple[str | tuple[str, JsonObject, object], ...], state: str, ends: bool
) -> None:
    books = taught(example("x", "U: show them", *entries, end_state=state))
    assert books["find"].ends is ends


def test_an_example_goes_on_after_calls_that_are_not_its_last() -> None:
    shown = example("x", "U: a", ("find", {}, []), "A: None.", "U: add one", ("add", {}, {}), "A: Ok.", end_state="OK")
    books = taught(shown)
    assert (books["find"].ends, books["add"].ends) == (False, True)
