"""google-adk: its `adk api_server`, asked by its `/run`."""

import json
from pathlib import Path

from benchmarks.turns.base import Addresses, Start
from benchmarks.turns.client import Connection
from benchmarks.turns.pets_peer import document
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_USER = "bench"


class Adk:
    """The server over one of its stores of sessions, as it is shipped or tuned as far as it goes."""

    ready_path = "/health"
    app = "pets"
    agents = Path(__file__).resolve().parent / "adk_agents"

    def __init__(
        self, binaries: Path, version: str, *, is_database: bool, is_tuned: bool, database_url: str = ""
    ) -> None:
        """`database_url`: of PostgreSQL; empty for a SQLite file.

        Tuned: with a kept HTTP client for the tool and few logs, in an environment that has uvloop, httptools and
        aiohttp. Its documentation wants a new HTTP client for each call, so this is more than it supports.
        """
        store, tuning = ("database" if is_database else "memory"), ("tuned" if is_tuned else "as shipped")
        self.name = f"adk-{store}{'-tuned' if is_tuned else ''}{'-postgresql' if database_url else ''}"
        in_database = " in PostgreSQL" if database_url else ""
        self.title = f"google-adk {version}, {store} sessions{in_database}, {tuning}"
        self._database_url = database_url
        self._command = str(binaries / "adk")
        self._is_database = is_database
        self._is_tuned = is_tuned

    def start(self, port: int, peers: Addresses, folder: Path) -> Start:
        database = self._database_url.replace("postgresql://", "postgresql+asyncpg://")
        sessions = database or f"sqlite+aiosqlite:///{folder}/sessions.db" if self._is_database else "memory://"
        environment = {
            "GOOGLE_API_KEY": "fake",
            "BENCH_MODEL_URL": peers.model,
            "BENCH_PETS_API": json.dumps(document(peers.pets)),
            "BENCH_KEPT_CLIENT": "1" if self._is_tuned else "",
        }
        stores = ["--session_service_uri", sessions]
        for other in ("artifact", "memory"):
            stores += [f"--{other}_service_uri", "memory://"]
        logging = ["--log_level", "warning"] if self._is_tuned else []
        place = ["--host", "127.0.0.1", "--port", str(port)]
        return Start([self._command, "api_server", *place, *stores, *logging, str(self.agents)], environment)

    async def prepare(self, connection: Connection, peers: Addresses) -> None:
        apps = await connection.must("GET", "/list-apps")
        if self.app not in apps:
            raise RuntimeError(f"adk does not know the agent {self.app}, only {apps}")

    async def session(self, connection: Connection) -> str:
        made = await connection.must("POST", f"/apps/{self.app}/users/{_USER}/sessions", {})
        return str(made["id"])

    def turn(self, session: str, text: str) -> tuple[str, JsonObject]:
        return self.message(session, {"text": text})

    def message(self, session: str, part: JsonObject) -> tuple[str, JsonObject]:
        """Path and body of the POST that sends a part of a message."""
        message: JsonObject = {"role": "user", "parts": [part]}
        return "/run", {"appName": self.app, "userId": _USER, "sessionId": session, "newMessage": message}

    def said(self, answer: JsonValue) -> str:
        parts = as_list(as_object(answer[-1].get("content")).get("parts"))
        return " ".join(part.get("text") or "" for part in parts)
