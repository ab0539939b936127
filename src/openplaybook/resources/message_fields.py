"""Reading and copying the fields of any protobuf message by its descriptor."""

from typing import TypeVar, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

AnyMessage = TypeVar("AnyMessage", bound=Message)


def descriptor_of(message: Message) -> Descriptor:
    """The message's type."""
    return cast(Descriptor, message.DESCRIPTOR)


def is_map(field: FieldDescriptor) -> bool:
    """Whether the field is a `map<…>`."""
    message = field.message_type
    return message is not None and message.GetOptions().map_entry


def is_message(field: FieldDescriptor) -> bool:
    """Whether the field holds a message, or a list of them; maps do not count."""
    return field.message_type is not None and not is_map(field)


def is_well_known(field: FieldDescriptor) -> bool:
    """Whether a message field is one value to the reader: Struct, Timestamp, and the like."""
    return field.message_type is not None and field.message_type.full_name.startswith("google.protobuf.")


def is_set(message: Message, field: FieldDescriptor) -> bool:
    """Whether the field is present, or, where presence is not tracked, differs from its default."""
    if field.has_presence:
        return message.HasField(field.name)
    if field.is_repeated:
        return len(getattr(message, field.name)) > 0
    return getattr(message, field.name) != field.default_value


def copy_field(source: Message, target: Message, field: FieldDescriptor) -> None:
    """Make `target`'s field what it is in `source`, unset included."""
    target.ClearField(field.name)
    if not is_set(source, field):
        return
    value = getattr(source, field.name)
    if field.is_repeated:
        getattr(target, field.name).MergeFrom(value)
    elif field.message_type is not None:
        getattr(target, field.name).SetInParent()
        getattr(target, field.name).CopyFrom(value)
    else:
        setattr(target, field.name, value)


def copy_of(message: AnyMessage) -> AnyMessage:
    """A message equal to this one."""
    twin = type(message)()
    twin.CopyFrom(message)
    return twin
