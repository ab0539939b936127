"""The gRPC front door: every RPC of the API on a grpc.aio server."""

import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import grpc
import grpc.aio

from openplaybook.wire.bytes_in_flight import BytesInFlight
from openplaybook.wire.errors import AddressUnusable, Code, RpcError
from openplaybook.wire.grpc_arrival import Arrivals
from openplaybook.wire.grpc_calls import GrpcCalls, Handler, refusing, unknown
from openplaybook.wire.registry import Registry

RequestT = TypeVar("RequestT")
ResponseT = TypeVar("ResponseT")
_Found: TypeAlias = "grpc.RpcMethodHandler[RequestT, ResponseT] | None"

_LOG = "grpc._cython.cygrpc"
_NO_UTF8 = "Invalid encoding on %s"

_THREADS = ("event_engine", "lifeguard")
"""How the names of gRPC's threads begin: those that work, and the one that starts them."""
_LESS_URGENT = 10
"""Of -20 to 19; Linux gives a thread at 10 about a tenth of the time of one at 0."""

_MOST_FIELDS = 1_000
_MOST_METADATA = 64 * 1024
"""Bytes of a call's metadata; the head of a REST request may have as many."""


class GrpcServer:
    """Serves a registry over gRPC, in the running event loop."""

    def __init__(
        self,
        registry: Registry,
        *,
        address: str,
        max_message_bytes: int,
        interceptors: Sequence[grpc.aio.ServerInterceptor] = (),
        credentials: grpc.ServerCredentials | None = None,
        max_connections: int = 10_000,
        in_flight: BytesInFlight | None = None,
    ) -> None:
        """`in_flight` is shared with other ports.

        `credentials` are those of TLS; without, what is sent can be read by all in between."""
        self._registry = registry
        self._address = address
        self._max_message_bytes = max_message_bytes
        self._interceptors = tuple(interceptors)
        self._credentials = credentials
        self._max_connections = max_connections
        self._in_flight = in_flight
        self._server: grpc.aio.Server | None = None

    async def start(self) -> int:
        """Binds and serves; returns the port (with port 0 in the address, the one the system chose).

        Raises `AddressUnusable` when the address is taken or not ours."""
        logging.getLogger(_LOG).__class__ = _GrpcLog
        server = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", self._max_message_bytes),
                ("grpc.max_send_message_length", -1),
                # Inflated here, a piece at a time and within the limit of the RPC: gRPC would do it in one go, with the
                # event loop waiting, up to the limit of the port.
                ("grpc.per_message_decompression", 0),
                # Windows stay small, so that little comes before it is asked for.
                ("grpc.http2.bdp_probe", 0),
                ("grpc.so_reuseport", 0),
                ("grpc.max_concurrent_streams", 100),
                ("grpc.max_allowed_incoming_connections", self._max_connections),
            ],
            interceptors=(_MetadataBound(), *self._interceptors),
        )
        arrivals = Arrivals(self._max_message_bytes, self._in_flight)
        server.add_generic_rpc_handlers((_Handlers(self._registry, arrivals),))
        try:
            port = self._bound(server)
        except RuntimeError as error:
            raise AddressUnusable(self._address) from error
        arrivals.streams.port = port
        await server.start()
        _stand_back()
        self._server = server
        return port

    def _bound(self, server: grpc.aio.Server) -> int:
        if self._credentials is None:
            return server.add_insecure_port(self._address)
        return server.add_secure_port(self._address, self._credentials)

    async def stop(self, grace_s: float) -> None:
        """Takes no more calls, gives those that run `grace_s` seconds, then cuts them off."""
        if self._server is not None:
            await self._server.stop(grace_s)
            self._server = None


def _stand_back() -> None:
    """Let gRPC's threads compute after all others where there is too little for all.

    They read all that connections send, frames without end among it, before anybody knows whose it is.
    Linux gives every thread a priority of its own, which threads started later take over.
    """
    for thread in Path("/proc/self/task").glob("[0-9]*"):
        with suppress(OSError):
            if (thread / "comm").read_text().startswith(_THREADS):
                os.setpriority(os.PRIO_PROCESS, int(thread.name), _LESS_URGENT)


class _MetadataBound(grpc.aio.ServerInterceptor):
    """Refuses calls with much metadata before anybody reads it.

    gRPC's own limit counts what is sent: a field that HTTP/2 remembers (RFC 7541 §2.3.2) may be said again thousands
    of times in one byte each.
    """

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable["_Found[RequestT, ResponseT]"]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "_Found[RequestT, ResponseT]":
        """The method's own handler, or one that refuses."""
        metadata = handler_call_details.invocation_metadata or ()
        if len(metadata) <= _MOST_FIELDS and sum(len(key) + len(value) for key, value in metadata) <= _MOST_METADATA:
            return await continuation(handler_call_details)
        sentence = f"The call's metadata has more than {_MOST_FIELDS} fields or {_MOST_METADATA // 1024} kB."
        refused = refusing(RpcError(Code.RESOURCE_EXHAUSTED, sentence))
        return cast("grpc.RpcMethodHandler[RequestT, ResponseT]", refused)


class _GrpcLog(logging.Logger):
    """gRPC's own log, without a stack for each field of metadata that is no UTF-8: a call may have thousands."""

    def exception(self, msg: object, *args: object, **options: Any) -> None:
        """Log an error unless it is one of those."""
        if msg != _NO_UTF8:
            super().exception(msg, *args, **options)


class _Handlers(grpc.GenericRpcHandler):
    """Handlers of all RPCs, each made when it is first called."""

    def __init__(self, registry: Registry, arrivals: Arrivals) -> None:
        self._calls = GrpcCalls(registry, arrivals)
        self._methods = {method.path: method for method in registry.api.methods.values()}
        self._made: dict[str, Handler] = {}

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler:
        """The handler of a path; of an unknown one, a handler that says so."""
        path = handler_call_details.method
        handler = self._made.get(path)
        if handler is None:
            method = self._methods.get(path)
            if method is None:
                return unknown(path)
            handler = self._made[path] = self._calls.handler(method)
        return handler
