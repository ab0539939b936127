"""The stored form of a resource: its v3beta1 message as compact UTF-8 JSON.

v3beta1 is a superset of v3, so one form serves both versions; JSON keeps the store readable and free of
generated code.
"""

from typing import Protocol

from google.protobuf.message import Message

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads
from openplaybook.resources.fields import AnyMessage


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
    """The same JSON, members of objects in the order they have in `model`; those it lacks come last.

    A message does not keep the order of a Struct's members, and people and models read a schema from top to bottom.
    """
    if isinstance(value, dict):
        wanted, members = as_object(model), as_object(value)
        names = [*(name for name in wanted if name in members), *(name for name in members if name not in wanted)]
        return {name: in_order_of(members[name], wanted.get(name)) for name in names}
    if isinstance(value, list):
        models = [*as_list(model), *[None] * len(as_list(value))]
        return [in_order_of(item, like) for item, like in zip(as_list(value), models, strict=False)]
    return value
