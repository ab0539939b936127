"""Answers of a server on a machine where things go wrong: none names a place on that machine."""

import tempfile
from pathlib import Path

import aiohttp
import pytest

import openplaybook
from openplaybook.jsonvalues import JsonObject
from openplaybook.server.lifecycle import RunningServer

from .conftest import Start
from .test_health import full_disk

LOCATION = "projects/p/locations/global"
SCHEMA = """openapi: 3.0.0
info: {title: T, version: "1"}
servers: [{url: "http://127.0.0.1:9"}]
paths: {/x: {get: {operationId: x, responses: {"200": {description: ok}}}}}
"""
TOOL: JsonObject = {
    "displayName": "t",
    "description": "d",
    "openApiSpec": {
        "textSchema": SCHEMA,
        "authentication": {
            "bearerTokenConfig": {"secretVersionForToken": "projects/p/secrets/odd/versions/1", "token": ""}
        },
    },
}


class Caller:
    """Asks, and keeps all that it is told."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.told: list[str] = []

    async def ask(self, method: str, path: str, body: JsonObject | None = None) -> tuple[int, JsonObject]:
        async with (
            aiohttp.ClientSession() as client,
            client.request(method, f"{self.server.http}{path}", json=body) as answer,
        ):
            self.told.append(f"{answer.status} {await answer.text()} {dict(answer.headers)}")
            return answer.status, await answer.json()


@pytest.fixture
def places(tmp_path: Path) -> list[str]:
    """What no answer may hold."""
    return [str(tmp_path), str(Path(openplaybook.__file__).parent), tempfile.gettempdir(), "/proc/", ".py\\"]


async def test_no_answer_names_a_place_on_the_machine(start: Start, tmp_path: Path, places: list[str]) -> None:
    secrets = tmp_path / "secrets"
    (secrets / "odd" / "1").mkdir(parents=True)
    (secrets / "long").write_bytes(b"x" * 100_000)
    (secrets / "binary").write_bytes(b"\xff\xfe")
    (secrets / "out").symlink_to("/etc/hostname")
    server = await start(
        secret_backends=f"files:{secrets}", egress_allow="127.0.0.0/8", cors_origins="http://a.example"
    )
    caller = Caller(server)
    _, agent = await caller.ask(
        "POST", f"/v3/{LOCATION}/agents", {"displayName": "A", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    )
    name = f"/v3/{agent['name']}"
    for secret in ("odd", "long", "binary", "out", "none"):
        tool = {**TOOL, "displayName": secret}
        tool["openApiSpec"] = {
            "textSchema": SCHEMA,
            "authentication": {
                "bearerTokenConfig": {"secretVersionForToken": f"projects/p/secrets/{secret}/versions/1"}
            },
        }
        _, saved = await caller.ask("POST", f"{name}/tools", tool)
        await caller.ask("POST", f"/v3/{saved['name']}:execute", {"action": "x", "inputParameters": {}})
    for reference in ("file:///etc/passwd", "../../etc/passwd", "/proc/self/environ", "http://127.0.0.1:9/x.yaml"):
        broken = SCHEMA.replace("{description: ok}", f'{{$ref: "{reference}"}}')
        await caller.ask("POST", f"{name}/tools", {**TOOL, "openApiSpec": {"textSchema": broken}})
    for uri in ("file:///etc/passwd", "/etc/passwd", "gs://bucket/x.zip"):
        await caller.ask("POST", f"{name}:restore", {"agentUri": uri})
        await caller.ask("POST", f"{name}:export", {"agentUri": uri})
    await caller.ask("POST", f"{name}:restore", {"agentContent": "UEsDBAoAAAAAAA=="})
    _, operations = await caller.ask("GET", f"/v3/{LOCATION}/operations")
    for operation in operations.get("operations", []):
        await caller.ask("GET", f"/v3/{operation['name']}")
    await caller.ask("GET", "/healthz?verbose")
    said: JsonObject = {"queryInput": {"text": {"text": "hello"}, "languageCode": "en"}}
    with full_disk():
        refused = [
            await caller.ask("POST", f"{name}/sessions/s:detectIntent", said),
            await caller.ask("PATCH", f"{name}?updateMask=displayName", {"displayName": "B"}),
            await caller.ask("DELETE", name),
        ]
    assert [status for status, _ in refused] == [503] * 3
    assert "the disk" in refused[1][1]["error"]["message"]
    database = tmp_path / "data" / "openplaybook.db"
    database.rename(tmp_path / "data" / "elsewhere.db")
    await caller.ask("POST", f"{name}/sessions/s:detectIntent", said)
    (tmp_path / "data" / "elsewhere.db").rename(database)
    assert [(place, text) for text in caller.told for place in places if place in text] == []
