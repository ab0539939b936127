"""Services, with their streaming kinds and operation results.

The client packages hold no service descriptors. Their gRPC transports ask a channel for one stub per RPC, which states
path, request type, response type and streaming kind: a channel that records these requests yields the services without
parsing source. Clients wrap the answers of long-running RPCs in an operation that knows its result types; calling them
over the same channel yields these."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Never, TypeAlias

import grpc
from google.api_core.gapic_v1.client_info import ClientInfo
from google.api_core.operation import Operation as OperationFuture
from google.auth.credentials import AnonymousCredentials
from google.longrunning import operations_pb2
from google.protobuf.descriptor import Descriptor

from build_api.sources import Source

Client: TypeAlias = Any
"""A generated client or transport: typed per service only, and handled here alike for all."""

Stub: TypeAlias = Callable[..., operations_pb2.Operation]
"""What a channel gives for a method: called, it gives an empty operation here."""


@dataclass(slots=True)
class Rpc:
    """One method, as its transport asked for it."""

    service: str
    """Full name of the service."""
    name: str
    request: str
    """Full name of the request type."""
    response: str
    client_streaming: bool
    server_streaming: bool
    result: str = ""
    """Full name of what a long-running operation results in; empty for other methods."""
    metadata: str = ""


@dataclass(slots=True)
class ServiceModule:
    """The generated module of one service and what was recorded from it."""

    module: str
    client: Client
    rpcs: list[Rpc]
    left_out: frozenset[str] = frozenset()
    """Names of RPCs that it has and we do not take."""


class _Recorder(grpc.Channel):
    """A channel that notes every stub of a package that it is asked for; all stubs answer with an empty operation."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.rpcs: list[Rpc] = []

    def _record(self, path: str, serializer: Any, deserializer: Any, client: bool, server: bool) -> Stub:
        service, name = path.strip("/").split("/")
        if service.rpartition(".")[0] == self.package:  # the mixins come from protos of their own
            request, response = _type_of(serializer), _type_of(deserializer)
            self.rpcs.append(Rpc(service, name, request.full_name, response.full_name, client, server))
        return lambda *_args, **_kwargs: operations_pb2.Operation()

    def unary_unary(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, *_: Any
    ) -> Any:
        """One request, one answer."""
        return self._record(method, request_serializer, response_deserializer, False, False)

    def unary_stream(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, *_: Any
    ) -> Any:
        """One request, a stream of answers."""
        return self._record(method, request_serializer, response_deserializer, False, True)

    def stream_unary(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, *_: Any
    ) -> Any:
        """A stream of requests, one answer."""
        return self._record(method, request_serializer, response_deserializer, True, False)

    def stream_stream(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, *_: Any
    ) -> Any:
        """Streams both ways."""
        return self._record(method, request_serializer, response_deserializer, True, True)

    def subscribe(self, callback: Any, try_to_connect: Any = False) -> Never:
        """Never asked for by a transport that is not used."""
        raise NotImplementedError

    def unsubscribe(self, callback: Any) -> Never:
        """Never asked for by a transport that is not used."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> "_Recorder":
        return self

    def __exit__(self, *_: object) -> None:
        return None


def _type_of(codec: Any) -> Descriptor:
    """The message type that a serializer or deserializer belongs to, for proto-plus and for plain protobuf."""
    owner = getattr(codec, "__objclass__", None) or codec.__self__
    return owner.pb().DESCRIPTOR if hasattr(owner, "pb") else owner.DESCRIPTOR


def service_modules(source: Source) -> Iterator[ServiceModule]:
    """The services of a source with the RPCs that are taken of them, by module name; those without any are left out."""
    services = importlib.import_module(f"{source.module}.services")
    for found in sorted(pkgutil.iter_modules(services.__path__), key=lambda module: module.name):
        module = _record_service(source, f"{services.__name__}.{found.name}")
        taken = [rpc for rpc in module.rpcs if _is_served(source, rpc)]
        left_out = frozenset(rpc.name for rpc in module.rpcs) - {rpc.name for rpc in taken}
        if taken:
            yield ServiceModule(module.module, module.client, taken, left_out)


def _is_served(source: Source, rpc: Rpc) -> bool:
    name = f"{rpc.service.removeprefix(f'{source.package}.')}.{rpc.name}"
    return not source.served or any(fnmatchcase(name, pattern) for pattern in source.served)


def _record_service(source: Source, module_name: str) -> ServiceModule:
    client_class = _only_class(f"{module_name}.client", "Client")
    transport_class = _only_class(f"{module_name}.transports.grpc", "GrpcTransport")
    recorder = _Recorder(source.package)
    transport = transport_class(channel=recorder, credentials=AnonymousCredentials())
    # The interceptor that transports add for logging hides the channel until a call is made: ask once more without it.
    transport._logged_channel = recorder
    transport._stubs.clear()
    recorder.rpcs.clear()
    transport._prep_wrapped_messages(ClientInfo())
    client = client_class(transport=transport)
    for rpc in recorder.rpcs:
        _note_operation(client, rpc)
    return ServiceModule(module_name, client, sorted(recorder.rpcs, key=lambda rpc: rpc.name))


def _note_operation(client: Client, rpc: Rpc) -> None:
    if rpc.response != "google.longrunning.Operation":
        return
    future = getattr(client, _snake_case(rpc.name))(request={})
    if isinstance(future, OperationFuture):
        rpc.result = _name_of(future._result_type)
        rpc.metadata = _name_of(future._metadata_type)


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _name_of(message_type: Any) -> str:
    return message_type.pb().DESCRIPTOR.full_name if hasattr(message_type, "pb") else message_type.DESCRIPTOR.full_name


def _only_class(module_name: str, suffix: str) -> Any:
    module = importlib.import_module(module_name)
    found = [
        value
        for name, value in vars(module).items()
        if inspect.isclass(value) and name.endswith(suffix) and value.__module__ == module_name
    ]
    if len(found) != 1:
        raise ValueError(f"{module_name}: one class named …{suffix} expected, found {len(found)}")
    return found[0]
