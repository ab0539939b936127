"""Our server alone, on the offline model: for what no peer does."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks.environments import ours
from benchmarks.processes import Process, cores
from benchmarks.turns.client import Connection
from benchmarks.turns.peers import free_port

_MASTER_KEY = "A" * 43 + "="
_NOTHING: Mapping[str, str] = {}


@asynccontextmanager
async def served(folder: Path) -> AsyncGenerator[Connection]:
    """A connection to a server of its own, its data in `folder`, on a core of its own where there are two."""
    async with running(folder) as (_, connection):
        yield connection


@asynccontextmanager
async def running(folder: Path, settings: Mapping[str, str] = _NOTHING) -> AsyncGenerator[tuple[Process, Connection]]:
    """The same with the server's process; `settings` are environment variables for it."""
    port = free_port()
    places = ["--port", str(port), "--grpc-port", "0", "--data-dir", str(folder / "data")]
    command = [str(ours() / "openplaybook"), "serve", *places, "--model", "offline"]
    process = Process(command, folder / "log", {"OPENPLAYBOOK_MASTER_KEY": _MASTER_KEY, **settings}, cores()[0])
    try:
        process.wait_ready(port, "/healthz")
        connection = await Connection.open(port)
        yield process, connection
        connection.close()
    finally:
        process.stop()
