"""The API that the server speaks, as one loaded descriptor set, and its versions.

The set is written when the package is built; messages live in a pool of their own, so that Google's client libraries,
which register the same names in the default pool, can be used in one process with the server.

Handlers speak beta. Each beta package contains its stable one, field by field with the same numbers (the set is checked
for it when it is built): a message of one version is read as the other by its bytes.
"""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from google.api import annotations_pb2, client_pb2, field_behavior_pb2, resource_pb2
from google.api.http_pb2 import HttpRule
from google.longrunning import operations_proto_pb2
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool

from openplaybook.wire.codec import Codec
from openplaybook.wire.errors import ApiNotBuilt
from openplaybook.wire.messages import ApiMessage, Doors, add_field, message_class

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


def _method(descriptor: MethodDescriptor, service: str, version: str) -> Method:
    options: ApiMessage = descriptor.GetOptions()
    operation = options.Extensions[operations_proto_pb2.operation_info]
    return Method(
        full_name=descriptor.full_name,
        service=service,
        name=descriptor.name,
        version=version,
        input=descriptor.input_type,
        output=descriptor.output_type,
        client_streaming=descriptor.client_streaming,
        server_streaming=descriptor.server_streaming,
        bindings=_bindings(options.Extensions[annotations_pb2.http]),
        lro_result=operation.response_type,
    )


def _bindings(rule: HttpRule) -> tuple[Binding, ...]:
    return tuple(
        Binding(verb.upper(), getattr(each, verb), each.body)
        for each in (rule, *rule.additional_bindings)
        for verb in _VERBS
        if getattr(each, verb)
    )


BETA = {"v3": "v3beta1", "v1": "v1beta"}
"""Stable version and the beta version that contains it."""

_OPERATION = "google.longrunning.Operation"
_OPERATIONS = "google.longrunning.ListOperationsResponse"
_STABLE = {beta: stable for stable, beta in BETA.items()}
_VERSION = re.compile(r"\.v[0-9][a-z0-9]*\.")
_VERSIONED = re.compile(r"^(google\.cloud\.(?:dialogflow\.cx|ces))\.(v\w+)\.(.+)$")


def beta_name(name: str) -> str | None:
    """The name in the beta version of something in a stable one; `None` for other names."""
    return _renamed(name, BETA)


def stable_name(name: str) -> str | None:
    """The name in the stable version of something in a beta one, whether it exists there or not; `None` for others."""
    return _renamed(name, _STABLE)


def unversioned(method: str) -> str:
    """The full name of an RPC without the version of its API, whichever API it is of."""
    return _VERSION.sub(".", method, count=1)


def _renamed(name: str, versions: dict[str, str]) -> str | None:
    found = _VERSIONED.match(name)
    if found is None or found[2] not in versions:
        return None
    return f"{found[1]}.{versions[found[2]]}.{found[3]}"


def converted(message: ApiMessage, target: type[ApiMessage]) -> ApiMessage:
    """The message as another version's class; fields that it lacks are dropped."""
    result = target.FromString(message.SerializeToString())
    result.DiscardUnknownFields()
    return result


class OperationVersions:
    """Restates long-running operations, whose results carry the name of their type, in another version."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def restate(self, message: ApiMessage, version: str) -> ApiMessage:
        """An Operation, or a list of them, for a client of `version` (`v3` or `v1`): a copy in which results and
        metadata have the stable version's types, where it has them. Anything else is returned as it is."""
        name = message.DESCRIPTOR.full_name
        if version not in BETA or name not in (_OPERATION, _OPERATIONS):
            return message
        result = type(message)()
        result.CopyFrom(message)
        for operation in result.operations if name == _OPERATIONS else [result]:
            for part in ("response", "metadata"):
                if operation.HasField(part):
                    self._restate_any(getattr(operation, part))
        return result

    def _restate_any(self, value: ApiMessage) -> None:
        prefix, _, type_name = value.type_url.rpartition("/")
        stable = stable_name(type_name)
        if stable is None:
            return
        try:
            target = self._api.message(stable)
        except KeyError:
            return
        inner = target.FromString(value.value)
        inner.DiscardUnknownFields()
        value.type_url, value.value = f"{prefix}/{stable}", inner.SerializeToString(deterministic=True)
