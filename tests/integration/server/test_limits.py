"""How often one caller may ask, and how many connections a port holds."""

import asyncio
from pathlib import Path

import aiohttp
import grpc
import grpc.aio
from google.rpc import error_details_pb2, status_pb2
from multidict import CIMultiDict

from openplaybook.server.lifecycle import RunningServer

from .conftest import Start

AGENTS = "/v3/projects/p/locations/global/agents"
LIST_AGENTS = "/google.cloud.dialogflow.cx.v3.Agents/ListAgents"
SEND_TURN = "/google.cloud.dialogflow.cx.v3.Sessions/DetectIntent"
STREAM_TURN = "/google.cloud.dialogflow.cx.v3.Sessions/StreamingDetectIntent"
PARENT = b"\x0a\x1bprojects/p/locations/global"
OK = b"HTTP/1.1 200 OK\r\n"
KEYS = "editor one key-of-the-first-one\neditor two key-of-the-second-one\n"


async def rest(server: RunningServer, path: str = AGENTS, **headers: str) -> tuple[int, str | None]:
    async with aiohttp.ClientSession(server.http, headers=headers) as session, session.get(path) as answer:
        return answer.status, answer.headers.get("Retry-After")


async def over_grpc(
    server: RunningServer, path: str = LIST_AGENTS, key: str = "", forwarded: str = ""
) -> tuple[grpc.StatusCode, int]:
    """The outcome, and the seconds that google.rpc.RetryInfo gives."""
    metadata = [("x-goog-api-key", key)] if key else []
    metadata += [("x-forwarded-for", forwarded)] if forwarded else []
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        try:
            if path == STREAM_TURN:
                await channel.stream_stream(path)(iter([b""]), metadata=metadata).read()
            else:
                await channel.unary_unary(path)(PARENT if path == LIST_AGENTS else b"", metadata=metadata)
        except grpc.aio.AioRpcError as error:
            trailing = dict(error.trailing_metadata() or ())
            status = status_pb2.Status.FromString(
                details if isinstance(details := trailing.get("grpc-status-details-bin"), bytes) else b""
            )
            retry = error_details_pb2.RetryInfo()
            for detail in status.details:
                detail.Unpack(retry)
            return error.code(), retry.retry_delay.seconds
        return grpc.StatusCode.OK, 0


async def test_each_key_has_a_share_of_both_ports_together(start: Start, tmp_path: Path) -> None:
    (tmp_path / "keys").write_text(KEYS)
    server = await start(api_key_file=tmp_path / "keys", rate_limit="2/h")
    one, two = "key-of-the-first-one", "key-of-the-second-one"
    assert await rest(server, **{"x-goog-api-key": one}) == (200, None)
    assert await over_grpc(server, key=one) == (grpc.StatusCode.OK, 0)
    assert await rest(server, **{"x-goog-api-key": one}) == (429, "1800")
    assert await over_grpc(server, key=one) == (grpc.StatusCode.RESOURCE_EXHAUSTED, 1800)
    assert await rest(server, **{"x-goog-api-key": two}) == (200, None)


async def test_without_keys_each_address_has_a_share(start: Start) -> None:
    server = await start(rate_limit="2/h", trusted_proxies="127.0.0.0/8")
    assert await rest(server, **{"X-Forwarded-For": "198.51.100.1"}) == (200, None)
    assert await over_grpc(server, forwarded="198.51.100.1") == (grpc.StatusCode.OK, 0)
    assert await rest(server, **{"X-Forwarded-For": "203.0.113.5, 198.51.100.1"}) == (429, "1800")
    in_two_lines = CIMultiDict([("X-Forwarded-For", "203.0.113.5"), ("X-Forwarded-For", "198.51.100.1")])
    async with aiohttp.ClientSession(server.http) as session, session.get(AGENTS, headers=in_two_lines) as answer:
        assert answer.status == 429
    assert await over_grpc(server, forwarded="198.51.100.1") == (grpc.StatusCode.RESOURCE_EXHAUSTED, 1800)
    assert await over_grpc(server, STREAM_TURN, forwarded="198.51.100.1") == (
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        1800,
    )
    assert await rest(server, **{"X-Forwarded-For": "198.51.100.2"}) == (200, None)


async def test_who_is_no_trusted_proxy_cannot_choose_its_address(start: Start) -> None:
    server = await start(rate_limit="1/h")
    assert await rest(server, **{"X-Forwarded-For": "198.51.100.1"}) == (200, None)
    assert (await rest(server, **{"X-Forwarded-For": "198.51.100.2"}))[0] == 429


async def test_turns_have_a_share_of_their_own(start: Start) -> None:
    server = await start(rate_limit_turns="1/h")
    codes = [(await over_grpc(server, SEND_TURN))[0] for _ in range(2)]
    assert codes == [grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED]
    assert await over_grpc(server) == (grpc.StatusCode.OK, 0)


async def test_health_is_told_however_often_it_is_asked(start: Start) -> None:
    server = await start(rate_limit="1/h")
    assert [await rest(server, "/healthz") for _ in range(3)] == [(200, None)] * 3
    assert [(await over_grpc(server, "/grpc.health.v1.Health/Check"))[0] for _ in range(3)] == [grpc.StatusCode.OK] * 3


async def test_a_port_holds_so_many_connections_and_takes_new_ones_when_some_have_gone(start: Start) -> None:
    server = await start(max_connections=2)
    host, port = server.http.removeprefix("http://").rsplit(":", 1)

    async def opened() -> tuple[bytes, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return await reader.readline(), writer

    async def close(writer: asyncio.StreamWriter) -> None:
        writer.close()
        await writer.wait_closed()

    held = [await opened() for _ in range(3)]
    assert [line for line, _ in held] == [OK, OK, b"HTTP/1.1 503 Service Unavailable\r\n"]
    await close(held[2][1])
    await close(held[0][1])
    line = b""
    # The server sees a little later than we that a connection has gone.
    while line != OK:
        line, writer = await opened()
        await close(writer)
    await close(held[1][1])


async def test_the_grpc_port_holds_so_many_connections_too(start: Start) -> None:
    server = await start(max_connections=2)
    host, port = server.grpc.rsplit(":", 1)

    async def greeted() -> tuple[bool, asyncio.StreamWriter]:
        """Whether the port speaks to a new client (HTTP/2: SETTINGS) rather than hanging up."""
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
        try:
            return len(await reader.read(9)) == 9, writer
        except ConnectionError:
            return False, writer

    opened = [await greeted() for _ in range(3)]
    assert [is_greeted for is_greeted, _ in opened] == [True, True, False]
    for _, writer in opened:
        writer.close()
