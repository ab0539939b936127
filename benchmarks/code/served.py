"""The same through the whole server: a tool call over HTTP, with no model between."""

import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks.code.programs import EXPECTED, PROGRAMS
from benchmarks.code.systems import Run
from benchmarks.environments import ours
from benchmarks.processes import Process
from benchmarks.turns.client import Connection
from benchmarks.turns.peers import free_port

_MASTER_KEY = "A" * 43 + "="
_AGENTS = "/v3/projects/bench/locations/global/agents"
_TOOL = "df-code-interpreter-tool"
_ACTION = "generate_and_execute"


class Served:
    """Our server, asked by one kept connection."""

    title = "openplaybook, through its server"

    def __init__(self, connection: Connection, tool: str) -> None:
        self._connection = connection
        self._path = f"/v3/{tool}:execute"

    async def run(self, program: str) -> Run:
        """As `System.run`."""
        asked = f"```python\n{PROGRAMS[program]}# {uuid.uuid4()}\n```"
        begun = time.perf_counter()
        body = {"action": _ACTION, "inputParameters": {f"{_ACTION} input": asked}}
        answer = await self._connection.must("POST", self._path, body)
        wall = time.perf_counter() - begun
        output = answer.get("outputParameters", {}).get(f"{_ACTION} output", {})
        if not output.get("execution_result", "").startswith(EXPECTED[program].rstrip()):
            raise RuntimeError(f"{program}: {str(answer)[:500]}")
        return Run(wall * 1000, 0.0)


@asynccontextmanager
async def serving(folder: Path) -> AsyncGenerator[Served]:
    """The server as it is shipped, with an agent."""
    port = free_port()
    places = ["--port", str(port), "--grpc-port", "0", "--data-dir", str(folder / "data")]
    environment = {"OPENPLAYBOOK_MASTER_KEY": _MASTER_KEY}
    # Left to use every core, as ours in this process is.
    process = Process([str(ours() / "openplaybook"), "serve", *places], folder / "log", environment, core=None)
    try:
        process.wait_ready(port, "/healthz")
        connection = await Connection.open(port)
        about = {"displayName": "code", "defaultLanguageCode": "en", "timeZone": "Europe/Berlin"}
        agent = await connection.must("POST", _AGENTS, about)
        served = Served(connection, f"{agent['name']}/tools/{_TOOL}")
        await served.run("print")
        yield served
        connection.close()
    finally:
        process.stop()
