"""Tools that are tried before they are stored: ListToolActions, InspectOpenApi, and ExecuteTool with drafts, sessions
and recorded responses."""

from base64 import b64encode
from collections.abc import AsyncIterator
from dataclasses import dataclass

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from tests.integration.server.conftest import Start
from tests.kit.http_peer import HttpPeer, http_peer
from tests.kit.model_shop import KEY, SCHEMA, ModelShop, ShopClient


@dataclass
class Trial:
    shop: ShopClient
    peer: HttpPeer

    async def post(self, path: str, body: JsonObject, status: int = 200) -> JsonObject:
        return await self.shop.send("POST", f"/v3/{path}", body, status)

    async def actions(self, **body: object) -> JsonObject:
        return await self.post(f"{self.shop.agent}:listToolActions", body)

    async def execute(self, **body: object) -> JsonObject:
        return await self.post(
            f"{self.shop.tool}:execute", {"action": "getOrder", "inputParameters": {"id": "7"}, **body}
        )

    @property
    def asked(self) -> list[str]:
        """Paths of the shop's API that were called."""
        return [request.target for request in self.peer.requests if request.target.startswith("/orders")]


@pytest.fixture
async def trial(start: Start) -> AsyncIterator[Trial]:
    async with http_peer(ModelShop().reply) as peer:
        server = await start(egress_allow="127.0.0.1", code_executor="off")
        async with aiohttp.ClientSession(server.http) as http:
            shop = ShopClient(http)
            await shop.make(peer.url)
            yield Trial(shop, peer)


def draft(url: str, **more: object) -> JsonObject:
    spec: JsonObject = {"textSchema": SCHEMA % url, **more}
    return {"displayName": "new", "description": "d", "openApiSpec": spec}


async def test_the_actions_of_a_stored_tool_are_listed_as_the_model_sees_them(trial: Trial) -> None:
    listed = await trial.actions(tool=trial.shop.tool)
    [action] = listed["actions"]
    assert (listed["toolKind"], listed["totalSize"]) == ("openapi", 1)
    assert (action["action"], action["method"], action["path"]) == ("getOrder", "GET", "/orders/{id}")
    assert (action["readOnly"], action["safeToRepeat"]) == (True, True)
    assert action["inputSchema"]["properties"]["id"]["type"] == "string"
    assert "problems" not in listed


async def test_the_actions_of_a_draft_come_in_pages_and_by_words(trial: Trial) -> None:
    paths = "".join(f"  /p{n}: {{get: {{operationId: op{n}, responses: {{}}}}}}\n" for n in range(5))
    text = f"openapi: 3.0.0\ninfo: {{title: P, version: '1'}}\nservers: [{{url: 'http://x.example'}}]\npaths:\n{paths}"
    tool: JsonObject = {"displayName": "d", "description": "d", "openApiSpec": {"textSchema": text}}
    first = await trial.actions(draft=tool, pageSize=3, namesOnly=True)
    rest = await trial.actions(draft=tool, pageSize=3, namesOnly=True, pageToken=first["nextPageToken"])
    names = [action["action"] for page in (first, rest) for action in page["actions"]]
    assert names == ["op0", "op1", "op2", "op3", "op4"]
    assert "inputSchema" not in first["actions"][0]
    assert [each["action"] for each in (await trial.actions(draft=tool, filter="P3"))["actions"]] == ["op3"]


async def test_a_function_is_told_to_be_the_clients(trial: Trial) -> None:
    schema: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}}
    spec: JsonObject = {"inputSchema": schema, "outputSchema": schema}
    listed = await trial.actions(draft={"displayName": "f", "description": "d", "functionSpec": spec})
    assert [(each["action"], each["client"]) for each in listed["actions"]] == [("f", True)]


async def test_what_is_wrong_with_a_draft_is_told_at_its_place(trial: Trial) -> None:
    text = SCHEMA.replace("required: true", "requird: true") % "http://x.example"
    tool: JsonObject = {"displayName": "d", "description": "d", "openApiSpec": {"textSchema": text}}
    problems = (await trial.actions(draft=tool))["problems"]
    at = text.split("\n").index(next(line for line in text.split("\n") if "requird" in line)) + 1
    [meant] = [each for each in problems if each.get("fix") == "required"]
    assert (meant["line"], meant["severity"]) == (at, "WARNING")
    first = meant["column"] - 1
    assert text.split("\n")[at - 1][first : first + meant["length"]] == "requird"
    none = await trial.actions(draft={"displayName": "d", "description": "d", "openApiSpec": {"textSchema": "a: ["}})
    assert none["problems"][0]["severity"] == "ERROR"
    assert "actions" not in none


