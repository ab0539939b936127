from openplaybook.models.base import AgentText, ExampleDialogue, FunctionCall, FunctionResult, UserText
from openplaybook.models.prompt.examples import Shot, select, shot, words
from tests.unit.models.building import called


def a_shot(text: str, tokens: int = 10, *, is_static: bool = False) -> Shot:
    return Shot((UserText(text),), tokens, words(text), is_static)


def test_an_example_begins_with_a_note_of_what_it_is() -> None:
    example = ExampleDialogue(
        "Find",
        (UserText("hi"), *called("f", {"a": 1}), AgentText("ok")),
        end_state="OK",
        execution_summary="found it",
        inputs={"x": 1},
        outputs={"y": 2},
        summary="greeted",
    )
    shown = shot(example)
    assert shown.entries == (
        UserText('[Example \'Find\'; before it: greeted; inputs {"x":1}; ends OK; outputs {"y":2}; reports: found it]'),
        *example.entries,
    )
    assert shown.words == {"find", "hi"}


def test_a_call_without_a_result_gets_an_empty_one() -> None:
    entries = shot(ExampleDialogue("a", (FunctionCall("c", "f", {}), AgentText("ok")))).entries
    assert entries[1:] == (FunctionCall("c", "f", {}), FunctionResult("c", "f", {}), AgentText("ok"))


def test_all_examples_are_shown_while_they_fit() -> None:
    assert list(select([a_shot("a"), a_shot("b")], "", 20)) == [0, 1]


def test_relevant_examples_come_first_and_stand_in_stored_order() -> None:
    shots = [a_shot("the price of a dog"), a_shot("opening hours"), a_shot("a dog named Rex")]
    assert select(shots, "show me a DOG", 20) == [0, 2]
    assert select(shots, "opening hours please", 10) == [1]


def test_static_examples_come_before_relevant_ones() -> None:
    shots = [a_shot("a dog"), a_shot("rules", is_static=True)]
    assert select(shots, "a dog", 10) == [1]


def test_an_example_that_is_too_long_makes_room_for_shorter_ones() -> None:
    assert select([a_shot("dog", 50), a_shot("cat", 10)], "dog", 20) == [1]


def test_equally_relevant_examples_keep_their_order() -> None:
    assert select([a_shot("a"), a_shot("b"), a_shot("c")], "x", 20) == [0, 1]
