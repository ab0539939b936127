"""A server in a process of its own that is told to stop, with clients that are in the middle of something."""

import asyncio
import signal
import socket
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import grpc
import grpc.aio
import pytest
import trustme

from tests.e2e.kit.rest import LOCATION, Rest
from tests.e2e.kit.server import Server, killed
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.server_certificates import write_pair

pytestmark = pytest.mark.proves("X4")

CHECK, WATCH = "/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"
SERVING, NOT_SERVING = b"\x08\x01", b"\x08\x02"
LONGER_THAN_ANY_TEST = "3600"
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


class SlowPeer:
    """An API that answers when it is let."""

    def __init__(self) -> None:
        self.asked, self.released = asyncio.Event(), asyncio.Event()
        self.peer = HttpPeer(0)

    async def reply(self, received: Received) -> bytes:
        self.asked.set()
        await self.released.wait()
        return answer(b'{"took": "its time"}')


@pytest.fixture
async def slow() -> AsyncIterator[SlowPeer]:
    slow = SlowPeer()
    async with http_peer(slow.reply) as slow.peer:
        yield slow
        slow.released.set()


@pytest.fixture
def flags(tmp_path: Path) -> list[str]:
    (tmp_path / "script.yaml").write_text(SCRIPT)
    return ["--model", f"scripted:{tmp_path / 'script.yaml'}", "--egress-allow", "127.0.0.1"]


async def turn_under_way(server: Server, slow: SlowPeer) -> "asyncio.Task[tuple[int, dict[str, object]]]":
    """A detectIntent whose tool has been called and has not answered."""

    def prepared() -> str:
        rest = Rest(server.http)
        agent = rest.agent()
        rest.tool(agent, "api", openApiSpec={"textSchema": SCHEMA % slow.peer.url})
        rest.start(agent, "Use ${TOOL: api}")
        return agent

    agent = await asyncio.to_thread(prepared)

    async def turn() -> tuple[int, dict[str, object]]:
        query = {"queryInput": {"text": {"text": "go"}, "languageCode": "en"}}
        async with (
            aiohttp.ClientSession(server.http) as session,
            session.post(f"/v3/{agent}/sessions/1:detectIntent", json=query) as reply,
        ):
            return reply.status, await reply.json()

    running = asyncio.create_task(turn())
    await slow.asked.wait()
    return running


async def ended(server: Server) -> int:
    """The exit code of a server that ends by itself."""
    return await asyncio.to_thread(server.process.wait, 20)


async def refuses_connections(address: str) -> None:
    """Return once a port takes no new connections."""
    host, port = address.removeprefix("http://").rsplit(":", 1)

    def refused() -> bool:
        try:
            socket.create_connection((host, int(port))).close()
        except ConnectionRefusedError:
            return True
        except ConnectionResetError:
            # The port was closed in the middle of the handshake.
            return False
        return False

    while not await asyncio.to_thread(refused):
        pass


async def test_turns_under_way_are_finished_and_no_new_ones_taken(
    tmp_path: Path, slow: SlowPeer, flags: list[str]
) -> None:
    with killed(tmp_path, *flags, "--drain-seconds", LONGER_THAN_ANY_TEST) as server:
        turn = await turn_under_way(server, slow)
        server.process.terminate()
        await refuses_connections(server.http)
        await refuses_connections(server.grpc)
        slow.released.set()
        status, reply = await turn
        assert (status, "It took its time." in str(reply)) == (200, True)
        assert await ended(server) == 0


async def test_whoever_balances_servers_is_told_before_connections_are_refused(tmp_path: Path) -> None:
    with killed(tmp_path, "--drain-delay", "600") as server:
        async with grpc.aio.insecure_channel(server.grpc) as channel:
            watched = channel.unary_stream(WATCH)(b"")
            assert await watched.read() == SERVING
            server.process.terminate()
            assert await watched.read() == NOT_SERVING
            watched.cancel()
        async with grpc.aio.insecure_channel(server.grpc) as channel:
            assert await channel.unary_unary(CHECK)(b"") == NOT_SERVING
        health = await asyncio.to_thread(Rest(server.http).send, "GET", "/healthz")
        assert (health.status, health.json) == (503, {"status": "draining"})
        listed = await asyncio.to_thread(Rest(server.http).send, "GET", f"/v3/{LOCATION}/agents")
        assert listed.status == 200, "requests are still taken"


async def test_clients_that_only_wait_do_not_hold_the_server(tmp_path: Path) -> None:
    """Watchers of health, kept connections of both ports, and one that has not said a word."""
    with killed(tmp_path, "--drain-seconds", LONGER_THAN_ANY_TEST) as server:
        host, port = server.http.removeprefix("http://").rsplit(":", 1)
        _, silent = await asyncio.open_connection(host, int(port))
        async with grpc.aio.insecure_channel(server.grpc) as channel, aiohttp.ClientSession(server.http) as kept:
            async with kept.get("/healthz") as reply:
                assert reply.status == 200
            states = aiter(channel.unary_stream(WATCH)(b""))
            assert await anext(states) == SERVING
            server.process.terminate()
            assert [state async for state in states][-1:] == [NOT_SERVING]
            assert await ended(server) == 0
        silent.close()


async def test_kept_tls_connections_do_not_hold_it_either(tmp_path: Path) -> None:
    authority = trustme.CA(key_type=trustme.KeyType.ECDSA)
    pair = write_pair(authority, tmp_path)
    tls = ["--tls-cert", str(pair.tls_cert), "--tls-key", str(pair.tls_key)]
    context = ssl.create_default_context()
    authority.configure_trust(context)
    with killed(tmp_path, *tls, "--drain-seconds", LONGER_THAN_ANY_TEST) as server:
        async with aiohttp.ClientSession(server.http) as kept:
            async with kept.get("/healthz", ssl=context) as reply:
                assert reply.status == 200
            server.process.terminate()
            assert await ended(server) == 0


async def test_a_turn_that_does_not_end_is_cut_off_when_the_time_is_over(
    tmp_path: Path, slow: SlowPeer, flags: list[str]
) -> None:
    with killed(tmp_path, *flags, "--drain-seconds", "1") as server:
        turn = await turn_under_way(server, slow)
        server.process.terminate()
        assert await ended(server) == 0
        await asyncio.wait([turn])
        assert turn.exception() is not None or turn.result()[0] >= 500


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_second_signal_ends_it_at_once(
    tmp_path: Path, slow: SlowPeer, flags: list[str], number: signal.Signals
) -> None:
    with killed(tmp_path, *flags, "--drain-seconds", LONGER_THAN_ANY_TEST) as server:
        turn = await turn_under_way(server, slow)
        server.process.send_signal(number)
        await refuses_connections(server.grpc)
        server.process.send_signal(number)
        assert await ended(server) == 0
        await asyncio.wait([turn])
        assert turn.exception() is not None or turn.result()[0] >= 500
        assert "ended without draining" in server.log.read_text()
