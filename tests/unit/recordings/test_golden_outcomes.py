"""What golden conversations expect, compared with what happened."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.recordings.errors import UnreadableTestCase
from openplaybook.recordings.form import ClientResult, RecordedTurn
from openplaybook.recordings.golden_conversations import GoldenNames, recording_of_golden
from openplaybook.recordings.golden_outcomes import GoldenThresholds, golden_result

APP = "projects/p/locations/l/apps/a"
NAMES = GoldenNames({f"{APP}/agents/1": "desk"}, {f"{APP}/tools/1": "look", f"{APP}/toolsets/2": "pets"})
LOOK: JsonObject = {"tool": f"{APP}/tools/1"}


def call(tool: str, action: str = "", **more: JsonValue) -> JsonObject:
    return {"tool": tool, "action": action or tool, **more}


def happened(*calls: JsonObject, says: str = "Hello, world.", **more: JsonValue) -> RecordedTurn:
    steps = [{"decides": "desk", "says": says, "calls": list(calls)}]
    return RecordedTurn.model_validate({"user": "hi", "steps": steps, **more})


def evaluation(*steps: JsonObject, **turn: JsonValue) -> JsonObject:
    return {"displayName": "Talk", "golden": {"turns": [{"steps": list(steps), **turn}]}}


def golden(golden_set: JsonObject) -> JsonObject:
    return {"goldenEvaluationMetricsThresholds": golden_set}


def result(
    turn: RecordedTurn, *expectations: JsonObject, own: JsonObject | None = None, app: JsonObject | None = None
) -> JsonObject:
    steps = [{"expectation": each} for each in expectations]
    return golden_result(evaluation(*steps), [turn], NAMES, GoldenThresholds(own or {}, app or {}))


def outcomes(told: JsonObject) -> list[str]:
    [turn] = told["goldenResult"]["turnReplayResults"]
    return [each["outcome"] for each in turn["expectationOutcome"]]


@pytest.mark.parametrize(
    ("comparison", "expected", "outcome"),
    [
        ("", "hello WORLD", "PASS"),
        ("SEMANTIC_SIMILARITY", "hello", "FAIL"),
        ("EQUALS", "Hello, world.", "PASS"),
        ("EQUALS", "hello, world.", "FAIL"),
        ("CONTAINS", "lo, wor", "PASS"),
        ("CONTAINS", "LO, WOR", "FAIL"),
    ],
)
def test_words_are_compared_as_is_asked(comparison: str, expected: str, outcome: str) -> None:
    expectation: JsonObject = {"agentResponse": {"chunks": [{"text": expected}]}, "comparisonType": comparison}
    told = result(happened(), expectation)
    assert (outcomes(told), told["evaluationStatus"]) == ([outcome], outcome)


@pytest.mark.parametrize(
    ("own", "app", "outcome"),
    [
        ({}, {}, "FAIL"),
        (
            {},
            golden({"expectationLevelMetricsThresholds": {"toolInvocationParameterCorrectnessThreshold": 0.5}}),
            "PASS",
        ),
        (
            golden({"expectationLevelMetricsThresholds": {"toolInvocationParameterCorrectnessThreshold": 0.75}}),
            golden({"expectationLevelMetricsThresholds": {"toolInvocationParameterCorrectnessThreshold": 0.5}}),
            "FAIL",
        ),
    ],
)
def test_the_share_of_right_arguments_has_a_threshold(own: JsonObject, app: JsonObject, outcome: str) -> None:
    turn = happened(call("look", arguments={"a": 1, "b": 2, "more": True}))
    told = result(turn, {"toolCall": {**LOOK, "args": {"a": 1, "b": 3}}}, own=own, app=app)
    assert outcomes(told) == [outcome]
    [judged] = told["goldenResult"]["turnReplayResults"][0]["expectationOutcome"]
    assert judged["toolInvocationResult"]["parameterCorrectnessScore"] == 0.5


def test_a_call_that_nobody_expects_fails_unless_more_calls_are_allowed() -> None:
    turn = happened(call("look"), call("pets", "list"))
    told = result(turn, {"toolCall": LOOK})
    assert (outcomes(told), told["evaluationStatus"]) == (["PASS"], "FAIL")
    allowed = golden({"toolMatchingSettings": {"extraToolCallBehavior": "ALLOW"}})
    assert result(turn, {"toolCall": LOOK}, app=allowed)["evaluationStatus"] == "PASS"


def test_each_expected_call_finds_a_call_of_its_own() -> None:
    turn = happened(call("look", arguments={"a": 1}), call("look", arguments={"a": 2}))
    second, first = ({"toolCall": {**LOOK, "args": {"a": number}}} for number in (2, 1))
    assert outcomes(result(turn, second, first)) == ["PASS", "PASS"]
    assert outcomes(result(turn, first, second, first)) == ["PASS", "PASS", "FAIL"]


def test_responses_and_variables_may_hold_more_than_is_expected() -> None:
    listed = call("pets", "list", output={"200": {"name": "Luna"}, "more": 1})
    turn = happened(listed, sets={"count": 3, "other": 1})
    reference: JsonObject = {"toolsetTool": {"toolset": f"{APP}/toolsets/2", "toolId": "list"}}
    told = result(
        turn,
        {"toolResponse": {**reference, "response": {"200": {"name": "Luna"}}}},
        {"toolResponse": {**reference, "response": {"200": {"name": "Rex"}}}},
        {"updatedVariables": {"count": 3}},
        {"updatedVariables": {"count": 4}},
        {"noToolCalls": True},
        {"note": "nothing is asked"},
    )
    assert outcomes(told) == ["PASS", "FAIL", "PASS", "FAIL", "FAIL", "SKIPPED"]


def test_an_expected_response_may_be_the_body_below_a_status() -> None:
    listed = happened(call("pets", "list", output={"200": {"name": "Luna", "age": 3}}))
    reference: JsonObject = {"toolsetTool": {"toolset": f"{APP}/toolsets/2", "toolId": "list"}}
    told = result(
        listed,
        {"toolResponse": {**reference, "response": {"name": "Luna"}}},
        {"toolResponse": {**reference, "response": {"name": "Rex"}}},
    )
    assert outcomes(told) == ["PASS", "FAIL"]


def test_a_turn_that_fails_is_an_error_of_the_evaluation() -> None:
    turn = RecordedTurn.model_validate({"user": "hi", "failed": {"code": "MODEL_FAILED", "message": "no"}})
    told = result(turn, {"noToolCalls": True})
    assert told["executionState"] == "ERROR"
    assert told["errorInfo"] == {"errorType": "RUNTIME_FAILURE", "errorMessage": "MODEL_FAILED: no"}
    assert "evaluationStatus" not in told


def test_inputs_become_turns_of_a_recording() -> None:
    response: JsonObject = {**LOOK, "displayName": "look", "response": {"found": 1}}
    steps: list[JsonObject] = [
        {"userInput": {"variables": {"shop": "Rome"}}},
        {"userInput": {"text": "one"}},
        {"userInput": {"event": {"event": "late"}}},
        {"agentTransfer": {"targetAgent": f"{APP}/agents/1"}},
    ]
    given: JsonObject = {"steps": [{"userInput": {"toolResponses": {"toolResponses": [response]}}}]}
    talk = {"displayName": "Talk", "golden": {"turns": [{"steps": steps}, given, {"steps": []}]}}
    first, second, third = recording_of_golden(talk, NAMES, "", fakes=True).turns
    assert (first.user, first.parameters, first.playbook) == ("one\n<event>late</event>", {"shop": "Rome"}, "desk")
    assert second.given_results == [ClientResult(tool="look", action="look", output={"found": 1})]
    assert (third.silent, third.fakes) == (True, True)


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([{"userInput": {"audio": "AA==", "willContinue": True}}], "turn 1 has input as audio: give text"),
        (
            [{"userInput": {"text": "a"}}, {"userInput": {"toolResponses": {"toolResponses": [LOOK]}}}],
            "turn 1 has words and tool responses",
        ),
    ],
)
def test_inputs_that_are_not_served_are_reported(steps: list[JsonObject], told: str) -> None:
    with pytest.raises(UnreadableTestCase, match=told):
        recording_of_golden(evaluation(*steps), NAMES, "en", fakes=False)
