"""Clients that send without end, or not at all."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from openplaybook.server.http_port import listening
from openplaybook.server.sockets import bind, port_of

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    while (await receive()).get("more_body"):
        pass
    await PlainTextResponse("whole")(scope, receive, send)


@asynccontextmanager
async def connected(app: ASGIApp = app) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    with bind("127.0.0.1", 0) as listener:
        async with listening(app, listener):
            reader, writer = await asyncio.open_connection("127.0.0.1", port_of(listener))
            yield reader, writer
            writer.close()


@pytest.mark.parametrize("piece", [b"X-Long: " + b"a" * 3_000_000, b"A: b\r\n" * 500_000])
async def test_a_head_without_end_is_cut_off(piece: bytes) -> None:
    async with connected() as (reader, writer):
        writer.write(HEAD + piece)
        assert await reader.readline() == b"HTTP/1.1 431 Request Header Fields Too Large\r\n"


async def test_a_head_of_usual_size_and_a_large_body_pass() -> None:
    async with connected() as (reader, writer):
        writer.write(HEAD + b"X-Long: " + b"a" * 30_000 + b"\r\nContent-Length: 1000000\r\n\r\n" + b"b" * 1_000_000)
        assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
