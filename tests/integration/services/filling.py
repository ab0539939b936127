"""Messages with every field set, for tests that nothing a client may write is lost."""

import random

from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from openplaybook.wire.messages import ApiMessage

_DEPTH = 9
"""Deep enough for every message type below the resources of Dialogflow CX."""

_ALPHABET = 'abcXYZ019 _-/$ü漢🙂"\\\n'
_INTEGERS = {
    FieldDescriptor.CPPTYPE_INT32: 2**31 - 1,
    FieldDescriptor.CPPTYPE_INT64: 2**63 - 1,
    FieldDescriptor.CPPTYPE_UINT32: 2**32 - 1,
    FieldDescriptor.CPPTYPE_UINT64: 2**64 - 1,
}


def is_output_only(field: FieldDescriptor) -> bool:
    """Whether a client may not write the field."""
    for option, value in field.GetOptions().ListFields():
        if option.full_name == "google.api.field_behavior":
            return field_behavior_pb2.OUTPUT_ONLY in value
    return False


class Filler:
    """Fills messages; of a oneof, some member."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.visited: set[str] = set()
        """Full names of the fields set so far."""

    def fill(self, message: ApiMessage, depth: int = 0) -> ApiMessage:
        """Set every field of the message that a client may write, at every depth; the message itself."""
        descriptor = message.DESCRIPTOR
        skipped = {member.name for oneof in descriptor.oneofs for member in oneof.fields} - self._chosen(descriptor)
        for field in descriptor.fields:
            if is_output_only(field) or field.name in skipped:
                continue
            if field.message_type is not None and depth >= _DEPTH:
                continue
            self.visited.add(field.full_name)
            self._set(message, field, depth)
        return message

    def text(self) -> str:
        """Some text, never empty."""
        return "".join(self._random.choices(_ALPHABET, k=self._random.randint(1, 12)))

    def _chosen(self, descriptor: Descriptor) -> set[str]:
        oneofs = [[member for member in oneof.fields if not is_output_only(member)] for oneof in descriptor.oneofs]
        return {self._random.choice(members).name for members in oneofs if members}

    def _set(self, message: ApiMessage, field: FieldDescriptor, depth: int) -> None:
        target = getattr(message, field.name)
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            self._set_entry(target, field.message_type.fields_by_name["value"], depth)
        elif field.message_type is not None:
            if not field.is_repeated:
                target.SetInParent()
            self._fill_message(target.add() if field.is_repeated else target, field.message_type.full_name, depth)
        elif field.is_repeated:
            target.append(self._scalar(field))
        else:
            setattr(message, field.name, self._scalar(field))

    def _set_entry(self, entries: ApiMessage, value: FieldDescriptor, depth: int) -> None:
        if value.message_type is None:
            entries[self.text()] = self._scalar(value)
        else:
            self._fill_message(entries[self.text()], value.message_type.full_name, depth)

    def _fill_message(self, message: ApiMessage, type_name: str, depth: int) -> None:
        if type_name == "google.protobuf.Struct":
            message.update(self._struct())
        elif type_name == "google.protobuf.Value":
            message.struct_value.update(self._struct())
        elif type_name == "google.protobuf.Timestamp" or type_name == "google.protobuf.Duration":
            message.FromMicroseconds(self._random.randrange(2**50))
        else:
            self.fill(message, depth + 1)

    def _struct(self) -> dict[str, object]:
        number = self._random.choice([0, -1.5, 1e300, 2.0**53, self._random.random()])
        return {self.text(): [self.text(), number, True, None, {"nested": {}}]}

    def _scalar(self, field: FieldDescriptor) -> object:
        if field.enum_type is not None:
            return self._random.choice([value.number for value in field.enum_type.values if value.number])
        if field.cpp_type in _INTEGERS:
            return self._random.randint(1, _INTEGERS[field.cpp_type])
        if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
            return True
        if field.cpp_type == FieldDescriptor.CPPTYPE_FLOAT:
            return self._random.randint(1, 2**20) / 1024
        if field.cpp_type == FieldDescriptor.CPPTYPE_DOUBLE:
            return self._random.uniform(-1e9, 1e9)
        return self._random.randbytes(5) if field.type == FieldDescriptor.TYPE_BYTES else self.text()


def writable_fields(descriptor: Descriptor, depth: int = 0, found: set[str] | None = None) -> set[str]:
    """Full names of all fields that `Filler` can reach from a message type."""
    found = set() if found is None else found
    for field in descriptor.fields:
        if is_output_only(field) or field.full_name in found or (field.message_type is not None and depth >= _DEPTH):
            continue
        found.add(field.full_name)
        message = field.message_type
        if message is not None and message.GetOptions().map_entry:
            message = message.fields_by_name["value"].message_type
        if message is not None and not message.full_name.startswith("google.protobuf."):
            writable_fields(message, depth + 1, found)
    return found
