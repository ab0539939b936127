from collections.abc import Mapping
from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import AgentText, FunctionCall, FunctionResult, UserText
from openplaybook.resources.compiled_forms import LlmSettings
from openplaybook.tools.base import Failure, Success
from openplaybook.turns.base import TextMessage
from openplaybook.turns.errors import AgentNotReady, NoSuchAgent, NoSuchPlaybook
from openplaybook.turns.journal.session_state import SessionState
from tests.integration.turns.conftest import SetStage, asked
from tests.kit.agents import AGENT, SESSION, START, AgentDraft, calls, says
from tests.kit.told_steps import notices_in


def pets() -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets} for pets.", start=True)
    draft.tool(
        "pets", "getPet", answer=lambda call, context: Success({"200": {"name": f"Pet {call.arguments['petId']}"}})
    )
    return draft


async def test_words_of_the_model_are_the_answer(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("Hello!"))
    result = await stage.say("hi")
    assert result.messages == (TextMessage("Hello!"),)
    assert (result.query_text, result.language_code, result.paused) == ("hi", "en", False)
    assert (result.current_playbook, result.current_playbook_display_name) == (START, "Start")


@pytest.mark.proves("G4")
async def test_a_referenced_tool_is_called_and_its_output_goes_back_to_the_model(set_stage: SetStage) -> None:
    draft = pets()
    stage = await set_stage(draft, calls(("getPet", {"petId": 3})), says("It is Pet 3."))
    result = await stage.say("show me pet 3")
    assert [call.arguments for call in draft.shelf.tools["pets"].invoked] == [{"petId": 3}]
    assert stage.model.asked[1].conversation == (
        UserText("show me pet 3"),
        FunctionCall("m1", "getPet", {"petId": 3}),
        FunctionResult("m1", "getPet", {"200": {"name": "Pet 3"}}),
    )
    assert result.messages == (TextMessage("It is Pet 3."),)


async def test_words_beside_a_call_are_said_first(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("getPet", {"petId": 3}), text="One moment."), says("It is Pet 3."))
    result = await stage.say("show me pet 3")
    assert result.messages == (TextMessage("One moment."), TextMessage("It is Pet 3."))


async def test_a_failure_of_a_tool_goes_to_the_model_as_an_error(set_stage: SetStage) -> None:
    draft = pets()
    draft.shelf.tools["pets"].answer = lambda call, context: Failure("HTTP_ERROR", "404 Not Found", {"404": {"no": 9}})
    stage = await set_stage(draft, calls(("getPet", {"petId": 9})), says("There is no pet 9."))
    await stage.say("show me pet 9")
    assert stage.model.asked[1].conversation[-1] == FunctionResult(
        "m1",
        "getPet",
        {"error": {"code": "HTTP_ERROR", "message": "404 Not Found"}, "output": {"404": {"no": 9}}},
        is_error=True,
    )


async def test_several_calls_of_one_reply_give_their_results_in_the_order_of_the_calls(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("getPet", {"petId": 1}), ("getPet", {"petId": 2})), says("Both."))
    await stage.say("pets 1 and 2")
    results = [entry.output for entry in stage.model.asked[1].conversation if isinstance(entry, FunctionResult)]
    assert results == [{"200": {"name": "Pet 1"}}, {"200": {"name": "Pet 2"}}]


async def test_the_conversation_goes_on_in_the_next_turn(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("Hello!"), says("Bye!"))
    await stage.say("hi")
    await stage.say("bye")
    assert stage.model.asked[1].conversation == (UserText("hi"), AgentText("Hello!"), UserText("bye"))


async def test_the_conversation_is_read_back_after_a_restart(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), calls(("getPet", {"petId": 3})), says("It is Pet 3."), says("Bye!"))
    await stage.say("show me pet 3")
    stage.engine = stage.new_engine()
    await stage.say("bye")
    assert stage.model.asked[2].conversation == (
        *stage.model.asked[1].conversation,
        AgentText("It is Pet 3."),
        UserText("bye"),
    )


