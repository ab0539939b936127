"""Session parameters that hold credentials: sealed on record, open in calls, seen nowhere else."""

from pathlib import Path

import pytest

from openplaybook.credentials.sealer import Sealer, is_sealed
from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import FunctionResult
from openplaybook.storage.base import Store
from openplaybook.tools.base import ExecutionPlace
from openplaybook.turns.base import TextInput, TextMessage, ToolResultInput, TurnRequest
from openplaybook.turns.journal.events import TurnBegun
from openplaybook.turns.journal.rows import event_of
from openplaybook.turns.journal.session_state import SessionState
from tests.integration.turns.conftest import SetStage, Stage
from tests.kit.agents import AGENT, SESSION, START, AgentDraft, calls, says

TOKEN = "planted-token"


def naming(*parameters: str) -> JsonObject:
    """A tool whose authentications read these session parameters."""
    schemes = [
        {"scheme": name, "authentication": {"bearerTokenConfig": {"token": f"$session.params.{name}"}}}
        for name in parameters
    ]
    return {"openApiSpec": {"securitySchemeAuthentications": schemes}}


def shop(*parameters: str) -> AgentDraft:
    draft = AgentDraft()
    inputs = [{"name": "token", "typeSchema": {"inlineSchema": {"type": "STRING"}}}]
    draft.playbook("Start", "Use ${TOOL: shop} and ${TOOL: ask}.", start=True, inputParameterDefinitions=inputs)
    draft.tool("shop", "buy", document=naming(*parameters))
    draft.tool("ask", place=ExecutionPlace.CLIENT)
    return draft


async def kept(store: Store) -> SessionState:
    session = await store.session(SESSION)
    assert session is not None
    return SessionState.load(session.state)


async def begun(store: Store) -> list[TurnBegun]:
    """What each request of the session is on record with."""
    happened = [event_of(step) for step in await store.history(SESSION)]
    return [event for event in happened if isinstance(event, TurnBegun)]


def used(stage: Stage) -> list[JsonObject]:
    """The parameters that calls were made with."""
    return [dict(context.parameters) for context in stage.draft.shelf.tools["shop"].contexts]


@pytest.mark.proves("A6")
async def test_a_credential_is_open_in_calls_and_sealed_on_record(
    set_stage: SetStage, store: Store, tmp_path: Path
) -> None:
    stage = await set_stage(shop("token"), calls(("buy", {})), says("Bought."))
    result = await stage.say("buy", parameters={"token": TOKEN, "size": 3})
    assert used(stage) == [{"token": TOKEN, "size": 3}]
    [context] = stage.draft.shelf.tools["shop"].contexts
    assert context.secrets == (TOKEN,)
    assert TOKEN not in repr(context)
    assert result.parameters == {"size": 3}
    assert [(turn.parameters, turn.inputs) for turn in stage.model.asked] == [({"size": 3}, {})] * 2
    state, [begin] = await kept(store), await begun(store)
    assert state.sealed == {"token"}
    assert begin.sealed == {"token"}
    assert begin.parameters == state.parameters
    assert is_sealed(state.parameters["token"])
    await store.close()
    assert [path.name for path in holding(tmp_path, TOKEN)] == []


@pytest.mark.proves("C1", "A6")
async def test_a_tool_knows_which_parameters_no_client_is_shown(set_stage: SetStage, tmp_path: Path) -> None:
    stage = await set_stage(shop("token"), calls(("buy", {})), says("Bought."))
    await stage.say("buy", parameters={"token": TOKEN, "size": 3}, client_execution=True)
    [context] = stage.draft.shelf.tools["shop"].contexts
    assert (context.parameters, context.secret_parameters) == ({"token": TOKEN, "size": 3}, {"token"})
    assert (await stage.answer("shop", "buy", output={})).messages == (TextMessage("Bought."),)
    await stage.store.close()
    assert [path.name for path in holding(tmp_path, TOKEN)] == []


async def test_a_restart_and_a_pause_lose_no_credential(set_stage: SetStage) -> None:
    stage = await set_stage(shop("token"), calls(("ask", {})), calls(("buy", {})), says("Bought."))
    await stage.say("buy", parameters={"token": TOKEN})
    stage.engine = stage.new_engine("another")
    await stage.answer("ask", "ask", output={"answer": "yes"})
    assert used(stage) == [{"token": TOKEN}]


