"""ExecuteTool on the tool that every agent has."""

import base64
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.models.offline import OfflineModel
from openplaybook.services.agent_models import AgentModels
from openplaybook.services.openplaybook.execute_tool import ToolExecution
from openplaybook.storage.base import Put
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.session_files import EXECUTIONS
from openplaybook.wire.api import load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from tests.kit.agents import AGENT, AgentDraft, PlayedModel
from tests.kit.interpreters import INPUT, INTERPRETER, NOTHING, OUTPUT, PlayedInterpreter, add_interpreter

API = load_api()
CSV = b"city,days\nBonn,3\n"
SESSION = f"{AGENT}/sessions/{EXECUTIONS}"


def given(name: str, data: bytes) -> JsonObject:
    return {"name": name, "contents": base64.b64encode(data).decode()}


class Bench:
    """Executes the built-in tool of an agent."""

    def __init__(self, store: SqliteStore) -> None:
        self._draft = AgentDraft()
        self.tool: PlayedInterpreter = add_interpreter(self._draft)
        self.better = PlayedModel()
        models = ModelDirectory(OfflineModel(), {"better": self.better})
        models_of_agents = AgentModels(store, models, Metrics())
        self._execution = ToolExecution(API, store, self._draft.shelf, models_of_agents)

    async def execute(self, tool: str = INTERPRETER, **request: object) -> JsonObject:
        """The answer."""
        message = API.message("openplaybook.v1.ExecuteToolRequest")()
        API.codec.from_json({"tool": tool, "action": "generate_and_execute", **request}, message)
        context = RpcContext("openplaybook.v1.OpenPlaybook.ExecuteTool", "v1", "rest")
        return API.codec.to_json(await self._execution.execute(message, context))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "store.db")
    await opened.open()
    body = dumps({"name": AGENT, "displayName": "Zoo", "defaultLanguageCode": "en"})
    await opened.apply([Put(AGENT, "agent", "projects/p/locations/global", AGENT, body)])
    yield opened
    await opened.close()


@pytest.fixture
def bench(store: SqliteStore) -> Bench:
    return Bench(store)


@pytest.mark.proves("B1", "B2")
@pytest.mark.parametrize(
    "spelled",
    [{INPUT: "4 + 4"}, {"query": "4 + 4"}, {"input": "4 + 4"}, {INPUT: {"query": "4 + 4"}}],
)
async def test_it_is_executed_in_every_documented_spelling(bench: Bench, spelled: JsonObject) -> None:
    answer = await bench.execute(inputParameters=spelled)
    assert answer["outputParameters"][OUTPUT] == {
        "generated_code": "print(4 + 4)",
        "execution_result": "8",
        "execution_error": "",
        "output_files": [NOTHING],
    }
    assert bench.tool.invoked[0].arguments == {"query": "4 + 4"}


async def test_files_come_back_as_they_are(bench: Bench) -> None:
    bench.tool.gives = {"table.csv": CSV}
    answer = await bench.execute(inputParameters={INPUT: "q"})
    assert answer["outputParameters"][OUTPUT]["output_files"] == [given("table.csv", CSV)]


async def test_an_execution_has_the_files_of_its_own_request_only(bench: Bench, store: SqliteStore) -> None:
    bench.tool.gives = {"table.csv": CSV}
    await bench.execute(inputParameters={INPUT: "q"}, payload={"files": [given("a.csv", CSV), given("b.csv", b"1")]})
    await bench.execute(inputParameters={INPUT: "q"})
    assert [[file.name for file in files] for files in bench.tool.had] == [["b.csv", "a.csv"], []]
    context = bench.tool.contexts[0]
    assert context.files is not None
    assert [file.name for file in await context.files.newest(10)] == ["b.csv"]
    handle = context.payload["files"][0]["contents"]
    assert handle.startswith(f"{SESSION}/files/")
    file = await context.files.get(handle)
    assert file is not None
    assert (file.name, file.data) == ("a.csv", CSV)


async def test_a_bad_file_is_refused_with_its_place(bench: Bench) -> None:
    with pytest.raises(RpcError, match=r"^payload\.files\[0\]\.name: is required"):
        await bench.execute(inputParameters={INPUT: "q"}, payload={"files": [{"contents": ""}]})


async def test_it_asks_the_model_that_the_agents_settings_name(bench: Bench, store: SqliteStore) -> None:
    await bench.execute(inputParameters={INPUT: "q"})
    name = f"{AGENT}/generativeSettings"
    settings = dumps({"languageCode": "en", "llmModelSettings": {"model": "better"}})
    await store.apply([Put(name, "generative_settings", AGENT, AGENT, settings)])
    await bench.execute(inputParameters={INPUT: "q"})
    models = [context.model for context in bench.tool.contexts]
    assert [model and model.name for model in models] == [None, "played"]


async def test_an_agent_that_is_not_there_has_none(bench: Bench) -> None:
    tool = INTERPRETER.replace("/agents/a/", "/agents/b/")
    with pytest.raises(RpcError) as refused:
        await bench.execute(tool)
    assert (refused.value.code, refused.value.message) == (Code.NOT_FOUND, f"Tool {tool} does not exist")
