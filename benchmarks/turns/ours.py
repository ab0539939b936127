"""Our server: `openplaybook serve`, asked by detectIntent over REST."""

import json
import uuid
from pathlib import Path

from benchmarks.turns.base import Addresses, Start
from benchmarks.turns.client import Connection
from benchmarks.turns.pets_peer import document
from openplaybook.jsonvalues import JsonObject, JsonValue

_AGENTS = "/v3/projects/bench/locations/global/agents"


class Ours:
    """The server as it is shipped: journal on, every commit synced."""

    name = "openplaybook"
    ready_path = "/healthz"

    def __init__(self, binaries: Path, version: str) -> None:
        self.title = f"openplaybook {version}"
        self._command = str(binaries / "openplaybook")
        self._agent = ""

    def start(self, port: int, peers: Addresses, folder: Path) -> Start:
        environment = {
            "OPENAI_BASE_URL": f"{peers.model}/v1",
            "OPENAI_API_KEY": "fake",
            "OPENPLAYBOOK_EGRESS_ALLOW": "127.0.0.0/8",
        }
        places = ["--port", str(port), "--grpc-port", "0", "--data-dir", str(folder / "data")]
        return Start([self._command, "serve", *places, "--model", "openai:fake"], environment)

    async def prepare(self, connection: Connection, peers: Addresses) -> None:
        about = {"displayName": "pets", "defaultLanguageCode": "en", "timeZone": "Europe/Berlin"}
        agent = await connection.must("POST", _AGENTS, about)
        self._agent = f"/v3/{agent['name']}"
        tool: JsonObject = {
            "displayName": "pets",
            "description": "Finds pets.",
            "openApiSpec": {"textSchema": json.dumps(document(peers.pets))},
        }
        made = await connection.must("POST", f"{self._agent}/tools", tool)
        playbook: JsonObject = {
            "displayName": "pets",
            "goal": "Answer questions about pets.",
            "referencedTools": [made["name"]],
            "instruction": {"steps": [{"text": "Use ${TOOL: pets} to find a pet by its number."}]},
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
