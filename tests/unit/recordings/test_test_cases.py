"""Dialogflow's test cases become recordings."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook
from openplaybook.recordings.errors import UnreadableTestCase
from openplaybook.recordings.form import ClientResult, Recording
from openplaybook.recordings.recording_yaml import parse_recording, write_recording
from openplaybook.recordings.test_cases import recordings_of

ELSEWHERE = "projects/x/locations/y/agents/z"
SCHEMA = 'paths: {/pets: {post: {"operationId": "addPet"}}}'


def package(**files: object) -> AgentPackage:
    name = "projects/p/locations/l/agents/a"
    return AgentPackage(
        {"name": name, "displayName": "Pets", "defaultLanguageCode": "de"},
        (PackagedPlaybook({"name": f"{name}/playbooks/b1", "displayName": "Start"}),),
        (
            {"name": f"{name}/tools/t1", "displayName": "pets", "openApiSpec": {"textSchema": SCHEMA}},
            {"name": f"{name}/tools/t2", "displayName": "till", "functionSpec": {}},
        ),
        other_files={
            "testCases/" + each.replace("_", "%3a") + ".json": json.dumps(case).encode() for each, case in files.items()
        },
    )


def turn(text: str, output: JsonObject | None = None, **more: object) -> JsonObject:
    query = {"text": {"text": text}, "languageCode": "en"}
    return {"userInput": {"input": query, **more}, "virtualAgentOutput": output or {}}


def only(case: JsonObject) -> Recording:
    [recording] = recordings_of(package(case=case)).values()
    return recording


@pytest.mark.proves("X6")
def test_words_inputs_and_expected_actions_are_taken_over() -> None:
    use = {
        "tool": f"{ELSEWHERE}/tools/t2",
        "action": "till",
        "inputActionParameters": {"sum": 5, "currency": "", "note": None},
        "outputActionParameters": {"functionParameter": {"paid": True}},
    }
    recording = only(
        {
            "displayName": "Add a pet",
            "languageCode": "en",
            "testCaseConversationTurns": [
                turn("add Rex", {"textResponses": [{"text": ["Done."]}, {"text": ["Bye", "!"]}]}),
                turn("ja", {"sessionParameters": {"paid": True}}, injectedParameters={"pin": 1, "password": "p"}),
            ],
            "expectedTestCaseResult": {
                "expectedActions": [
                    {"playbookInvocation": {"playbook": f"{ELSEWHERE}/playbooks/b1"}},
                    {"toolUse": {"tool": f"{ELSEWHERE}/tools/new", "action": "addPet", "inputActionParameters": {}}},
                    {"toolUse": use},
                ]
            },
        }
    )
    assert recording.model_dump(mode="json", exclude_defaults=True) == {
        "title": "Add a pet",
        "agent": "Pets",
        "words": "normalised",
        "turns": [
            {"user": "add Rex", "says": ["Done.", "Bye\n!"]},
            {"user": "ja", "parameters": {"pin": 1, "password": "[redacted]"}, "sets": {"paid": True}},
        ],
        "actions": [
            {"playbook": "Start"},
            {"tool": "pets", "action": "addPet", "arguments": {}},
            {
                "tool": "till",
                "action": "till",
                "arguments": {"sum": 5, "currency": "[any]", "note": "[any]"},
                "output": {"paid": True},
            },
        ],
    }


def test_what_belongs_to_flows_or_cannot_be_replayed_is_named() -> None:
    event = {"userInput": {"input": {"event": {"event": "WELCOME"}}}}
    digits = {"userInput": {"input": {"dtmf": {"digits": "42"}}}}
    recording = only(
        {
            "testConfig": {"flow": "Main", "trackingParameters": ["a", "b"], "useCaseDescription": "a buyer"},
            "lastTestResult": {"testResult": "FAILED"},
            "testCaseConversationTurns": [
                digits,
                turn("hi", {"triggeredIntent": {"name": "greet"}, "currentPage": {"name": "P", "flow": "Main"}}),
                {"userInput": {"input": {}}},
                event,
            ],
            "expectedTestCaseResult": {"expectedActions": [{"flowInvocation": {}}]},
        }
    )
    assert (recording.language, [each.user or each.event for each in recording.turns]) == ("de", ["hi", "WELCOME"])
    assert recording.turns[0].language == "en"
    assert recording.not_replayed == [
        "starts in flow Main, page -: flows are not run",
        "tracks the session parameters a, b",
        "is meant for a simulated user: a buyer",
        "has the result of an earlier run",
        "expects actions of the kind flowInvocation",
        'turn 1: left out, its input is dtmf {"digits": "42"}',
        "turn 2: triggers intent greet",
        "turn 2: ends in flow Main, page P",
        "turn 3: left out, it has no input",
    ]


def test_a_clients_result_is_an_input() -> None:
    given = {"tool": f"{ELSEWHERE}/tools/t2", "action": "till", "outputParameters": {"paid": True}}
    failed = {"tool": "unknown", "action": "x", "error": {"message": "no"}}
    turns = [{"userInput": {"input": {"toolCallResult": each}}} for each in (given, failed)]
    recording = only({"testCaseConversationTurns": turns})
    assert [turn.given_results for turn in recording.turns] == [
        [ClientResult(tool="till", action="till", output={"paid": True})],
        [ClientResult(tool="unknown", action="x", error="no")],
    ]


def test_files_keep_their_names_and_name_untitled_cases() -> None:
    found = recordings_of(package(a_b={}, c={"displayName": "C"}))
    assert {name: recording.title for name, recording in found.items()} == {"a%3ab": "testCases/a:b.json", "c": "C"}


@pytest.mark.parametrize("content", [b"{", b"[]"])
def test_a_file_that_is_no_test_case_is_named(content: bytes) -> None:
    broken = AgentPackage({"name": "x"}, other_files={"testCases/x.json": content})
    with pytest.raises(UnreadableTestCase, match=r"^testCases/x\.json is n"):
        recordings_of(broken)


_NAMES = ("testCaseConversationTurns", "userInput", "input", "text", "languageCode", "expectedTestCaseResult", "tool")
_MORE = ("expectedActions", "toolUse", "inputActionParameters", "virtualAgentOutput", "textResponses", "toolCallResult")
garbage: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(_NAMES + _MORE), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(_NAMES + _MORE), garbage, max_size=3))
def test_whatever_a_file_holds_it_is_a_recording_or_refused(case: JsonObject) -> None:
    with suppress(UnreadableTestCase):
        recording = only(case)
        assert parse_recording(write_recording(recording)) == recording
