"""The codec of one pool, and messages to JSON: one table per message type, made when the type is first met."""

from collections.abc import Callable
from typing import TypeAlias

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, loads
from openplaybook.wire.codec.decoder import Decoder
from openplaybook.wire.codec.json_parser import JsonError
from openplaybook.wire.codec.scalars import (
    WRAPPERS,
    Convert,
    Write,
    is_plain,
    write_map_key,
    write_mask,
    write_time,
    writer_of,
)
from openplaybook.wire.codec.structs import exactly, for_doubles, write_list, write_struct, write_value
from openplaybook.wire.messages import AS_WRITTEN, AS_WRITTEN_JSON, ApiMessage, keeps, message_class


class Codec:
    """Converts messages of a pool to JSON and back, both ways by tables made from their descriptors."""

    def __init__(self, pool: DescriptorPool) -> None:
        self._exact = Encoder(pool, exact=True)
        self._with_names = Encoder(pool)
        self._with_numbers = Encoder(pool, enums_as_ints=True)
        self._decoder = Decoder(pool)

    def to_json(self, message: ApiMessage) -> JsonObject:
        """The JSON object of a message: camelCase names, fields that are set, enums by name, numbers exactly as they
        were read.

        A message whose JSON form is not an object (a Timestamp, a Value) gives that form. Raises `JsonError` for what
        JSON cannot hold: a Value of NaN, an Any of a type that the API does not have."""
        return self._exact.write(message)

    def for_client(self, message: ApiMessage, *, enums_as_ints: bool = False) -> JsonObject:
        """The same for a client, which reads numbers as doubles: of one in a Struct that a double would change, the
        digits as a string. Enums are numbers where it asks for that."""
        return (self._with_numbers if enums_as_ints else self._with_names).write(message)

    def from_json(self, value: JsonValue, message: ApiMessage) -> ApiMessage:
        """Fills an empty message from a JSON value and returns it. Names may be camelCase or as in the proto; null
        leaves a field unset.

        Raises `JsonError` with the path of the first thing that does not fit: an unknown field, a wrong type, a second
        member of a oneof. The message is then half filled and of no use."""
        self._decoder.read(value, message)
        return message


_WELL_KNOWN: dict[str, Write] = {
    "google.protobuf.Timestamp": write_time,
    "google.protobuf.Duration": write_time,
    "google.protobuf.FieldMask": write_mask,
}

Table: TypeAlias = dict[FieldDescriptor, tuple[str, Callable[[JsonValue], JsonValue] | None]]
"""JSON name and conversion of each field; no conversion where the value is JSON as it is."""


class Encoder:
    """Turns messages of one pool into JSON values."""

    def __init__(self, pool: DescriptorPool, *, enums_as_ints: bool = False, exact: bool = False) -> None:
        """`exact`: give numbers in Structs that a double would change as numbers, rather than as digits in a string."""
        self._pool = pool
        self._enums_as_ints = enums_as_ints
        as_kept = exactly if exact else for_doubles
        self._writers: dict[str, Write] = {
            "google.protobuf.Any": self._write_any,
            "google.protobuf.Struct": as_kept(write_struct),
            "google.protobuf.Value": as_kept(write_value),
            "google.protobuf.ListValue": as_kept(write_list),
            **_WELL_KNOWN,
        }

    def write(self, message: ApiMessage) -> JsonValue:
        """The JSON of a message; `JsonError` for a value that JSON cannot hold."""
        return self._writer(message.DESCRIPTOR)(message)

    def _writer(self, descriptor: Descriptor) -> Write:
        writer = self._writers.get(descriptor.full_name)
        if writer is None:
            writer = self._wrapper(descriptor) if descriptor.full_name in WRAPPERS else self._compile(descriptor)
            self._writers[descriptor.full_name] = writer
        return writer

    def _wrapper(self, descriptor: Descriptor) -> Write:
        convert = writer_of(descriptor.fields_by_name["value"], enums_as_ints=self._enums_as_ints)
        return lambda message: convert(message.value) if convert else message.value

    def _compile(self, descriptor: Descriptor) -> Write:
        table: Table = {}

        def write(message: ApiMessage) -> JsonObject:
            if not table:  # types refer to each other in circles: the table is made when the first message comes
                table.update((field, (field.json_name, self._field(field))) for field in descriptor.fields)
            result: JsonObject = {}
            for field, value in message.ListFields():
                name, convert = table[field]
                result[name] = convert(value) if convert else value
            return result

        return _in_order(write) if keeps(descriptor) else write

    def _field(self, field: FieldDescriptor) -> Convert | None:
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            return self._map(field.message_type)
        convert = self._single(field)
        if not field.is_repeated:
            return convert
        return (lambda values: [convert(value) for value in values]) if convert else list

    def _single(self, field: FieldDescriptor) -> Convert | None:
        if field.message_type is None:
            return writer_of(field, enums_as_ints=self._enums_as_ints)
        return self._writer(field.message_type)

    def _map(self, entry: Descriptor) -> Convert:
        key_of = write_map_key(entry.fields_by_name["key"]) or str
        convert = self._single(entry.fields_by_name["value"])
        if convert:
            return lambda values: {key_of(key): convert(values[key]) for key in sorted(values)}
        return lambda values: {key_of(key): values[key] for key in sorted(values)}

    def _write_any(self, message: ApiMessage) -> JsonObject:
        url = message.type_url
        if not url:
            return {}
        try:
            descriptor = self._pool.FindMessageTypeByName(url.rpartition("/")[2])
        except KeyError:
            raise JsonError(f"the type {url} is not known to this server") from None
        inner = message_class(descriptor)()
        try:
            inner.ParseFromString(message.value)
        except DecodeError as error:
            raise JsonError(f"the bytes are not a {descriptor.full_name}") from error
        written = self.write(inner)
        return {"@type": url, **written} if is_plain(descriptor) else {"@type": url, "value": written}


def _in_order(write: Write) -> Write:
    """A writer of messages that keep the order of their maps' members: names of a map's members by its JSON name."""

    def write_in_order(message: ApiMessage) -> JsonObject:
        result: JsonObject = write(message)
        if AS_WRITTEN_JSON not in result:
            return result
        del result[AS_WRITTEN_JSON]
        for name, order in as_object(loads(getattr(message, AS_WRITTEN))).items():
            members = as_object(result.get(name))
            first = {key: members[key] for key in as_list(order) if key in members}
            if first:
                result[name] = {**first, **members}
        return result

    return write_in_order
