"""Random messages of any type, the same for the same seed."""

import random
import struct
from collections.abc import Iterator

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from openplaybook.wire.api import Api
from openplaybook.wire.messages import AS_WRITTEN, ApiMessage, message_class

INTEGERS = {
    FieldDescriptor.TYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_UINT64: (0, 2**64 - 1),
}
WORDS = ("", "a", "Ünïcode ✓ 🙂", 'quote " and \\ and \n', "projects/p/locations/global", "0", "null", "a:b")
MASK_PATHS = ("name", "display_name", "open_api_spec.text_schema", "a")
DOUBLES = (0.0, -0.0, 1.0, -1.5, 1e300, 5e-324, 2.0**53, 2.0**53 + 2, float("inf"), float("-inf"), float("nan"))
FLOATS = (0.0, 1.0, 0.1, 3.4e38, 1e-45, 16777216.0, float("inf"), float("nan"))


def all_types(api: Api) -> Iterator[Descriptor]:
    """Every message type that a method takes or gives, and all that these hold, by name."""
    found: dict[str, Descriptor] = {}

    def visit(descriptor: Descriptor) -> None:
        if descriptor.full_name not in found:
            found[descriptor.full_name] = descriptor
            for field in descriptor.fields:
                if field.message_type is not None:
                    visit(field.message_type)

    for method in api.methods.values():
        visit(method.input)
        visit(method.output)
    return (found[name] for name in sorted(found) if not found[name].GetOptions().map_entry)


class MessageMaker:
    """Makes random messages; deep enough to nest, small enough to be quick."""

    def __init__(self, api: Api, seed: int) -> None:
        self._api = api
        self._random = random.Random(seed)

    def make(self, descriptor: Descriptor, depth: int = 0) -> ApiMessage:
        """A message with some of its fields set."""
        message = message_class(descriptor)()
        special = getattr(self, f"_{descriptor.name.lower()}", None) if _is_well_known(descriptor) else None
        if special:
            special(message, depth)
            return message
        share = 0.6 if len(descriptor.fields) < 5 else 0.3
        for field in descriptor.fields:
            if field.name == AS_WRITTEN:
                continue  # no field of the API
            if self._random.random() < share and (field.message_type is None or depth < 3):
                self._set(message, field, depth)
        return message

    def _set(self, message: ApiMessage, field: FieldDescriptor, depth: int) -> None:
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            self._fill_map(getattr(message, field.name), kind, depth)
        elif field.is_repeated:
            for _ in range(self._random.randint(1, 2)):
                if kind is None:
                    getattr(message, field.name).append(self._scalar(field))
                else:
                    getattr(message, field.name).add().CopyFrom(self.make(kind, depth + 1))
        elif kind is None:
            setattr(message, field.name, self._scalar(field))
        else:
            getattr(message, field.name).SetInParent()
            getattr(message, field.name).CopyFrom(self.make(kind, depth + 1))

    def _fill_map(self, target: ApiMessage, entry: Descriptor, depth: int) -> None:
        key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
        for _ in range(2):
            if value.message_type is None:
                target[self._scalar(key)] = self._scalar(value)
            else:
                target[self._scalar(key)].CopyFrom(self.make(value.message_type, depth + 1))

    def _scalar(self, field: FieldDescriptor) -> str | bytes | bool | int | float:
        if field.type in INTEGERS:
            least, greatest = INTEGERS[field.type]
            return self._random.choice((least, greatest, 0, 1, self._random.randint(least, greatest)))
        if field.enum_type is not None:
            numbers = [value.number for value in field.enum_type.values]
            return self._random.choice([*numbers, 77777])
        if field.type == FieldDescriptor.TYPE_BOOL:
            return self._random.random() < 0.5
        if field.type == FieldDescriptor.TYPE_DOUBLE:
            return self._random.choice((*DOUBLES, self._random.uniform(-1e6, 1e6)))
        if field.type == FieldDescriptor.TYPE_FLOAT:
            number = self._random.choice((*FLOATS, self._random.uniform(-1e6, 1e6)))
            return struct.unpack("f", struct.pack("f", number))[0]
        if field.type == FieldDescriptor.TYPE_BYTES:
            return self._random.randbytes(self._random.randint(0, 5))
        return self._random.choice(WORDS)

    def _timestamp(self, message: ApiMessage, depth: int) -> None:
        message.seconds = self._random.randint(-(10**9), 4 * 10**9)
        message.nanos = self._random.choice((0, 1, 5000, 123_000_000))

    def _duration(self, message: ApiMessage, depth: int) -> None:
        message.seconds = self._random.randint(0, 10**6)
        message.nanos = self._random.choice((0, 1, 5000, 500_000_000))

    def _fieldmask(self, message: ApiMessage, depth: int) -> None:
        message.paths.extend(self._random.sample(MASK_PATHS, self._random.randint(0, 3)))

    def _any(self, message: ApiMessage, depth: int) -> None:
        name = self._random.choice(
            ("google.protobuf.Empty", "google.protobuf.Duration", "google.cloud.dialogflow.cx.v3.Tool")
        )
        inner = self.make(self._api.message(name).DESCRIPTOR, depth + 1)
        message.type_url, message.value = f"type.googleapis.com/{name}", inner.SerializeToString(deterministic=True)

    def _struct(self, message: ApiMessage, depth: int) -> None:
        for word in self._random.sample(WORDS, self._random.randint(0, 3)):
            self._value(message.fields[word], depth + 1)

    def _listvalue(self, message: ApiMessage, depth: int) -> None:
        for _ in range(self._random.randint(0, 2)):
            self._value(message.values.add(), depth + 1)

    def _value(self, message: ApiMessage, depth: int) -> None:
        kind = self._random.choice(("string", "number", "bool", "null", "struct", "list") if depth < 4 else ("string",))
        if kind == "string":
            message.string_value = self._random.choice(WORDS)
        elif kind == "number":
            finite = [number for number in DOUBLES if abs(number) < float("inf")]
            message.number_value = self._random.choice((*finite, self._random.uniform(-9, 9), 7.0))
        elif kind == "bool":
            message.bool_value = self._random.random() < 0.5
        elif kind == "null":
            message.null_value = 0
        elif kind == "struct":
            message.struct_value.SetInParent()
            self._struct(message.struct_value, depth + 1)
        else:
            message.list_value.SetInParent()
            self._listvalue(message.list_value, depth + 1)


def _is_well_known(descriptor: Descriptor) -> bool:
    return descriptor.full_name.startswith("google.protobuf.")
