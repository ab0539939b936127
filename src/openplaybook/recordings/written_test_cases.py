"""Dialogflow's test cases as we write them (v3beta1, JSON): a recording as a `TestCase`, which is the inverse of
`test_cases`, and what came of its replay as a `TestCaseResult`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.recordings.compared_items import words_of
from openplaybook.recordings.differences import ReplayDifference
from openplaybook.recordings.form import ClientResult, RecordedTurn, Recording
from openplaybook.recordings.replay_outcomes import ReplayOutcome, ReplayVerdict, difference_lines
from openplaybook.recordings.step_form import Enter, RecordedCall, RecordedDecision
from openplaybook.recordings.test_cases import replayed_turns

_LONGEST_NAME = 200
_KINDS = {"says": "UTTERANCE", "sets session parameters": "PARAMETERS", "playbook after the turn": "FLOW"}
"""What of a difference's place tells its type; of others Dialogflow has none."""
_FAILED = 2
"""google.rpc.Code UNKNOWN: the turn's own code is in its message."""


@dataclass(frozen=True, slots=True)
class DraftedTestCase:
    """A test case that is not stored."""

    content: JsonObject
    remarks: list[str]
    """What of the recording it cannot hold, in sentences."""


def drafted_test_case(recording: Recording, resources: Mapping[str, str]) -> DraftedTestCase:
    """The test case. `resources`: resource names of the agent's playbooks and tools by display name.

    A test case expects what was said and which session parameters were set, and that the same tools are called in the
    same order with the same arguments; it has their outputs for the replay.
    """
    remarks: list[str] = []
    turns: list[JsonValue] = []
    waiting: JsonObject = {}
    for number, turn in enumerate(recording.turns, 1):
        query = _query(turn, resources)
        if query is None:
            waiting |= turn.parameters
            remarks += [] if turn.silent else [f"turn {number} brings several results, which a test case cannot hold"]
            continue
        query["languageCode"] = turn.language or recording.language
        user: JsonObject = {"input": query}
        if parameters := {**waiting, **turn.parameters}:
            user["injectedParameters"] = parameters
        waiting = {}
        turns.append({"userInput": user, "virtualAgentOutput": dict(_said(turn))})
    content: JsonObject = {
        "displayName": recording.title[:_LONGEST_NAME],
        "languageCode": recording.language,
        "testCaseConversationTurns": turns,
    }
    if actions := [*_actions(recording, resources)]:
        content["expectedTestCaseResult"] = {"expectedActions": actions}
    return DraftedTestCase(content, remarks)


def _query(turn: RecordedTurn, resources: Mapping[str, str]) -> JsonObject | None:
    results = turn.given_results
    if turn.event is not None:
        return {"event": {"event": turn.event}}
    if turn.silent or len(results) > 1:
        return None
    return {"toolCallResult": _result(results[0], resources)} if results else {"text": {"text": turn.user or ""}}


def _result(result: ClientResult, resources: Mapping[str, str]) -> JsonObject:
    named: JsonObject = {"tool": resources.get(result.tool, result.tool), "action": result.action}
    if result.error is not None:
        return {**named, "error": {"message": result.error}}
    return {**named, "outputParameters": result.output or {}}


def _said(turn: RecordedTurn) -> Iterator[tuple[str, JsonValue]]:
    if words := words_of(turn):
        yield "textResponses", [{"text": [words]}]
    if turn.sets:
        yield "sessionParameters", turn.sets


def _actions(recording: Recording, resources: Mapping[str, str]) -> Iterator[JsonObject]:
    for turn in recording.turns:
        for step in turn.steps or ():
            if isinstance(step, Enter):
                yield {"playbookInvocation": {"playbook": resources.get(step.enters, step.enters)}}
            elif isinstance(step, RecordedDecision):
                yield from (_use(call, resources) for call in step.calls if call.tool and call.action)


def _use(call: RecordedCall, resources: Mapping[str, str]) -> JsonObject:
    use: JsonObject = {"tool": resources.get(call.tool, call.tool), "action": call.action}
    if not isinstance(call.arguments, str):
        use["inputActionParameters"] = as_object(call.arguments)
    if call.output is not None:
        use["outputActionParameters"] = as_object(call.output)
    return {"toolUse": use}


def result_of(case: JsonObject, outcome: ReplayOutcome) -> JsonObject:
    """The result of a test case, in JSON of v3beta1, that could be replayed."""
    assert outcome.happened is not None, "only what was replayed has a result"
    turns = zip(replayed_turns(case), outcome.happened.turns, outcome.turns, strict=True)
    return {
        "conversationTurns": [
            {"userInput": as_object(turn.get("userInput")), "virtualAgentOutput": dict(_output(happened, differences))}
            for turn, happened, differences in turns
        ],
        "testResult": "PASSED" if outcome.verdict is ReplayVerdict.SAME else "FAILED",
    }


def _output(happened: RecordedTurn, differences: Sequence[ReplayDifference]) -> Iterator[tuple[str, JsonValue]]:
    yield from _said(happened)
    if differences:
        yield "differences", list(map(_difference, differences))
    failed = happened.failed or happened.stopped
    if failed is not None:
        yield "status", {"code": _FAILED, "message": f"{failed.code}: {failed.message}"}


def _difference(difference: ReplayDifference) -> JsonObject:
    """Line by line, as a replay reports it: `-` before what was expected, `+` before what happened."""
    lines = [line.text.removeprefix("  ") for line in difference_lines(difference)]
    kind = next((kind for words, kind in _KINDS.items() if difference.where.startswith(words)), None)
    described: JsonObject = {"description": "\n".join(lines)}
    return described if kind is None else {"type": kind, **described}