async def test_a_document_is_inspected_without_a_tool(trial: Trial) -> None:
    text = SCHEMA.replace("name: id", "name: ID") % "http://x.example"
    found = await trial.post(f"{trial.shop.agent}:inspectOpenApi", {"text": text})
    assert found["operations"] == [{"operationId": "getOrder", "method": "GET", "path": "/orders/{id}"}]
    [problem] = [each for each in found["problems"] if "case-sensitive" in each["message"]]
    assert text.split("\n")[problem["line"] - 1].strip().startswith("parameters")
    broken = await trial.post(f"{trial.shop.agent}:inspectOpenApi", {"text": "openapi: 4"})
    assert (broken["problems"][0]["severity"], broken.get("operationCount", 0)) == ("ERROR", 0)
    await trial.post("projects/p/locations/l/agents/none:inspectOpenApi", {"text": text}, status=404)


async def test_a_draft_is_taken_in_place_of_the_stored_tool_with_its_secrets(trial: Trial) -> None:
    stored = await trial.shop.send("GET", f"/v3/{trial.shop.tool}")
    assert stored["openApiSpec"]["authentication"]["apiKeyConfig"]["apiKey"] == "[redacted]"
    changed = {**stored, "openApiSpec": {**stored["openApiSpec"], "textSchema": SCHEMA % f"{trial.peer.url}/orders/7"}}
    told = await trial.execute(draft=changed)
    assert trial.asked == ["/orders/7/orders/7"]
    assert trial.peer.requests[-1].header("X-Key") == KEY
    assert told["exchanges"][0]["url"].endswith("/orders/7/orders/7")
    assert (told["safeToRepeat"], told["readOnly"]) == (True, True)
    assert KEY not in dumps(told).decode()
    refused = await trial.post(
        f"{trial.shop.agent}/tools/-:execute", {"action": "getOrder", "draft": changed}, status=400
    )
    assert "is a placeholder for a secret" in refused["error"]["message"]


async def test_a_recorded_response_takes_the_place_of_the_service(trial: Trial) -> None:
    body = b64encode(b'{"status":"lost"}').decode()
    recorded: JsonObject = {"status": 200, "headers": {"Content-Type": "application/json"}, "body": body}
    told = await trial.execute(recordedResponse=recorded)
    assert told["outputParameters"] == {"200": {"status": "lost"}}
    assert trial.asked == []
    failed = await trial.execute(recordedResponse={**recorded, "status": 500})
    assert failed["errorOutput"] == {"500": {"status": "lost"}}


@pytest.mark.parametrize("of_session", [True, False])
async def test_a_parameter_that_only_a_draft_uses_as_a_credential_is_secret(trial: Trial, of_session: bool) -> None:
    bearer: JsonObject = {"bearerTokenConfig": {"token": "$session.params.pass"}}
    tool = draft(trial.peer.url, authentication=bearer)
    given: JsonObject = {"sessionParameters": {"pass": KEY}}
    if of_session:
        session = f"{trial.shop.agent}/sessions/s"
        await trial.post(f"{session}:updateParameters", {"parameters": {"pass": KEY}})
        given = {"session": session}
    body: JsonObject = {"action": "getOrder", "draft": tool, "inputParameters": {"id": KEY}, **given}
    told = await trial.post(f"{trial.shop.agent}/tools/-:execute", body)
    assert trial.peer.requests[-1].header("Authorization") == f"Bearer {KEY}"
    assert trial.asked == [f"/orders/{KEY}"]
    assert KEY not in dumps(told).decode()
    tried = await trial.post(f"{trial.shop.agent}/tools/-:execute", {**body, "dryRun": True})
    assert tried["exchanges"][0]["url"].endswith("/orders/[redacted]")
    assert KEY not in dumps(tried).decode()


async def test_a_session_gives_its_parameters(trial: Trial) -> None:
    text = (SCHEMA % trial.peer.url).replace(
        "schema: {type: string}", "schema: {type: string, x-agent-input-parameter: order}"
    )
    session = f"{trial.shop.agent}/sessions/s"
    await trial.post(f"{session}:updateParameters", {"parameters": {"order": "9"}})
    tool: JsonObject = {"displayName": "d", "description": "d", "openApiSpec": {"textSchema": text}}
    body: JsonObject = {"action": "getOrder", "draft": tool, "session": session, "dryRun": True}
    told = await trial.post(f"{trial.shop.agent}/tools/-:execute", body)
    assert told["exchanges"][0]["url"].endswith("/orders/9")
    assert trial.asked == []
    await trial.post(f"{trial.shop.agent}/tools/-:execute", {**body, "session": f"{session}2"}, status=404)
