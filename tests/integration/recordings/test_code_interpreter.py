"""Recordings of conversations with files, and with calls that made other calls."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.recordings.recording_yaml import write_recording
from openplaybook.recordings.step_form import RecordedCall, RecordedDecision
from openplaybook.tools.base import Success, ToolContext
from openplaybook.turns.base import GivenFile
from tests.kit.agents import AgentDraft, PlayedModel, calls, says
from tests.kit.interpreters import OUTPUT, add_interpreter
from tests.kit.programs import add_program, asked
from tests.kit.recordings import Talk, found, staged

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def analyst() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: code-interpreter}.", start=True)
    add_interpreter(draft, chart_png=PNG)
    return draft


async def test_a_conversation_with_files_is_recorded_by_their_handles_and_replayed() -> None:
    async with staged(analyst()) as stage:
        talk = Talk(stage, PlayedModel(calls(("generate_and_execute", {"query": "plot"})), says("Here.")))
        payload: JsonObject = {"files": [{"name": "a.csv", "contents": "HANDLE"}]}
        await talk.say("plot", payload=payload, files=(GivenFile("a.csv", "text/csv", b"1"),))
        recording = await talk.recorded()
    [turn] = recording.turns
    [step] = [each for each in turn.steps or () if isinstance(each, RecordedDecision) and each.calls]
    [call] = step.calls
    assert (call.tool, call.action, call.arguments) == ("code-interpreter", "generate_and_execute", {"query": "plot"})
    assert isinstance(call.output, dict)
    [file] = call.output[OUTPUT]["output_files"]
    assert file["contents"].startswith("${SESSION}/files/")
    assert "iVBOR" not in write_recording(recording)
    assert list(await found(recording, analyst())) == [[]]


def desk() -> AgentDraft:
    async def program(context: ToolContext) -> JsonObject:
        return {"said": await asked(context, "getPet", petId=3)}

    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: script} and ${TOOL: pets}.", start=True)
    add_program(draft, "script", program)
    draft.tool("pets", "getPet", answer=lambda call, context: Success({"200": "Rex"}))
    return draft


async def test_what_a_call_called_is_part_of_its_answer_and_not_recorded_beside_it() -> None:
    async with staged(desk()) as stage:
        talk = Talk(stage, PlayedModel(calls(("script", {})), says("Done.")))
        await talk.say("go")
        recording = await talk.recorded()
    [turn] = recording.turns
    made = [call for step in turn.steps or () if isinstance(step, RecordedDecision) for call in step.calls]
    assert made == [RecordedCall(tool="script", action="script", arguments={}, output={"said": "ok"})]
    assert list(await found(recording, desk())) == [[]]
