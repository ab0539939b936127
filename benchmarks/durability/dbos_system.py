"""DBOS: a turn as a durable workflow, written by hand on its steps."""

import uuid
from pathlib import Path

from benchmarks.turns.base import Addresses, Start
from benchmarks.turns.client import Connection
from openplaybook.jsonvalues import JsonObject, JsonValue

_AGENT = Path(__file__).with_name("dbos_agent.py")


class Dbos:
    """The agent of `dbos_agent.py` over one of the databases that DBOS knows."""

    ready_path = "/health"

    def __init__(self, binaries: Path, version: str, database_url: str = "") -> None:
        """`database_url`: of PostgreSQL; empty for a SQLite file, `none` for the same agent without DBOS."""
        store = "SQLite" if not database_url else "nothing kept" if database_url == "none" else "PostgreSQL"
        self.name = f"dbos-{store.lower().replace(' ', '-')}"
        self.title = f"dbos {version} by hand, {store}"
        self._python = str(binaries / "python")
        self._database_url = database_url

    def start(self, port: int, peers: Addresses, folder: Path) -> Start:
        database = self._database_url or f"sqlite:///{folder}/dbos.sqlite"
        return Start([self._python, str(_AGENT), str(port), database, peers.model, peers.pets], {})

    async def prepare(self, connection: Connection, peers: Addresses) -> None:
        """Nothing: the agent is its code."""

    async def session(self, connection: Connection) -> str:
        return str(uuid.uuid4())

    def turn(self, session: str, text: str) -> tuple[str, JsonObject]:
        return "/run", {"session": session, "text": text}

    def said(self, answer: JsonValue) -> str:
        return str(answer["text"])
