"""The log of a server that talks: JSON lines with ids, and nothing of what was said."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from tests.e2e.kit.rest import LOCATION, Rest
from tests.e2e.kit.server import Server, running

TRACE = "0af7651916cd43dd8448eb211c80319c"
WORDS = "words-that-only-a-user-knows"
SCRIPT = "rules: [{reply: {text: 'The agent heard: {{user}}'}}]"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "script.yaml").write_text(SCRIPT)
    with running(tmp_path, "--model", f"scripted:{tmp_path / 'script.yaml'}", "--log-format", "json") as started:
        yield started


def a_session(rest: Rest) -> str:
    """A session of a new agent."""
    document = {"displayName": "a", "defaultLanguageCode": "en", "timeZone": "UTC"}
    agent = str(rest("POST", f"v3/{LOCATION}/agents", document)["name"])
    playbook = {"displayName": "p", "goal": "g", "instruction": {"steps": [{"text": "Talk."}]}}
    made = rest("POST", f"v3/{agent}/playbooks", playbook)
    rest("PATCH", f"v3/{agent}?updateMask=startPlaybook", {"startPlaybook": made["name"]})
    return f"{agent}/sessions/s1"


def test_a_conversation_is_logged_by_its_ids_and_without_its_words(server: Server) -> None:
    rest = Rest(server.http)
    session = a_session(rest)
    body = dumps({"queryInput": {"text": {"text": WORDS}, "languageCode": "en"}})
    headers = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
    answered: JsonObject = rest.send("POST", f"/v3/{session}:detectIntent", body, headers).json
    streamed: list[JsonObject] = rest.send(
        "POST", f"/v3/{session}:serverStreamingDetectIntent", body.replace(b"words", b"other-words"), headers
    ).json
    assert rest.send("GET", f"/v3/{session.rpartition('/sessions/')[0]}x").status == 404
    text = server.log.read_text()
    lines = [loads(line) for line in text.splitlines()]
    access = [line for line in lines if line["logger"] == "openplaybook.access"][-3:]
    shown = [{name: line.get(name) for name in ("rpc", "code", "session", "response_id", "trace")} for line in access]
    service, of_turn = "google.cloud.dialogflow.cx.v3.", {"code": "OK", "session": session, "trace": TRACE}
    assert shown == [
        {**of_turn, "rpc": f"{service}Sessions.DetectIntent", "response_id": answered["responseId"]},
        {**of_turn, "rpc": f"{service}Sessions.ServerStreamingDetectIntent", "response_id": streamed[-1]["responseId"]},
        {"rpc": f"{service}Agents.GetAgent", "code": "NOT_FOUND", "session": None, "response_id": None, "trace": None},
    ]
    assert "that-only-a-user-knows" in str(answered)
    assert "that-only-a-user-knows" not in text
