"""The stored form of a resource: its v3beta1 message as compact UTF-8 JSON, and the entity tag of that form.

v3beta1 is a superset of v3, so one form serves both versions; JSON keeps the store readable and free of
generated code. Only messages with an `etag` field have entity tags (https://google.aip.dev/154).
"""

import base64
import hashlib
from collections.abc import Iterator
from typing import Protocol

from google.protobuf.message import Message

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads
from openplaybook.resources.errors import EtagMismatch
from openplaybook.resources.message_fields import AnyMessage


class JsonCodec(Protocol):
    """Proto3 JSON in both directions."""

    def to_json(self, message: Message) -> JsonObject:
        """The message as a JSON object."""
        ...

    def from_json(self, value: JsonValue, message: Message) -> Message:
        """Fill `message` from a JSON object and return it."""
        ...


def to_body(message: Message, codec: JsonCodec) -> bytes:
    """What the store keeps of a message."""
    return dumps(codec.to_json(message))


def from_body(body: bytes, message: AnyMessage, codec: JsonCodec) -> AnyMessage:
    """Fill an empty message from what the store kept, and return it."""
    codec.from_json(loads(body), message)
    return message


def in_order_of(value: JsonValue, model: JsonValue) -> JsonValue:
    """What a message made of the JSON `model`, its members in the order they have there and its numbers spelled as
    there; a member that the model lacks stays behind the one it is behind.

    A message does not keep the order of a Struct's members, and people and models read a schema from top to bottom.
    Nor does it keep how a number was written: an agent that goes in and out has `1` and `0.89999998` where it had them,
    not `1.0` and `0.9`.
    """
    return _as_in(value, model, value)


def updated(value: JsonValue, stored: JsonValue, before: JsonValue) -> JsonValue:
    """The same of a new state in the place of a stored one, which a message made into `before`: a number that is
    another one now stands as it is."""
    return _as_in(value, stored, before)


def _as_in(value: JsonValue, model: JsonValue, plain: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        wanted, members, same = as_object(model), as_object(value), as_object(plain)
        return {name: _as_in(members[name], wanted.get(name), same.get(name)) for name in _ordered(members, wanted)}
    if isinstance(value, list):
        items = as_list(value)
        models, plains = ([*as_list(each), *[None] * len(items)] for each in (model, plain))
        return [_as_in(*each) for each in zip(items, models, plains, strict=False)]
    is_number = isinstance(model, (int, float)) and not isinstance(model, bool)
    return model if is_number and isinstance(value, float) and value == plain else value


def _ordered(members: JsonObject, wanted: JsonObject) -> Iterator[str]:
    behind: dict[str, list[str]] = {"": []}
    known = ""
    for name in members:
        if name in wanted:
            known = name
        else:
            behind.setdefault(known, []).append(name)
    yield from behind[""]
    for name in wanted:
        if name in members:
            yield name
            yield from behind.get(name, ()) if name else ()


def etag_of(body: bytes) -> str:
    """The tag of a stored body: the same for the same content."""
    return base64.urlsafe_b64encode(hashlib.sha256(body).digest()[:12]).decode("ascii")


def check_etag(etag: str, body: bytes, name: str) -> None:
    """Raise `EtagMismatch` unless the caller gave no tag or that of `body`."""
    if etag and etag != etag_of(body):
        raise EtagMismatch(name)
