"""Clients that leave, come back, or have little time: over REST and gRPC."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import grpc
import grpc.aio
import pytest
from google.cloud.dialogflowcx_v3.types import DetectIntentRequest, DetectIntentResponse

from openplaybook.jsonvalues import JsonObject
from openplaybook.server.settings import Settings
from tests.integration.server.conftest import running
from tests.kit.http_peer import Received, answer, http_peer

AGENTS = "/v3/projects/p/locations/global/agents"
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
SCRIPT: JsonObject = {
    "rules": [
        {"when": {"after": "slow", "error": False}, "reply": {"text": "Number {{result.200.took}}."}},
        {"when": {"after": "slow", "error": True}, "reply": {"text": "{{result.error.code}}"}},
        {"when": {"user": {"equals": "go"}}, "reply": {"calls": [{"name": "slow", "arguments": {}}]}},
        {"reply": {"text": "You said: {{user}}"}},
    ]
}
NO_HEADERS: Mapping[str, str] = {}


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


class Refused(Exception):
    """What a client is told: the name of a google.rpc.Code."""


@dataclass
class Api:
    """A service that answers when it is let, and numbers its answers."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)
    calls: int = 0

    async def reply(self, received: Received) -> bytes:
        self.calls += 1
        number = self.calls
        self.asked.set()
        await self.released.wait()
        return answer(json.dumps({"took": number}).encode())


@dataclass
class Talk:
    """A conversation over one of the transports."""

    session: str
    http: aiohttp.ClientSession
    channel: grpc.aio.Channel
    transport: str

    async def say(self, text: str, seconds: float | None = None, headers: Mapping[str, str] = NO_HEADERS) -> str:
        """What the agent says. Raises `Refused`."""
        return await (self._by_rest if self.transport == "rest" else self._by_grpc)(text, seconds, headers)

    async def _by_rest(self, text: str, seconds: float | None, headers: Mapping[str, str]) -> str:
        body = {"queryInput": {"text": {"text": text}, "languageCode": "en"}}
        timeout = {} if seconds is None else {"X-Server-Timeout": str(seconds)}
        path = f"/v3/{self.session}:detectIntent"
        async with self.http.post(path, json=body, headers={**headers, **timeout}) as answered:
            document = await answered.json()
        if "error" in document:
            assert document["error"]["code"] == answered.status
            raise Refused(document["error"]["status"])
        return " ".join(m["text"]["text"][0] for m in document["queryResult"]["responseMessages"])

    async def _by_grpc(self, text: str, seconds: float | None, headers: Mapping[str, str]) -> str:
        call = self.channel.unary_unary(
            "/google.cloud.dialogflow.cx.v3.Sessions/DetectIntent",
            request_serializer=DetectIntentRequest.serialize,
            response_deserializer=DetectIntentResponse.deserialize,
        )
        given = {"text": {"text": text}, "language_code": "en"}
        metadata = [(name.lower(), value) for name, value in headers.items()]
        request = DetectIntentRequest(session=self.session, query_input=given)
        try:
            response = await call(request, timeout=seconds, metadata=metadata)
        except grpc.aio.AioRpcError as error:
            raise Refused(error.code().name) from error
        return " ".join(m.text.text[0] for m in response.query_result.response_messages)


@dataclass
class Stage:
    api: Api
    talks: Mapping[str, Talk]
    """By transport."""


@asynccontextmanager
async def staged(folder: Path) -> AsyncGenerator[Stage]:
    api = Api()
    (folder / "script.yaml").write_text(json.dumps(SCRIPT))
    settings = Settings(
        port=0,
        grpc_port=0,
        data_dir=folder / "data",
        model=f"scripted:{folder / 'script.yaml'}",
        egress_allow="127.0.0.1",
    )
    async with (
        http_peer(api.reply) as peer,
        running(settings) as server,
        aiohttp.ClientSession(server.http) as http,
        grpc.aio.insecure_channel(server.grpc) as channel,
    ):
        agent = await make_agent(http, peer.url)
        session = f"{agent}/sessions/1"
        yield Stage(api, {name: Talk(session, http, channel, name) for name in ("rest", "grpc")})
        api.released.set()


