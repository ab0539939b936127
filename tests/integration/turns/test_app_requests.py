import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.models.base import AgentText, FunctionCall, FunctionResult, UserText
from openplaybook.resources.names import APP_VERSIONS
from openplaybook.storage.base import Put
from openplaybook.tools.base import CLIENT_SIDE, ExecutionPlace, Failure
from openplaybook.turns.base import TextMessage, ToolCallMessage, ToolResultInput, ToolResultsInput, ToolStep
from openplaybook.turns.errors import AgentNotReady, NoSuchAgent, NoSuchPlaybook
from openplaybook.turns.journal.events import TurnBegun
from openplaybook.turns.session.history import History
from tests.integration.turns.conftest import SetStage, Stage, asked
from tests.kit.agents import calls, says
from tests.kit.apps import APP, APP_SESSION, AppDraft, declares, tool_name
from tests.kit.told_steps import steps_in

OTHER = f"{APP}/agents/other"


def two_agents(**app: JsonValue) -> AppDraft:
    draft = AppDraft(**app)
    draft.agent("root", "You are {role}.", tools=[tool_name("look")])
    draft.agent("other")
    draft.tool("look", place=ExecutionPlace.CLIENT, has_fake=True)
    return draft


async def begins(stage: Stage) -> list[TurnBegun]:
    return [turn.request async for turn in History(stage.store).turns(APP, APP_SESSION)]


async def test_a_session_begins_where_its_first_request_says(set_stage: SetStage) -> None:
    stage = await set_stage(two_agents(), says("Other here."), says("Still other."))
    first = await stage.say("hi", entry_playbook=OTHER)
    second = await stage.say("who?", entry_playbook=f"{APP}/agents/root")
    assert (first.current_playbook, second.current_playbook) == (OTHER, OTHER)
    assert (await begins(stage))[0].entry_playbook == OTHER


async def test_an_agent_to_begin_with_that_is_not_there_is_refused(set_stage: SetStage) -> None:
    stage = await set_stage(two_agents(), says("Hello."))
    with pytest.raises(NoSuchPlaybook) as refused:
        await stage.say("hi", entry_playbook=f"{APP}/agents/nobody")
    assert str(refused.value) == f"The entry agent {APP}/agents/nobody does not exist."
    assert (await stage.say("hi")).messages == (TextMessage("Hello."),)


async def test_an_app_without_a_root_agent_is_not_ready(set_stage: SetStage) -> None:
    stage = await set_stage(AppDraft())
    with pytest.raises(AgentNotReady) as refused:
        await stage.say("hi")
    assert str(refused.value) == f"App {APP} has no root agent: set root_agent to one of its agents."


HISTORY = (
    UserText("Show me hats."),
    FunctionCall("f1", "look", {"what": "hats"}),
    FunctionResult("f1", "look", {"hats": 2}),
    AgentText("There are two."),
    FunctionCall("f2", "look", {}),
)


async def test_a_history_takes_the_place_of_what_the_session_holds(set_stage: SetStage) -> None:
    draft = two_agents(variableDeclarations=declares(role="a clerk", size=None))
    stage = await set_stage(draft, says("Forget me."), says("The red one?"), says("Gladly."))
    await stage.say("hi", parameters={"size": "L"})
    result = await stage.say("One please.", history=HISTORY, entry_playbook=OTHER, parameters={"role": "boss"})
    assert (result.current_playbook, result.parameters) == (OTHER, {"role": "boss"})
    told = (*HISTORY[:-1], UserText("One please."))
    assert stage.model.asked[1].conversation == told
    stage.engine = stage.new_engine()
    await stage.say("Yes.")
    assert stage.model.asked[2].conversation == (*told, AgentText("The red one?"), UserText("Yes."))
    rows = [step.kind for step in await stage.store.history(APP_SESSION, turns=9) if step.turn == 2]
    assert rows == ["begin", "push", "restored", "heard", "reply"]


async def test_a_history_frees_a_session_that_waits_and_equal_words_with_another_history_are_no_repeat(
    set_stage: SetStage,
) -> None:
    stage = await set_stage(two_agents(), calls(("look", {})), says("First."), says("Second."))
    assert (await stage.say("look")).paused
    first = await stage.engine.run(asked("look", history=HISTORY, **stage.where))
    assert first.messages == (TextMessage("First."),)
    again = await stage.engine.run(asked("look", history=HISTORY, **stage.where))
    assert again.response_id == first.response_id
    second = await stage.engine.run(asked("look", history=HISTORY[:1], **stage.where))
    assert second.messages == (TextMessage("Second."),)


