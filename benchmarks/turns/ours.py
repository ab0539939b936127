"""Our server: `openplaybook serve`, asked by detectIntent over REST."""

import json
import uuid
from pathlib import Path

from benchmarks.environments import ROOT
from benchmarks.turns.base import Addresses, Start
from benchmarks.turns.client import Connection
from benchmarks.turns.pets_peer import document
from openplaybook.jsonvalues import JsonObject, JsonValue

_MASTER_KEY = "A" * 43 + "="
_AGENTS = "/v3/projects/bench/locations/global/agents"


class Ours:
    """The server as it is shipped: journal on, every commit synced."""

    ready_path = "/healthz"

    def __init__(self, binaries: Path, version: str, *, database_url: str = "", is_journaled: bool = True) -> None:
        """`database_url`: of PostgreSQL; empty for a SQLite file."""
        store = "PostgreSQL" if database_url else "SQLite"
        kind = f", {store}" if is_journaled else " without a journal"
        self.name = f"openplaybook{kind.lower().replace(', ', '-').replace(' ', '-')}"
        self.title = f"openplaybook {version}{kind}"
        python = [str(binaries / "python"), "-m", "benchmarks.durability.unjournaled"]
        self._command = [str(binaries / "openplaybook")] if is_journaled else python
        self._database_url = database_url
        self._agent = ""

    def start(self, port: int, peers: Addresses, folder: Path) -> Start:
        environment = {
            "OPENAI_BASE_URL": f"{peers.model}/v1",
            "OPENAI_API_KEY": "fake",
            "OPENPLAYBOOK_EGRESS_ALLOW": "127.0.0.0/8",
            "OPENPLAYBOOK_MASTER_KEY": _MASTER_KEY,
            "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}",
        }
        if self._database_url:
            environment["OPENPLAYBOOK_DATABASE_URL"] = self._database_url
        places = ["--port", str(port), "--grpc-port", "0", "--data-dir", str(folder / "data")]
        return Start([*self._command, "serve", *places, "--model", "openai:fake"], environment)

    async def prepare(self, connection: Connection, peers: Addresses) -> None:
        about = {"displayName": "pets", "defaultLanguageCode": "en", "timeZone": "Europe/Berlin"}
        tool: JsonObject = {
            "displayName": "pets",
            "description": "Finds pets.",
            "openApiSpec": {"textSchema": json.dumps(document(peers.pets))},
        }
        await self.make_agent(connection, about, tool, "Use ${TOOL: pets} to find a pet by its number.")

    async def make_agent(self, connection: Connection, about: JsonObject, tool: JsonObject, step: str) -> None:
        """An agent with one tool and a playbook of one step."""
        agent = await connection.must("POST", _AGENTS, about)
        self._agent = f"/v3/{agent['name']}"
        made = await connection.must("POST", f"{self._agent}/tools", tool)
        playbook: JsonObject = {
            "displayName": "start",
            "goal": "Answer questions.",
            "referencedTools": [made["name"]],
            "instruction": {"steps": [{"text": step}]},
        }
        start = await connection.must("POST", f"{self._agent}/playbooks", playbook)
        await connection.must("PATCH", f"{self._agent}?updateMask=startPlaybook", {"startPlaybook": start["name"]})

    async def session(self, connection: Connection) -> str:
        return f"{self._agent}/sessions/{uuid.uuid4()}"  # made by its first turn

    def turn(self, session: str, text: str) -> tuple[str, JsonObject]:
        return f"{session}:detectIntent", {"queryInput": {"text": {"text": text}, "languageCode": "en"}}

    def said(self, answer: JsonValue) -> str:
        messages = answer["queryResult"].get("responseMessages", [])
        return " ".join(text for message in messages for text in message.get("text", {}).get("text", []))
