"""Files that tools got, read through a running server."""

import base64
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import grpc
import grpc.aio
import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.server.lifecycle import RunningServer
from openplaybook.wire.api import load_api
from openplaybook.wire.messages import ApiMessage
from tests.kit.http_peer import answer, http_peer

from .conftest import Start

PICTURE = b"\x89PNG" + bytes(range(256))
SCRIPT = """
rules:
  - when: {after: photo}
    reply: {text: '{{result.200.file.handle}}'}
  - reply: {calls: [{name: photo, arguments: {}}]}
"""
SCHEMA = """
openapi: 3.0.0
info: {title: Photos, version: '1'}
servers: [{url: '%s'}]
paths:
  /photos/rex:
    get:
      operationId: photo
      responses: {'200': {description: done, content: {image/png: {}}}}
"""
TEXT: JsonObject = {"queryInput": {"text": {"text": "go"}, "languageCode": "en"}}
GET_FILE = "/openplaybook.v1.OpenPlaybook/GetSessionFile"


@dataclass
class Photos:
    """A server whose agent has a tool that gets a picture."""

    server: RunningServer
    http: aiohttp.ClientSession
    agent: str = ""
    tool: str = ""

    async def post(self, path: str, body: JsonObject) -> JsonObject:
        async with self.http.post(f"/v3/{path}", json=body) as reply:
            return await reply.json()

    async def get(self, path: str) -> tuple[int, JsonValue]:
        async with self.http.get(path) as reply:
            return reply.status, await reply.json()

    async def make(self, url: str) -> None:
        made: JsonObject = {"displayName": "A", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
        self.agent = (await self.post("projects/p/locations/global/agents", made))["name"]
        spec: JsonObject = {"displayName": "api", "description": "d", "openApiSpec": {"textSchema": SCHEMA % url}}
        self.tool = (await self.post(f"{self.agent}/tools", spec))["name"]
        steps: JsonObject = {"steps": [{"text": "Use ${TOOL: api}"}]}
        made = {"displayName": "Start", "goal": "Go.", "instruction": steps}
        start: JsonObject = {"startPlaybook": (await self.post(f"{self.agent}/playbooks", made))["name"]}
        async with self.http.patch(f"/v3/{self.agent}?updateMask=startPlaybook", json=start) as reply:
            assert reply.status == 200

    async def handle_in(self, session: str) -> str:
        """The handle that a conversation is told of."""
        answered = await self.post(f"{session}:detectIntent", TEXT)
        return answered["queryResult"]["responseMessages"][0]["text"]["text"][0]


@pytest.fixture
async def photos(start: Start, tmp_path: Path) -> AsyncIterator[Photos]:
    (tmp_path / "script.yaml").write_text(SCRIPT)
    server = await start(model=f"scripted:{tmp_path / 'script.yaml'}", egress_allow="127.0.0.1")
    async with (
        http_peer(lambda _: answer(PICTURE, content_type="image/png")) as peer,
        aiohttp.ClientSession(server.http) as http,
    ):
        photos = Photos(server, http)
        await photos.make(peer.url)
        yield photos


def file(handle: str) -> JsonObject:
    contents = base64.b64encode(PICTURE).decode()
    return {"name": handle, "displayName": "rex.png", "mimeType": "image/png", "contents": contents}


@pytest.mark.parametrize("version", ["v3", "v3beta1"])
@pytest.mark.proves("O6")
async def test_a_file_of_a_conversation_is_read_by_its_handle(photos: Photos, version: str) -> None:
    handle = await photos.handle_in(f"{photos.agent}/sessions/s")
    assert handle.startswith(f"{photos.agent}/sessions/s/files/")
    assert await photos.get(f"/{version}/{handle}") == (200, file(handle))
    draft = handle.replace("/sessions/", "/environments/draft/sessions/")
    assert await photos.get(f"/{version}/{draft}") == (200, file(handle))


async def test_the_trace_of_a_turn_names_the_file(photos: Photos) -> None:
    result = (await photos.post(f"{photos.agent}/sessions/s:detectIntent", TEXT))["queryResult"]
    (request,) = result["diagnosticInfo"]["Tool Calls"][0]["Requests"]
    handle = result["responseMessages"][0]["text"]["text"][0]
    assert (request["responseFile"], request["attempts"]) == (handle, 1)


async def test_a_file_is_read_over_grpc(photos: Photos) -> None:
    handle = await photos.handle_in(f"{photos.agent}/sessions/s")
    request: ApiMessage = load_api().message("openplaybook.v1.GetSessionFileRequest")(name=handle)
    async with grpc.aio.insecure_channel(photos.server.grpc) as channel:
        raw = await channel.unary_unary(GET_FILE)(request.SerializeToString())
    found = load_api().message("openplaybook.v1.SessionFile").FromString(raw)
    assert (found.name, found.display_name, found.mime_type, found.contents) == (
        handle,
        "rex.png",
        "image/png",
        PICTURE,
    )


async def test_a_file_that_an_execution_got_is_read_by_its_handle(photos: Photos) -> None:
    execution = await photos.post(f"{photos.tool}:execute", {"action": "photo"})
    handle = execution["outputParameters"]["200"]["file"]["handle"]
    assert handle.startswith(f"{photos.agent}/sessions/tool-executions/files/")
    assert execution["trace"]["exchanges"][0]["responseFile"] == handle
    assert await photos.get(f"/v3/{handle}") == (200, file(handle))


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [
        ("sessions/s/files/none", 404, "File {agent}/sessions/s/files/none does not exist"),
        (
            "environments/e/sessions/s/files/none",
            404,
            "File {agent}/environments/e/sessions/s/files/none does not exist",
        ),
        (
            "sessions/s/files/a%20b",
            400,
            "'{agent}/sessions/s/files/a b' is not a valid resource name here; expected projects/{{project}}/locations/"
            "{{location}}/agents/{{agent}}/sessions/{{session}}/files/{{file}}",
        ),
    ],
)
async def test_a_name_without_a_file_is_refused(photos: Photos, name: str, status: int, message: str) -> None:
    found, told = await photos.get(f"/v3/{photos.agent}/{name}")
    assert (found, told["error"]["message"]) == (status, message.format(agent=photos.agent))


async def test_a_deleted_agent_has_no_files(photos: Photos) -> None:
    handle = await photos.handle_in(f"{photos.agent}/sessions/s")
    async with photos.http.delete(f"/v3/{photos.agent}") as reply:
        assert reply.status == 200
    assert (await photos.get(f"/v3/{handle}"))[0] == 404
