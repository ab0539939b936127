"""What events say to the client, and the stored form of a turn's result."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.turns.base import Message, RichMessage, TextMessage, ToolCallMessage, TurnResult
from openplaybook.turns.journal.events import EngineSpoke, Event, UserHeard
from openplaybook.turns.journal.turn_results import (
    END_INTERACTION,
    dump_result,
    load_result,
    replies_in,
    said_in,
    stored_index,
    stored_turn,
)
from tests.kit.happenings import ended, handler_fired, replied, settled
from tests.kit.journal_values import NUMBERS, OBJECTS, TEXTS

TEXT: JsonObject = {"text": {"text": ["a", "b"]}}


@pytest.mark.parametrize(
    ("event", "said", "replies"),
    [
        (replied("Hello."), [TextMessage("Hello.")], 1),
        (replied(""), [], 0),
        (replace(replied("Not aloud."), unheard=True), [], 0),
        (EngineSpoke(frame=1, text="Sorry.", code="X"), [TextMessage("Sorry.")], 1),
        (EngineSpoke(frame=1, text="", code="EVENT"), [], 0),
        (handler_fired(TEXT, {"payload": {"x": 1}}), [TextMessage("a\nb"), RichMessage({"payload": {"x": 1}})], 1),
        (ended(outputs={"a": 1}, summary="s"), [END_INTERACTION], 0),
        (
            ended("ESCALATED", outputs={"a": 1}, summary="s"),
            [RichMessage({"liveAgentHandoff": {"metadata": {"a": 1, "executionSummary": "s"}}}), END_INTERACTION],
            0,
        ),
        (
            ended("ESCALATED", outputs={"a": 1}),
            [RichMessage({"liveAgentHandoff": {"metadata": {"a": 1}}}), END_INTERACTION],
            0,
        ),
        (UserHeard(frame=1, text="hi"), [], 0),
        (settled("c1", "x"), [], 0),
    ],
)
def test_an_event_says_what_is_for_the_client(event: Event, said: list[Message], replies: int) -> None:
    assert list(said_in(event)) == said
    assert replies_in(event) == replies


MESSAGES: st.SearchStrategy[Message] = st.one_of(
    st.builds(TextMessage, TEXTS),
    st.builds(RichMessage, OBJECTS),
    st.builds(ToolCallMessage, TEXTS, TEXTS, TEXTS, OBJECTS),
)
RESULTS = st.builds(
    TurnResult,
    response_id=TEXTS,
    messages=st.lists(MESSAGES, max_size=3).map(tuple),
    parameters=OBJECTS,
    current_playbook=TEXTS,
    current_playbook_display_name=TEXTS,
    query_text=TEXTS,
    language_code=TEXTS,
    trace=st.just(()),
    paused=st.booleans(),
    turn=NUMBERS,
    ended=st.none() | OBJECTS,
    index=NUMBERS,
    event=TEXTS,
    takes_feedback=st.booleans(),
)


@given(RESULTS)
def test_a_stored_result_comes_back_as_it_was(result: TurnResult) -> None:
    stored = dump_result(result, result.turn)
    assert load_result(stored, ()) == result
    assert (stored_turn(stored), stored_index(stored)) == (result.turn, result.index)
