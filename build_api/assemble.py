"""The descriptor set from start to end."""

import hashlib
from pathlib import Path

from google.api import annotations_pb2, client_pb2, field_behavior_pb2, resource_pb2
from google.cloud.location import locations_pb2
from google.longrunning import operations_proto_pb2 as operations_pb2
from google.protobuf import descriptor_pool, empty_pb2, wrappers_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.rpc import error_details_pb2

from build_api.behaviour import add_field_behaviour, add_resource_patterns
from build_api.discovered_api import add_document
from build_api.extend import add_extensions
from build_api.files import Files
from build_api.http_rules import Binding, bindings_of, set_bindings
from build_api.messages import add_messages
from build_api.mixins import add_mixin_routes
from build_api.needed import keep_needed
from build_api.options import OPERATION_INFO
from build_api.own import add_own_protos
from build_api.place import OUTPUT
from build_api.services import ServiceModule, service_modules
from build_api.sources import BETA_OF, DOCUMENTS, SOURCES, Source
from build_api.superset import complete_beta

ROOT = Path(__file__).resolve().parent.parent
FOUNDATION = (
    annotations_pb2,
    client_pb2,
    field_behavior_pb2,
    resource_pb2,
    error_details_pb2,
    operations_pb2,
    locations_pb2,
    empty_pb2,
    wrappers_pb2,
)
"""Files that the API stands on, or that an Any in it may hold, without importing all of them."""


def build() -> bytes:
    """The descriptor set, the same bytes for the same packages; `ValueError` where the sources do not fit together."""
    files = Files()
    for module in FOUNDATION:
        files.add(module.DESCRIPTOR)
    for source in SOURCES:
        add_messages(files, source)
        add_field_behaviour(files, source)
    for stable, beta in BETA_OF:
        complete_beta(files, stable, beta)
    mixin_bindings: list[tuple[str, Binding]] = []
    for source in SOURCES:
        modules = list(service_modules(source))
        add_resource_patterns(files, source, [module.client for module in modules])
        mixin_bindings += _add_services(files, source, modules)
        if source.served:
            keep_needed(files, source.package)
    for document in DOCUMENTS:
        mixin_bindings += add_document(files, document)
    add_mixin_routes(files, mixin_bindings)
    add_extensions(files)
    add_own_protos(files, ROOT)
    descriptors = files.to_set()
    _check(descriptors)
    return descriptors.SerializeToString(deterministic=True)


def write(root: Path = ROOT) -> str:
    """Writes the descriptor set into the source tree under `root`; returns its SHA-256 in hexadecimal."""
    data = build()
    target = root / OUTPUT
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def _add_services(files: Files, source: Source, modules: list[ServiceModule]) -> list[tuple[str, Binding]]:
    """Adds one file with the services of a source; returns the bindings it has for mixins, by RPC name."""
    file = FileDescriptorProto(
        name=f"{source.module.replace('.', '/')}/services.proto", package=source.package, syntax="proto3"
    )
    file.dependency.extend(found.name for found in files.of_package(source.package))
    file.dependency.extend((operations_pb2.DESCRIPTOR.name, empty_pb2.DESCRIPTOR.name))
    mixins: list[tuple[str, Binding]] = []
    for module in modules:
        bindings = {name: found for name, found in bindings_of(module.module).items() if name not in module.left_out}
        service = file.service.add(name=module.rpcs[0].service.removeprefix(f"{source.package}."))
        for rpc in module.rpcs:
            method = service.method.add(
                name=rpc.name,
                input_type=f".{rpc.request}",
                output_type=f".{rpc.response}",
                client_streaming=rpc.client_streaming,
                server_streaming=rpc.server_streaming,
            )
            set_bindings(method, bindings.pop(rpc.name, ()))
            if rpc.result:
                info = method.options.Extensions[OPERATION_INFO]
                info.response_type, info.metadata_type = rpc.result, rpc.metadata
        mixins += [(name, binding) for name, found in bindings.items() for binding in found]
    files.add_proto(file)
    return mixins


def _check(descriptors: FileDescriptorSet) -> None:
    """Loads the set the way the server does, so that a broken one never ships."""
    pool = descriptor_pool.DescriptorPool()
    for file in descriptors.file:
        pool.AddSerializedFile(file.SerializeToString())
    for file in descriptors.file:
        pool.FindFileByName(file.name)