async def heard(talk: Talk) -> None:
    """Returns when the server has heard what was sent before, also that a client left."""
    if talk.transport == "rest":
        async with talk.http.get("/healthz") as answered:
            assert answered.status == 200
        return
    with pytest.raises(grpc.aio.AioRpcError):
        await talk.channel.unary_unary("/none/None")(b"")


async def ended(talk: Talk) -> None:
    """Returns when the server's only turn has ended."""
    metrics = ""
    async with asyncio.timeout(10):
        while 'openplaybook_turns_total{state="DONE"} 1' not in metrics:
            async with talk.http.get("/metrics") as answered:
                metrics = await answered.text()


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with staged(tmp_path) as made:
        yield made


@pytest.fixture(params=["rest", "grpc"])
def talk(stage: Stage, request: pytest.FixtureRequest) -> Talk:
    return stage.talks[request.param]


async def test_a_client_that_leaves_in_the_middle_of_a_call_finds_its_answer_when_it_comes_back(
    stage: Stage, talk: Talk
) -> None:
    first = asyncio.create_task(talk.say("go"))
    await stage.api.asked.wait()
    first.cancel()
    await asyncio.wait({first})
    await heard(talk)
    again = asyncio.create_task(talk.say("go"))
    stage.api.released.set()
    assert await again == "Number 1."
    assert stage.api.calls == 1


async def test_a_client_that_left_before_the_answer_finds_it_later(stage: Stage, talk: Talk) -> None:
    first = asyncio.create_task(talk.say("go"))
    await stage.api.asked.wait()
    first.cancel()
    await asyncio.wait({first})
    await heard(talk)
    stage.api.released.set()
    await ended(talk)
    assert await talk.say("go") == "Number 1."
    assert stage.api.calls == 1


async def test_the_same_words_after_an_answer_that_arrived_are_said_anew(stage: Stage, talk: Talk) -> None:
    stage.api.released.set()
    assert [await talk.say("go") for _ in range(3)] == ["Number 1.", "Number 2.", "Number 3."]


async def test_a_request_with_its_key_again_gets_the_stored_answer_over_either_transport(stage: Stage) -> None:
    stage.api.released.set()
    for header in ("Idempotency-Key", "X-Goog-Request-Id"):
        key = {header: f"a key in {header}"}
        first = await stage.talks["rest"].say("go", headers=key)
        assert [await talk.say("go", headers=key) for talk in stage.talks.values()] == [first, first]
    assert stage.api.calls == 2


async def test_a_repeated_answer_is_the_same_byte_for_byte(stage: Stage) -> None:
    stage.api.released.set()
    talk = stage.talks["rest"]
    body = {"queryInput": {"text": {"text": "go"}, "languageCode": "en"}}

    async def sent() -> bytes:
        path = f"/v3beta1/{talk.session}:detectIntent"
        async with talk.http.post(path, json=body, headers={"Idempotency-Key": "k"}) as answered:
            return await answered.read()

    assert await sent() == await sent()


async def test_other_words_wait_for_the_turn_that_runs_and_are_told_when_their_time_is_over(
    stage: Stage, talk: Talk
) -> None:
    first = asyncio.create_task(talk.say("go"))
    await stage.api.asked.wait()
    with pytest.raises(Refused, match="ABORTED"):
        await talk.say("hello", seconds=0.3)
    patient = asyncio.create_task(talk.say("hello", seconds=30))
    await asyncio.sleep(0)
    stage.api.released.set()
    assert [await first, await patient] == ["Number 1.", "You said: hello"]


async def test_a_turn_whose_time_is_over_in_the_middle_of_a_call_keeps_what_it_did(stage: Stage, talk: Talk) -> None:
    with pytest.raises(Refused, match="DEADLINE_EXCEEDED"):
        await talk.say("go", seconds=0.3)
    # Not released yet: the server's own clock ends the call, a little after the client has given up.
    assert await talk.say("go") == "TIMEOUT"
    stage.api.released.set()
