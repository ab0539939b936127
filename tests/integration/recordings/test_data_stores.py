"""Recordings of conversations in which the response shows what a data store tool found."""

from openplaybook.recordings.recording_yaml import write_recording
from openplaybook.recordings.step_form import RecordedDecision
from openplaybook.tools.base import Call, Outcome, Success, ToolContext
from openplaybook.turns.base import RichMessage
from tests.kit.agents import AgentDraft, PlayedModel, calls, says
from tests.kit.recordings import Talk, found, staged

OUTPUT = {"200": {"answer": "30 days.", "snippets": []}}
PAYLOAD = {"richContent": [[{"type": "info", "title": "Returns"}]]}


def agent() -> AgentDraft:
    def searched(call: Call, context: ToolContext) -> Outcome:
        return Success(OUTPUT, signals={"answer": "30 days."}, payloads=(PAYLOAD,))

    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: docs}.", start=True)
    draft.tool("docs", answer=searched)
    return draft


async def test_what_the_response_shows_is_recorded_and_shown_again() -> None:
    async with staged(agent()) as stage:
        talk = Talk(stage, PlayedModel(calls(("docs", {})), says("You have 30 days.")))
        result = await talk.say("How long?")
        recording = await talk.recorded()
    assert result.messages[-1] == RichMessage({"payload": PAYLOAD})
    [turn] = recording.turns
    [call] = [call for step in turn.steps or () if isinstance(step, RecordedDecision) for call in step.calls]
    assert (call.output, call.shows) == (OUTPUT, [PAYLOAD])
    assert "shows:" in write_recording(recording)
    assert list(await found(recording, agent())) == [[]]
