"""Streams whose clients read late, leave, or run out of time, over real sockets."""

import asyncio
import json
import socket
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import aiohttp
import grpc
import grpc.aio
import pytest
from google.api_core import exceptions
from google.cloud import dialogflowcx_v3beta1 as cx

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import ModelReply, ModelTurn, TextDelta
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.server.http_port import HttpPort
from openplaybook.services.dialogflow import detect_intent
from openplaybook.services.registrations import register_detect_intent
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.base import Success
from openplaybook.turns.base import Partial, TextInput, TurnRequest, TurnResult
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.turn_streams import TurnStreams
from openplaybook.wire.api import load_api
from openplaybook.wire.grpc_server import GrpcServer
from openplaybook.wire.registry import Registry
from openplaybook.wire.rest import RestApp
from tests.kit.agents import AGENT, SESSION, AgentDraft, PlayedModel, RememberedTool, calls, says
from tests.kit.processes import wait_until
from tests.kit.sealing import SEALER

KEY = "the-key"
WORD = "x" * 1000
WORDS = 3000


class Talker(PlayedModel):
    """Speaks word by word and lets others go on after each."""

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        """The next reply."""
        async for item in super().stream(turn):
            yield item
            await asyncio.sleep(0)


class Streams(TurnStreams):
    """Tells when a listener has gone."""

    def __init__(self, engine: TurnEngine) -> None:
        super().__init__(engine)
        self.left = asyncio.Event()

    async def stream(self, request: TurnRequest) -> AsyncGenerator[Partial | TurnResult]:
        """As the product's."""
        try:
            async with aclosing(super().stream(request)) as items:
                async for item in items:
                    yield item
        finally:
            self.left.set()


@dataclass
class Desk:
    """A served agent with one tool."""

    engine: TurnEngine
    streams: Streams
    model: Talker
    tool: RememberedTool
    http: str
    grpc: str

    async def result(self) -> TurnResult:
        """What the turn of `KEY` came to: run, waited for, or from the record."""
        request = TurnRequest(AGENT, SESSION, TextInput("hi"), "en", request_key=KEY)
        return await self.engine.run(request)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    store = SqliteStore(tmp_path / "openplaybook.db")
    await store.open()
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets}.", start=True)
    tool = draft.tool("pets", "getPet", answer=lambda call, context: Success({"200": {"name": "Rex"}}))
    await draft.put(store)
    model = Talker()
    engine = TurnEngine(
        store=store,
        toolbox=draft.shelf,
        models=ModelDirectory(model, {}),
        metrics=Metrics(),
        owner="owner",
        sealer=SEALER,
    )
    api = load_api()
    registry, streams = Registry(api), Streams(engine)
    register_detect_intent(registry, api, store, engine, streams)
    server = GrpcServer(registry, address="127.0.0.1:0", max_message_bytes=1 << 26)
    grpc_port = await server.start()
    listener = socket.create_server(("127.0.0.1", 0))
    # What the machine would keep for a client that does not read: nearly all of what is said here.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    port = HttpPort(RestApp(registry, max_body_bytes=1 << 20), listener)
    await port.open()
    yield Desk(
        *(engine, streams, model, tool),
        http=f"http://127.0.0.1:{listener.getsockname()[1]}",
        grpc=f"127.0.0.1:{grpc_port}",
    )
    await server.stop(0)
    await port.close()
    await streams.drain(10)
    await store.close()


def query() -> JsonObject:
    return {"queryInput": {"text": {"text": "hi"}, "languageCode": "en"}}


def request() -> cx.DetectIntentRequest:
    return cx.DetectIntentRequest(session=SESSION, query_input={"text": {"text": "hi"}, "language_code": "en"})


def opened(channel: grpc.aio.Channel) -> cx.SessionsAsyncClient:
    transport = cx.SessionsAsyncClient.get_transport_class("grpc_asyncio")
    return cx.SessionsAsyncClient(transport=transport(channel=channel))


METADATA = (("x-goog-request-id", KEY),)


async def test_a_grpc_client_that_reads_late_gets_few_and_long_pieces_and_holds_nothing_up(desk: Desk) -> None:
    desk.model.then(says(" ".join([WORD] * WORDS)))
    unlimited = [("grpc.max_receive_message_length", -1)]
    async with grpc.aio.insecure_channel(desk.grpc, options=unlimited) as channel:
        stream = await opened(channel).server_streaming_detect_intent(request=request(), metadata=METADATA)
        spoken = (await desk.result()).messages
        partial = [response async for response in stream]
    *partial, complete, final = partial
    assert (
        complete.query_result.trace_blocks[0].actions[0].agent_utterance.text
        == final.query_result.response_messages[0].text.text[0]
    )
    assert final.query_result.response_messages[0].text.text[0] == " ".join([WORD] * WORDS)
    assert len(spoken) == 1
    heard = "".join(each.query_result.response_messages[0].text.text[0] for each in partial)
    assert heard == f"{WORD} " * WORDS
    assert len(partial) < WORDS / 2


async def test_a_rest_client_that_reads_late_gets_few_and_long_pieces_and_holds_nothing_up(desk: Desk) -> None:
    desk.model.then(says(" ".join([WORD] * WORDS)))
    connection = aiohttp.TCPConnector(socket_factory=narrow)
    async with aiohttp.ClientSession(desk.http, connector=connection, read_bufsize=1024) as http:
        url = f"/v3beta1/{SESSION}:serverStreamingDetectIntent"
        async with http.post(url, json=query(), headers={"Idempotency-Key": KEY}) as response:
            await desk.result()
            *partial, complete, final = json.loads(await response.read())
    assert final["responseType"] == "FINAL"
    assert "responseMessages" not in complete["queryResult"]
    heard = "".join(each["queryResult"]["responseMessages"][0]["text"]["text"][0] for each in partial)
    assert heard == f"{WORD} " * WORDS
    assert len(partial) < WORDS / 2


