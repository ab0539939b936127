"""What a golden conversation expects, compared with what happened: a v1beta `EvaluationResult` in JSON.

Words are compared as words: nothing here judges what they mean.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.recordings.compared_items import words_of
from openplaybook.recordings.form import RecordedTurn
from openplaybook.recordings.golden_conversations import GoldenNames, expectations_of, golden_turns
from openplaybook.recordings.matchers import WordMatch, fits, same_words
from openplaybook.recordings.step_form import Enter, RecordedCall, RecordedDecision, Say
from openplaybook.tools.mocks import body_of

_PASS, _FAIL, _SKIPPED = "PASS", "FAIL", "SKIPPED"
_SAME_WORDS = 4
"""Google's score of what is fully consistent."""
_COMPARISONS = {"EQUALS": WordMatch.EXACT, "CONTAINS": WordMatch.CONTAINS}


@dataclass(frozen=True, slots=True)
class GoldenThresholds:
    """When a golden turn passes; an evaluation's own settings go before those of its app."""

    evaluation: JsonObject
    app: JsonObject

    def arguments(self, expectation: JsonObject) -> float:
        """The least share of expected arguments that a call has to have."""
        own = as_object(expectation.get("expectationLevelMetricsThresholdsOverride"))
        name = "toolInvocationParameterCorrectnessThreshold"
        return _number(own.get(name, self._setting("expectationLevelMetricsThresholds", name)))

    def calls(self, turn: JsonObject) -> float:
        """The least share of expected calls that a turn has to have."""
        own = as_object(turn.get("turnLevelMetricsThresholdsOverride"))
        name = "overallToolInvocationCorrectnessThreshold"
        return _number(own.get(name, self._setting("turnLevelMetricsThresholds", name)))

    @property
    def allows_more_calls(self) -> bool:
        """Whether a turn may call what is not expected."""
        return self._setting("toolMatchingSettings", "extraToolCallBehavior") == "ALLOW"

    def _setting(self, group: str, name: str) -> JsonValue:
        for level in (self.evaluation, self.app):
            golden = as_object(level.get("goldenEvaluationMetricsThresholds"))
            if (value := as_object(golden.get(group)).get(name)) is not None:
                return value
        return None


def _number(threshold: JsonValue) -> float:
    return float(threshold) if isinstance(threshold, int | float) else 1.0


def golden_result(
    evaluation: JsonObject, happened: Sequence[RecordedTurn], names: GoldenNames, thresholds: GoldenThresholds
) -> JsonObject:
    """The result of a golden evaluation, without what a run adds to it. `happened` has a turn for each golden one."""
    golden = golden_turns(evaluation)
    judged = [
        _Judged(turn, names, thresholds).result(expected) for expected, turn in zip(golden, happened, strict=True)
    ]
    failed = [as_object(turn["errorInfo"]) for turn in judged if "errorInfo" in turn]
    result: JsonObject = {"goldenResult": {"turnReplayResults": judged}}
    if failed:
        return {**result, "executionState": "ERROR", "errorInfo": failed[0]}
    is_passed = all(map(_is_passed, judged))
    return {**result, "executionState": "COMPLETED", "evaluationStatus": _PASS if is_passed else _FAIL}


def _is_passed(turn: JsonObject) -> bool:
    outcomes = [each.get("outcome") for each in map(as_object, as_list(turn["expectationOutcome"]))]
    return _FAIL not in (*outcomes, as_object(turn.get("overallToolInvocationResult")).get("outcome"))


