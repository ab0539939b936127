import pytest

from openplaybook.models.base import FunctionResult, UserText
from openplaybook.models.errors import ModelUnavailable
from openplaybook.tools.base import ExecutionPlace
from openplaybook.turns.base import (
    DepartureStep,
    EntryStep,
    PartialText,
    PlaybookStep,
    TextMessage,
    ToolCallMessage,
    ToolResultInput,
    ToolResultsInput,
    TurnRequest,
    TurnResult,
)
from openplaybook.turns.errors import ModelFailed
from openplaybook.turns.steps.decisions import GAVE_UP
from openplaybook.turns.turn import TurnLimits
from openplaybook.turns.turn_streams import TurnStreams
from tests.integration.turns.conftest import SetStage, Stage, asked
from tests.kit.agents import calls, says
from tests.kit.apps import APP, AppDraft, tool_name
from tests.kit.told_steps import steps_in

ROOT, EXPERT = f"{APP}/agents/root", f"{APP}/agents/expert"
ASK = calls(("ask", {"request": "What is a hat?"}), text="One moment.")


def consulting() -> AppDraft:
    """A root agent that may ask an expert, who has a tool of the client."""
    draft = AppDraft()
    draft.agent("root", tools=[draft.agent_tool("ask", EXPERT)])
    draft.agent("expert", tools=[tool_name("sign"), tool_name("again")])
    draft.agent_tool("again", EXPERT)
    draft.tool("sign", place=ExecutionPlace.CLIENT)
    return draft


def told(stage: Stage) -> list[tuple[object, bool]]:
    """What the latest prompt holds of results."""
    entries = stage.model.asked[-1].conversation
    return [(each.output, each.is_error) for each in entries if isinstance(each, FunctionResult)]


def shown(result: TurnResult) -> list[tuple[str, str]]:
    return [(step.KIND, step.playbook_display_name) for step in result.trace]


async def test_the_words_of_an_agent_that_is_a_tool_are_the_result_of_its_call(set_stage: SetStage) -> None:
    stage = await set_stage(consulting(), ASK, says("It is worn on the head."), says("You wear it."))
    result = await stage.say("hats?")
    assert result.messages == (TextMessage("One moment."), TextMessage("You wear it."))
    assert (result.current_playbook, result.paused) == (ROOT, False)
    assert stage.model.asked[1].conversation == (UserText("What is a hat?"),)
    assert {each.name for each in stage.model.asked[1].declarations} == {"sign", "again"}
    assert told(stage) == [({"result": "It is worn on the head."}, False)]
    assert shown(result) == [
        ("user", "root"),
        ("model", "root"),
        ("agent", "root"),
        ("playbook", "expert"),
        ("model", "expert"),
        ("playbook", "expert"),
        ("model", "root"),
        ("agent", "root"),
    ]
    [entered], [left] = steps_in(result.trace, EntryStep), steps_in(result.trace, DepartureStep)
    call = ("call-1-1-1", "ask", tool_name("ask"))
    assert (entered.call_id, entered.name, entered.tool) == (left.call_id, left.name, left.tool) == call
    assert entered.arguments == {"request": "What is a hat?"}
    assert (left.output, left.state) == ({"result": "It is worn on the head."}, "OK")


async def test_a_listener_hears_nothing_of_what_an_agent_answers_its_caller(set_stage: SetStage) -> None:
    stage = await set_stage(consulting(), ASK, says("It is worn."), says("You wear it."))
    request: TurnRequest = asked("hats?", **stage.where)
    heard = [part async for part in TurnStreams(stage.engine).stream(request)]
    assert "".join(part.text for part in heard if isinstance(part, PartialText)) == "One moment. You wear it. "


async def test_an_agent_that_is_a_tool_waits_for_the_client_as_any(set_stage: SetStage) -> None:
    stage = await set_stage(consulting(), ASK, calls(("sign", {"n": 1})), says("Signed."), says("All is signed."))
    paused = await stage.say("sign it")
    sign = ToolCallMessage("call-1-2-1", tool_name("sign"), "sign", {"n": 1})
    assert (paused.messages, paused.paused, paused.current_playbook) == (
        (TextMessage("One moment."), sign),
        True,
        EXPERT,
    )
    stage.engine = stage.new_engine()
    done = await stage.give(ToolResultsInput((ToolResultInput("", "", sign.id, {}),)))
    assert (done.messages, done.current_playbook) == ((TextMessage("All is signed."),), ROOT)
    assert told(stage) == [({"result": "Signed."}, False)]


async def test_after_a_failure_the_user_talks_with_the_agent_they_talked_with(set_stage: SetStage) -> None:
    draft = consulting()
    draft.tool("sign")
    stage = await set_stage(draft, ASK, calls(("sign", {})), ModelUnavailable("down"), says("Never mind then."))
    with pytest.raises(ModelFailed):
        await stage.say("sign it")
    stage.engine = stage.new_engine()
    result = await stage.say("stop")
    assert (result.messages, result.current_playbook) == ((TextMessage("Never mind then."),), ROOT)
    assert stage.model.asked[-1].conversation[-1] == UserText("stop")
    cancelled = {"code": "CANCELLED", "message": "Cancelled: the user went on before there was a result."}
    assert told(stage) == [({"error": cancelled}, True)]


