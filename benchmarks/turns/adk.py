"""google-adk: its `adk api_server`, asked by its `/run`."""

import json
from pathlib import Path

from benchmarks.turns.base import Addresses, Start
from benchmarks.turns.client import Connection
from benchmarks.turns.pets_peer import document
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_AGENTS = Path(__file__).resolve().parent / "adk_agents"
_APP, _USER = "pets", "bench"


class Adk:
    """The server over one of its stores of sessions, as it is shipped or tuned as far as it goes."""

    ready_path = "/health"

    def __init__(self, binaries: Path, version: str, *, is_database: bool, is_tuned: bool) -> None:
        """Tuned: with a kept HTTP client for the tool and few logs, in an environment that has uvloop, httptools and
        aiohttp. Its documentation wants a new HTTP client for each call, so this is more than it supports."""
        store, tuning = ("database" if is_database else "memory"), ("tuned" if is_tuned else "as shipped")
        self.name = f"adk-{store}{'-tuned' if is_tuned else ''}"
        self.title = f"google-adk {version}, {store} sessions, {tuning}"
        self._command = str(binaries / "adk")
        self._is_database = is_database
        self._is_tuned = is_tuned

    def start(self, port: int, peers: Addresses, folder: Path) -> Start:
        sessions = f"sqlite+aiosqlite:///{folder}/sessions.db" if self._is_database else "memory://"
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
        return Start([self._command, "api_server", *place, *stores, *logging, str(_AGENTS)], environment)

    async def prepare(self, connection: Connection, peers: Addresses) -> None:
        apps = await connection.must("GET", "/list-apps")
        if _APP not in apps:
            raise RuntimeError(f"adk does not know the agent {_APP}, only {apps}")

    async def session(self, connection: Connection) -> str:
        made = await connection.must("POST", f"/apps/{_APP}/users/{_USER}/sessions", {})
        return str(made["id"])

    def turn(self, session: str, text: str) -> tuple[str, JsonObject]:
        message = {"role": "user", "parts": [{"text": text}]}
        return "/run", {"appName": _APP, "userId": _USER, "sessionId": session, "newMessage": message}

    def said(self, answer: JsonValue) -> str:
        parts = as_list(as_object(answer[-1].get("content")).get("parts"))
        return " ".join(part.get("text") or "" for part in parts)
