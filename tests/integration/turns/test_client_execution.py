"""Calls of the server's tools, made by the client: they pause as function calls do."""

from collections.abc import Mapping

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import FunctionResult
from openplaybook.tools.base import ExecutionPlace, Failure
from openplaybook.turns.base import TextMessage, ToolCallMessage, ToolResultInput, TurnRequest
from openplaybook.turns.errors import ResultRefused
from tests.integration.turns.conftest import SetStage, Stage
from tests.kit.agents import AGENT, SESSION, AgentDraft, calls, says
from tests.kit.told_steps import notices_in

pytestmark = pytest.mark.proves("C1")

PETS = f"{AGENT}/tools/pets"
ALWAYS = "ALWAYS_CLIENT_EXECUTION"


def shop(**agent: JsonValue) -> AgentDraft:
    draft = AgentDraft(**agent)
    draft.playbook("Start", "Use ${TOOL: weather} and ${TOOL: pets}. Ask ${PLAYBOOK: Vet}.", start=True)
    draft.playbook("Vet", "Use ${TOOL: pets}.")
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    draft.tool("pets", "getPet", "listPets")
    return draft


def settings(draft: AgentDraft, language: str, **said: JsonValue) -> None:
    name = f"{AGENT}/generativeSettings/{language}"
    draft.document("generative_settings", name, {"languageCode": language, **said})


def results(stage: Stage, decision: int) -> list[JsonValue]:
    """What the model was told of its calls before a decision."""
    conversation = stage.model.asked[decision].conversation
    return [entry.output for entry in conversation if isinstance(entry, FunctionResult)]


async def test_a_call_of_the_server_waits_for_the_client_and_the_model_sees_no_difference(set_stage: SetStage) -> None:
    here = await set_stage(shop(), calls(("getPet", {"petId": 3})), says("Luna."))
    assert (await here.say("pet 3", session=f"{AGENT}/sessions/here")).paused is False

    there = await set_stage(shop(), calls(("getPet", {"petId": 3})), says("Luna."))
    paused = await there.say("pet 3", client_execution=True)
    assert paused.messages == (ToolCallMessage("call-1-1-1", PETS, "getPet", {"petId": 3}),)
    assert there.draft.shelf.tools["pets"].invoked == []
    resumed = await there.answer("pets", "getPet", output={"200": "done"})
    assert resumed.messages == (TextMessage("Luna."),)
    assert [turn.conversation for turn in there.model.asked] == [turn.conversation for turn in here.model.asked]


async def test_it_holds_for_the_turn_that_asked_through_all_its_pauses(set_stage: SetStage) -> None:
    part = [calls(("getPet", {})), calls(("listPets", {})), says("Both."), calls(("getPet", {})), says("By myself.")]
    stage = await set_stage(shop(), *part)
    await stage.say("pets", client_execution=True)
    again = await stage.answer("pets", "getPet", output={"200": {}})
    assert again.messages == (ToolCallMessage("call-2-1-1", PETS, "listPets", {}),)
    stage.engine = stage.new_engine()
    assert (await stage.answer("pets", "listPets", output={})).messages == (TextMessage("Both."),)
    assert (await stage.say("once more")).messages == (TextMessage("By myself."),)
    assert [call.action.action for call in stage.draft.shelf.tools["pets"].invoked] == ["getPet"]


async def test_a_request_that_brings_a_result_can_change_who_makes_what_comes_next(set_stage: SetStage) -> None:
    part = [calls(("getPet", {})), calls(("listPets", {})), says("Both.")]
    stage = await set_stage(shop(), *part)
    await stage.say("pets", client_execution=True)
    given = ToolResultInput(PETS, "getPet", output={})
    result = await stage.run(TurnRequest(AGENT, SESSION, given, "en", client_execution=False))
    assert result.messages == (TextMessage("Both."),)
    assert [call.action.action for call in stage.draft.shelf.tools["pets"].invoked] == ["listPets"]


@pytest.mark.parametrize(
    ("agent", "by_language", "asked", "paused"),
    [
        ({"playbookExecutionMode": ALWAYS}, {}, None, True),
        ({"playbookExecutionMode": ALWAYS}, {}, False, False),
        ({}, {"en": ALWAYS}, None, True),
        ({}, {"de": ALWAYS}, None, True),
        ({"playbookExecutionMode": ALWAYS}, {"en": "DEFAULT_EXECUTION"}, None, False),
        ({"playbookExecutionMode": ALWAYS}, {"en": "DEFAULT_EXECUTION"}, True, True),
        ({}, {"de": ALWAYS, "en": "DEFAULT_EXECUTION"}, None, False),
    ],
)
async def test_the_request_goes_before_generative_settings_and_these_before_the_agent(
    set_stage: SetStage, agent: JsonObject, by_language: Mapping[str, str], asked: bool | None, paused: bool
) -> None:
    draft = shop(**agent)
    for language, mode in by_language.items():
        settings(draft, language, playbookExecutionMode=mode)
    stage = await set_stage(draft, calls(("getPet", {})), says("Luna."))
    assert (await stage.say("pet", client_execution=asked)).paused is paused


