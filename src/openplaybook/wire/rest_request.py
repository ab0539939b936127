"""A REST request as the message it stands for (google.api.http transcoding).

Query parameters are fields that neither path nor body hold. Their names are paths in camelCase or snake_case
(`queryParams.timeZone=…`); repeated fields come once per element; a FieldMask is one comma-joined value.
"""

from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import parse_qsl

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.wire.codec import Codec, JsonError, parse_text
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage, message_class
from openplaybook.wire.router import RouteMatch

WHOLE = "*"
_MASK = "update_mask"


def read_request(
    codec: Codec, match: RouteMatch, body: bytes | bytearray, parameters: Sequence[tuple[str, str]]
) -> tuple[ApiMessage, frozenset[str]]:
    """The request message and, of an RPC that takes a mask, the paths that its JSON body held.

    The body comes first, then parameters; what the path says replaces what the body says. Raises `RpcError` with
    INVALID_ARGUMENT for anything that does not fit, with its JSON path."""
    binding = match.route.binding
    message = message_class(match.route.method.input)()
    sent: frozenset[str] = frozenset()
    try:
        value: JsonValue = parse_text(body) if body and not body.isspace() else {}
        if binding.body:
            filled = message if binding.body == WHOLE else getattr(message, binding.body)
            codec.from_json(value, filled)
            if _MASK in message.DESCRIPTOR.fields_by_name:
                sent = sent_fields(value, filled.DESCRIPTOR)
        elif value != {}:
            raise JsonError(f"{binding.verb} {binding.template} takes no body")
        query = query_fields(parameters, message.DESCRIPTOR)
        if query:
            codec.from_json(query, message)
        for path, text in match.variables():
            _set(message, path, text)
    except JsonError as error:
        raise RpcError(Code.INVALID_ARGUMENT, f"Invalid JSON payload received. {error}") from error
    except UnicodeDecodeError as error:
        raise RpcError(Code.INVALID_ARGUMENT, "The path is not percent-encoded UTF-8.") from error
    return message, sent


def _set(message: ApiMessage, path: Sequence[str], text: str) -> None:
    for name in path[:-1]:
        message = getattr(message, name)
    setattr(message, path[-1], text)


SYSTEM = frozenset(
    {
        "access_token",
        "alt",
        "callback",
        "fields",
        "key",
        "oauth_token",
        "prettyPrint",
        "quotaUser",
        "uploadType",
        "upload_protocol",
        "userIp",
    }
)
"""Parameters that every Google API takes beside its own; so is anything that begins with `$`."""

_TEXT_MESSAGES = frozenset(
    f"google.protobuf.{name}"
    for name in (
        "BoolValue",
        "BytesValue",
        "DoubleValue",
        "Duration",
        "FieldMask",
        "FloatValue",
        "Int32Value",
        "Int64Value",
        "StringValue",
        "Timestamp",
        "UInt32Value",
        "UInt64Value",
    )
)
"""Messages whose JSON form is one value, which a parameter can hold."""


def parse_query(query: bytes) -> list[tuple[str, str]]:
    """Names and values of a query string; `JsonError` when it is not UTF-8."""
    if not query:
        return []
    try:
        return parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict")
    except ValueError as error:
        raise JsonError("the query string is not percent-encoded UTF-8") from error


def query_fields(parameters: Iterable[tuple[str, str]], descriptor: Descriptor) -> JsonObject:
    """The parameters as the JSON object that they stand for, system parameters left out.

    Raises `JsonError` for a field that the message lacks, that a parameter cannot hold, or that is given twice."""
    result: JsonObject = {}
    for name, text in parameters:
        if name in SYSTEM or name.startswith("$"):
            continue
        try:
            _place(result, name.split("."), text, descriptor)
        except JsonError as error:
            raise error.within(f".{name}") from None
    return result


def _place(target: JsonObject, path: list[str], text: str, descriptor: Descriptor) -> None:
    *outer, last = path
    for name in outer:
        field = _field(descriptor, name)
        if field.message_type is None or field.is_repeated:
            raise JsonError(f"{name} has no fields that a parameter could set")
        target, descriptor = target.setdefault(field.json_name, {}), field.message_type
    field = _field(descriptor, last)
    value = _value(field, text)
    if field.is_repeated:
        target.setdefault(field.json_name, []).append(value)
    elif field.json_name in target:
        raise JsonError("the parameter is given twice")
    else:
        target[field.json_name] = value


def _field(descriptor: Descriptor, name: str) -> FieldDescriptor:
    found = descriptor.fields_by_camelcase_name.get(name) or descriptor.fields_by_name.get(name)
    if found is None:
        allowed = ", ".join(sorted(field.json_name for field in descriptor.fields))
        raise JsonError(f"unknown parameter; the request has the fields {allowed or '(none)'}")
    return found


def _value(field: FieldDescriptor, text: str) -> JsonValue:
    if field.message_type is not None and field.message_type.full_name not in _TEXT_MESSAGES:
        raise JsonError("a message cannot be given as one parameter; name the field within it")
    is_bool = field.type == FieldDescriptor.TYPE_BOOL or (
        field.message_type is not None and field.message_type.full_name == "google.protobuf.BoolValue"
    )
    if not is_bool:
        return text
    if text not in ("true", "false"):
        raise JsonError(f"true or false is expected, not {text!r}")
    return text == "true"


def sent_fields(value: JsonValue, descriptor: Descriptor) -> frozenset[str]:
    """The paths that a JSON body holds, in the message's own names; elements of lists and maps are not entered.

    The body must have been read into the message before: it has no unknown fields."""
    return frozenset(_paths(value, descriptor, ""))


def _paths(value: JsonValue, descriptor: Descriptor, prefix: str) -> Iterator[str]:
    if descriptor.full_name.startswith("google.protobuf."):
        return  # a Struct, a Value: its keys are data
    for key, item in value.items():
        field = _field(descriptor, key)
        yield prefix + field.name
        if type(item) is dict and field.message_type is not None and not field.is_repeated:
            yield from _paths(item, field.message_type, f"{prefix}{field.name}.")
