"""Golden conversations as sessions of one turn, each with what was expected before it."""

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.recordings.golden_conversations import GoldenNames, recording_of_golden
from openplaybook.recordings.stable_sections import StableSection, stable_sections

APP = "projects/p/locations/l/apps/a"
NAMES = GoldenNames({f"{APP}/agents/1": "desk"}, {f"{APP}/tools/1": "look", f"{APP}/toolsets/2": "pets"})
LOOK: JsonObject = {"tool": f"{APP}/tools/1"}
LIST: JsonObject = {"toolsetTool": {"toolset": f"{APP}/toolsets/2", "toolId": "list"}}


def said(text: str) -> JsonObject:
    return {"userInput": {"text": text}}


def expected(**condition: JsonValue) -> JsonObject:
    return {"expectation": condition}


def returned(response: JsonObject) -> JsonObject:
    return {"userInput": {"toolResponses": {"toolResponses": [{**LOOK, "response": response}]}}}


def sections(*turns: list[JsonObject]) -> list[StableSection]:
    evaluation: JsonObject = {"displayName": "Talk", "golden": {"turns": [{"steps": steps} for steps in turns]}}
    recording = recording_of_golden(evaluation, NAMES, "en", fakes=False)
    return [*stable_sections(recording, evaluation, NAMES)]


def test_a_session_begins_with_what_was_expected_before() -> None:
    [first, second] = sections(
        [
            {"userInput": {"variables": {"shop": "Bonn"}}},
            said("list"),
            expected(toolCall={**LIST, "args": {"n": 1}}),
            expected(mockToolResponse={**LIST, "response": {"names": ["Luna"]}}),
            expected(toolResponse={**LIST, "response": {"names": []}}),
            expected(updatedVariables={"seen": 1}),
            expected(agentResponse={"chunks": [{"text": "Luna."}]}),
            expected(agentTransfer={"targetAgent": f"{APP}/agents/1"}),
        ],
        [{"userInput": {"variables": {"shop": "Ulm"}}}, said("more")],
    )
    assert first.recording.turns[0].history is None
    [turn] = second.recording.turns
    assert turn.history == [
        {"user": "list"},
        {"call": "past-1", "name": "pets_list", "arguments": {"n": 1}},
        {"result": "past-1", "name": "pets_list", "output": {"names": ["Luna"]}, "isError": False},
        {"agent": "Luna."},
    ]
    assert (turn.entry, turn.parameters) == ("desk", {"shop": "Ulm", "seen": 1})
    assert second.evaluation["golden"] == {
        "turns": [{"steps": [{"userInput": {"variables": {"shop": "Ulm"}}}, said("more")]}]
    }


def test_results_of_the_client_stay_with_the_call() -> None:
    call = expected(toolCall={**LOOK, "args": {}})
    [both, last] = sections([said("look"), call], [returned({"error": "gone"})], [said("more")])
    assert [turn.user for turn in both.recording.turns] == ["look", None]
    assert last.recording.turns[0].history == [
        {"user": "look"},
        {"call": "past-1", "name": "look", "arguments": {}},
        {"result": "past-1", "name": "look", "output": {"error": "gone"}, "isError": True},
    ]