async def test_playbooks_still_run_on_the_server_and_pause_inside(set_stage: SetStage) -> None:
    part = [calls(("Vet", {})), calls(("getPet", {})), calls(("end_playbook", {})), says("Healthy.")]
    stage = await set_stage(shop(), *part)
    paused = await stage.say("is she well?", client_execution=True)
    assert paused.messages == (ToolCallMessage("call-1-2-1", PETS, "getPet", {}),)
    assert paused.current_playbook_display_name == "Vet"
    assert (await stage.answer("pets", "getPet", output={})).messages == (TextMessage("Healthy."),)


async def test_functions_and_calls_of_the_server_wait_together(set_stage: SetStage) -> None:
    stage = await set_stage(shop(), calls(("weather", {}), ("getPet", {})), says("Both."))
    paused = await stage.say("weather and pet", client_execution=True)
    assert [message.action for message in paused.messages if isinstance(message, ToolCallMessage)] == [
        "weather",
        "getPet",
    ]
    left = await stage.answer("pets", "getPet", output={"n": 2})
    assert [message.action for message in left.messages if isinstance(message, ToolCallMessage)] == ["weather"]
    await stage.answer("weather", "weather", output={"n": 1})
    assert results(stage, 1) == [{"n": 1}, {"n": 2}]


async def test_arguments_that_cannot_be_used_go_back_to_the_model_and_not_to_the_client(set_stage: SetStage) -> None:
    draft = shop()
    draft.shelf.tools["pets"].refusal = Failure("INVALID_ARGUMENTS", "petId is required (integer)")
    stage = await set_stage(draft, calls(("getPet", {})), says("Which pet?"))
    result = await stage.say("pet", client_execution=True)
    assert result.messages == (TextMessage("Which pet?"),)
    assert results(stage, 1) == [{"error": {"code": "INVALID_ARGUMENTS", "message": "petId is required (integer)"}}]


async def test_a_client_is_given_more_than_the_model_gave_and_the_model_is_not_told(set_stage: SetStage) -> None:
    draft = shop()
    draft.shelf.tools["pets"].completed = {"session": "s"}
    stage = await set_stage(draft, calls(("getPet", {"petId": 3})), says("Luna."))
    paused = await stage.say("pet", client_execution=True, request_key="k")
    asked = (ToolCallMessage("call-1-1-1", PETS, "getPet", {"petId": 3, "session": "s"}),)
    assert paused.messages == asked
    assert (await stage.say("pet", client_execution=True, request_key="k")).messages == asked
    stage.engine = stage.new_engine()
    await stage.answer("pets", "getPet", output={})
    sent = [entry for entry in stage.model.asked[1].conversation if not isinstance(entry, FunctionResult)][-1]
    assert getattr(sent, "arguments", None) == {"petId": 3}


STRICT: JsonObject = {"toolResultValidation": "STRICT"}


@pytest.mark.parametrize("where", ["agent", "generative settings"])
async def test_strict_agents_refuse_a_result_that_does_not_fit_and_go_on_waiting(
    set_stage: SetStage, where: str
) -> None:
    draft = shop(**STRICT) if where == "agent" else shop()
    if where != "agent":
        settings(draft, "en", **STRICT)
    draft.shelf.tools["pets"].problems = ["200.id must be integer", "200.name is required"]
    stage = await set_stage(draft, calls(("getPet", {})), says("Luna."))
    await stage.say("pet", client_execution=True)
    stored = await stage.store.session(f"{AGENT}/sessions/s")
    with pytest.raises(ResultRefused) as refused:
        await stage.answer("pets", "getPet", output={"200": {"id": "x"}})
    assert str(refused.value) == (
        "The result of tool, pets, and action, getPet, does not fit its output schema: "
        "200.id must be integer; 200.name is required"
    )
    after = await stage.store.session(f"{AGENT}/sessions/s")
    assert (stored and stored.state) == (after and after.state)
    draft.shelf.tools["pets"].problems = []
    assert (await stage.answer("pets", "getPet", output={"200": {}})).messages == (TextMessage("Luna."),)


async def test_strict_agents_take_errors(set_stage: SetStage) -> None:
    draft = shop(**STRICT)
    draft.shelf.tools["pets"].problems = ["id is required"]
    stage = await set_stage(draft, calls(("getPet", {})), says("Sorry."))
    await stage.say("pet", client_execution=True)
    await stage.answer("pets", "getPet", error="down")
    assert results(stage, 1) == [{"error": {"code": "CLIENT_ERROR", "message": "down"}}]


async def test_other_agents_take_what_does_not_fit_and_remark_it(set_stage: SetStage) -> None:
    draft = shop()
    draft.shelf.tools["pets"].problems = ["200.id must be integer"]
    stage = await set_stage(draft, calls(("getPet", {})), says("Luna."))
    await stage.say("pet", client_execution=True)
    result = await stage.answer("pets", "getPet", output={"200": {"id": "x"}})
    assert notices_in(result.trace) == [("RESULT_SCHEMA", "200.id must be integer")]
    assert results(stage, 1) == [{"200": {"id": "x"}}]
