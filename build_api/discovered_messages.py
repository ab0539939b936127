"""Messages and enums of an API that is published as a discovery document alone.

The document says the JSON form of each message; the message made here has that form. Fields have the names that
field masks expect (`authConfig` is `auth_config`; a leading `$` or `_`, which proto names lack, stays in the JSON name
only). Enums, which documents list where they are used, are nested in their message.
"""

import re
from collections.abc import Iterator, Mapping

from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FieldDescriptorProto

from build_api.behaviour import markers_of
from build_api.options import FIELD_BEHAVIOR, RESOURCE
from build_api.sources import Document, DocumentPart
from build_api.stable_numbers import check_distinct, enum_numbers, field_number

_Field = FieldDescriptorProto

COMMON: Mapping[str, str] = {
    "CancelOperationRequest": "google.longrunning.CancelOperationRequest",
    "Empty": "google.protobuf.Empty",
    "ListLocationsResponse": "google.cloud.location.ListLocationsResponse",
    "ListOperationsResponse": "google.longrunning.ListOperationsResponse",
    "Location": "google.cloud.location.Location",
    "Operation": "google.longrunning.Operation",
    "Status": "google.rpc.Status",
}
"""Schemas that every API has, and the messages that they are."""

_SCALARS: Mapping[tuple[str, str], "_Field.Type.ValueType"] = {
    ("boolean", ""): _Field.TYPE_BOOL,
    ("integer", "int32"): _Field.TYPE_INT32,
    ("integer", "uint32"): _Field.TYPE_UINT32,
    ("number", "double"): _Field.TYPE_DOUBLE,
    ("number", "float"): _Field.TYPE_FLOAT,
    ("string", ""): _Field.TYPE_STRING,
    ("string", "byte"): _Field.TYPE_BYTES,
    ("string", "int64"): _Field.TYPE_INT64,
    ("string", "uint64"): _Field.TYPE_UINT64,
}
_TEXT_FORMS: Mapping[str, str] = {
    "google-datetime": "google.protobuf.Timestamp",
    "google-duration": "google.protobuf.Duration",
    "google-fieldmask": "google.protobuf.FieldMask",
}
_ANY_MARK = "@type"
_FORMAT = re.compile(r"Format: (projects(?:/\w+|/\{\w+\})+)")


def message_of(document: Document, name: str, schema: DocumentPart) -> DescriptorProto:
    """The message of a schema, or of parameters in the form of one; `ValueError` for a form that is not known."""
    message = DescriptorProto(name=name)
    choices = document.choices.get(name, {})
    members = {member: choice for choice, names in choices.items() for member in names}
    for choice in choices:
        message.oneof_decl.add(name=choice)
    for json_name, form in sorted(schema.get("properties", {}).items(), key=lambda item: item[0].lstrip("$_")):
        field = _add_field(document, message, json_name, form)
        if json_name in members:
            field.oneof_index = list(choices).index(members[json_name])
        _mark(field, form)
    check_distinct(name, {field.json_name: field.number for field in message.field})
    _add_pattern(document, message, schema)
    return message


def field_name(json_name: str) -> str:
    """The proto name of a field."""
    return re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", json_name.lstrip("$_"))


def class_name(json_name: str) -> str:
    """The name of a type or service that is called after a member of JSON."""
    return json_name[:1].upper() + json_name[1:]


def _add_field(document: Document, message: DescriptorProto, json_name: str, form: DocumentPart) -> _Field:
    field = message.field.add(
        name=field_name(json_name), json_name=json_name, number=field_number(json_name.lstrip("$_"))
    )
    single = form["items"] if form.get("type") == "array" else form
    is_map = _is_map(single)
    field.label = _Field.LABEL_REPEATED if single is not form or is_map else _Field.LABEL_OPTIONAL
    if is_map:
        if single is not form:
            raise ValueError(f"{message.name}.{json_name}: protobuf has no list of maps")
        entry = message.nested_type.add(name=f"{_camel_case(field.name)}Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", json_name="key", number=1, type=_Field.TYPE_STRING, label=_Field.LABEL_OPTIONAL)
        value = entry.field.add(name="value", json_name="value", number=2, label=_Field.LABEL_OPTIONAL)
        _set_type(document, entry, value, single["additionalProperties"])
        field.type, field.type_name = _Field.TYPE_MESSAGE, f".{document.package}.{message.name}.{entry.name}"
    else:
        _set_type(document, message, field, single)
    return field


def _is_map(form: DocumentPart) -> bool:
    """Whether an object has values of one known form; with any values it is a Struct, or an Any."""
    values = form.get("additionalProperties")
    return values is not None and values.get("type") != "any"


def _set_type(document: Document, message: DescriptorProto, field: _Field, form: DocumentPart) -> None:
    kind, text_form = form.get("type", ""), form.get("format", "")
    if "enum" in form:
        field.type = _Field.TYPE_ENUM
        field.type_name = f".{document.package}.{message.name}.{_enum(message, field, form['enum'])}"
    elif (kind, text_form) in _SCALARS:
        field.type = _SCALARS[kind, text_form]
    else:
        field.type, field.type_name = _Field.TYPE_MESSAGE, f".{_message_type(document, form)}"


def _message_type(document: Document, form: DocumentPart) -> str:
    if "$ref" in form:
        return COMMON.get(form["$ref"], f"{document.package}.{form['$ref']}")
    kind, text_form = form["type"], form.get("format", "")
    if kind == "string" and text_form in _TEXT_FORMS:
        return _TEXT_FORMS[text_form]
    if kind == "any":
        return "google.protobuf.Value"
    if kind == "object" and not form.get("properties"):
        is_any = _ANY_MARK in form.get("additionalProperties", {}).get("description", "")
        return "google.protobuf.Any" if is_any else "google.protobuf.Struct"
    raise ValueError(f"a {kind} of the format {text_form!r} is not known here")


def _enum(message: DescriptorProto, field: _Field, values: list[str]) -> str:
    """The name of the enum in a message that has these values: values are names of the message around their enum, so
    two fields with the same ones have one enum."""
    numbers = enum_numbers(values)
    for known in message.enum_type:
        if {value.name: value.number for value in known.value} == numbers:
            return known.name
    enum = EnumDescriptorProto(name=class_name(_camel_case(field.name)))
    for value, number in numbers.items():
        enum.value.add(name=value, number=number)
    message.enum_type.append(enum)
    return enum.name


def _mark(field: _Field, form: DocumentPart) -> None:
    behaviours = markers_of(form.get("description", ""), read_only=form.get("readOnly", False))
    if behaviours:
        field.options.Extensions[FIELD_BEHAVIOR].extend(sorted(behaviours))


def _add_pattern(document: Document, message: DescriptorProto, schema: DocumentPart) -> None:
    found = _FORMAT.search(schema.get("properties", {}).get("name", {}).get("description", ""))
    if found:
        descriptor = message.options.Extensions[RESOURCE]
        descriptor.type = f"{document.host}/{message.name}"
        descriptor.pattern.append(found[1])


def _camel_case(name: str) -> str:
    return "".join(class_name(part) for part in name.split("_"))


def used_types(message: DescriptorProto) -> Iterator[str]:
    """Full names of the types that the fields of a message have, without the leading dot."""
    for field in message.field:
        if field.type_name:
            yield field.type_name.lstrip(".")
    for nested in message.nested_type:
        yield from used_types(nested)
