import pytest
from hypothesis import given

from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, UserText
from openplaybook.turns.base import EventInput, NoInput, TextInput, ToolResultInput, ToolResultsInput, TurnInput
from openplaybook.turns.journal.journal_messages import (
    entry_json,
    entry_of,
    history_digest,
    input_json,
    input_of,
    paired,
    results_of,
    text_of,
)
from tests.kit.journal_values import ENTRIES, INPUTS


@given(INPUTS)
def test_what_is_kept_of_an_input_is_all_of_it(given: TurnInput) -> None:
    assert input_of(input_json(given)) == given


ONE = ToolResultInput("t", "a", output={})


@pytest.mark.parametrize(
    ("given", "begins", "results"),
    [
        (TextInput("hi"), True, ()),
        (EventInput("e"), True, ()),
        (NoInput(), False, ()),
        (ONE, False, (ONE,)),
        (ToolResultsInput((ONE, ONE)), False, (ONE, ONE)),
    ],
)
def test_words_and_events_begin_a_turn_and_all_else_goes_on_with_a_paused_one(
    given: TurnInput, begins: bool, results: tuple[ToolResultInput, ...]
) -> None:
    assert ("text" in input_json(given)) is begins
    assert results_of(given) == results


@given(ENTRIES)
def test_what_is_kept_of_an_entry_is_all_of_it(entry: Entry) -> None:
    assert entry_of(entry_json(entry)) == entry


def test_calls_without_a_result_and_results_without_a_call_are_left_out() -> None:
    whole = [UserText("hi"), FunctionCall("1", "f", {}), FunctionResult("1", "f", {}), AgentText("done")]
    assert paired([*whole, FunctionCall("2", "f", {}), FunctionResult("3", "f", {})]) == whole


def test_a_history_has_one_digest_and_no_history_has_none() -> None:
    assert history_digest([]) == ""
    assert history_digest([UserText("a")]) == history_digest((UserText("a"),))
    assert history_digest([UserText("a")]) != history_digest([AgentText("a")])


def test_the_words_of_a_message_are_its_texts_and_other_messages_have_none() -> None:
    assert text_of({"text": {"text": ["a", "b"]}}) == "a\nb"
    assert text_of({"payload": {"text": "a"}}) == ""
