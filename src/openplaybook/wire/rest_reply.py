"""One HTTP reply, how its client wants it to look, and whether it was delivered.

The form follows the parameters that every Google API takes beside its own, as documented
(https://cloud.google.com/apis/docs/system-parameters): `alt`, `fields` and `prettyPrint`, each also with `$` before it,
and the header `X-Goog-FieldMask`, which is `fields`; and `Accept-Encoding: gzip` (RFC 9110 §12.5.3).

`fields` selects a part of the answer: `name,tools(displayName,open_api_spec/text_schema)`. Names are in camelCase or
snake_case, `/` or `.` stands before a field within another, brackets hold several, `*` is all of a level.
"""

import gzip
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from starlette.types import Scope, Send

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, dumps_indented
from openplaybook.wire.codec import JsonError
from openplaybook.wire.context import WARNING_HEADER, RpcContext, header_texts
from openplaybook.wire.errors import RpcError, http_status

_LONGEST = 8_000
"""Characters of a selection."""
_DEEPEST = 50
_TOKEN = re.compile(r"[^\s,()/.]+|[,()/.]")
_ALL = "*"
_OPEN = ("google.protobuf.Any", "google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue")
"""Messages whose keys are data."""

_Tree: TypeAlias = "dict[str, _Tree]"
"""Selected names and what is selected within them; nothing there: all of it."""


@dataclass(frozen=True, slots=True)
class FieldSelection:
    """The fields of an answer that its client wants."""

    _tree: _Tree
    """By the names that JSON has for them."""

    @classmethod
    def read(cls, text: str, answer: Descriptor) -> "FieldSelection":
        """A selection of fields of `answer`; `JsonError` for one that is malformed or names what is not there."""
        if len(text) > _LONGEST:
            raise JsonError(f"fields: the selection is longer than {_LONGEST} characters")
        return cls(_named(_Reader(text).whole(), answer, ""))

    def of(self, value: JsonObject) -> JsonObject:
        """What of an answer is wanted."""
        return _selected(self._tree, value)


def _selected(tree: _Tree, value: JsonValue) -> JsonValue:
    if not tree:
        return value
    if isinstance(value, list):
        return [_selected(tree, each) for each in as_list(value)]
    if not isinstance(value, dict):
        return value
    every = tree.get(_ALL)
    selected: JsonObject = {}
    for name, each in as_object(value).items():
        within = tree.get(name, every)
        if within is not None:
            selected[name] = _selected(within, each)
    return selected


def _named(tree: _Tree, message: Descriptor | None, path: str) -> _Tree:
    """The same selection with the names of JSON; each is a field of the message, unless its keys are data."""
    if message is None or message.full_name in _OPEN:
        return tree
    named: _Tree = {}
    for name, within in tree.items():
        if name == _ALL:
            named[name] = within
            continue
        field = message.fields_by_camelcase_name.get(name) or message.fields_by_name.get(name)
        if field is None:
            where = f"{path} has" if path else "the answer has"
            known = ", ".join(sorted(each.json_name for each in message.fields)) or "(none)"
            raise JsonError(f"fields: {where} no field {name[:100]!r}; there are {known}")
        named[field.json_name] = _within(within, field, f"{path}.{name}" if path else name)
    return named


def _within(tree: _Tree, field: FieldDescriptor, path: str) -> _Tree:
    inner = field.message_type
    if not tree or inner is None:
        if tree:
            raise JsonError(f"fields: {path} has no fields to choose from")
        return tree
    if inner.GetOptions().map_entry:
        # Keys are data; what they lead to has fields again.
        value = inner.fields_by_name["value"]
        return {key: _within(each, value, f"{path}.{key}") for key, each in tree.items()}
    return _named(tree, inner, path)


