import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.services.dialogflow.conversation_messages import Tally
from openplaybook.storage.base import KeptTurn, Step, TurnState


def turn(
    number: int, given: JsonObject, *contents: JsonObject, language: str = "en", stopped: bool = False
) -> KeptTurn:
    """A kept turn that said these messages."""
    begin = Step(number, 0, "begin", dumps({"input": given, "languageCode": language}), 1)
    response = None if stopped else dumps({"messages": [{"text": "Hello."}, *({"content": each} for each in contents)]})
    state = TurnState.STOPPED if stopped else TurnState.DONE
    return KeptTurn(number, f"t{number}", state, 1, 2, response, [begin])


def tally(*turns: KeptTurn) -> Tally:
    counted = Tally()
    for each in turns:
        counted.add(each)
    return counted


def test_turns_texts_and_answers_are_counted_and_the_first_language_stands() -> None:
    turns = (turn(1, {"text": "hi"}), turn(2, {"tool": "t"}, language="de"), turn(3, {"text": "go"}, stopped=True))
    turns = (*turns, turn(4, {"text": "", "event": "WELCOME"}))
    assert tally(*turns) == Tally(language_code="en", turns=4, texts=2, events=1, answers=3)


@pytest.mark.parametrize(
    ("content", "end", "handoff"),
    [
        ({"endInteraction": {}}, True, False),
        ({"liveAgentHandoff": {"metadata": {}}}, False, True),
        ({"payload": {"endInteraction": {}}}, False, False),
    ],
)
def test_the_end_of_a_conversation_and_its_hand_off_are_seen(content: JsonObject, end: bool, handoff: bool) -> None:
    counted = tally(turn(1, {"text": "bye"}, content), turn(2, {"text": "hi"}))
    assert (counted.has_end_interaction, counted.has_live_agent_handoff) == (end, handoff)