async def test_variables_have_their_values_and_fill_the_instruction(set_stage: SetStage) -> None:
    draft = two_agents(variableDeclarations=declares(role="a clerk", size=None))
    stage = await set_stage(draft, says("Hello."), says("Yes."))
    result = await stage.say("hi")
    assert result.parameters == {"role": "a clerk"}
    await stage.say("promoted", parameters={"role": "{size} {@TOOL: look}"})
    texts = ["".join(step.text for step in each.instructions) for each in stage.model.asked]
    assert texts == ["You are a clerk.", "You are {size} {@TOOL: look}."]
    assert stage.model.asked[1].instructions[0].references == ()


async def test_prompts_of_equal_variables_are_the_identical_objects(set_stage: SetStage) -> None:
    stage = await set_stage(two_agents(variableDeclarations=declares(role="a clerk")), says("A."), says("B."))
    await stage.say("a")
    await stage.say("b")
    first, second = stage.model.asked
    assert first.instructions is second.instructions


async def test_a_function_with_a_fake_is_called_here_while_the_turn_uses_fakes(set_stage: SetStage) -> None:
    draft = two_agents()
    draft.agent("root", tools=[tool_name("look"), tool_name("sign")])
    draft.tool("sign", place=ExecutionPlace.CLIENT)
    stage = await set_stage(
        draft, calls(("sign", {})), calls(("look", {})), says("Seen."), calls(("look", {})), says("Never.")
    )
    paused = await stage.say("sign and look", use_tool_fakes=True)
    (sign,) = paused.messages
    assert isinstance(sign, ToolCallMessage)
    stage.engine = stage.new_engine()
    done = await stage.give(ToolResultsInput((ToolResultInput("", "", sign.id, {}),)))
    assert done.messages == (TextMessage("Seen."),)
    (context,) = draft.shelf.tools["look"].contexts
    assert (context.use_fakes, context.call_id, context.playbook, context.user_text, context.turn_id) == (
        True,
        "call-2-1-1",
        "root",
        "sign and look",
        done.response_id,
    )
    assert (await stage.say("look again")).paused


async def test_a_call_that_its_fake_leaves_open_is_the_clients(set_stage: SetStage) -> None:
    draft = two_agents()
    draft.agent("root", tools=[tool_name("look"), tool_name("fly")])
    draft.tool(
        "look", place=ExecutionPlace.CLIENT, has_fake=True, answer=lambda call, context: Failure(CLIENT_SIDE, "no")
    )
    draft.tool("fly")
    stage = await set_stage(draft, calls(("look", {"n": 1}), ("fly", {})), says("Seen."))
    paused = await stage.say("look", use_tool_fakes=True)
    look = ToolCallMessage("call-1-1-1", tool_name("look"), "look", {"n": 1})
    assert (paused.messages, paused.paused) == ((look,), True)
    waiting = [step.call_id for step in steps_in(paused.trace, ToolStep) if not step.end_us]
    assert waiting == [look.id]
    stage.engine = stage.new_engine()
    done = await stage.give(ToolResultsInput((ToolResultInput("", "", look.id, {"seen": 1}),)))
    assert done.messages == (TextMessage("Seen."),)
    told = [each.output for each in stage.model.asked[1].conversation if isinstance(each, FunctionResult)]
    assert told == [{"seen": 1}, {"done": True}]


async def test_a_version_is_run_as_it_was_and_a_paused_session_goes_on_with_it(set_stage: SetStage) -> None:
    version = f"{APP}/versions/v1"
    app: JsonObject = {"name": APP, "displayName": "Old", "rootAgent": OTHER}
    old: JsonObject = {
        "name": OTHER,
        "displayName": "old other",
        "instruction": "Be old.",
        "tools": [tool_name("look")],
    }
    look: JsonObject = {"name": tool_name("look"), "displayName": "look", "clientFunction": {"name": "look"}}
    document: JsonObject = {"name": version, "snapshot": {"app": app, "agents": [old], "tools": [look]}}
    stage = await set_stage(two_agents(), calls(("look", {})), says("Old."), says("New."))
    await stage.store.apply([Put(version, APP_VERSIONS.kind, APP, APP, dumps(document))])
    paused = await stage.say("look", version=version)
    (look_call,) = paused.messages
    assert isinstance(look_call, ToolCallMessage)
    await stage.give(ToolResultsInput((ToolResultInput("", "", look_call.id, {}),)))
    assert [each.playbook for each in stage.model.asked] == ["old other", "old other"]
    assert [begin.version for begin in await begins(stage)] == [version, ""]
    with pytest.raises(NoSuchAgent):
        await stage.say("hi", version=f"{APP}/versions/v2")


async def test_a_request_without_a_language_speaks_the_apps(set_stage: SetStage) -> None:
    stage = await set_stage(two_agents(languageSettings={"defaultLanguageCode": "de"}), says("Hallo."))
    result = await stage.say("hallo", language_code="")
    assert (result.language_code, stage.model.asked[0].language_code) == ("de", "de")
