"""Adds the extension fields to the assembled files."""

from collections.abc import Iterable, Set

from google.protobuf import duration_pb2, struct_pb2
from google.protobuf.descriptor_pb2 import FieldDescriptorProto
from google.rpc import status_pb2

from build_api.extensions import (
    BETA_FIELDS,
    BETA_TYPES,
    CES_FIELDS,
    CES_TYPES,
    CONNECTOR_FIELDS,
    FIELDS,
    STORE_FIELDS,
    STORE_TYPES,
    TYPES,
    ExtraEnum,
    ExtraField,
    ExtraMessage,
)
from build_api.files import Files, import_file
from build_api.sources import CES_V1, CES_V1BETA, CONNECTORS_V2, DIALOGFLOW_V3, DIALOGFLOW_V3BETA1, DISCOVERY_ENGINE

NUMBERS = range(100_000, 200_000)
"""Numbers of our fields; the server tells by them which fields are ours."""
IMPORTS = {"google.protobuf.Duration": duration_pb2.DESCRIPTOR.name, "google.rpc.Status": status_pb2.DESCRIPTOR.name}
"""Files of types of other packages; those that are not listed are in that of `Struct`."""
SCALARS = {
    "string": FieldDescriptorProto.TYPE_STRING,
    "bool": FieldDescriptorProto.TYPE_BOOL,
    "int32": FieldDescriptorProto.TYPE_INT32,
    "float": FieldDescriptorProto.TYPE_FLOAT,
}


def add_extensions(files: Files) -> None:
    """Adds every entry of `extensions` to all versions of its API; `ValueError` where one stands in the way."""
    for package in (DIALOGFLOW_V3.package, DIALOGFLOW_V3BETA1.package):
        enums: set[str] = set()
        for extra in TYPES:
            message, _ = files.message(package, extra.message)
            if isinstance(extra, ExtraEnum):
                enum = message.enum_type.add(name=extra.name)
                for number, name in enumerate(extra.values):
                    enum.value.add(name=name, number=number)
                enums.add(f"{extra.message}.{extra.name}")
            else:
                message.nested_type.add(name=extra.name)
        for field in FIELDS:
            _add_field(files, package, field, enums)
    _add_messages(files, DIALOGFLOW_V3BETA1.package, BETA_TYPES, BETA_FIELDS)
    for package in (CES_V1.package, CES_V1BETA.package):
        _add_messages(files, package, CES_TYPES, CES_FIELDS)
    _add_messages(files, DISCOVERY_ENGINE.package, STORE_TYPES, STORE_FIELDS)
    _add_messages(files, CONNECTORS_V2.package, (), CONNECTOR_FIELDS)


def _add_messages(files: Files, package: str, types: Iterable[ExtraMessage], fields: Iterable[ExtraField]) -> None:
    for extra in types:
        message, _ = files.message(package, extra.message)
        message.nested_type.add(name=extra.name)
    for field in fields:
        _add_field(files, package, field, frozenset())


def _add_field(files: Files, package: str, extra: ExtraField, enums: Set[str]) -> None:
    message, file = files.message(package, extra.message)
    if extra.number not in NUMBERS:
        raise ValueError(f"{extra.message}.{extra.name}: our numbers are {NUMBERS[0]} to {NUMBERS[-1]}")
    if any(field.name == extra.name or field.number == extra.number for field in message.field):
        raise ValueError(f"{extra.message}.{extra.name}: the name or number is taken")
    field = message.field.add(name=extra.name, number=extra.number, json_name=_camel_case(extra.name))
    field.label = FieldDescriptorProto.LABEL_REPEATED if extra.repeated else FieldDescriptorProto.LABEL_OPTIONAL
    if extra.kind in SCALARS:
        field.type = SCALARS[extra.kind]
    elif extra.kind in enums:
        field.type, field.type_name = FieldDescriptorProto.TYPE_ENUM, f".{package}.{extra.kind}"
    elif extra.kind.startswith(("google.protobuf.", "google.rpc.")):
        field.type, field.type_name = FieldDescriptorProto.TYPE_MESSAGE, f".{extra.kind}"
        import_file(file, IMPORTS.get(extra.kind, struct_pb2.DESCRIPTOR.name))
    else:
        field.type, field.type_name = FieldDescriptorProto.TYPE_MESSAGE, f".{package}.{extra.kind}"


def _camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)
