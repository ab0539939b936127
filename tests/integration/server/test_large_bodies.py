"""Large bodies against a real server, over sockets: what is refused, and what becomes of its connection."""

import asyncio
import gzip
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import grpc
import grpc.aio
import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.server import bounded_http
from openplaybook.server.lifecycle import RunningServer

from .conftest import Start

AGENTS = "/v3/projects/p/locations/global/agents"
MIB = 1024 * 1024


class Line:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def head(self, target: str, *headers: str) -> None:
        lines = [f"POST {target} HTTP/1.1", "Host: localhost", *headers, "", ""]
        self.writer.write("\r\n".join(lines).encode())

    async def feed(self, size: int) -> None:
        for _ in range(size // MIB):
            self.writer.write(b"x" * MIB)
            await self.writer.drain()

    async def answer(self) -> tuple[int, dict[str, str], JsonObject]:
        """Status, headers and body of the next answer."""
        head = (await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 20)).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:-2])
        return int(head[0].split()[1]), headers, loads(await self.reader.readexactly(int(headers["content-length"])))


@asynccontextmanager
async def line_to(server: RunningServer) -> AsyncGenerator[Line]:
    host, port = server.http.removeprefix("http://").rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port))
    yield Line(reader, writer)
    writer.close()


@pytest.mark.proves("X8")
async def test_what_is_declared_too_large_is_refused_at_its_head(start: Start) -> None:
    async with line_to(await start()) as line:
        line.head(AGENTS, f"Content-Length: {95 * MIB}")
        status, _, body = await line.answer()
    message = f"Request payload size exceeds the limit: {8 * MIB} bytes."
    assert (status, body) == (413, {"error": {"code": 413, "message": message, "status": "INVALID_ARGUMENT"}})


async def test_what_was_refused_is_dropped_and_the_connection_goes_on(start: Start) -> None:
    async with line_to(await start()) as line:
        line.head(AGENTS, f"Content-Length: {9 * MIB}")
        line.writer.write(b"x" * 9 * MIB)
        assert (await line.answer())[0] == 413
        line.head(AGENTS, "Content-Length: 2")
        line.writer.write(b"{}")
        assert (await line.answer())[0] == 400


async def test_who_wants_the_connection_closed_gets_the_answer_first(start: Start) -> None:
    """An answer must not be lost because the connection is cut while the body still comes."""
    async with line_to(await start()) as line:
        line.head(AGENTS, f"Content-Length: {9 * MIB}", "Connection: close")
        await line.feed(9 * MIB)
        assert (await line.answer())[0] == 413
        assert await asyncio.wait_for(line.reader.read(), 10) == b""


async def test_nobody_is_fed_for_ever(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_http, "MAX_UNREAD_BYTES", MIB)
    async with line_to(await start()) as line:
        line.head(AGENTS, f"Content-Length: {90 * MIB}")
        assert (await line.answer())[0] == 413
        with pytest.raises(ConnectionError):
            await line.feed(64 * MIB)


async def test_a_chunked_body_is_stopped_while_it_comes(start: Start) -> None:
    async with line_to(await start()) as line:
        line.head(AGENTS, "Transfer-Encoding: chunked")
        for _ in range(9):
            line.writer.write(b"100000\r\n" + b"x" * MIB + b"\r\n")
            await line.writer.drain()
        assert (await line.answer())[0] == 413


@pytest.mark.proves("X8")
async def test_what_there_is_no_room_for_may_come_again_and_small_requests_go_on(start: Start) -> None:
    server = await start(max_bytes_in_flight=MIB, max_body_bytes=4 * MIB)
    async with line_to(server) as first, line_to(server) as second, line_to(server) as third:
        first.head(AGENTS, f"Content-Length: {4 * MIB}", "Expect: 100-continue")
        assert await asyncio.wait_for(first.reader.readuntil(b"\r\n\r\n"), 10) == b"HTTP/1.1 100 Continue\r\n\r\n"
        second.head(AGENTS, f"Content-Length: {MIB}")
        status, headers, body = await second.answer()
        assert (status, headers["retry-after"]) == (429, "1")
        assert body["error"] == {
            "code": 429,
            "message": "This server holds as many bytes of requests as it can; try again in 1 s.",
            "status": "RESOURCE_EXHAUSTED",
            "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1s"}],
        }
        small = dumps({"displayName": "a", "defaultLanguageCode": "en", "timeZone": "UTC"})
        third.head(AGENTS, f"Content-Length: {len(small)}")
        third.writer.write(small)
        assert (await third.answer())[0] == 200


async def test_a_large_body_is_read_whole_gzip_too(start: Start) -> None:
    agent = {"displayName": "a", "defaultLanguageCode": "en", "timeZone": "UTC", "description": "é" * 200}
    text = dumps(agent) + b" " * MIB
    async with line_to(await start()) as line:
        for sent, encoding in ((text, "identity"), (gzip.compress(text), "gzip")):
            line.head(AGENTS, f"Content-Length: {len(sent)}", f"Content-Encoding: {encoding}")
            line.writer.write(sent)
            status, _, body = await line.answer()
            assert (status, body.get("description")) == (200, "é" * 200)


async def test_a_malformed_large_body_is_told_where(start: Start) -> None:
    async with line_to(await start()) as line:
        text = b'{"displayName": "' + b"a" * MIB + b'", "displayName": 1}'
        line.head(AGENTS, f"Content-Length: {len(text)}")
        line.writer.write(text)
        status, _, body = await line.answer()
    message = "Invalid JSON payload received. $: the key 'displayName' is given twice in one object"
    assert (status, body["error"]["message"]) == (400, message)


async def test_grpc_takes_less_than_rest(start: Start) -> None:
    server = await start()
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        restore = channel.unary_unary("/google.cloud.dialogflow.cx.v3.Agents/RestoreAgent")
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await restore(b"x" * (16 * MIB + 1))
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refused.value.details() == "SERVER: Received message larger than max (16777217 vs. 16777216)"
