"""Handlers are told when their answers have reached a connection that stood, over real sockets."""

import asyncio
import gc
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import grpc
import grpc.aio
import pytest
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from openplaybook.server.http_port import listening
from openplaybook.server.sockets import bind, port_of
from openplaybook.wire.api import Api, load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.grpc_server import GrpcServer
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry
from openplaybook.wire.rest import RestApp
from tests.integration.wire.conftest import BETA

PARENT = "projects/p/locations/l"
LARGE = 20_000_000
"""Bytes of an answer that no socket takes at once."""


@dataclass
class Doors:
    """Both front doors, and who was told of a delivery."""

    api: Api
    told: list[str] = field(default_factory=list[str])
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    inside: asyncio.Event = field(default_factory=asyncio.Event)
    lines: list[asyncio.StreamWriter] = field(default_factory=list[asyncio.StreamWriter])
    http_port: int = 0
    grpc_port: int = 0

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """An agent; what its id says decides of how it is given."""
        agent_id = request.name.rpartition("/")[2]
        context.on_delivered.append(lambda: self.told.append(agent_id))
        if agent_id == "late":
            self.inside.set()
            await self.gate.wait()
        if agent_id == "missing":
            raise RpcError(Code.NOT_FOUND, "There is no such agent.")
        large = "x" * LARGE if agent_id == "large" else ""
        return self.api.message(f"{BETA}.Agent")(name=request.name, description=large)

    async def ask(
        self, agent_id: str, version: str = "1.1", *headers: str
    ) -> tuple[asyncio.StreamReader, asyncio.WriteTransport]:
        """Send a request by REST, and read nothing."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.http_port)
        head = [f"GET /v3beta1/{PARENT}/agents/{agent_id} HTTP/{version}", "Host: localhost", *headers, "", ""]
        writer.write("\r\n".join(head).encode())
        await writer.drain()
        self.lines.append(writer)
        return reader, writer.transport

    async def heard_of(self, agent_id: str) -> None:
        """Returns when the delivery of this answer is told."""
        async with asyncio.timeout(10):
            while agent_id not in self.told:
                await self.round_trip()

    async def round_trip(self) -> None:
        """Let the server see what happened to its connections."""
        reader, line = await self.ask("missing", "1.1", "Connection: close")
        await reader.read()
        line.abort()


@pytest.fixture
async def doors() -> AsyncIterator[Doors]:
    api = load_api()
    registry, made = Registry(api), Doors(api)
    registry.unary(f"{BETA}.Agents.GetAgent", made.get)
    server = GrpcServer(registry, address="127.0.0.1:0", max_message_bytes=1_000_000)
    made.grpc_port = await server.start()
    with bind("127.0.0.1", 0) as listener:
        made.http_port = port_of(listener)
        async with listening(RestApp(registry, max_body_bytes=1_000_000), listener):
            yield made
            made.gate.set()
            for line in made.lines:
                line.transport.abort()
            await server.stop(1)


@pytest.mark.parametrize(
    ("version", "headers"), [("1.1", ()), ("1.1", ("Connection: close",)), ("1.0", ())], ids=["kept", "closed", "old"]
)
async def test_an_answer_that_was_read_is_delivered(doors: Doors, version: str, headers: tuple[str, ...]) -> None:
    reader, line = await doors.ask("a", version, *headers)
    await reader.readuntil(b"}")
    await doors.heard_of("a")
    line.abort()
    assert doors.told == ["a"]


async def test_an_answered_request_does_not_wait_for_the_garbage_collector(doors: Doors) -> None:
    reader, _ = await doors.ask("a")
    await reader.readuntil(b"}")
    gc.collect()
    gc.disable()
    try:
        for _ in range(5):
            doors.lines[0].write(f"GET /v3beta1/{PARENT}/agents/b HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            await reader.readuntil(b"}")
        held = [each for each in gc.get_objects() if isinstance(each, RequestResponseCycle)]
    finally:
        gc.enable()
    assert len(held) <= 2, "the last of the connection, and perhaps the one before it"


async def test_an_answer_to_a_client_that_has_gone_is_not_delivered(doors: Doors) -> None:
    _, line = await doors.ask("late")
    await doors.inside.wait()
    line.abort()
    await doors.round_trip()
    doors.gate.set()
    reader, _ = await doors.ask("b")
    await reader.readuntil(b"}")
    await doors.heard_of("b")
    assert doors.told == ["b"]


async def test_an_error_is_no_delivery(doors: Doors) -> None:
    await doors.round_trip()
    assert doors.told == []


async def test_a_large_answer_is_delivered_when_all_of_it_has_left(doors: Doors) -> None:
    reader, _ = await doors.ask("large")
    await reader.readexactly(1000)
    await doors.round_trip()
    assert doors.told == []
    await reader.readexactly(LARGE - 1000)
    await doors.heard_of("large")


async def test_a_large_answer_whose_client_leaves_half_way_is_not_delivered(doors: Doors) -> None:
    reader, line = await doors.ask("large")
    await reader.readexactly(1000)
    line.abort()
    reader, _ = await doors.ask("b")
    await reader.readuntil(b"}")
    await doors.heard_of("b")
    assert doors.told == ["b"]


async def test_over_grpc_an_answer_is_delivered_and_neither_an_error_nor_a_cancelled_call_is(doors: Doors) -> None:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{doors.grpc_port}") as channel:

        def get(agent_id: str) -> grpc.aio.UnaryUnaryCall[bytes, bytes]:
            name = f"{PARENT}/agents/{agent_id}"
            call = channel.unary_unary(f"/{BETA}.Agents/GetAgent")
            return call(doors.api.message(f"{BETA}.GetAgentRequest")(name=name).SerializeToString())

        late = get("late")
        sending = asyncio.ensure_future(late)
        await doors.inside.wait()
        late.cancel()
        await asyncio.wait({sending})
        with pytest.raises(grpc.aio.AioRpcError):
            await get("missing")
        doors.gate.set()
        await get("a")
        await doors.heard_of("a")
    assert doors.told == ["a"]
