"""The API that the server speaks, as one loaded descriptor set.

The set is written when the package is built; messages live in a pool of their own, so that Google's client libraries,
which register the same names in the default pool, can be used in one process with the server.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from google.api import annotations_pb2, client_pb2, field_behavior_pb2, resource_pb2
from google.api.http_pb2 import HttpRule
from google.longrunning import operations_proto_pb2
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool

from openplaybook.wire.as_written import Doors, add_field
from openplaybook.wire.codec import Codec
from openplaybook.wire.errors import ApiNotBuilt
from openplaybook.wire.messages import ApiMessage, message_class

OPTION_FILES = (annotations_pb2, client_pb2, field_behavior_pb2, resource_pb2, operations_proto_pb2)
"""Files whose extensions must be known before options are read: else they read as absent, without an error."""

_VERBS = ("get", "put", "post", "delete", "patch")


@dataclass(frozen=True, slots=True)
class Binding:
    """One REST route of an RPC (google.api.http)."""

    verb: str
    """HTTP method, upper case."""
    template: str
    """Path template, such as `/v3/{name=projects/*/locations/*}:export`."""
    body: str
    """`*` for the whole request, the name of the field that the body holds, or nothing."""


@dataclass(frozen=True, slots=True)
class Method:
    """One RPC."""

    full_name: str
    """With dots throughout: `google.cloud.dialogflow.cx.v3.Tools.GetTool`."""
    service: str
    """Full name of its service."""
    name: str
    version: str
    """`v3`, `v3beta1`, `v1`, `v1beta`; empty for a service that all versions share (operations, locations)."""
    input: Descriptor
    output: Descriptor
    client_streaming: bool
    server_streaming: bool
    bindings: tuple[Binding, ...]
    """Empty where the RPC is served over gRPC alone."""
    lro_result: str = ""
    """Full name of what its operation results in; empty where it answers at once."""

    @property
    def path(self) -> str:
        """Its gRPC path, `/service/Method`."""
        return f"/{self.service}/{self.name}"


class Api:
    """Messages, methods and the JSON codec of one descriptor set."""

    def __init__(self, descriptors: bytes) -> None:
        self.pool = DescriptorPool()
        """The pool that all message types live in."""
        files = FileDescriptorSet.FromString(descriptors).file
        published = [file.SerializeToString() for file in files]
        for file in files:
            add_field(file)
            self.pool.AddSerializedFile(file.SerializeToString())
        self.codec = Codec(self.pool)
        """The JSON mapping of its messages."""
        self.doors = Doors(self.pool, published)
        """How messages come from and go to clients as bytes."""
        self.methods: Mapping[str, Method] = {
            method.full_name: method
            for file in files
            for service in file.service
            for method in _methods(self.pool, f"{file.package}.{service.name}")
        }
        """Every RPC by full name, mixins and our own included."""

    def message(self, full_name: str) -> type[ApiMessage]:
        """The class of a message; `KeyError` when the API has none of that name."""
        return message_class(self.pool.FindMessageTypeByName(full_name))

    def lro_result(self, method: str) -> str:
        """Full name of the message that a long-running RPC results in; empty for other RPCs, `KeyError` for none."""
        return self.methods[method].lro_result


@functools.cache
def load_api() -> Api:
    """The API of this installation, loaded once per process.

    Raises `ApiNotBuilt` in a checkout where the descriptor set was not generated."""
    file = resources.files("openplaybook.wire").joinpath("_generated", "api.binpb")
    if not file.is_file():
        raise ApiNotBuilt
    return Api(file.read_bytes())


def _methods(pool: DescriptorPool, service: str) -> list[Method]:
    package_end = service.rsplit(".", 2)[-2]
    version = package_end if package_end[0] == "v" and package_end[1:2].isdigit() else ""
    return [_method(found, service, version) for found in pool.FindServiceByName(service).methods]


def _method(found: MethodDescriptor, service: str, version: str) -> Method:
    options: ApiMessage = found.GetOptions()
    operation = options.Extensions[operations_proto_pb2.operation_info]
    return Method(
        full_name=found.full_name,
        service=service,
        name=found.name,
        version=version,
        input=found.input_type,
        output=found.output_type,
        client_streaming=found.client_streaming,
        server_streaming=found.server_streaming,
        bindings=_bindings(options.Extensions[annotations_pb2.http]),
        lro_result=operation.response_type,
    )


def _bindings(rule: HttpRule) -> tuple[Binding, ...]:
    return tuple(
        Binding(verb.upper(), getattr(found, verb), found.body)
        for found in (rule, *rule.additional_bindings)
        for verb in _VERBS
        if getattr(found, verb)
    )