class _Reader:
    """Reads a selection, token by token."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text)
        self._at = 0

    def whole(self) -> _Tree:
        tree = self._list(0)
        if self._at < len(self._tokens):
            raise self._unexpected()
        return tree

    def _list(self, depth: int) -> _Tree:
        if depth > _DEEPEST:
            raise JsonError(f"fields: the selection is nested more than {_DEEPEST} levels deep")
        tree: _Tree = {}
        while True:
            self._item(tree, depth)
            if not self._is_next(","):
                return tree

    def _item(self, tree: _Tree, depth: int) -> None:
        steps = [self._name()]
        while self._is_next("/") or self._is_next("."):
            steps.append(self._name())
            if depth + len(steps) > _DEEPEST:
                raise JsonError(f"fields: the selection is nested more than {_DEEPEST} levels deep")
        within: _Tree = {}
        if self._is_next("("):
            within = self._list(depth + len(steps))
            if not self._is_next(")"):
                raise self._unexpected()
        for step in reversed(steps[1:]):
            within = {step: within}
        _join(tree, steps[0], within)

    def _name(self) -> str:
        if self._at == len(self._tokens) or self._tokens[self._at] in ",()/.":
            raise self._unexpected()
        self._at += 1
        return self._tokens[self._at - 1]

    def _is_next(self, mark: str) -> bool:
        found = self._at < len(self._tokens) and self._tokens[self._at] == mark
        self._at += found
        return found

    def _unexpected(self) -> JsonError:
        found = repr(self._tokens[self._at][:100]) if self._at < len(self._tokens) else "the end"
        return JsonError(f"fields: {found} was not expected as item {self._at + 1}; write a,b/c,d(e,f)")


def _join(tree: _Tree, name: str, within: Mapping[str, _Tree]) -> None:
    """Add one selection to others: what is wanted whole stays whole."""
    if name not in tree:
        tree[name] = dict(within)
    elif not tree[name] or not within:
        tree[name] = {}
    else:
        for each, inner in within.items():
            _join(tree[name], each, inner)


_FIELDS_HEADER = "x-goog-fieldmask"
_WORTH = 1_400
"""Bytes above which an answer is compressed: fewer fit into one packet as they are."""
_LEVEL = 5


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """What a client asked for."""

    enums_as_ints: bool = False
    is_indented: bool = False
    as_events: bool = False
    """A stream as server-sent events rather than as a JSON array."""
    may_be_gzip: bool = False
    selection: FieldSelection | None = None
    """The fields that it wants; None: all."""

    def whole(self, value: JsonObject) -> tuple[bytes, Mapping[str, str]]:
        """An answer as it is sent, and the headers that say how."""
        written = self.item(value)
        if not self.may_be_gzip or len(written) < _WORTH:
            return written, _VARIES
        return gzip.compress(written, _LEVEL, mtime=0), _COMPRESSED

    def item(self, value: JsonObject) -> bytes:
        """One of a stream's answers."""
        if self.selection is not None:
            value = self.selection.of(value)
        return dumps_indented(value).encode() if self.is_indented and not self.as_events else dumps(value)


_USUAL, _USUAL_AS_GZIP = AnswerForm(), AnswerForm(may_be_gzip=True)
"""What nearly all ask for."""

_VARIES = {"Vary": "Accept-Encoding"}
_COMPRESSED = {"Content-Encoding": "gzip", **_VARIES}


def answer_form(
    parameters: Sequence[tuple[str, str]], headers: Mapping[str, str], answer: Descriptor, *, is_stream: bool
) -> AnswerForm:
    """What the parameters of a request, and its headers, whose names are in lower case, ask of its `answer`.

    Raises `JsonError` for what is not served, or not understood.
    """
    if not parameters and _FIELDS_HEADER not in headers:
        return _USUAL_AS_GZIP if _takes_gzip(headers.get("accept-encoding", "")) else _USUAL
    ours = {name.removeprefix("$"): value for name, value in parameters if name.removeprefix("$") in _OURS}
    kind, *options = ours.get("alt", "json").split(";")
    if kind not in ("json", "sse") or (kind == "sse" and not is_stream):
        raise JsonError(f"alt: {kind[:100]!r} is not served; it takes json, and sse for an RPC that streams")
    for option in options:
        if option not in _ENCODINGS:
            raise JsonError(f"alt: {option[:100]!r} is not known; it takes {' or '.join(_ENCODINGS)}")
    fields = ours.get("fields", headers.get(_FIELDS_HEADER, ""))
    return AnswerForm(
        enums_as_ints=_AS_INTS in options,
        is_indented=_truth("prettyPrint", ours.get("prettyPrint", "false")),
        as_events=kind == "sse",
        may_be_gzip=_takes_gzip(headers.get("accept-encoding", "")),
        selection=FieldSelection.read(fields, answer) if fields else None,
    )


_OURS = ("alt", "fields", "prettyPrint")
_AS_INTS = "enum-encoding=int"
_ENCODINGS = (_AS_INTS, "enum-encoding=string")


