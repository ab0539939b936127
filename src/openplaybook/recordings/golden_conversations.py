"""Golden conversations of CX Agent Studio (v1beta `Evaluation.Golden`, in JSON) as recordings, and the mocks in them.

What is expected of a turn is no part of its recording: `golden_outcomes` compares it with what happened.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.recordings.errors import UnreadableTestCase
from openplaybook.recordings.form import Recording
from openplaybook.recordings.recorded_tools import StandInTool
from openplaybook.tools.base import (
    NO_AGENT,
    Action,
    AgentScope,
    Call,
    Outcome,
    Success,
    Tool,
    ToolBuilder,
    ToolContext,
)
from openplaybook.tools.mocks import body_of, outcome_in

_OK = "200"


@dataclass(frozen=True, slots=True)
class GoldenNames:
    """Display names of an app's resources, by their resource names."""

    agents: Mapping[str, str]
    tools: Mapping[str, str]
    """Tools and toolsets."""

    def called(self, reference: JsonObject) -> tuple[str, str]:
        """The display name of the tool, or toolset, that a tool call or response is of, and the tool in a toolset.

        The latter is empty where any will do.
        """
        within = as_object(reference.get("toolsetTool"))
        tool = str(within.get("toolset") or reference.get("tool") or "")
        title = self.tools.get(tool) or str(reference.get("displayName") or tool.rpartition("/")[2])
        return title, str(within.get("toolId", ""))

    def agent(self, transfer: JsonObject) -> str:
        """The display name of the agent that a transfer leads to."""
        target = str(transfer.get("targetAgent", ""))
        return self.agents.get(target) or str(transfer.get("displayName") or target.rpartition("/")[2])


def golden_turns(evaluation: JsonObject) -> list[JsonObject]:
    """The turns of a golden evaluation."""
    return [as_object(turn) for turn in as_list(as_object(evaluation.get("golden")).get("turns"))]


def expectations_of(turn: JsonObject) -> list[JsonObject]:
    """What is expected of a golden turn, in its order."""
    steps = map(as_object, as_list(turn.get("steps")))
    return [as_object(step["expectation"]) for step in steps if "expectation" in step]


def recording_of_golden(evaluation: JsonObject, names: GoldenNames, language: str, *, fakes: bool) -> Recording:
    """The inputs of a golden conversation. `fakes`: tools that have a fake answer with it.

    Raises `UnreadableTestCase` for inputs that are not served.
    """
    turns = [_turn(number, turn, names, fakes=fakes) for number, turn in enumerate(golden_turns(evaluation), 1)]
    title = str(evaluation.get("displayName", ""))
    try:
        return Recording.model_validate({"title": title, "language": language or "en", "turns": turns})
    except ValidationError as error:
        raise UnreadableTestCase(f"{title} is no conversation: {error.errors()[0]['msg']}") from error


def _turn(number: int, turn: JsonObject, names: GoldenNames, *, fakes: bool) -> JsonObject:
    texts: list[str] = []
    results: list[JsonValue] = []
    made: JsonObject = {"fakes": fakes}
    for step in map(as_object, as_list(turn.get("steps"))):
        if "agentTransfer" in step:
            made["playbook"] = names.agent(as_object(step["agentTransfer"]))
        given = as_object(step.get("userInput"))
        if "text" in given:
            texts.append(str(given["text"]))
        elif "event" in given:
            texts.append(f"<event>{as_object(given['event']).get('event', '')}</event>")
        elif "variables" in given:
            made["parameters"] = {**as_object(made.get("parameters")), **as_object(given["variables"])}
        elif "toolResponses" in given:
            responses = as_list(as_object(given["toolResponses"]).get("toolResponses"))
            results += [_result(as_object(response), names) for response in responses]
        elif given:
            kinds = ", ".join(sorted(given.keys() - {"willContinue"}))
            raise UnreadableTestCase(f"turn {number} has input as {kinds}: give text, event, variables, toolResponses")
    if texts and results:
        raise UnreadableTestCase(f"turn {number} has words and tool responses: give one of them in a turn")
    if results:
        return {**made, "results": results}
    return {**made, "user": "\n".join(texts)} if texts else {**made, "silent": True}


def _result(response: JsonObject, names: GoldenNames) -> JsonObject:
    title, action = names.called(response)
    return {"tool": title, "action": action or title, "output": as_object(response.get("response"))}


@dataclass(slots=True)
class _Mock:
    tool: str
    action: str
    response: JsonObject
    is_given: bool = False


@dataclass(frozen=True, slots=True)
class GoldenMocks:
    """A `ToolBuilder` whose tools answer with the mocks of a golden conversation, each once and in its order.

    A call for which there is none left goes to the tool itself.
    """

    builder: ToolBuilder
    mocks: Sequence[_Mock] = field(default_factory=list[_Mock])

    @classmethod
    def of(cls, evaluation: JsonObject, names: GoldenNames, builder: ToolBuilder) -> "GoldenMocks":
        """Those of one evaluation."""
        return cls(builder, [*_mocks(evaluation, names)])

    def build(self, resource: JsonObject, scope: AgentScope = NO_AGENT) -> Tool:
        """The tool of a resource. Raises `InvalidTool`."""
        return _MockedTool(self.builder.build(resource, scope), self.mocks)


def _mocks(evaluation: JsonObject, names: GoldenNames) -> Iterator[_Mock]:
    for turn in golden_turns(evaluation):
        for expectation in expectations_of(turn):
            if "mockToolResponse" in expectation:
                mocked = as_object(expectation["mockToolResponse"])
                yield _Mock(*names.called(mocked), as_object(mocked.get("response")))


def _outcome(action: Action, response: JsonObject) -> Outcome:
    """An OpenAPI operation gives a status with the body below it, which responses of CX Agent Studio do not have."""
    outcome = outcome_in(response)
    if not action.method or not isinstance(outcome, Success) or body_of(response) is not response:
        return outcome
    return Success({_OK: response.get("output", response)})


@dataclass(frozen=True, slots=True)
class _MockedTool(StandInTool):
    mocks: Sequence[_Mock]

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        title = call.action.tool_display_name
        for mock in self.mocks:
            if not mock.is_given and mock.tool == title and mock.action in ("", call.action.action):
                mock.is_given = True
                return _outcome(call.action, mock.response)
        return await self.today.invoke(call, context)
