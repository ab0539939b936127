"""A REST request: its body, read within limits, and the message that it stands for (google.api.http transcoding).

Limits of a body are those of size, of time, and of what the server holds at once; they count decompressed bytes. A body
that is declared too large is refused before any of it is read, another as soon as it is; no compressed body is inflated
beyond its limit.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import parse_qsl

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from starlette.types import Receive

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.wire.bytes_in_flight import MESSAGE_AT_ONCE, Aside, Inflation, Reservation
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
    known = descriptor.fields_by_camelcase_name.get(name) or descriptor.fields_by_name.get(name)
    if known is None:
        allowed = ", ".join(sorted(field.json_name for field in descriptor.fields))
        raise JsonError(f"unknown parameter; the request has the fields {allowed or '(none)'}")
    return known


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


PAYLOAD_TOO_LARGE = 413
REQUEST_TIMEOUT = 408

ARRIVAL_S = 30.0
"""Seconds that any body has to arrive."""

SLOWEST_BYTES_S = 256 * 1024
"""Bytes a second of the slowest sender of a large one, which has that much more time."""


class BodyRefused(RpcError):
    """A body that is not read; `http_status` is what REST answers."""

    def __init__(self, code: Code, message: str, http_status: int) -> None:
        super().__init__(code, message)
        self.http_status = http_status


class Disconnected(Exception):
    """The client is gone; nobody is answered."""


class RestBody:
    """The body of one request."""

    def __init__(self, headers: Mapping[str, str], most: int, room: Reservation, aside: Aside) -> None:
        """`most`: bytes that it may have, decompressed; its room is taken before its bytes are.

        Raises INVALID_ARGUMENT for a compression that is not gzip."""
        encoding = headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("identity", "gzip", "x-gzip"):
            sentence = f"The content encoding {encoding[:100]!r} is not supported; send JSON without it, or with gzip."
            raise RpcError(Code.INVALID_ARGUMENT, sentence)
        self._is_compressed = encoding != "identity"
        self._declared = _declared(headers)
        self._most = most
        self._room = room
        self._aside = aside
        self._sent = bytearray()

    async def arrive(self, receive: Receive) -> None:
        """Take it as it was sent.

        Raises `BodyRefused` with 413 or 408, RESOURCE_EXHAUSTED where the server holds too much already, and
        `Disconnected`.
        """
        # What cannot be made smaller grows a little.
        most = self._most + self._most // 1000 + 64 if self._is_compressed else self._most
        self._check(self._declared, most)
        # What is declared is taken at once, so that bodies are refused rather than stopped half way.
        self._room.grow(self._declared)
        arrival = _Arrival(receive)
        while arrival.is_on_its_way:
            piece = await arrival.piece()
            size = len(self._sent) + len(piece)
            self._check(size, most)
            self._room.grow(size)
            # As it comes: to fill all that is declared with zeros first keeps everybody else waiting.
            self._sent += piece

    @property
    def takes_time(self) -> bool:
        """Whether what came is large, or has to be decompressed."""
        return self._is_compressed or len(self._sent) > MESSAGE_AT_ONCE

    async def plain(self) -> bytes | bytearray:
        """What came, decompressed; it is not kept here.

        Raises `BodyRefused` with 413, INVALID_ARGUMENT for what is not whole, RESOURCE_EXHAUSTED.
        """
        sent, self._sent = self._sent, bytearray()
        if not self._is_compressed or not sent:
            return sent
        return await Inflation("body", "gzip", self._room, self._aside).plain(sent, self._check)

    def _check(self, size: int, limit: int | None = None) -> None:
        if size > (self._most if limit is None else limit):
            sentence = f"Request payload size exceeds the limit: {self._most} bytes."
            raise BodyRefused(Code.INVALID_ARGUMENT, sentence, PAYLOAD_TOO_LARGE)


def _declared(headers: Mapping[str, str]) -> int:
    text = headers.get("content-length", "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0


class _Arrival:
    """Pieces of a body as they come, in the time that they have."""

    def __init__(self, receive: Receive) -> None:
        self.is_on_its_way = True
        self._receive = receive
        self._arrived = 0
        self._begun = asyncio.get_running_loop().time()

    async def piece(self) -> bytes:
        # Of what has come, not of what is said to come: who says much and sends nothing holds its room no longer.
        seconds = ARRIVAL_S + self._arrived // SLOWEST_BYTES_S
        try:
            async with asyncio.timeout_at(self._begun + seconds):
                event = await self._receive()
        except TimeoutError as error:
            sentence = f"The request's body did not arrive within {seconds:g} s."
            raise BodyRefused(Code.DEADLINE_EXCEEDED, sentence, REQUEST_TIMEOUT) from error
        if event["type"] == "http.disconnect":
            raise Disconnected
        piece: bytes = event.get("body", b"")
        self._arrived += len(piece)
        self.is_on_its_way = event.get("more_body", False)
        return piece
