"""Whoever makes the calls of a reply, and in whatever order their results come: the model is told the same."""

from dataclasses import dataclass
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import FunctionResult
from openplaybook.tools.base import Call, ExecutionPlace, Failure, Outcome, Success, ToolContext
from openplaybook.turns.base import TextMessage, ToolCallMessage, ToolResultInput, TurnRequest, TurnResult
from tests.integration.turns.conftest import SetStage, Stage
from tests.kit.agents import AGENT, AgentDraft, calls, says
from tests.kit.thoroughness import examples

PLACES = {
    "ask": ExecutionPlace.CLIENT,
    "tell": ExecutionPlace.CLIENT,
    "look": ExecutionPlace.SERVER,
    "find": ExecutionPlace.SERVER,
}
NUMBERS = count()


@dataclass(frozen=True)
class Planned:
    """A call of the model's reply, and whether it will fail."""

    action: str
    fails: bool


@dataclass(frozen=True)
class Scene:
    """What is called, and who makes the calls of the server's tools."""

    batch: list[Planned]
    client_execution: bool

    def is_clients(self, index: int) -> bool:
        """Whether the client makes a call."""
        return self.client_execution or PLACES[self.batch[index].action] is ExecutionPlace.CLIENT

    def told(self, index: int) -> JsonValue:
        """What the model is to be told of a call."""
        if not self.batch[index].fails:
            return {"number": index}
        code = "CLIENT_ERROR" if self.is_clients(index) else "SERVER_ERROR"
        return {"error": {"code": code, "message": f"{index} is down"}}

    def oldest(self, left: list[int]) -> list[str]:
        """Ids of the calls that results without id settle: of each action the oldest that is open."""
        oldest: dict[str, int] = {}
        for index in left:
            oldest.setdefault(self.batch[index].action, index)
        return [f"call-1-1-{index + 1}" for index in oldest.values()]

    def answer(self, index: int, call_id: str) -> ToolResultInput:
        """The client's result."""
        action = self.batch[index].action
        output: JsonObject = {"number": index}
        if self.batch[index].fails:
            return ToolResultInput(f"{AGENT}/tools/{action}", action, call_id, error=f"{index} is down")
        return ToolResultInput(f"{AGENT}/tools/{action}", action, call_id, output)


def outcome(call: Call, context: ToolContext) -> Outcome:
    """The server's result."""
    number = call.arguments["number"]
    return Failure("SERVER_ERROR", f"{number} is down") if call.arguments["fails"] else Success({"number": number})


def agent() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", *(f"Use ${{TOOL: {name}}}." for name in PLACES), start=True)
    for name, place in PLACES.items():
        draft.tool(name, place=place, answer=outcome)
    return draft


async def begin(stage: Stage, session: str, scene: Scene) -> TurnResult:
    return await stage.say("go", session=session, client_execution=scene.client_execution)


CALLS = st.builds(Planned, st.sampled_from(list(PLACES)), st.booleans())
SCENES = st.builds(Scene, st.lists(CALLS, min_size=1, max_size=6), st.booleans())


@pytest.mark.proves("C1")
@given(SCENES, st.data())
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
async def test_the_model_is_told_all_results_in_the_order_of_its_calls_once_the_last_is_there(
    set_stage: SetStage, scene: Scene, data: st.DataObject
) -> None:
    requested = [(each.action, {"number": n, "fails": each.fails}) for n, each in enumerate(scene.batch)]
    stage = await set_stage(agent(), calls(*requested), says("Done."))
    session = f"{AGENT}/sessions/{next(NUMBERS)}"
    left = [index for index in range(len(scene.batch)) if scene.is_clients(index)]
    result = await begin(stage, session, scene)
    while left:
        assert [each.id for each in result.messages if isinstance(each, ToolCallMessage)] == [
            f"call-1-1-{index + 1}" for index in left
        ]
        assert len(stage.model.asked) == 1
        index = data.draw(st.sampled_from(left), "answered")
        call_id = f"call-1-1-{index + 1}"
        named = call_id not in scene.oldest(left) or data.draw(st.booleans(), "with its id")
        given_result = scene.answer(index, call_id if named else "")
        result = await stage.run(TurnRequest(AGENT, session, given_result, "en"))
        left.remove(index)
    assert result.messages == (TextMessage("Done."),)
    conversation = stage.model.asked[1].conversation
    told = [(each.id, each.output, each.is_error) for each in conversation if isinstance(each, FunctionResult)]
    assert told == [(f"m{n + 1}", scene.told(n), each.fails) for n, each in enumerate(scene.batch)]
