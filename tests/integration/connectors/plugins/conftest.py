"""Each test of conformance runs with every plugin, on a system of its own."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from openplaybook.connectors.base import SystemConnection
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.plugins.file_transfer.sftp_server import fingerprint
from openplaybook.connectors.settings import ConfigValue, ConnectionSettings, UserPassword
from tests.kit.file_servers import HOST_KEY, PASSWORD, USER, CountedCommands, ftp_server, sftp_server
from tests.kit.plugin_peers import NAME, LoopbackNames, PluginPeer
from tests.kit.sql_databases import NoTransport

_FILE_CONDITIONS = (
    "size > 15",
    "folder = 'in'",
    "folder = '' AND isFolder = FALSE",
    "name LIKE 'a%' OR size BETWEEN 11 AND 13",
    "NOT (name IN ('ada', 'bob') OR isFolder = TRUE)",
    "size IS NULL",
)
HOST_FINGERPRINT = fingerprint(HOST_KEY.public_data)


def file_peer(folder: Path, port: int, commands: CountedCommands, **config: ConfigValue) -> PluginPeer:
    """A server of a folder, in which names are files, each a byte larger than the one before."""
    (folder / "in").mkdir()

    async def add(names: Sequence[str]) -> None:
        for size, name in enumerate(names, len(held()) + 10):
            (folder / name).write_bytes(b"x" * size)

    def held() -> dict[str, object]:
        return {str(each.relative_to(folder)): each for each in folder.rglob("*")}

    settings = ConnectionSettings(
        NAME,
        "ftp",
        config={"host": "files.example", "port": port, **config},
        authentication=UserPassword(USER, PASSWORD),
    )
    access = SystemAccess(NoTransport(), LoopbackNames())
    return PluginPeer(settings, access, "Files", add, held, lambda: commands.count, _FILE_CONDITIONS, "size")


@pytest.fixture
async def stack() -> AsyncGenerator[AsyncExitStack]:
    """What is over with the test."""
    async with AsyncExitStack() as held:
        yield held


@pytest.fixture(params=["ftp", "sftp"])
async def peer(request: pytest.FixtureRequest, stack: AsyncExitStack, tmp_path: Path) -> PluginPeer:
    """A system."""
    commands = CountedCommands()
    folder = tmp_path / "files"
    folder.mkdir()
    if request.param == "ftp":
        port = stack.enter_context(ftp_server(folder, commands))
        return file_peer(folder, port, commands, protocol="ftp")
    port = await stack.enter_async_context(sftp_server(folder, commands))
    return file_peer(folder, port, commands, protocol="sftp", root=str(folder), host_key=HOST_FINGERPRINT)


@pytest.fixture
async def connection(peer: PluginPeer, stack: AsyncExitStack) -> SystemConnection:
    """An opened connection."""
    opened = await peer.opened()
    stack.push_async_callback(opened.aclose)
    return opened