async def test_a_credential_that_no_key_opens_fails_the_call_and_not_the_turn(set_stage: SetStage) -> None:
    stage = await set_stage(shop("token"), says("Hi."), calls(("buy", {})), says("Sorry."))
    await stage.say("hi", parameters={"token": TOKEN})
    stage.engine = stage.new_engine("another", Sealer([bytes(32)]))
    result = await stage.say("buy")
    assert result.messages == (TextMessage("Sorry."),)
    told = stage.model.asked[-1].conversation[-1]
    assert isinstance(told, FunctionResult)
    assert told.output["error"]["code"] == "SEALED_VALUE_UNREADABLE"
    assert used(stage) == []


async def test_values_of_any_kind_come_back_as_they_were(set_stage: SetStage) -> None:
    value = {"deep": ["a-secret", 1, None, {"other": "b-secret"}], "empty": ""}
    stage = await set_stage(shop("token"), calls(("buy", {})), says("Bought."))
    await stage.say("buy", parameters={"token": value})
    assert used(stage) == [{"token": value}]
    assert stage.draft.shelf.tools["shop"].contexts[0].secrets == ("a-secret", "b-secret")


async def test_a_client_cannot_pass_a_sealed_text_off_as_its_own(set_stage: SetStage, store: Store) -> None:
    stage = await set_stage(shop("token"), says("Hi."), calls(("buy", {})), says("Bought."))
    await stage.say("hi", parameters={"token": TOKEN})
    stolen = (await kept(store)).parameters["token"]
    await stage.say("buy", parameters={"token": stolen, "copy": stolen})
    assert used(stage) == [{"token": stolen, "copy": stolen}]


async def test_a_parameter_is_secret_from_when_an_authentication_names_it(set_stage: SetStage, store: Store) -> None:
    stage = await set_stage(shop(), says("Hi."))
    assert (await stage.say("hi", parameters={"token": TOKEN})).parameters == {"token": TOKEN}
    await shop("token").put(store)
    stage.model.then(says("Hi."), calls(("buy", {})), says("Bought."))
    assert (await stage.say("hi again")).parameters == {}
    assert is_sealed((await kept(store)).parameters["token"])
    await stage.say("buy")
    assert used(stage) == [{"token": TOKEN}]


async def test_a_parameter_that_held_a_credential_stays_secret(set_stage: SetStage, store: Store) -> None:
    stage = await set_stage(shop("token"), says("Hi."))
    await stage.say("hi", parameters={"token": TOKEN})
    await shop().put(store)
    stage.model.then(says("Hi."), says("Hi."))
    assert (await stage.say("hi")).parameters == {}
    assert (await stage.say("hi", parameters={"token": "another"})).parameters == {}
    assert all(is_sealed(each.parameters["token"]) for each in await begun(store) if each.parameters)


async def test_what_resumes_a_call_is_sealed_by_the_agent_that_it_resumes(set_stage: SetStage, store: Store) -> None:
    stage = await set_stage(shop("token"), calls(("ask", {})), calls(("buy", {})), says("Bought."))
    await stage.say("buy")
    await shop().put(store)
    given = ToolResultInput(tool=f"{AGENT}/tools/ask", action="ask", output={})
    await stage.engine.run(TurnRequest(AGENT, SESSION, given, "en", parameters={"token": TOKEN}))
    assert used(stage) == [{"token": TOKEN}]
    assert [each.sealed for each in await begun(store)] == [set(), {"token"}]


async def test_a_session_that_starts_anew_forgets_what_was_sealed(set_stage: SetStage, store: Store) -> None:
    stage = await set_stage(shop("token"), says("Hi."), says("Hi."))
    await stage.say("hi", parameters={"token": TOKEN})
    await stage.engine.run(TurnRequest(AGENT, SESSION, TextInput("hi"), "en", current_playbook=START))
    state = await kept(store)
    assert (state.parameters, state.sealed) == ({}, set())


def holding(folder: Path, text: str) -> list[Path]:
    """Files that hold the text."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files != []
    return [path for path in files if text.encode() in path.read_bytes()]
