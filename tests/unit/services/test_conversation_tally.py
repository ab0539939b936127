from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.services.ces.app_conversation_messages import AppConversationTally as AppTally
from openplaybook.services.dialogflow.conversation_messages import ConversationTally
from openplaybook.storage.base import KeptTurn, Step, TurnState
from openplaybook.turns.base import (
    EventInput,
    Message,
    NoInput,
    RichMessage,
    TextInput,
    TextMessage,
    ToolResultInput,
    ToolResultsInput,
    TurnInput,
    TurnResult,
)
from openplaybook.turns.errors import NewerData
from openplaybook.turns.journal.events import TurnBegun
from openplaybook.turns.journal.rows import row_of
from openplaybook.turns.journal.turn_results import dump_result
from tests.kit.happenings import begun

APP = "projects/p/locations/l/apps/a"
RESULT = ToolResultInput("t", "act", "c1", {}, "")


def turn(begin: TurnBegun, *contents: JsonObject, stopped: bool = False) -> KeptTurn:
    """A kept turn that said hello, and these messages."""
    said: list[Message] = [TextMessage("Hello."), *map(RichMessage, contents)]
    result = TurnResult(
        response_id="r",
        messages=tuple(said),
        parameters={},
        current_playbook="",
        current_playbook_display_name="",
        query_text="",
        language_code="en",
        trace=(),
        paused=False,
        turn=1,
    )
    kind, payload = row_of(begin)
    state = TurnState.STOPPED if stopped else TurnState.DONE
    response = None if stopped else dump_result(result, 1)
    return KeptTurn(1, "t1", state, 1, 2, response, [Step(1, 0, kind, payload, 1)])


def tally(*turns: KeptTurn) -> ConversationTally:
    counted = ConversationTally()
    for each in turns:
        counted.add(each)
    return counted


def test_turns_texts_and_answers_are_counted_and_the_first_language_stands() -> None:
    german = replace(begun(RESULT), language_code="de")
    turns = (turn(begun()), turn(german), turn(begun(TextInput("go")), stopped=True), turn(begun(TextInput(""))))
    turns = (*turns, turn(begun(EventInput("WELCOME"))))
    assert tally(*turns) == ConversationTally(language_code="en", turns=5, texts=2, events=1, answers=4)


@pytest.mark.parametrize(
    ("content", "end", "handoff"),
    [
        ({"endInteraction": {}}, True, False),
        ({"liveAgentHandoff": {"metadata": {}}}, False, True),
        ({"payload": {"endInteraction": {}}}, False, False),
    ],
)
def test_the_end_of_a_conversation_and_its_hand_off_are_seen(content: JsonObject, end: bool, handoff: bool) -> None:
    counted = tally(turn(begun(TextInput("bye")), content), turn(begun()))
    assert (counted.has_end_interaction, counted.has_live_agent_handoff) == (end, handoff)


def test_of_an_app_the_first_agent_and_the_latest_version_stand() -> None:
    counted = AppTally()
    first = replace(begun(), entry_playbook=f"{APP}/agents/billing", version=f"{APP}/versions/1", language_code="de")
    for each in (turn(first), turn(replace(begun(), version=f"{APP}/versions/2"))):
        counted.add(each)
    assert counted == AppTally("de", f"{APP}/agents/billing", f"{APP}/versions/2", 2, {"INPUT_TYPE_TEXT": None})


@pytest.mark.parametrize(
    ("given", "parameters", "payload", "types"),
    [
        (TextInput("hi"), {}, {}, ["TEXT"]),
        (TextInput("<event>hello</event>"), {}, {}, ["EVENT"]),
        (ToolResultsInput((RESULT,)), {"a": 1}, {}, ["TOOL_RESPONSE", "VARIABLES"]),
        (NoInput(), {}, {"files": [{"name": "a.txt"}]}, ["BLOB"]),
        (NoInput(), {}, {"other": 1}, []),
    ],
)
def test_of_an_app_the_types_of_input_are_told(
    given: TurnInput, parameters: JsonObject, payload: JsonObject, types: list[str]
) -> None:
    counted = AppTally()
    counted.add(turn(begun(given, parameters=parameters, payload=payload)))
    assert list(counted.input_types) == [f"INPUT_TYPE_{each}" for each in types]


@pytest.mark.parametrize("counted", [ConversationTally(), AppTally()])
def test_what_a_newer_server_wrote_is_refused(counted: ConversationTally | AppTally) -> None:
    newer = Step(1, 0, "begin", dumps({"form": 1_000}), 1)
    with pytest.raises(NewerData):
        counted.add(replace(turn(begun()), steps=[newer]))


def test_rows_of_the_first_release_are_counted() -> None:
    row: JsonObject = {
        "at": 1,
        "snapshot": "s",
        "input": {"text": "hi"},
        "languageCode": "fr",
        "parameters": {},
        "payload": {},
        "metadata": {},
        "playbook": "",
        "settings": {},
    }
    assert tally(replace(turn(begun()), steps=[Step(1, 0, "begin", dumps(row), 1)])).language_code == "fr"
