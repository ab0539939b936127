"""A server that is told to stop while a turn is under way."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
from aiohttp import web

from openplaybook.jsonvalues import JsonObject
from openplaybook.server.settings import Settings

from .conftest import running

AGENTS = "/v3/projects/p/locations/global/agents"
SCRIPT = """
rules:
  - when: {after: slow}
    reply: {text: 'It took {{result.200.took}}.'}
  - reply: {calls: [{name: slow, arguments: {}}]}
"""
SCHEMA = """
openapi: 3.0.0
info: {title: Slow, version: '1'}
servers: [{url: '%s'}]
paths:
  /slow:
    get:
      operationId: slow
      responses: {'200': {description: done}}
"""
TEXT: JsonObject = {"queryInput": {"text": {"text": "go"}, "languageCode": "en"}}


@dataclass
class SlowPeer:
    """An API that answers when it is let."""

    url: str = ""
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.set()
        await self.released.wait()
        return web.json_response({"took": "its time"})


@asynccontextmanager
async def slow_peer() -> AsyncGenerator[SlowPeer]:
    peer = SlowPeer()
    app = web.Application()
    app.router.add_get("/slow", peer.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    peer.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield peer
    finally:
        peer.released.set()
        await runner.cleanup()


async def make_agent(session: aiohttp.ClientSession, url: str) -> str:
    async def post(path: str, body: JsonObject) -> JsonObject:
        async with session.post(path, json=body) as answer:
            return await answer.json()

    agent = await post(AGENTS, {"displayName": "A", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"})
    name = agent["name"]
    tool: JsonObject = {"displayName": "api", "description": "Slow.", "openApiSpec": {"textSchema": SCHEMA % url}}
    await post(f"/v3/{name}/tools", tool)
    steps = {"steps": [{"text": "Use ${TOOL: api}"}]}
    playbook = await post(f"/v3/{name}/playbooks", {"displayName": "Start", "goal": "Go.", "instruction": steps})
    start = {"startPlaybook": playbook["name"]}
    async with session.patch(f"/v3/{name}?updateMask=startPlaybook", json=start) as answer:
        assert answer.status == 200
    return str(name)


async def test_a_turn_under_way_is_answered_and_new_ones_are_not_taken(tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text(SCRIPT)
    settings = Settings(
        port=0,
        grpc_port=0,
        data_dir=tmp_path / "data",
        model=f"scripted:{tmp_path / 'script.yaml'}",
        egress_allow="127.0.0.1",
    )
    async with slow_peer() as peer, running(settings) as server, aiohttp.ClientSession(server.http) as session:
        name = await make_agent(session, peer.url)
        turn = asyncio.create_task(said(session, f"/v3/{name}/sessions/1:detectIntent"))
        await peer.asked.wait()
        server.stop()
        for address in (server.grpc, server.http.removeprefix("http://")):
            await closed(address)
        peer.released.set()
        assert await turn == "It took its time."


async def said(session: aiohttp.ClientSession, path: str) -> str:
    async with session.post(path, json=TEXT) as answer:
        document = await answer.json()
        assert answer.status == 200, document
        return document["queryResult"]["responseMessages"][0]["text"]["text"][0]


async def closed(address: str) -> None:
    """Returns once the address takes no new connections."""
    host, port = address.rsplit(":", 1)
    while True:
        try:
            _, writer = await asyncio.open_connection(host, int(port))
        except ConnectionRefusedError:
            return
        except ConnectionResetError:
            continue  # it was in the queue of a socket that was closed just then
        writer.close()
        with suppress(ConnectionResetError):
            await writer.wait_closed()
