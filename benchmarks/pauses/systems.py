"""Systems whose turns wait for the client: how a pause is brought about, and how it is ended."""

import json
import uuid
from pathlib import Path
from typing import Protocol

from benchmarks.turns.adk import Adk
from benchmarks.turns.base import Addresses, System
from benchmarks.turns.client import Connection
from benchmarks.turns.ours import Ours
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_ADK_AGENTS = Path(__file__).resolve().parent / "adk_agents"


class Pausing(System, Protocol):
    """A system whose answer to "ask N" is a call for the client."""

    def resume(self, session: str, paused: JsonValue) -> tuple[str, JsonObject] | None:
        """Path and body of the POST that answers the call in `paused`; None when that holds none."""
        ...


class OurPauses(Ours):
    """Ours with a function tool."""

    async def prepare(self, connection: Connection, peers: Addresses) -> None:
        about = {"displayName": "asks", "defaultLanguageCode": "en", "timeZone": "Europe/Berlin"}
        question = {"type": "object", "properties": {"question": {"type": "string"}}}
        function = {"inputSchema": question, "outputSchema": {"type": "object"}}
        tool: JsonObject = {"displayName": "ask", "description": "Asks the client.", "functionSpec": function}
        await self.make_agent(connection, about, tool, "Use ${TOOL: ask}.")

    def resume(self, session: str, paused: JsonValue) -> tuple[str, JsonObject] | None:
        messages = as_list(as_object(paused.get("queryResult")).get("responseMessages"))
        call = next((message["toolCall"] for message in messages if "toolCall" in message), None)
        if call is None:
            return None
        result = {**{key: call[key] for key in ("tool", "action", "id")}, "outputParameters": {"answer": "Blue"}}
        return f"{session}:detectIntent", {"queryInput": {"toolCallResult": result, "languageCode": "en"}}


class AdkPauses(Adk):
    """google-adk with a long-running function."""

    app = "asks"
    agents = _ADK_AGENTS

    def resume(self, session: str, paused: JsonValue) -> tuple[str, JsonObject] | None:
        for event in as_list(paused):
            for part in as_list(as_object(event.get("content")).get("parts")):
                if call := part.get("functionCall"):
                    answer = {"id": call["id"], "name": call["name"], "response": {"answer": "Blue"}}
                    return self.message(session, {"functionResponse": answer})
        return None


def said_blue(answer: JsonValue) -> bool:
    """Whether an answer holds the client's word."""
    return "Blue" in json.dumps(answer)


def question() -> str:
    """A question that was never asked before."""
    return f"ask {uuid.uuid4().int % 10**12}"
