"""Google's own clients of Dialogflow CX and CX Agent Studio, unchanged: over REST, gRPC and asyncio gRPC."""

import asyncio
from collections.abc import AsyncIterable, Callable
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType

import grpc
import grpc.aio
from google.auth.credentials import AnonymousCredentials

from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.server import Server
from tests.kit.background import Background

VERSIONS = ("v3", "v3beta1")
TRANSPORTS = ("rest", "grpc", "grpc_asyncio")


class Blocking:
    """An asyncio client of Google's, or something it returned, whose calls wait for their result.

    Nothing but the waiting is added, so that one test text serves all clients.
    """

    def __init__(self, client: ApiMessage, background: Background) -> None:
        self._client = client
        self._background = background

    def __getattr__(self, name: str) -> Callable[..., ApiMessage]:
        method = getattr(self._client, name)
        if not callable(method):
            # A property, such as an operation's metadata.
            return method

        def call(*arguments: ApiMessage, **named: ApiMessage) -> ApiMessage:
            return self._background.run(self._finished(method(*arguments, **named)))

        return call

    async def _finished(self, value: ApiMessage) -> ApiMessage:
        if asyncio.iscoroutine(value) or asyncio.isfuture(value):
            value = await value
        if isinstance(value, AsyncIterable):
            return [item async for item in value]
        # A long-running operation: its `result` has to be awaited too.
        return Blocking(value, self._background) if hasattr(value, "add_done_callback") else value


@dataclass
class Google:
    """Clients of one version over one transport, on one server; each is made once."""

    version: str
    transport: str
    server: Server
    background: Background
    package: str = "dialogflowcx"
    """Whose clients: `dialogflowcx`, or `ces`."""
    _clients: dict[str, ApiMessage] = field(default_factory=dict[str, ApiMessage])
    _channels: list[ApiMessage] = field(default_factory=list[ApiMessage])

    @property
    def library(self) -> ModuleType:
        """Such as `google.cloud.dialogflowcx_v3`."""
        return import_module(f"google.cloud.{self.package}_{self.version}")

    def __getattr__(self, name: str) -> ApiMessage:
        """A message type of the version."""
        return getattr(self.library, name)

    def __call__(self, service: str) -> ApiMessage:
        """The client of a service, such as `Agents`."""
        if service not in self._clients:
            self._clients[service] = self._made(service)
        return self._clients[service]

    def close(self) -> None:
        """Close the channels."""
        for channel in self._channels:
            if self.transport == "grpc_asyncio":
                self.background.run(channel.close())
            else:
                channel.close()

    def _made(self, service: str) -> ApiMessage:
        if self.transport == "grpc_asyncio":
            return Blocking(self.background.run(self._asyncio(service)), self.background)
        client = getattr(self.library, f"{service}Client")
        if self.transport == "rest":
            options = {"api_endpoint": self.server.http}
            return client(credentials=AnonymousCredentials(), transport="rest", client_options=options)
        channel = grpc.insecure_channel(self.server.grpc)
        self._channels.append(channel)
        return client(transport=client.get_transport_class("grpc")(channel=channel))

    async def _asyncio(self, service: str) -> ApiMessage:
        client = getattr(self.library, f"{service}AsyncClient")
        channel = grpc.aio.insecure_channel(self.server.grpc)
        self._channels.append(channel)
        return client(transport=client.get_transport_class("grpc_asyncio")(channel=channel))
