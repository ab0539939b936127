"""`*.googleapis.com:443` as a client with a proxy sees it, served by ours: for clients whose address cannot be set.

A proxy takes CONNECT for any host, ends TLS with a certificate of an authority of its own, and passes the bytes on: to
a token endpoint for `oauth2.googleapis.com`, to the server for every other host: to its gRPC port who speaks HTTP/2, to
its REST port who does not.
"""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trustme

from openplaybook.jsonvalues import dumps
from tests.e2e.kit.server import Server
from tests.kit.http_peer import answer, http_peer

TOKENS = "oauth2.googleapis.com"

_TOKEN = {"access_token": "a-token", "expires_in": 3600, "token_type": "Bearer"}
_CREDENTIALS = {
    "type": "authorized_user",
    "client_id": "c",
    "client_secret": "s",
    "refresh_token": "r",
}
"""What `gcloud auth application-default login` would have written."""


@dataclass(frozen=True)
class GoogleApis:
    """What a process needs to be told to end up here."""

    environment: Mapping[str, str]
    """Its further variables: proxy, trusted authority, credentials."""
    dialled: list[str] = field(default_factory=list[str])
    """The hosts that were asked for."""


@asynccontextmanager
async def googleapis(server: Server, folder: Path, rest_port: int | None = None) -> AsyncGenerator[GoogleApis]:
    """The proxy while the context lasts; `folder` takes the files that the environment names.

    REST requests keep the name they were sent to: the server has to know it as its public URL, and its `rest_port` has
    to be told, since that URL is all that it prints.
    """
    authority = trustme.CA()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("*.googleapis.com").configure_cert(tls)
    tls.set_alpn_protocols(["h2", "http/1.1"])
    roots, credentials = folder / "roots.pem", folder / "credentials.json"
    authority.cert_pem.write_to_path(str(roots))
    credentials.write_bytes(dumps(_CREDENTIALS))
    async with AsyncExitStack() as stack:
        tokens = await stack.enter_async_context(http_peer(lambda received: answer(dumps(_TOKEN))))
        proxy = _Proxy(tls, int(server.grpc.rsplit(":", 1)[1]), rest_port or server.http_port, tokens.port)
        listener = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
        stack.push_async_callback(proxy.close, listener)
        environment = {
            "https_proxy": f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}",
            "REQUESTS_CA_BUNDLE": str(roots),
            "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(roots),
            "GOOGLE_APPLICATION_CREDENTIALS": str(credentials),
            "GOOGLE_CLOUD_PROJECT": "p",
        }
        yield GoogleApis(environment, proxy.dialled)


class _Proxy:
    def __init__(self, tls: ssl.SSLContext, grpc_port: int, rest_port: int, token_port: int) -> None:
        self.dialled: list[str] = []
        self._tls = tls
        self._grpc_port = grpc_port
        self._rest_port = rest_port
        self._token_port = token_port
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One tunnel, from CONNECT to the end of either side."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            await self._tunnel(reader, writer)
        except (OSError, EOFError, asyncio.CancelledError):
            pass  # the client went away, or the test is over
        finally:
            writer.transport.abort()

    async def close(self, listener: asyncio.Server) -> None:
        """End what is open."""
        listener.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks)

    def _port(self, tls: ssl.SSLObject) -> int:
        return self._grpc_port if tls.selected_alpn_protocol() == "h2" else self._rest_port

    async def _tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, _ = head.split(b"\r\n")[0].decode().split(" ")
        assert method == "CONNECT", head
        host = target.partition(":")[0]
        self.dialled.append(host)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        await writer.start_tls(self._tls)
        port = self._token_port if host == TOKENS else self._port(writer.get_extra_info("ssl_object"))
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            async with asyncio.TaskGroup() as pipes:
                pipes.create_task(_pipe(reader, inner_writer))
                pipes.create_task(_pipe(inner_reader, writer))
        except* OSError:
            pass  # one side reset the connection
        finally:
            inner_writer.transport.abort()


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()
