"""Protobuf messages as the type checker sees them."""

from typing import Any, TypeAlias

from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor

ApiMessage: TypeAlias = Any
"""A message of the API. Its class is made from descriptors when the server starts: no static type knows its fields."""


def message_class(descriptor: Descriptor) -> type[ApiMessage]:
    """The class of a message type; the same one every time."""
    return message_factory.GetMessageClass(descriptor)
