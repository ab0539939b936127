import pytest

from openplaybook.models.base import FunctionResult
from openplaybook.tools.base import ExecutionPlace
from openplaybook.turns.base import NoInput, TextMessage, ToolCallMessage, ToolResultInput, ToolResultsInput
from openplaybook.turns.errors import ResultMismatch, ResultNotExpected, SessionWaiting
from tests.integration.turns.conftest import SetStage, Stage
from tests.kit.agents import calls, says
from tests.kit.apps import AppDraft, tool_name

pytestmark = [pytest.mark.proves("S2"), pytest.mark.proves("S3")]

A, B, C = (f"call-1-1-{n}" for n in (1, 2, 3))


def result(call_id: str, number: int, tool: str = "", action: str = "") -> ToolResultInput:
    return ToolResultInput(tool_name(tool) if tool else "", action, call_id, {"n": number})


def asked_for(*ids: str) -> tuple[ToolCallMessage, ...]:
    tools = {A: "cut", B: "cut", C: "dry"}
    return tuple(ToolCallMessage(id, tool_name(tools[id]), tools[id], {"id": id}) for id in ids)


async def paused(set_stage: SetStage) -> Stage:
    draft = AppDraft()
    draft.agent("root", tools=[tool_name("cut"), tool_name("dry")])
    draft.tool("cut", place=ExecutionPlace.CLIENT)
    draft.tool("dry", place=ExecutionPlace.CLIENT)
    wanted = calls(("cut", {"id": A}), ("cut", {"id": B}), ("dry", {"id": C}))
    stage = await set_stage(draft, wanted, says("Done."))
    assert (await stage.say("hair")).messages == asked_for(A, B, C)
    return stage


def told(stage: Stage) -> list[tuple[str, object]]:
    return [(each.id, each.output) for each in stage.model.asked[1].conversation if isinstance(each, FunctionResult)]


async def test_several_results_are_matched_by_the_ids_of_their_calls(set_stage: SetStage) -> None:
    stage = await paused(set_stage)
    done = await stage.give(ToolResultsInput((result(C, 3), result(A, 1, "cut"), result(B, 2, "cut", "cut"))))
    assert (done.messages, done.paused) == ((TextMessage("Done."),), False)
    assert told(stage) == [("m1", {"n": 1}), ("m2", {"n": 2}), ("m3", {"n": 3})]


async def test_calls_whose_results_are_missing_stay_open_and_are_asked_for_again(set_stage: SetStage) -> None:
    stage = await paused(set_stage)
    still = await stage.give(ToolResultsInput((result(C, 3), result(A, 1))))
    assert (still.messages, still.paused) == (asked_for(B), True)
    stage.engine = stage.new_engine()
    assert (await stage.give(ToolResultsInput((result(B, 2),)))).messages == (TextMessage("Done."),)
    assert told(stage) == [("m1", {"n": 1}), ("m2", {"n": 2}), ("m3", {"n": 3})]


async def test_results_without_ids_settle_the_oldest_calls_of_their_tools(set_stage: SetStage) -> None:
    stage = await paused(set_stage)
    given = (result("", 1, "cut", "cut"), result("", 3, "dry", "dry"), result("", 2, "cut", "cut"))
    await stage.give(ToolResultsInput(given))
    assert told(stage) == [("m1", {"n": 1}), ("m2", {"n": 2}), ("m3", {"n": 3})]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (
            [result(A, 1), result(A, 2)],
            ResultMismatch,
            "The result of call, call-1-1-1, is given twice.",
        ),
        (
            [result(B, 2), result(A, 1, "dry")],
            ResultMismatch,
            "Session is waiting for tool call result of tool, cut, and action, cut.",
        ),
        (
            [result(A, 1), result("call-9", 2)],
            ResultNotExpected,
            "Session is not waiting for the result of call, call-9; open calls: call-1-1-1, call-1-1-2, call-1-1-3.",
        ),
    ],
)
async def test_results_that_do_not_fit_are_refused_and_none_of_them_counts(
    set_stage: SetStage, given: list[ToolResultInput], error: type[Exception], message: str
) -> None:
    stage = await paused(set_stage)
    with pytest.raises(error) as refused:
        await stage.give(ToolResultsInput(tuple(given)))
    assert str(refused.value) == message
    assert (await stage.give(NoInput())).messages == asked_for(A, B, C)


async def test_a_result_that_the_session_has_already_is_refused_and_equal_results_are_answered_again(
    set_stage: SetStage,
) -> None:
    stage = await paused(set_stage)
    first = await stage.give(ToolResultsInput((result(A, 1),)))
    with pytest.raises(ResultNotExpected):
        await stage.give(ToolResultsInput((result(A, 7), result(B, 2))))
    again = await stage.give(ToolResultsInput((result(A, 1),)))
    assert (again.messages, again.response_id) == (first.messages, first.response_id)


async def test_a_request_without_words_sets_parameters_and_nobody_answers(set_stage: SetStage) -> None:
    draft = AppDraft(variableDeclarations=[{"name": "size", "schema": {"type": "STRING"}}])
    draft.agent("root")
    stage = await set_stage(draft, says("Hello!"))
    silent = await stage.give(NoInput(), parameters={"size": "L"})
    assert (silent.messages, silent.parameters, silent.paused, silent.ended) == ((), {"size": "L"}, False, None)
    assert stage.model.asked == []
    assert (await stage.say("hi")).messages == (TextMessage("Hello!"),)
    assert stage.model.asked[0].parameters == {"size": "L"}


async def test_an_app_that_waits_takes_parameters_and_no_words(set_stage: SetStage) -> None:
    stage = await paused(set_stage)
    with pytest.raises(SessionWaiting):
        await stage.say("hurry up")
    silent = await stage.give(NoInput())
    assert (silent.messages, silent.paused) == (asked_for(A, B, C), True)
