from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from weakref import ref

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.services.compiled_tools import CompiledTools, ReadTool
from openplaybook.storage.base import Put
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.tools.base import NO_AGENT
from openplaybook.wire.errors import RpcError
from tests.kit.agents import AGENT, RememberedTool, ToolShelf
from tests.kit.processes import wait_until

TOOL = f"{AGENT}/tools/t"
RESOURCE: JsonObject = {"displayName": "pets", "openApiSpec": {"textSchema": "x" * 1000}}


@dataclass
class Reader:
    """Reads one tool, and counts how often."""

    resource: JsonObject = field(default_factory=lambda: RESOURCE)
    reads: int = 0

    async def __call__(self) -> ReadTool:
        self.reads += 1
        return ReadTool(self.resource, NO_AGENT)

    async def names(self) -> list[str]:
        self.reads += 1
        return ["key"]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(tmp_path / "store.db")
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def shelf() -> ToolShelf:
    return ToolShelf({"pets": RememberedTool([], lambda call, context: pytest.fail("is not called"))})


async def write(store: SqliteStore, name: str = f"{AGENT}/playbooks/p") -> None:
    await store.apply([Put(name, "playbook", AGENT, AGENT, b"{}")])


async def test_a_tool_is_read_once_while_nothing_is_written_in_its_agent(store: SqliteStore, shelf: ToolShelf) -> None:
    tools, read = CompiledTools(store, shelf), Reader()
    first = await tools.tool(AGENT, TOOL, read)
    assert (await tools.tool(AGENT, TOOL, read)).tool is first.tool
    await write(store)
    assert (await tools.tool(AGENT, TOOL, read)).tool is first.tool
    assert read.reads == 2


async def test_every_tool_is_read_on_its_own(store: SqliteStore, shelf: ToolShelf) -> None:
    tools, read = CompiledTools(store, shelf), Reader()
    for name in (TOOL, f"{AGENT}/tools/u"):
        await tools.tool(AGENT, name, read)
    assert read.reads == 2


async def test_a_tool_that_nobody_keeps_any_more_is_read_again(store: SqliteStore, shelf: ToolShelf) -> None:
    tools, read = CompiledTools(store, shelf), Reader()
    kept = ref((await tools.tool(AGENT, TOOL, read)).tool)
    shelf.tools["pets"] = RememberedTool([], lambda call, context: pytest.fail("is not called"))
    # The thread that compiled it may hold it a moment longer.
    await wait_until(lambda: kept() is None)
    assert (await tools.tool(AGENT, TOOL, read)).tool is shelf.tools["pets"]
    assert read.reads == 2


async def test_the_outline_tells_the_kind_and_holds_nothing_large(store: SqliteStore, shelf: ToolShelf) -> None:
    at_hand = await CompiledTools(store, shelf).tool(AGENT, TOOL, Reader())
    assert at_hand.outline == {"displayName": "pets", "openApiSpec": {}}


async def test_a_tool_that_cannot_be_used_is_refused_and_read_again(store: SqliteStore, shelf: ToolShelf) -> None:
    tools, read = CompiledTools(store, shelf), Reader({"displayName": "nowhere"})
    for _ in range(2):
        with pytest.raises(RpcError, match="is not on the shelf"):
            await tools.tool(AGENT, TOOL, read)
    assert read.reads == 2


async def test_what_is_written_while_a_tool_is_read_is_read_next_time(store: SqliteStore, shelf: ToolShelf) -> None:
    tools, read = CompiledTools(store, shelf), Reader()

    async def overtaken() -> ReadTool:
        found = await read()
        await write(store)
        return found

    await tools.tool(AGENT, TOOL, overtaken)
    await tools.tool(AGENT, TOOL, read)
    assert read.reads == 2


async def test_names_of_secrets_are_read_once_while_nothing_is_written(store: SqliteStore, shelf: ToolShelf) -> None:
    tools, read = CompiledTools(store, shelf), Reader()
    for _ in range(2):
        assert await tools.secret_parameters(AGENT, read.names) == {"key"}
    assert read.reads == 1
    await write(store)
    assert await tools.secret_parameters(AGENT, read.names) == {"key"}
    assert read.reads == 2