@dataclass(slots=True)
class _Judged:
    """One turn that happened, and which of its calls were expected."""

    turn: RecordedTurn
    names: GoldenNames
    thresholds: GoldenThresholds
    matched: set[int] = field(default_factory=set[int])
    """Positions of calls that an expectation was about."""

    def result(self, golden: JsonObject) -> JsonObject:
        """A `TurnReplayResult`."""
        expectations = expectations_of(golden)
        # Calls are found first, for responses belong to them.
        outcomes: dict[int, JsonObject] = {}
        for number in sorted(range(len(expectations)), key=lambda each: "toolCall" not in expectations[each]):
            outcomes[number] = {"expectation": expectations[number], **self._outcome(expectations[number])}
        result: JsonObject = {"expectationOutcome": [outcomes[number] for number in sorted(outcomes)]}
        calls = [outcomes[number] for number, each in enumerate(expectations) if _is_checked_call(each)]
        if calls or self._calls:
            result["overallToolInvocationResult"] = self._overall(golden, calls)
        if error := self.turn.failed or self.turn.stopped:
            message = f"{error.code}: {error.message}"
            result["errorInfo"] = {"errorType": "RUNTIME_FAILURE", "errorMessage": message}
        return result

    def _overall(self, golden: JsonObject, calls: Sequence[JsonObject]) -> JsonObject:
        done = sum(each["outcome"] == _PASS for each in calls)
        score = done / len(calls) if calls else 1.0
        others = any(number not in self.matched for number in range(len(self._calls)))
        is_passed = score >= self.thresholds.calls(golden) and (self.thresholds.allows_more_calls or not others)
        return {"toolInvocationScore": score, "outcome": _PASS if is_passed else _FAIL}

    def _outcome(self, expectation: JsonObject) -> JsonObject:
        if expectation.get("skipEvaluation"):
            return {"outcome": _SKIPPED}
        for condition, judge in _JUDGES.items():
            if condition in expectation:
                return judge(self, expectation)
        return {"outcome": _SKIPPED}

    def call_outcome(self, expectation: JsonObject) -> JsonObject:
        """Whether a tool is called, and with the expected arguments: others may be there too."""
        expected = as_object(expectation["toolCall"])
        arguments = as_object(expected.get("args"))
        found = self._found(expected, lambda call: _share(arguments, as_object(call.arguments)))
        if found is None:
            return {"outcome": _FAIL, "toolInvocationResult": {"outcome": _FAIL, "explanation": "it is not called"}}
        self.matched.add(found)
        call = self._calls[found]
        score = _share(arguments, as_object(call.arguments))
        passed = _PASS if score >= self.thresholds.arguments(expectation) else _FAIL
        judged: JsonObject = {"parameterCorrectnessScore": score, "outcome": passed}
        if passed == _FAIL:
            wrong = [name for name, value in arguments.items() if not _has(name, value, as_object(call.arguments))]
            judged["explanation"] = f"other arguments, or none: {', '.join(wrong)}"
        observed = {**_reference(call, self.names), "args": as_object(call.arguments)}
        return {"outcome": passed, "observedToolCall": observed, "toolInvocationResult": judged}

    def response_outcome(self, expectation: JsonObject) -> JsonObject:
        """Whether a tool responded with what is expected; more may be in its response."""
        expected = as_object(expectation["toolResponse"])
        response = as_object(expected.get("response"))
        found = self._found(expected, lambda call: _response_share(response, call), again=True)
        if found is None:
            return {"outcome": _FAIL}
        self.matched.add(found)
        call = self._calls[found]
        observed = {**_reference(call, self.names), "response": as_object(call.output)}
        is_passed = _response_share(response, call) == 1.0
        return {"outcome": _PASS if is_passed else _FAIL, "observedToolResponse": observed}

    def mock_outcome(self, expectation: JsonObject) -> JsonObject:
        """A mock checks nothing; the call that it answers is expected."""
        found = self._found(as_object(expectation["mockToolResponse"]), lambda call: 1.0, again=True)
        if found is not None:
            self.matched.add(found)
        return {"outcome": _SKIPPED}

    def words_outcome(self, expectation: JsonObject) -> JsonObject:
        """Whether the agent says what is expected, in the turn as a whole or in one of its replies."""
        chunks = map(as_object, as_list(as_object(expectation["agentResponse"]).get("chunks")))
        expected = "\n".join(str(chunk.get("text") or chunk.get("transcript") or "") for chunk in chunks).strip()
        words = _COMPARISONS.get(str(expectation.get("comparisonType")), WordMatch.NORMALISED)
        said = [words_of(self.turn), *_replies(self.turn)]
        found = next((each for each in said if _says(expected, each, words)), None)
        observed: JsonObject = {"role": "agent", "chunks": [{"text": said[0] if found is None else found}]}
        outcome: JsonObject = {"outcome": _FAIL if found is None else _PASS, "observedAgentResponse": observed}
        if words is WordMatch.NORMALISED:
            outcome["semanticSimilarityResult"] = _similarity(is_same=found is not None)
        return outcome

    def transfer_outcome(self, expectation: JsonObject) -> JsonObject:
        """Whether another agent took over."""
        target = self.names.agent(as_object(expectation["agentTransfer"]))
        entered = [*_agents_entered(self.turn)]
        if not entered:
            return {"outcome": _FAIL}
        title = target if target in entered else entered[-1]
        observed = {"targetAgent": _name_of(title, self.names.agents), "displayName": title}
        return {"outcome": _PASS if title == target else _FAIL, "observedAgentTransfer": observed}

    def variables_outcome(self, expectation: JsonObject) -> JsonObject:
        """Whether variables were set to what is expected; others may be, too."""
        expected = as_object(expectation["updatedVariables"])
        return {"outcome": _PASS if _share(expected, self.turn.sets) == 1.0 else _FAIL}

    def no_calls_outcome(self, expectation: JsonObject) -> JsonObject:
        """Whether no tool is called."""
        return {"outcome": _FAIL if self._calls and expectation["noToolCalls"] else _PASS}

    @property
    def _calls(self) -> list[RecordedCall]:
        decisions = [step for step in self.turn.steps or () if isinstance(step, RecordedDecision)]
        return [call for decision in decisions for call in decision.calls if call.tool]

    def _found(self, expected: JsonObject, fit: Callable[[RecordedCall], float], *, again: bool = False) -> int | None:
        """Position of the call that fits best, the first of several; `again`: also of those that were found before."""
        title, action = self.names.called(expected)
        alike = [
            number
            for number, call in enumerate(self._calls)
            if call.tool == title and action in ("", call.action) and (again or number not in self.matched)
        ]
        return max(alike, key=lambda number: fit(self._calls[number]), default=None)