async def test_session_parameters_are_merged_kept_and_given_to_tools(set_stage: SetStage) -> None:
    draft = pets()
    stage = await set_stage(draft, says("Hello!"), calls(("getPet", {"petId": 3})), says("It is Pet 3."))
    await stage.say("hi", parameters={"a": 1, "b": 1})
    result = await stage.say("pet 3", parameters={"b": 2}, payload={"header": "x"})
    assert result.parameters == {"a": 1, "b": 2}
    context = draft.shelf.tools["pets"].contexts[0]
    assert (context.session_id, dict(context.parameters), dict(context.payload)) == (
        "s",
        {"a": 1, "b": 2},
        {"header": "x"},
    )


async def test_a_parameter_that_authentication_reads_is_seen_by_tools_alone(set_stage: SetStage) -> None:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets}.", start=True)
    authentication = {"bearerTokenConfig": {"token": "$session.params.user-token"}}
    tool = draft.tool("pets", document={"openApiSpec": {"authentication": authentication}})
    stage = await set_stage(draft, calls(("pets", {})), says("Done."))
    result = await stage.say("go", parameters={"user-token": "s3cret", "city": "Bern"})
    assert tool.contexts[0].parameters["user-token"] == "s3cret"
    assert result.parameters == {"city": "Bern"}
    assert "s3cret" not in repr(stage.model.asked)
    assert "s3cret" not in repr(result.trace)


async def test_the_first_playbook_gets_its_input_parameters_from_the_session(set_stage: SetStage) -> None:
    draft = AgentDraft()
    city = {"name": "city", "typeSchema": {"inlineSchema": {"type": "STRING"}}}
    draft.playbook("Start", start=True, inputParameterDefinitions=[city])
    stage = await set_stage(draft, says("Hello!"))
    await stage.say("hi", parameters={"city": "Bern", "other": 1})
    assert stage.model.asked[0].inputs == {"city": "Bern"}


async def test_model_settings_of_the_request_win_over_the_playbooks_and_the_agents(set_stage: SetStage) -> None:
    draft = AgentDraft()
    parameters = {"temperature": 0.5, "outputTokenLimit": "OUTPUT_TOKEN_LIMIT_SHORT"}
    draft.playbook("Start", start=True, llmModelSettings={"parameters": parameters})
    draft.document(
        "generative_settings",
        f"{AGENT}/generativeSettings/en",
        {"llmModelSettings": {"model": "played", "promptText": "Be kind."}},
    )
    stage = await set_stage(draft, says("Hello!"))
    await stage.say("hi", settings=LlmSettings(temperature=0.1))
    assert stage.model.asked[0].settings == LlmSettings(
        model="played", prompt_text="Be kind.", temperature=0.1, output_token_limit="SHORT"
    )


async def test_a_model_without_an_alias_is_replaced_and_the_trace_says_so(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("Hello!"))
    result = await stage.say("hi", settings=LlmSettings(model="gemini-1.5-flash"))
    message = (
        "The server has no alias for model gemini-1.5-flash, so it uses played. "
        "--model-aliases gemini-1.5-flash=KIND:NAME sets one (docs/models.md)."
    )
    assert notices_in(result.trace) == [("MODEL_SUBSTITUTED", message)]
    assert result.messages == (TextMessage("Hello!"),)


async def test_a_replaced_model_is_told_once_a_session_also_after_a_restart(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), *[says("Hello!")] * 5)
    settings = LlmSettings(model="gemini-1.5-flash")
    told = [len(notices_in((await stage.say("hi", settings=settings)).trace)) for _ in range(2)]
    stage.engine = stage.new_engine()
    told.append(len(notices_in((await stage.say("hi", settings=settings)).trace)))
    told.append(len(notices_in((await stage.say("hi", settings=LlmSettings(model="gemini-9"))).trace)))
    told.append(len(notices_in((await stage.say("hi", settings=settings, session=f"{AGENT}/sessions/other")).trace)))
    assert told == [1, 0, 0, 1, 1]


