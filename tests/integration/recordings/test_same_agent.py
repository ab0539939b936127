"""A conversation that is recorded and replayed against the same agent shows no differences, whatever it is."""

import asyncio
from collections.abc import Callable
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openplaybook.models.base import ModelReply, ModelTurn, RequestedCall
from openplaybook.recordings.recording_yaml import parse_recording, write_recording
from openplaybook.tools.base import Call, ExecutionPlace, Failure, Outcome, Success, ToolContext
from openplaybook.turns.base import ToolCallMessage, TurnResult
from openplaybook.turns.errors import TurnError
from tests.kit.agents import AgentDraft, PlayedModel
from tests.kit.recordings import Talk, found, staged
from tests.kit.thoroughness import examples

FUNCTIONS = ("getPet", "listPets", "weather", "Returns", "Other", "end_playbook", "end_conversation", "nothing")

COUNTED = {"setParameterActions": [{"parameter": "mood", "value": "seen"}]}

arguments = st.dictionaries(st.sampled_from(["a", "b"]), st.integers(0, 2) | st.text(max_size=4), max_size=2)
requested = st.tuples(st.sampled_from(FUNCTIONS), arguments | st.text("{x", min_size=1, max_size=3))
decisions = st.tuples(st.text("ab \n", max_size=5), st.lists(requested, max_size=3))
turns = st.lists(st.tuples(st.sampled_from(["yes", "show me", "weather?"]), st.booleans()), min_size=1, max_size=5)


def agent() -> AgentDraft:
    draft = AgentDraft()
    tools = "Use ${TOOL: pets}, ${TOOL: weather}, ${PLAYBOOK: Returns} and ${PLAYBOOK: Other}."
    stages = ("playbook-start", "pre-action-execution")
    handlers = [{"lifecycleHandler": {"lifecycleStage": stage, "fulfillment": COUNTED}} for stage in stages]
    draft.playbook("Start", tools, "End the conversation when asked to.", start=True, playbookType="ROUTINE")
    draft.playbook("Returns", tools)
    draft.playbook("Other", tools, playbookType="ROUTINE", handlers=handlers)
    answered = count()

    def answer(call: Call, context: ToolContext) -> Outcome:
        number = next(answered)
        if number % 3 == 2:
            return Failure("HTTP_ERROR", f"answer {number} was 404", {"404": {"id": number}})
        return Success({"200": {"number": number, "asked": call.arguments}}, "cut" if number % 4 == 1 else "")

    draft.tool("pets", "getPet", "listPets", answer=answer)
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    return draft


def played(drawn: list[tuple[str, list[tuple[str, object]]]]) -> Callable[[ModelTurn], ModelReply]:
    """What a model does that knows no better: the drawn decisions one by one, then words."""
    left = list(drawn)
    made = count()

    def decide(turn: ModelTurn) -> ModelReply:
        text, wanted = left.pop(0) if left else ("Done.", [])
        calls = tuple(RequestedCall(f"id{next(made)}", name, given) for name, given in wanted)
        return ModelReply(text=text or ("" if calls else "Well."), calls=calls, model="random")

    return decide


async def converse(talk: Talk, inputs: list[tuple[str, bool]]) -> None:
    last: TurnResult | None = None
    for text, flag in inputs:
        asked = [each for each in last.messages if isinstance(each, ToolCallMessage)] if last is not None else []
        try:
            if asked and flag:
                last = await talk.give(asked[0].tool.rpartition("/")[2], asked[0].action, output={"length": len(text)})
            elif asked and text == "yes":
                last = await talk.give(asked[0].tool.rpartition("/")[2], asked[0].action, error="no network")
            else:
                last = await talk.say(text, parameters={"mood": text}, client_execution=True if flag else None)
        except TurnError:
            last = None


@pytest.mark.proves("X6")
@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(decisions, max_size=8), turns)
def test_a_replay_against_the_same_agent_shows_no_difference(
    drawn: list[tuple[str, list[tuple[str, object]]]], inputs: list[tuple[str, bool]]
) -> None:
    async def run() -> None:
        async with staged(agent()) as stage:
            talk = Talk(stage, PlayedModel(*[played(drawn)] * 200))
            await converse(talk, inputs)
            recording = await talk.recorded()
        assert parse_recording(write_recording(recording)) == recording
        assert await found(recording, agent()) == [[] for _ in recording.turns]

    asyncio.run(run())
