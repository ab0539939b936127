import pytest

from openplaybook.models.base import AgentText, UserText
from openplaybook.turns.base import NoInput, RichMessage, TextMessage
from openplaybook.turns.errors import SessionEnded
from openplaybook.turns.journal.turn_results import END_INTERACTION
from openplaybook.turns.session.history import History
from tests.integration.turns.conftest import SetStage
from tests.kit.agents import calls, says
from tests.kit.apps import APP, APP_SESSION, END_SESSION, AppDraft, tool_name


def ending() -> AppDraft:
    draft = AppDraft()
    draft.agent("root", tools=[END_SESSION])
    return draft


async def test_the_function_that_ends_a_session_keeps_its_own_arguments_and_the_last_words(set_stage: SetStage) -> None:
    arguments = {"reason": "done", "params": {"rating": 5}}
    stage = await set_stage(ending(), calls((END_SESSION, arguments), text="Goodbye."))
    result = await stage.say("bye")
    assert result.messages == (TextMessage("Goodbye."), END_INTERACTION)
    assert (result.ended, result.paused) == (arguments, False)
    past = [turn.result async for turn in History(stage.store).turns(APP, APP_SESSION)]
    assert [(each.ended, each.messages) for each in past] == [(arguments, result.messages)]


async def test_an_escalated_session_is_handed_over(set_stage: SetStage) -> None:
    arguments = {"reason": "angry", "session_escalated": True}
    stage = await set_stage(ending(), calls((END_SESSION, arguments)))
    result = await stage.say("a person!")
    assert result.messages == (RichMessage({"liveAgentHandoff": {"metadata": arguments}}), END_INTERACTION)
    assert result.ended == arguments


async def test_a_tool_of_that_name_does_not_take_the_end_functions_place(set_stage: SetStage) -> None:
    draft = AppDraft()
    draft.agent("root", tools=[END_SESSION, tool_name("end session")])
    tool, arguments = draft.tool("end session"), {"session_escalated": True}
    stage = await set_stage(draft, calls(("end_session", {})), calls(("end_session_2", arguments)))
    result = await stage.say("bye")
    assert (len(tool.invoked), result.ended) == (1, arguments)
    assert result.messages == (RichMessage({"liveAgentHandoff": {"metadata": arguments}}), END_INTERACTION)


async def test_an_app_takes_nothing_after_its_end_and_a_repeat_gets_the_same_end(set_stage: SetStage) -> None:
    stage = await set_stage(ending(), calls((END_SESSION, {})))
    result = await stage.say("bye", request_key="k")
    again = await stage.say("bye", request_key="k")
    assert (again.response_id, again.ended) == (result.response_id, {})
    for given in ("hello?", None):
        with pytest.raises(SessionEnded) as refused:
            await (stage.say(given) if given else stage.give(NoInput()))
        assert str(refused.value) == "Session s has ended and accepts no more input."


async def test_a_session_that_goes_on_has_not_ended(set_stage: SetStage) -> None:
    stage = await set_stage(ending(), says("Hello."))
    assert (await stage.say("hi")).ended is None


async def test_a_history_opens_a_session_that_has_ended_again(set_stage: SetStage) -> None:
    stage = await set_stage(ending(), calls((END_SESSION, {})), says("Welcome back."))
    await stage.say("bye")
    again = await stage.say("hello?", history=[UserText("hi"), AgentText("Hello.")])
    assert (again.messages, again.ended) == ((TextMessage("Welcome back."),), None)
    assert stage.model.asked[1].conversation == (UserText("hi"), AgentText("Hello."), UserText("hello?"))