async def test_after_a_failure_the_same_words_go_on_where_the_turn_stopped(set_stage: SetStage) -> None:
    draft = consulting()
    signed = draft.tool("sign")
    failing = (ASK, calls(("sign", {})), ModelUnavailable("down"))
    stage = await set_stage(draft, *failing, says("Signed."), says("All is signed."))
    with pytest.raises(ModelFailed):
        await stage.say("sign it")
    assert (await stage.say("sign it")).messages == (TextMessage("All is signed."),)
    assert (told(stage), len(signed.invoked)) == ([({"result": "Signed."}, False)], 1)


async def test_an_agent_that_never_answers_is_left_and_the_user_is_told(set_stage: SetStage) -> None:
    sign = [calls(("sign", {"n": n})) for n in range(3)]
    draft = consulting()
    draft.tool("sign")
    stage = await set_stage(draft, ASK, *sign, says("Better now."), limits=TurnLimits(decisions=4))
    result = await stage.say("sign it")
    assert result.messages == (TextMessage("One moment."), TextMessage(GAVE_UP))
    assert (result.current_playbook, result.paused) == (ROOT, False)
    assert (await stage.say("again")).messages == (TextMessage("Better now."),)
    message = "The turn took 4 decisions without reaching an answer."
    assert told(stage) == [({"error": {"code": "STEP_LIMIT", "message": message}}, True)]


async def test_agents_call_each_other_only_so_deep(set_stage: SetStage) -> None:
    again = calls(("again", {"request": "And you?"}))
    stage = await set_stage(
        consulting(), ASK, again, again, says("b"), says("a"), says("Done."), limits=TurnLimits(depth=3)
    )
    result = await stage.say("ask on")
    assert result.messages[-1] == TextMessage("Done.")
    deepest = stage.model.asked[3].conversation[-1]
    assert isinstance(deepest, FunctionResult)
    assert deepest.output["error"]["code"] == "TOO_DEEP"
    assert told(stage) == [({"result": "a"}, False)]


async def test_an_agent_that_is_a_tool_may_give_way_to_another_and_that_one_answers(set_stage: SetStage) -> None:
    draft = AppDraft()
    draft.agent("root", tools=[draft.agent_tool("ask", EXPERT)])
    draft.agent("expert", childAgents=[f"{APP}/agents/junior"])
    draft.agent("junior")
    stage = await set_stage(draft, ASK, calls(("junior", {})), says("Junior knows."), says("Fine."))
    result = await stage.say("hats?")
    assert result.messages == (TextMessage("One moment."), TextMessage("Fine."))
    assert stage.model.asked[2].conversation == (UserText("What is a hat?"),)
    assert told(stage) == [({"result": "Junior knows."}, False)]


async def test_several_agents_of_one_reply_are_asked_one_after_the_other(set_stage: SetStage) -> None:
    both = calls(("ask", {"request": "Hats?"}), ("ask", {"request": "Caps?"}))
    stage = await set_stage(consulting(), both, says("Hats: yes."), says("Caps: no."), says("Only hats."))
    result = await stage.say("hats and caps?")
    assert result.messages == (TextMessage("Only hats."),)
    assert [each.conversation for each in stage.model.asked[1:3]] == [(UserText("Hats?"),), (UserText("Caps?"),)]
    assert told(stage) == [({"result": "Hats: yes."}, False), ({"result": "Caps: no."}, False)]


async def test_what_an_agent_elsewhere_would_say_to_the_user_is_its_answer(set_stage: SetStage) -> None:
    draft = AppDraft()
    draft.agent("root", tools=[draft.agent_tool("ask", EXPERT)])
    draft.agent("expert", remoteDialogflowAgent={"agent": "projects/p/locations/l/agents/far"})
    stage = await set_stage(draft, ASK, says("It cannot be asked."))
    result = await stage.say("hats?")
    assert result.messages == (TextMessage("One moment."), TextMessage("It cannot be asked."))
    sentence = "This part of the conversation belongs to the Dialogflow agent projects/p/locations/l/agents/far"
    assert told(stage) == [({"result": f"{sentence}, which is not run here."}, False)]


async def test_of_several_tools_that_are_one_agent_it_is_told_which_was_called(set_stage: SetStage) -> None:
    draft = AppDraft()
    draft.agent("root", tools=[draft.agent_tool("ask first", EXPERT), draft.agent_tool("ask again", EXPERT)])
    draft.agent("expert")
    second = calls(("ask_again", {"request": "And now?"}))
    stage = await set_stage(draft, second, says("Now, too."), says("Yes."))
    told = steps_in((await stage.say("well?")).trace, PlaybookStep)
    assert [(each.name, each.tool) for each in told] == [("ask_again", tool_name("ask again"))] * 2