def narrow(address: tuple[object, ...]) -> socket.socket:
    """A socket that takes little before its owner reads."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.setblocking(False)
    return made


@pytest.mark.parametrize("how", ["cancel", "deadline", "channel"])
async def test_a_grpc_client_that_goes_while_a_tool_runs_finds_the_answer_when_it_asks_again(
    desk: Desk, how: str
) -> None:
    desk.tool.gate = asyncio.Event()
    desk.model.then(calls(("getPet", {"petId": 3})), says("It is Rex."))
    channel = grpc.aio.insecure_channel(desk.grpc)
    timeout = 0.5 if how == "deadline" else 60
    stream = await opened(channel).server_streaming_detect_intent(
        request=request(), metadata=METADATA, timeout=timeout, retry=None
    )
    await anext(aiter(stream))
    await desk.tool.called.wait()
    deadline = time.monotonic() + desk.tool.contexts[0].timeout_s
    if how == "cancel":
        cast("grpc.aio.Call", stream).cancel()
    elif how == "channel":
        await channel.close()
    else:
        with pytest.raises(exceptions.DeadlineExceeded):
            await anext(aiter(stream))
        # The client's clock may run out first: the tool must not answer before the server's has, too.
        await wait_until(lambda: time.monotonic() > deadline)
    desk.tool.gate.set()
    assert await desk.streams.drain(10) == 0
    async with grpc.aio.insecure_channel(desk.grpc) as again:
        *partial, final = [
            each
            async for each in await opened(again).server_streaming_detect_intent(request=request(), metadata=METADATA)
        ]
    assert final.query_result.response_messages[0].text.text == ["It is Rex."]
    assert (len(desk.tool.invoked), desk.model.part) == (1, [])
    # A deadline is the turn's own: it was stopped after what it had done, and goes on from there.
    assert (partial == []) == (how != "deadline")
    await channel.close()


async def test_a_rest_client_that_goes_while_a_tool_runs_finds_the_answer_when_it_asks_again(desk: Desk) -> None:
    desk.tool.gate = asyncio.Event()
    desk.model.then(calls(("getPet", {"petId": 3})), says("It is Rex."))
    url, headers = f"{desk.http}/v3beta1/{SESSION}:serverStreamingDetectIntent", {"Idempotency-Key": KEY}
    async with aiohttp.ClientSession() as http:
        response = await http.post(url, json=query(), headers=headers)
        await response.content.readany()
        await desk.tool.called.wait()
        response.close()
    desk.tool.gate.set()
    assert await desk.streams.drain(10) == 0
    async with aiohttp.ClientSession() as http, http.post(url, json=query(), headers=headers) as again:
        (final,) = await again.json()
    assert final["queryResult"]["responseMessages"][0]["text"]["text"] == ["It is Rex."]
    assert (len(desk.tool.invoked), desk.model.part) == (1, [])


async def test_a_grpc_stream_counts_as_delivered_once_its_last_message_has_left(desk: Desk) -> None:
    desk.tool.gate = asyncio.Event()
    desk.model.then(calls(("getPet", {"petId": 3})), says("It is Rex."), says("Rex again."))
    said: list[str] = []
    async with grpc.aio.insecure_channel(desk.grpc) as channel:
        client = opened(channel)
        left = await client.server_streaming_detect_intent(request=request(), retry=None)
        await anext(aiter(left))
        cast("grpc.aio.Call", left).cancel()
        await desk.streams.left.wait()
        desk.tool.gate.set()
        assert await desk.streams.drain(10) == 0
        for _ in range(2):
            responses = [each async for each in await client.server_streaming_detect_intent(request=request())]
            said += responses[-1].query_result.response_messages[0].text.text
    assert said == ["It is Rex.", "Rex again."]


async def test_a_rest_stream_counts_as_delivered_once_its_last_message_has_left(desk: Desk) -> None:
    desk.tool.gate = asyncio.Event()
    desk.model.then(calls(("getPet", {"petId": 3})), says("It is Rex."), says("Rex again."))
    url = f"{desk.http}/v3beta1/{SESSION}:serverStreamingDetectIntent"
    said: list[str] = []
    async with aiohttp.ClientSession() as http:
        left = await http.post(url, json=query())
        await left.content.readany()
        left.close()
        desk.tool.gate.set()
        assert await desk.streams.drain(10) == 0
        for _ in range(2):
            async with http.post(url, json=query()) as again:
                said += (await again.json())[-1]["queryResult"]["responseMessages"][0]["text"]["text"]
    assert said == ["It is Rex.", "Rex again."]


async def test_a_stream_that_says_nothing_is_ended(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect_intent, "FIRST_MESSAGE_S", 0.01)
    async with grpc.aio.insecure_channel(desk.grpc) as channel:
        call = channel.stream_stream("/google.cloud.dialogflow.cx.v3.Sessions/StreamingDetectIntent")()
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await call.read()
    assert ended.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert ended.value.details() == "The stream's first message did not arrive within 0.01 s."
    assert len(desk.streams) == 0