def _truth(name: str, text: str) -> bool:
    if text not in ("true", "false", "1", "0"):
        raise JsonError(f"{name}: true or false is expected, not {text[:100]!r}")
    return text in ("true", "1")


def _takes_gzip(accepted: str) -> bool:
    for each in accepted.lower().split(","):
        coding, _, weight = each.partition(";")
        if coding.strip() in ("gzip", "x-gzip"):
            return weight.replace(" ", "").rstrip("0").rstrip(".") not in ("q=", "q=0")
    return False


_JSON = (b"content-type", b"application/json; charset=UTF-8")
_EVENTS = (b"content-type", b"text/event-stream; charset=UTF-8")
_NO_SNIFF = (b"x-content-type-options", b"nosniff")


class RestReply:
    """Sends a whole answer, or the items of a stream as a JSON array."""

    def __init__(self, send: Send, *, without_body: bool) -> None:
        self._send = send
        self._without_body = without_body
        self._streaming = False
        self.as_events = False
        """A stream as server-sent events (the HTML standard, §9.2) rather than as a JSON array."""
        self.warnings: Sequence[str] = ()
        """What to tell the client in `x-openplaybook-warning` headers."""

    async def json(self, status: int, value: JsonObject, headers: Mapping[str, str] = MappingProxyType({})) -> None:
        """Sends one JSON object."""
        await self.written(status, dumps(value), headers)

    async def written(self, status: int, body: bytes, headers: Mapping[str, str] = MappingProxyType({})) -> None:
        """Sends one JSON object that is written already."""
        await self._start(status, [(b"content-length", str(len(body)).encode("ascii")), *_encoded(headers)])
        await self._send({"type": "http.response.body", "body": b"" if self._without_body else body})

    async def error(self, error: RpcError, *, status: int | None = None) -> None:
        """Sends an error; where items were sent already, it becomes the last of them and ends the array."""
        if self._streaming:
            await self.item(dumps(error.to_json()))
            await self.end()
        else:
            http_code = http_status(error.code) if status is None else status
            await self.json(http_code, error.to_json(status), error.headers)

    async def item(self, value: bytes) -> None:
        """Sends one more item of a stream, written already."""
        if self.as_events:
            await self._chunk(b"data: ", value + b"\r\n\r\n")
        else:
            await self._chunk(b",\n" if self._streaming else b"[", value)

    async def end(self) -> None:
        """Ends a stream."""
        if not self._streaming:
            await self._chunk(b"" if self.as_events else b"[", b"")
        is_over = self._without_body or self.as_events
        await self._send({"type": "http.response.body", "body": b"" if is_over else b"]"})

    async def empty(self, status: int, headers: Mapping[str, str]) -> None:
        """Sends headers only."""
        await self._start(status, _encoded(headers))
        await self._send({"type": "http.response.body", "body": b""})

    async def _chunk(self, before: bytes, item: bytes) -> None:
        if not self._streaming:
            self._streaming = True
            await self._start(200, [])
        body = b"" if self._without_body else before + item
        await self._send({"type": "http.response.body", "body": body, "more_body": True})

    async def _start(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        headers += [_EVENTS if self._streaming and self.as_events else _JSON, _NO_SNIFF]
        headers += [(WARNING_HEADER.encode("ascii"), text.encode("ascii")) for text in header_texts(self.warnings)]
        await self._send({"type": "http.response.start", "status": status, "headers": headers})


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode("ascii"), value.encode("ascii")) for name, value in headers.items()]


EXTENSION = "openplaybook.delivery"
"""Of a request's scope. ASGI does not say whether an answer reached a connection that still stood: servers take what is
sent to one that is gone, and drop it. Ours says it by this; of others, every answer counts as delivered."""
IS_DELIVERED = "is_delivered"
"""Key of the `Delivery` in the extension."""

Delivery: TypeAlias = Callable[[], Awaitable[bool]]
"""To be asked when the whole answer was sent: whether it left for a connection that still stood."""


async def tell_delivered(scope: Scope, context: RpcContext) -> None:
    """Tell those who asked, if the answer that was sent has left."""
    if not context.on_delivered:
        return
    is_delivered: Delivery | None = scope.get("extensions", {}).get(EXTENSION, {}).get(IS_DELIVERED)
    if is_delivered is None or await is_delivered():
        context.delivered()
