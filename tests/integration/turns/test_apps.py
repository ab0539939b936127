"""Apps of CX Agent Studio in a store, and turns in them."""

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.models.offline.offline_model import OfflineModel
from openplaybook.storage.base import Delete, Put, Store
from openplaybook.telemetry.metrics import Metrics
from openplaybook.turns.agent.past_agents import PastAgents
from openplaybook.turns.agent.snapshot_store import Snapshots
from openplaybook.turns.base import TextInput, TextMessage, TurnRequest, TurnResult
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.errors import AgentNotReady, NoSuchAgent
from tests.kit.agents import PlayedModel, calls, says
from tests.kit.apps import APP, APP_SESSION, AppDraft, tool_name
from tests.kit.sealing import SEALER

VERSION = f"{APP}/versions/v1"


def engine(store: Store, draft: AppDraft, model: PlayedModel | OfflineModel) -> TurnEngine:
    return TurnEngine(
        store=store,
        toolbox=draft.shelf,
        models=ModelDirectory(model, {}),
        metrics=Metrics(),
        owner="owner",
        sealer=SEALER,
    )


async def say(running: TurnEngine, text: str, version: str = "") -> TurnResult:
    request = TurnRequest(APP, APP_SESSION, TextInput(text), "", version=version)
    result = await running.run(request)
    running.delivered(request.session, result.turn)
    return result


def pets() -> AppDraft:
    draft = AppDraft()
    draft.agent("root", "Use {@TOOL: get_pet} to find pets.", tools=[tool_name("get_pet")])
    draft.tool("get_pet")
    return draft


async def put_version(store: Store, name: str, **snapshot: object) -> None:
    body: JsonObject = {"name": name, "snapshot": snapshot}
    await store.apply([Put(name=name, kind="app_version", parent=APP, root=f"{APP}/versions", body=dumps(body))])


async def test_an_app_runs_a_turn_with_a_model_that_calls_its_tool(store: Store) -> None:
    draft = pets()
    await draft.put(store)
    model = PlayedModel(calls(("get_pet", {})), says("It is Rex."))
    result = await say(engine(store, draft, model), "Who is it?")
    assert result.messages == (TextMessage("It is Rex."),)
    assert [each.action.tool for each in draft.shelf.tools["get_pet"].invoked] == [tool_name("get_pet")]
    assert (model.asked[0].playbook, model.asked[0].language_code) == ("root", "en")


async def test_an_app_answers_with_the_offline_model_as_its_example_shows(store: Store) -> None:
    draft = pets()
    await draft.put(store)
    call = {"tool": tool_name("get_pet"), "id": "1", "args": {}}
    messages = [
        {"role": "user", "chunks": [{"text": "Which pet is in the shop today?"}]},
        {"role": "root", "chunks": [{"toolCall": call}]},
        {"role": "root", "chunks": [{"toolResponse": {**call, "response": {"done": True}}}]},
        {"role": "root", "chunks": [{"text": "I have looked it up."}]},
    ]
    name = f"{APP}/examples/e"
    body = dumps({"name": name, "displayName": "pets", "messages": messages})
    await store.apply([Put(name=name, kind="app_example", parent=APP, root=APP, body=body)])
    result = await say(engine(store, draft, OfflineModel()), "Which pet is in the shop today?")
    assert len(draft.shelf.tools["get_pet"].invoked) == 1
    assert result.messages == (TextMessage("I have looked it up."),)


async def test_the_offline_model_ends_the_session_by_the_apps_own_function(store: Store) -> None:
    draft = AppDraft()
    draft.agent("root", "Hand over to a live agent where one is asked for.", tools=["end_session"])
    await draft.put(store)
    result = await say(engine(store, draft, OfflineModel()), "I want to speak to a human agent")
    assert result.ended == {"session_escalated": True}


async def test_an_app_that_does_not_exist_is_told(store: Store) -> None:
    with pytest.raises(NoSuchAgent, match=r"^App projects/p/locations/global/apps/a does not exist\.$"):
        await Snapshots(store, AppDraft().shelf).current(APP)


