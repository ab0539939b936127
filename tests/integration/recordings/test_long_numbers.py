"""Long numbers in a conversation that is recorded, written down, read again and replayed."""

from decimal import Decimal

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import ModelReply, RequestedCall
from openplaybook.recordings.recording_yaml import parse_recording, write_recording
from openplaybook.tools.base import Call, ExecutionPlace, Outcome, Success, ToolContext
from tests.kit.agents import AgentDraft, PlayedModel
from tests.kit.recordings import Talk, found, staged

NUMBERS: JsonObject = {"zeta": 10**30, "fine": Decimal("0.12345678901234567890"), "alpha": [9007199254740993, 1.5]}


def agent() -> AgentDraft:
    draft = AgentDraft()

    def answer(call: Call, context: ToolContext) -> Outcome:
        return Success({"200": NUMBERS})

    draft.playbook("Start", "Use ${TOOL: pets} and ${TOOL: weather}.", start=True)
    draft.tool("pets", "getPet", answer=answer)
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    return draft


def calls(name: str) -> ModelReply:
    return ModelReply(text="", calls=(RequestedCall(f"id_{name}", name, NUMBERS),), model="m")


@pytest.mark.proves("X6")
async def test_a_recording_has_the_numbers_themselves_and_a_replay_finds_them_the_same() -> None:
    said = ModelReply(text="Done.", calls=(), model="m")
    async with staged(agent()) as stage:
        talk = Talk(stage, PlayedModel(calls("getPet"), said, calls("weather"), said))
        await talk.say("pets", parameters={"long": 10**30, "fine": NUMBERS["fine"]})
        await talk.say("weather")
        await talk.give("weather", "weather", output=NUMBERS)
        recording = await talk.recorded()
    text = write_recording(recording)
    assert text.count("0.12345678901234567890") > 4
    assert text.count(str(10**30)) == text.count("0.12345678901234567890")
    assert f'"{10**30}"' not in text
    assert '"0.12345678901234567890"' not in text
    assert parse_recording(text) == recording
    assert recording.turns[0].parameters == {"fine": NUMBERS["fine"], "long": 10**30}
    assert await found(parse_recording(text), agent()) == [[], [], []]
