from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import FunctionResult
from openplaybook.tools.base import Success, ToolContext
from openplaybook.turns.base import TextMessage, ToolStep, TurnResult
from openplaybook.turns.session.history import History
from openplaybook.turns.steps.session_parameters import MAX_PARAMETER_BYTES
from tests.integration.turns.conftest import SetStage
from tests.kit.agents import SESSION, AgentDraft, calls, says
from tests.kit.apps import APP, APP_SESSION, AppDraft, declares, tool_name
from tests.kit.programs import add_program, asked
from tests.kit.told_steps import notices_in, steps_in


def setting(app: JsonObject | None = None, /, **parameters: JsonValue) -> AppDraft:
    """An app whose tool `set` sets these."""
    draft = AppDraft(variableDeclarations=declares(size="M", color=None), **(app or {}))
    draft.agent("root", tools=[tool_name("set"), tool_name("look")])
    draft.tool("set", answer=lambda call, context: Success({"ok": True}, parameters=parameters))
    draft.tool("look")
    return draft


def notices(result: TurnResult) -> list[tuple[str, str]]:
    return notices_in(result.trace)


def tools(result: TurnResult) -> list[ToolStep]:
    return steps_in(result.trace, ToolStep)


async def test_what_a_tool_sets_is_the_sessions_from_then_on_also_after_a_restart(set_stage: SetStage) -> None:
    draft = setting(size="L", color="red")
    stage = await set_stage(draft, calls(("set", {})), calls(("look", {})), says("Red and large."), says("Yes."))
    result = await stage.say("paint it")
    assert result.parameters == {"size": "L", "color": "red"}
    assert [each.parameters for each in stage.model.asked] == [{"size": "M"}] + [{"size": "L", "color": "red"}] * 2
    assert dict(draft.shelf.tools["look"].contexts[0].parameters) == {"size": "L", "color": "red"}
    stage.engine = stage.new_engine()
    await stage.say("really?")
    assert stage.model.asked[-1].parameters == {"size": "L", "color": "red"}
    assert [step.parameters for step in tools(result)] == [{"size": "L", "color": "red"}, {}]
    past = [turn async for turn in History(stage.store).turns(APP, APP_SESSION)]
    assert past[0].result.trace == result.trace


async def test_null_takes_a_parameter_away(set_stage: SetStage) -> None:
    stage = await set_stage(setting(size=None), calls(("set", {})), says("Gone."))
    result = await stage.say("forget the size")
    assert (result.parameters, tools(result)[0].parameters) == ({}, {"size": None})


async def test_what_an_app_does_not_declare_is_not_set_and_that_is_told(set_stage: SetStage) -> None:
    stage = await set_stage(setting(size="S", weight="1 kg"), calls(("set", {})), says("Done."))
    result = await stage.say("weigh it", parameters={"color": "blue", "shape": "round"})
    assert result.parameters == {"size": "S", "color": "blue"}
    assert notices(result) == [
        ("PARAMETER_NOT_DECLARED", "Not set, as the agent declares no such variable: shape."),
        ("PARAMETER_NOT_DECLARED", "Not set, as the agent declares no such variable: weight."),
    ]


async def test_more_than_a_session_keeps_is_not_set_and_the_model_is_told(set_stage: SetStage) -> None:
    stage = await set_stage(setting(size="x" * MAX_PARAMETER_BYTES), calls(("set", {})), says("Too much."))
    result = await stage.say("make it huge")
    assert (result.messages, result.parameters) == ((TextMessage("Too much."),), {"size": "M"})
    message = "The call was made, but no session parameter is set: they would be larger than 1000000 bytes"
    assert stage.model.asked[1].conversation[-1] == FunctionResult(
        "m1",
        "set",
        {"error": {"code": "PARAMETERS_TOO_LARGE", "message": message}, "output": {"ok": True}},
        is_error=True,
    )


async def test_calls_of_a_sequential_app_see_what_those_before_them_have_set(set_stage: SetStage) -> None:
    draft = setting({"toolExecutionMode": "SEQUENTIAL"}, size="L")
    stage = await set_stage(draft, calls(("set", {}), ("look", {})), says("One after the other."))
    await stage.say("paint it")
    assert dict(draft.shelf.tools["look"].contexts[0].parameters) == {"size": "L"}


SECRET = "tok-3141592653"


async def test_a_secret_that_a_tool_sets_is_sealed_and_shown_to_nobody(set_stage: SetStage) -> None:
    stage = await set_stage(with_secret(), calls(("login", {})), calls(("look", {})), says("You are in."))
    result = await stage.say("log me in")
    assert (result.parameters, tools(result)[0].parameters) == ({"user": "ann"}, {"user": "ann"})
    assert [each.parameters for each in stage.model.asked] == [{}, {"user": "ann"}, {"user": "ann"}]
    looked: ToolContext = stage.draft.shelf.tools["look"].contexts[0]
    assert looked.parameters["token"] == SECRET
    for step in await stage.store.history(SESSION, turns=10):
        assert SECRET.encode() not in step.payload
    stored = await stage.store.session(SESSION)
    assert stored is not None
    assert SECRET.encode() not in stored.state


def with_secret() -> AgentDraft:
    authentication: JsonObject = {"bearerTokenConfig": {"token": "$session.params.token"}}
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: login} and ${TOOL: look}.", start=True)
    draft.tool("login", answer=lambda call, context: Success({}, parameters={"token": SECRET, "user": "ann"}))
    draft.tool("look", document={"openApiSpec": {"authentication": authentication}})
    return draft


async def test_an_inner_call_sets_parameters_too(set_stage: SetStage) -> None:
    draft = setting(size="L")

    async def program(context: ToolContext) -> JsonObject:
        return {"inner": await asked(context, "set")}

    wrap = add_program(draft, "wrap", program)
    draft.agent("other", tools=[tool_name("wrap")])
    stage = await set_stage(draft, calls(("wrap", {})), says("Done."))
    result = await stage.say("wrap it", entry_playbook=f"{APP}/agents/other")
    assert (result.parameters, len(wrap.invoked)) == ({"size": "L"}, 1)
    inner, outer = tools(result)
    assert (inner.parameters, inner.within) == ({"size": "L"}, outer.call_id)
    assert outer.output == {"inner": "ok"}
    context = draft.shelf.tools["set"].contexts[0]
    known = (context.call_id, context.turn_id, context.playbook, context.user_text, context.use_fakes)
    assert known == ("call-1-1-1.1", result.response_id, "other", "wrap it", False)


async def test_tools_of_an_app_may_call_what_no_agent_offers(set_stage: SetStage) -> None:
    draft = AppDraft()
    draft.agent("root", tools=[tool_name("wrap")])
    hidden = draft.tool("hidden")

    async def program(context: ToolContext) -> JsonObject:
        return {"inner": await asked(context, "hidden", n=1)}

    add_program(draft, "wrap", program)
    stage = await set_stage(draft, calls(("wrap", {})), says("Done."))
    await stage.say("go")
    assert [call.arguments for call in hidden.invoked] == [{"n": 1}]
