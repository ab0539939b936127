"""A service on a loopback socket that records what reaches it, byte for byte, and answers what it is told."""

import asyncio
import inspect
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Received:
    """A request as it came over the wire."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        """The only header of that name in any case; None when there is none."""
        values = [value for key, value in self.headers if key.lower() == name.lower()]
        assert len(values) <= 1, f"{name} came {len(values)} times"
        return values[0] if values else None


Answer = Callable[[Received], "bytes | Awaitable[bytes | None] | None"]
"""The raw bytes of an answer; None closes the connection without one."""


@dataclass
class HttpPeer:
    """What the service got, and where it is."""

    port: int
    requests: list[Received] = field(default_factory=list[Received])
    connections: int = 0
    writers: set[asyncio.StreamWriter] = field(default_factory=set[asyncio.StreamWriter])
    """Of all connections."""

    @property
    def url(self) -> str:
        """Its origin."""
        return f"http://127.0.0.1:{self.port}"


def answer(body: bytes = b"{}", status: str = "200 OK", content_type: str = "application/json", **more: str) -> bytes:
    """The bytes of an answer; `more` are headers, `_` standing for `-`."""
    headers = {"Content-Type": content_type, "Content-Length": str(len(body))}
    headers |= {name.replace("_", "-"): value for name, value in more.items()}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode() + body


@asynccontextmanager
async def http_peer(
    reply: Answer, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1", port: int = 0
) -> AsyncGenerator[HttpPeer]:
    """Runs the service while the context lasts; connections still open at its end are cut."""
    peer = HttpPeer(0)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer.connections += 1
        peer.writers.add(writer)
        try:
            while (received := await _read(reader)) is not None:
                peer.requests.append(received)
                replied = reply(received)
                text = await replied if inspect.isawaitable(replied) else replied
                if text is None:
                    break
                writer.write(text)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(serve, host, port, ssl=tls)
    peer.port = server.sockets[0].getsockname()[1]
    try:
        yield peer
    finally:
        server.close()
        for writer in peer.writers:
            writer.transport.abort()


async def _read(reader: asyncio.StreamReader) -> Received | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")[:-2]
    method, target, _ = first.split(" ")
    headers = tuple((name, value.strip()) for name, _, value in (line.partition(":") for line in lines))
    length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
    return Received(method, target, headers, await reader.readexactly(length))