async def test_what_a_session_keeps_of_a_models_name_has_a_bound(set_stage: SetStage) -> None:
    stage = await set_stage(pets(), says("Hello!"), says("Hello!"))
    long = LlmSettings(model="g" * 10_000)
    assert len(notices_in((await stage.say("hi", settings=long)).trace)) == 1
    assert notices_in((await stage.say("hi", settings=long)).trace) == []
    session = await stage.store.session(SESSION)
    assert session is not None
    assert [len(each) < 150 for each in SessionState.load(session.state).told] == [True]


async def test_another_playbook_can_be_started_with_and_the_session_begins_anew(set_stage: SetStage) -> None:
    draft = pets()
    other = draft.playbook("Other")
    stage = await set_stage(draft, says("Hello!"), says("Here is the other."))
    await stage.say("hi", parameters={"a": 1})
    result = await stage.say("go", current_playbook=other)
    assert (result.current_playbook, result.parameters) == (other, {})
    assert stage.model.asked[1].conversation == (UserText("go"),)


async def test_an_agent_that_does_not_exist_is_named(set_stage: SetStage) -> None:
    stage = await set_stage(AgentDraft())
    with pytest.raises(NoSuchAgent, match="agents/nobody does not exist"):
        await stage.engine.run(asked("hi", agent=f"{AGENT[:-1]}nobody", session=f"{AGENT[:-1]}nobody/sessions/s"))


async def test_an_agent_without_a_start_playbook_says_what_to_set(set_stage: SetStage) -> None:
    stage = await set_stage(AgentDraft())
    with pytest.raises(AgentNotReady, match="set startPlaybook"):
        await stage.say("hi")


async def test_a_playbook_that_does_not_exist_cannot_be_started_with(set_stage: SetStage) -> None:
    stage = await set_stage(pets())
    with pytest.raises(NoSuchPlaybook, match="currentPlaybook"):
        await stage.say("hi", current_playbook=f"{AGENT}/playbooks/nothing")


async def test_an_agent_changed_between_turns_is_seen_in_the_next(set_stage: SetStage) -> None:
    draft = pets()
    stage = await set_stage(draft, says("Hello!"), says("Hello again!"))
    await stage.say("hi")
    draft.playbook("Start", "Say hello twice.", start=True)
    await draft.put(stage.store)
    await stage.say("hi")
    assert [turn.instructions[0].text for turn in stage.model.asked] == [
        "Use ${TOOL: pets} for pets.",
        "Say hello twice.",
    ]


async def test_instructions_of_older_exports_refer_to_tools_by_id(set_stage: SetStage) -> None:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: 8a1b}.", start=True)
    draft.tool("pets", "getPet")
    draft.document("tool", f"{AGENT}/tools/8a1b", {"displayName": "pets"})
    stage = await set_stage(draft, says("Hello!"))
    await stage.say("hi")
    (step,) = stage.model.asked[0].instructions
    assert (step.text, [each.name for each in step.references]) == ("Use ${TOOL: 8a1b}.", ["pets"])


async def test_a_declaration_follows_what_the_session_knows(set_stage: SetStage) -> None:
    draft = AgentDraft()
    tool = draft.tool("pets", "getPet")
    draft.playbook("Default", "Use ${TOOL: pets}", start=True)

    def for_session(parameters: Mapping[str, JsonValue], payload: Mapping[str, JsonValue]) -> JsonObject:
        return {"type": "object", "properties": {name: {} for name in ("petId", "q") if name not in parameters}}

    tool.offered = [replace(tool.offered[0], for_session=for_session)]
    stage = await set_stage(draft, says("Hello."), says("Hello again."))
    await stage.say("hello")
    await stage.say("hello", parameters={"petId": 3})
    shown = [list(asked.declarations[0].input_schema["properties"]) for asked in stage.model.asked]
    assert shown == [["petId", "q"], ["q"]]
