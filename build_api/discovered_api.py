"""An API that is published as a discovery document alone, as a file of messages and services."""

from google.longrunning import operations_proto_pb2 as operations_pb2
from google.protobuf import any_pb2, duration_pb2, empty_pb2, field_mask_pb2, struct_pb2, timestamp_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.rpc import status_pb2

from build_api.discovered_messages import COMMON, message_of, used_types
from build_api.discovered_methods import DiscoveredMethod, methods_of
from build_api.files import Files
from build_api.http_rules import Binding, set_bindings
from build_api.needed import keep_needed
from build_api.options import OPERATION_INFO
from build_api.sources import Document

_OPERATION = "google.longrunning.Operation"
_IMPORTED = (
    any_pb2,
    duration_pb2,
    empty_pb2,
    field_mask_pb2,
    operations_pb2,
    status_pb2,
    struct_pb2,
    timestamp_pb2,
)
"""Files of messages that a document's forms become."""


def add_document(files: Files, document: Document) -> list[tuple[str, Binding]]:
    """Adds the file of a document, with what its RPCs need; returns the bindings it has for mixins, by RPC name."""
    methods = list(methods_of(document))
    own = [method for method in methods if not method.is_mixed_in]
    file = FileDescriptorProto(name=f"{document.package.replace('.', '/')}.proto", package=document.package)
    file.syntax = "proto3"
    requests = {method.request: {"properties": method.properties} for method in own}
    schemas = {name: schema for name, schema in document.read()["schemas"].items() if name not in COMMON}
    for name, schema in sorted({**schemas, **requests}.items()):
        if name in requests or not name.endswith("Request"):
            file.message_type.append(message_of(document, name, schema))
    for method in own:
        _add_rpc(file, document, method)
    files.add_proto(file)
    keep_needed(files, document.package)
    _import_used(files, file)
    return [(method.name, method.binding) for method in methods if method.is_mixed_in]


def _add_rpc(file: FileDescriptorProto, document: Document, method: DiscoveredMethod) -> None:
    known = [service for service in file.service if service.name == method.service]
    service = known[0] if known else file.service.add(name=method.service)
    response = COMMON.get(method.response, f"{document.package}.{method.response}")
    rpc = service.method.add(
        name=method.name, input_type=f".{document.package}.{method.request}", output_type=f".{response}"
    )
    set_bindings(rpc, (method.binding,))
    if response == _OPERATION:
        info = rpc.options.Extensions[OPERATION_INFO]
        result = document.results[method.name]
        info.response_type = result if "." in result else f"{document.package}.{result}"
        info.metadata_type = f"{document.package}.{document.metadata}"


def _import_used(files: Files, file: FileDescriptorProto) -> None:
    used = {name for message in file.message_type for name in used_types(message)}
    used |= {method.output_type.lstrip(".") for service in file.service for method in service.method}
    for module in _IMPORTED:
        descriptor = module.DESCRIPTOR
        if any(message.full_name in used for message in descriptor.message_types_by_name.values()):
            files.add(descriptor)
            file.dependency.append(descriptor.name)