_JUDGES: Mapping[str, Callable[[_Judged, JsonObject], JsonObject]] = {
    "toolCall": _Judged.call_outcome,
    "toolResponse": _Judged.response_outcome,
    "mockToolResponse": _Judged.mock_outcome,
    "agentResponse": _Judged.words_outcome,
    "agentTransfer": _Judged.transfer_outcome,
    "updatedVariables": _Judged.variables_outcome,
    "noToolCalls": _Judged.no_calls_outcome,
}
"""By the condition of an expectation."""


def _is_checked_call(expectation: JsonObject) -> bool:
    return "toolCall" in expectation and not expectation.get("skipEvaluation")


def _share(expected: JsonObject, happened: JsonObject) -> float:
    """How many of the expected members are there, from 0 to 1."""
    if not expected:
        return 1.0
    return sum(_has(name, value, happened) for name, value in expected.items()) / len(expected)


def _response_share(expected: JsonObject, call: RecordedCall) -> float:
    """As `_share`, of what a call gave: with the status of an OpenAPI operation, or its body only."""
    body = body_of(call.output)
    outputs = (as_object(call.output), as_object(body) if isinstance(body, dict) else {"output": body})
    return max(_share(expected, output) for output in outputs)


def _has(name: str, value: JsonValue, happened: JsonObject) -> bool:
    return name in happened and fits(value, happened[name])


def _agents_entered(turn: RecordedTurn) -> Iterator[str]:
    """Display names: of the agent that a conversation begins with, and of those that others hand over to."""
    for step in turn.steps or ():
        if isinstance(step, Enter):
            yield step.enters
        elif isinstance(step, RecordedDecision):
            yield from (call.playbook for call in step.calls if call.playbook and call.error is None)


def _replies(turn: RecordedTurn) -> Iterator[str]:
    for step in turn.steps or ():
        if isinstance(step, RecordedDecision) and step.says:
            yield step.says
        elif isinstance(step, Say):
            yield step.engine


def _says(expected: str, said: str, words: WordMatch) -> bool:
    """An exact comparison and one of a part are Google's: letter by letter."""
    return expected in said if words is WordMatch.CONTAINS else same_words(expected, said.strip(), words)


def _similarity(*, is_same: bool) -> JsonObject:
    if is_same:
        return {"score": _SAME_WORDS, "label": "Fully Consistent", "outcome": _PASS, "explanation": "the same words"}
    return {"outcome": _FAIL, "explanation": "other words; what they mean is not compared"}


def _reference(call: RecordedCall, names: GoldenNames) -> JsonObject:
    name = _name_of(call.tool, names.tools)
    if "/toolsets/" in name:
        return {"toolsetTool": {"toolset": name, "toolId": call.action}, "displayName": call.action}
    return {"tool": name, "displayName": call.tool}


def _name_of(title: str, names: Mapping[str, str]) -> str:
    return next((name for name, known in names.items() if known == title), title)
