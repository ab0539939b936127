"""Fields that a client's types lack, and that it therefore drops when it reads a resource and writes it back.

Such are our additions to Google's messages, numbered from 100000, and for clients of the stable version whatever only
the beta version has. An update keeps them.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from openplaybook.resources.message_fields import (
    AnyMessage,
    copy_field,
    copy_of,
    descriptor_of,
    is_message,
    is_set,
    is_well_known,
)

EXTENSION_NUMBERS = range(100_000, 200_000)
"""Field numbers that are ours. Beyond them are those of APIs without protos, whose fields are all Google's."""

Path: TypeAlias = tuple[str, ...]
"""Field names (snake_case) from a message down to one of its fields."""

Unseen: TypeAlias = Callable[[FieldDescriptor], bool]
"""Whether a client cannot see a field."""


def is_extension(field: FieldDescriptor) -> bool:
    """Whether the field is one of ours, which no typed client can see."""
    return field.number in EXTENSION_NUMBERS


def keep_unseen(stored: Message, merged: Message, is_unseen: Unseen, named: frozenset[Path], at: Path = ()) -> None:
    """Give `merged` the stored values of unseen fields that it lacks and that are not `named`, at every depth.

    A member of a oneof is not kept when another member was chosen.
    """
    for field in descriptor_of(merged).fields:
        path = (*at, field.name)
        if is_unseen(field):
            if path not in named and _is_open(merged, field) and is_set(stored, field):
                copy_field(stored, merged, field)
        elif _is_looked_into(field):
            for old, new in _matching_parts(stored, merged, field, is_unseen):
                keep_unseen(old, new, is_unseen, named, path)


def _is_open(message: Message, field: FieldDescriptor) -> bool:
    """Whether nothing stands where the field's value would."""
    oneof = field.containing_oneof
    return not is_set(message, field) and (oneof is None or message.WhichOneof(oneof.name) is None)


def _is_looked_into(field: FieldDescriptor) -> bool:
    return is_message(field) and not is_well_known(field)


def _matching_parts(
    stored: Message, merged: Message, field: FieldDescriptor, is_unseen: Unseen
) -> Iterator[tuple[Message, Message]]:
    """The parts of both messages that are the same thing: items of a list are, when they stand at the same place and
    look equal to the client."""
    if not field.is_repeated:
        if merged.HasField(field.name) and stored.HasField(field.name):
            yield getattr(stored, field.name), getattr(merged, field.name)
        return
    for old, new in zip(getattr(stored, field.name), getattr(merged, field.name), strict=False):
        if _as_seen(old, is_unseen) == _as_seen(new, is_unseen):
            yield old, new


def _as_seen(message: AnyMessage, is_unseen: Unseen) -> AnyMessage:
    visible = copy_of(message)
    _clear_unseen(visible, is_unseen)
    return visible


def _clear_unseen(message: Message, is_unseen: Unseen) -> None:
    for field in descriptor_of(message).fields:
        if is_unseen(field):
            message.ClearField(field.name)
        elif _is_looked_into(field) and is_set(message, field):
            for part in getattr(message, field.name) if field.is_repeated else [getattr(message, field.name)]:
                _clear_unseen(part, is_unseen)