async def test_an_agent_of_dialogflow_elsewhere_says_so_without_asking_a_model(store: Store) -> None:
    draft = AppDraft()
    draft.agent("root", remoteDialogflowAgent={"agent": "projects/x/locations/l/agents/y"})
    await draft.put(store)
    model = PlayedModel()
    for _ in range(2):
        result = await say(engine(store, draft, model), "Hi")
        assert result.messages == (
            TextMessage(
                "This part of the conversation belongs to the Dialogflow agent projects/x/locations/l/agents/y, "
                "which is not run here."
            ),
        )
    assert model.asked == []


async def test_an_app_without_a_root_agent_says_so(store: Store) -> None:
    draft = AppDraft(rootAgent=f"{APP}/agents/gone")
    await draft.put(store)
    with pytest.raises(AgentNotReady, match=r"has no root agent: set root_agent to one of its agents\.$"):
        await say(engine(store, draft, PlayedModel()), "Hi")


async def test_a_version_is_the_app_as_it_was(store: Store) -> None:
    draft = pets()
    await draft.put(store)
    agent = {"name": f"{APP}/agents/old", "displayName": "old", "instruction": "Say hello."}
    await put_version(store, VERSION, app={"name": APP, "rootAgent": agent["name"]}, agents=[agent])
    model = PlayedModel(says("Hello."))
    await say(engine(store, draft, model), "Hi", VERSION)
    assert model.asked[0].playbook == "old"


async def test_versions_and_the_draft_are_kept_apart_and_compiled_once(store: Store) -> None:
    draft = pets()
    await draft.put(store)
    await put_version(store, VERSION, app={"name": APP})
    snapshots = Snapshots(store, draft.shelf)
    first, now = await snapshots.current(APP, VERSION), await snapshots.current(APP)
    assert (first.start_playbook, now.start_playbook) == ("", f"{APP}/agents/root")
    assert await snapshots.current(APP, VERSION) is first
    assert await snapshots.current(APP) is now
    assert (await Snapshots(store, draft.shelf).by_digest(APP, first.digest)).digest == first.digest


async def test_a_version_that_is_made_anew_or_deleted_is_not_what_it_was(store: Store) -> None:
    draft = pets()
    await draft.put(store)
    snapshots = Snapshots(store, draft.shelf)
    agent = {"name": f"{APP}/agents/old", "displayName": "old"}
    for root in ("", agent["name"]):
        await put_version(store, VERSION, app={"name": APP, "rootAgent": root}, agents=[agent])
        assert (await snapshots.current(APP, VERSION)).start_playbook == root
    await store.apply([Delete(VERSION)])
    with pytest.raises(NoSuchAgent):
        await snapshots.current(APP, VERSION)


@pytest.mark.parametrize("version", [f"{APP}/versions/gone", f"{APP}/agents/root"])
async def test_a_version_that_does_not_exist_is_told(store: Store, version: str) -> None:
    draft = pets()
    await draft.put(store)
    with pytest.raises(NoSuchAgent, match=rf"^Version {version} does not exist\.$"):
        await Snapshots(store, draft.shelf).current(APP, version)


async def test_names_and_secrets_of_an_app_are_known_without_compiling_it(store: Store) -> None:
    draft = pets()
    await draft.put(store)
    token = {"bearerTokenConfig": {"token": "$context.variables.token"}}
    name = f"{APP}/toolsets/api"
    body = dumps({"name": name, "displayName": "API", "openApiToolset": {"apiAuthentication": token}})
    await store.apply([Put(name=name, kind="app_toolset", parent=APP, root=APP, body=body)])
    past = await PastAgents(store).present(APP)
    assert past.playbook_names == {f"{APP}/agents/root": "root"}
    assert past.tool_names == {tool_name("get_pet"): "get_pet", name: "API"}
    assert past.secret_parameters == frozenset({"token"})
