"""One compiled tool for who saves, executes, validates and talks; edits are seen at once, at every replica."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.credentials.base import CredentialSources
from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.openplaybook.execute_tool import ToolExecution
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import ServiceParts
from openplaybook.services.registrations import register_dialogflow
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.toolbox import Toolbox
from openplaybook.turns.base import TextInput, TurnRequest
from openplaybook.turns.engine import TurnEngine
from openplaybook.wire.api import load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.registry import Registry
from tests.integration.services.peers import Caller, Clock
from tests.kit.agents import PlayedModel, calls, says
from tests.kit.openapi import Remembering, operation, responds
from tests.kit.sealing import SEALER, AskedSeals

API = load_api()
KEY = "the-key-of-the-session"
BY_SESSION = {"bearerTokenConfig": {"token": "$session.params.key"}}


class Replica:
    """A server on a database, which others may use too."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.transport, self.seals = Remembering(), AskedSeals()
        toolbox = Toolbox(self.transport, CredentialSources(self.transport, sealed=self.seals))
        clock = Clock()
        self.operations = OperationRunner(store, API, clock)
        parts = ServiceParts(API, store, toolbox, self.operations, InlineSecrets(SEALER), clock)
        registry = Registry(API)
        register_dialogflow(registry, parts)
        self.call = Caller(registry, parts, clock)
        self.model = PlayedModel()
        self.engine = TurnEngine(
            store=store,
            toolbox=toolbox,
            models=ModelDirectory(self.model, {}),
            metrics=Metrics(),
            owner="owner",
            sealer=SEALER,
        )
        self._execution = ToolExecution(API, store, toolbox)

    async def execute(self, tool: str, **more: object) -> JsonObject:
        """What came of the operation `act`."""
        request = API.codec.from_json(
            {"tool": tool, "action": "act", **more}, API.message("openplaybook.v1.ExecuteToolRequest")()
        )
        context = RpcContext("openplaybook.v1.OpenPlaybook.ExecuteTool", "v1", "rest")
        return API.codec.to_json(await self._execution.execute(request, context))

    async def talk(self, agent: str) -> None:
        """A turn that takes the operation `act`."""
        self.model.then(calls(("act", {})), says("Done."))
        session = f"{agent}/sessions/s"
        await self.engine.run(TurnRequest(agent=agent, session=session, input=TextInput("act"), language_code="en"))

    @property
    def urls(self) -> list[str]:
        """What was asked for, in order."""
        return [sent.url for sent in self.transport.sent]


@pytest.fixture
async def replicas(tmp_path: Path) -> AsyncIterator[tuple[Replica, Replica]]:
    stores = [SqliteStore(tmp_path / "store.db") for _ in range(2)]
    for store in stores:
        await store.open()
    one, other = (Replica(store) for store in stores)
    yield one, other
    for each in (one, other):
        await each.operations.close(5)
        await each.store.close()


def described(path: str = "/things", **spec: object) -> JsonObject:
    return {"textSchema": dumps(operation(path=path)).decode(), **spec}


async def made(replica: Replica) -> tuple[str, str]:
    """Names of a new agent and of its tool."""
    agent = await replica.call.agent()
    tool = {"displayName": "things", "description": "d", "openApiSpec": described()}
    return agent, (await replica.call("Tools.CreateTool", {"parent": agent, "tool": tool}))["name"]


async def changed(replica: Replica, tool: str, spec: JsonObject) -> None:
    change = {"name": tool, "displayName": "things", "description": "d", "openApiSpec": spec}
    await replica.call("Tools.UpdateTool", {"tool": change, "updateMask": "openApiSpec"})


async def test_who_saves_executes_validates_and_talks_shares_one_compiled_tool(
    replicas: tuple[Replica, Replica],
) -> None:
    replica, _ = replicas
    agent, tool = await made(replica)
    playbook = await replica.call.playbook(agent, text="Use ${TOOL: things}.", referencedTools=[tool])
    start = {"name": agent, "startPlaybook": playbook["name"]}
    await replica.call("Agents.UpdateAgent", {"agent": start, "updateMask": "startPlaybook"})
    use = {"tool": tool, "action": "act", "inputActionParameters": {}}
    await replica.call.example(playbook["name"], actions=[{"toolUse": use}])
    await replica.execute(tool)
    await replica.call("Agents.ValidateAgent", {"name": agent})
    await replica.talk(agent)
    assert replica.urls == ["https://api.example/v1/things"] * 2
    assert replica.seals.built == [tool]


async def test_an_edit_at_one_replica_is_seen_at_once_at_all(replicas: tuple[Replica, Replica]) -> None:
    one, other = replicas
    _, tool = await made(one)
    for replica in replicas:
        await replica.execute(tool)
    await changed(one, tool, described("/others"))
    for replica in replicas:
        await replica.execute(tool)
    assert one.urls == other.urls == ["https://api.example/v1/things", "https://api.example/v1/others"]


async def test_a_tool_that_is_gone_at_one_replica_is_gone_at_all(replicas: tuple[Replica, Replica]) -> None:
    one, other = replicas
    _, tool = await made(one)
    await other.execute(tool)
    await one.call("Tools.DeleteTool", {"name": tool})
    with pytest.raises(RpcError) as refused:
        await other.execute(tool)
    assert refused.value.code is Code.NOT_FOUND


async def test_a_write_elsewhere_in_the_agent_compiles_nothing(replicas: tuple[Replica, Replica]) -> None:
    replica, _ = replicas
    agent, tool = await made(replica)
    await replica.execute(tool)
    await replica.call.playbook(agent)
    await replica.execute(tool)
    assert replica.seals.built == [tool]


async def test_credentials_that_another_replica_gave_the_agents_tools_are_masked_at_once(
    replicas: tuple[Replica, Replica],
) -> None:
    one, other = replicas
    _, tool = await made(one)
    other.transport.reply = responds(dumps({"said": KEY}))
    parameters = {"key": KEY}
    before = await other.execute(tool, sessionParameters=parameters)
    await changed(one, tool, described(authentication=BY_SESSION))
    after = await other.execute(tool, sessionParameters=parameters)
    bodies = [answer["trace"]["exchanges"][0]["responseBody"] for answer in (before, after)]
    assert KEY in bodies[0]
    assert KEY not in bodies[1]
