"""JSON to messages: one table per message type, made when the type is first met."""

import difflib
from collections.abc import Callable
from typing import TypeAlias, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pool import DescriptorPool

from openplaybook.jsonvalues import PIECE, JsonObject, JsonValue, as_object, dumps
from openplaybook.wire.codec.json_parser import MAX_DEPTH, JsonError, kind_of, shown, too_deep
from openplaybook.wire.codec.scalars import (
    NULL_VALUE,
    WRAPPERS,
    Read,
    half_a_pair,
    is_plain,
    read_duration,
    read_map_key,
    read_mask,
    read_string,
    read_timestamp,
    reader_of,
)
from openplaybook.wire.codec.structs import keeping, read_list, read_struct, read_value
from openplaybook.wire.messages import AS_WRITTEN, ApiMessage, keeps, message_class

Setter: TypeAlias = Callable[[ApiMessage, JsonValue, int], None]
"""Sets one field of a message from its JSON value, which may be null, at the message's depth."""

_WELL_KNOWN: dict[str, Read] = {
    "google.protobuf.Timestamp": read_timestamp,
    "google.protobuf.Duration": read_duration,
    "google.protobuf.FieldMask": read_mask,
    "google.protobuf.Struct": read_struct,
    "google.protobuf.Value": keeping(read_value),
    "google.protobuf.ListValue": keeping(read_list),
}
_VALUE = "google.protobuf.Value"


class Decoder:
    """Fills messages of one pool from JSON values."""

    def __init__(self, pool: DescriptorPool) -> None:
        self._pool = pool
        self._readers: dict[str, Read] = {"google.protobuf.Any": self._read_any, **_WELL_KNOWN}

    def read(self, value: JsonValue, message: ApiMessage, depth: int = 0) -> None:
        """Fills an empty message; `JsonError` says where the value does not fit."""
        self._reader(message.DESCRIPTOR)(value, message, depth)

    def _reader(self, descriptor: Descriptor) -> Read:
        reader = self._readers.get(descriptor.full_name)
        if reader is None:
            reader = self._wrapper(descriptor) if descriptor.full_name in WRAPPERS else self._compile(descriptor)
            self._readers[descriptor.full_name] = reader
        return reader

    def _wrapper(self, descriptor: Descriptor) -> Read:
        convert = reader_of(descriptor.fields_by_name["value"])

        def read(value: JsonValue, message: ApiMessage, depth: int) -> None:
            message.SetInParent()
            message.value = convert(value)

        return read

    def _compile(self, descriptor: Descriptor) -> Read:
        setters: dict[str, Setter] = {}
        others: dict[str, str] = {}

        def read(value: JsonValue, message: ApiMessage, depth: int) -> None:
            kind = cast(type[object], type(value))
            if kind is not dict:
                raise JsonError(f"an object is expected, not {kind_of(value)}")
            if depth > MAX_DEPTH:
                raise too_deep()
            if not setters:  # types refer to each other in circles: the table is made when the first value comes
                self._fill(descriptor, setters, others)
            message.SetInParent()
            for key, item in value.items():
                setter = setters.get(key) or _by_other_name(key, value, setters, others)
                try:
                    setter(message, item, depth)
                except JsonError as error:
                    raise error.within(f".{key}") from None

        return _keeping_order(read, descriptor) if keeps(descriptor) else read

    def _fill(self, descriptor: Descriptor, setters: dict[str, Setter], others: dict[str, str]) -> None:
        for field in descriptor.fields:
            if field.name == AS_WRITTEN and keeps(descriptor):
                continue
            setters[field.json_name] = self._setter(field)
        for field in descriptor.fields:
            if field.name not in setters and field.json_name in setters:
                others[field.name] = field.json_name

    def _setter(self, field: FieldDescriptor) -> Setter:
        kind = field.message_type
        if kind is not None and _is_map(field):
            return self._map(field.name, kind)
        if field.is_repeated:
            return _repeated(field.name, _add_scalar(field) if kind is None else self._add_message(kind))
        return _only_member(field, _scalar(field) if kind is None else self._message(field.name, kind))

    def _message(self, name: str, kind: Descriptor) -> Setter:
        reader = self._reader(kind)
        takes_null = kind.full_name == _VALUE

        def set_message(message: ApiMessage, value: JsonValue, depth: int) -> None:
            if value is not None or takes_null:
                reader(value, getattr(message, name), depth + 1)

        return set_message

    def _add_message(self, kind: Descriptor) -> Setter:
        reader = self._reader(kind)
        takes_null = kind.full_name == _VALUE

        def add(target: ApiMessage, value: JsonValue, depth: int) -> None:
            if value is None and not takes_null:
                raise JsonError("null is not allowed in an array of messages")
            reader(value, target.add(), depth + 1)

        return add

    def _map(self, name: str, entry: Descriptor) -> Setter:
        read_key = read_map_key(entry.fields_by_name["key"])
        put = self._put(entry.fields_by_name["value"])

        def set_map(message: ApiMessage, value: JsonValue, depth: int) -> None:
            if value is None:
                return
            if not isinstance(value, dict):
                raise JsonError(f"an object is expected, not {kind_of(value)}")
            items = cast(JsonObject, value)
            target = getattr(message, name)
            for key, item in items.items():
                try:
                    put(target, read_key(key), item, depth)
                except JsonError as error:
                    raise error.within(f".{key}") from None

        return set_map

    def _put(self, field: FieldDescriptor) -> Callable[[ApiMessage, JsonValue, JsonValue, int], None]:
        if field.message_type is None:
            convert = reader_of(field)

            def put_scalar(target: ApiMessage, key: JsonValue, value: JsonValue, depth: int) -> None:
                if value is None:
                    raise JsonError("null is not allowed as a value of a map")
                target[key] = convert(value)

            return put_scalar
        reader = self._reader(field.message_type)
        takes_null = field.message_type.full_name == _VALUE

        def put_message(target: ApiMessage, key: JsonValue, value: JsonValue, depth: int) -> None:
            if value is None and not takes_null:
                raise JsonError("null is not allowed as a value of a map")
            reader(value, target[key], depth + 2)

        return put_message

    def _read_any(self, value: JsonValue, message: ApiMessage, depth: int) -> None:
        if not isinstance(value, dict):
            raise JsonError(f"an object with @type is expected, not {kind_of(value)}")
        message.SetInParent()
        if not value:
            return
        fields: JsonObject = {**value}
        url = fields.pop("@type", None)
        if type(url) is not str:
            raise JsonError("@type is missing: the type's URL, such as type.googleapis.com/google.protobuf.Empty")
        try:
            descriptor = self._pool.FindMessageTypeByName(url.rpartition("/")[2])
        except KeyError:
            raise JsonError(f"the type {shown(url)} is not known to this server", ".@type") from None
        inner = message_class(descriptor)()
        if is_plain(descriptor):
            self.read(fields, inner, depth + 1)
        elif fields.keys() != {"value"}:
            raise JsonError(f'{descriptor.full_name} takes "@type" and "value"')
        else:
            self.read(fields["value"], inner, depth + 1)
        message.type_url, message.value = url, inner.SerializeToString(deterministic=True)


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _keeping_order(read: Read, descriptor: Descriptor) -> Read:
    """A reader that keeps the names of its maps' members where these are not in order: a map has none."""
    names = [field.json_name for field in descriptor.fields if _is_map(field)]

    def read_and_keep(value: JsonValue, message: ApiMessage, depth: int) -> None:
        read(value, message, depth)
        maps = {name: list(as_object(value.get(name))) for name in names}
        orders = {name: names for name, names in maps.items() if names != sorted(names)}
        if orders:
            setattr(message, AS_WRITTEN, dumps(orders))

    return read_and_keep


_LONGEST_TYPO = 64


def _scalar(field: FieldDescriptor) -> Setter:
    if field.type == FieldDescriptor.TYPE_STRING:
        return _string(field.name)
    name, convert = field.name, reader_of(field)
    takes_null = field.enum_type is not None and field.enum_type.full_name == NULL_VALUE

    def set_scalar(message: ApiMessage, value: JsonValue, depth: int) -> None:
        if value is not None:
            setattr(message, name, convert(value))
        elif takes_null:
            setattr(message, name, 0)

    return set_scalar


def _string(name: str) -> Setter:
    def set_string(message: ApiMessage, value: JsonValue, depth: int) -> None:
        if type(value) is str:
            try:
                setattr(message, name, value if len(value) <= PIECE else read_string(value))
            except UnicodeEncodeError:
                raise half_a_pair() from None
        elif value is not None:
            raise JsonError(f"a string is expected, not {kind_of(value)}")

    return set_string


def _repeated(name: str, add: Setter) -> Setter:

    def set_repeated(message: ApiMessage, value: JsonValue, depth: int) -> None:
        if value is None:
            return
        if not isinstance(value, list):
            raise JsonError(f"an array is expected, not {kind_of(value)}")
        items = cast(list[JsonValue], value)
        target = getattr(message, name)
        for index, item in enumerate(items):
            try:
                add(target, item, depth)
            except JsonError as error:
                raise error.within(f"[{index}]") from None

    return set_repeated


def _add_scalar(field: FieldDescriptor) -> Setter:
    convert = reader_of(field)

    def add(target: ApiMessage, value: JsonValue, depth: int) -> None:
        target.append(convert(value))

    return add


def _only_member(field: FieldDescriptor, setter: Setter) -> Setter:
    """Lets a member of a oneof be set only where no other is."""
    oneof = field.containing_oneof
    if oneof is None or (len(oneof.fields) == 1 and oneof.name == f"_{field.name}"):  # proto3 `optional`
        return setter
    group, name = oneof.name, field.name
    members = {member.name: member.json_name for member in oneof.fields}

    def set_member(message: ApiMessage, value: JsonValue, depth: int) -> None:
        other = message.WhichOneof(group)
        if value is not None and other is not None and other != name:
            raise JsonError(f"only one of {', '.join(members.values())} may be set; {members[other]} is set already")
        setter(message, value, depth)

    return set_member


def _by_other_name(key: str, value: JsonObject, setters: dict[str, Setter], others: dict[str, str]) -> Setter:
    """The setter of a field given by its name in the proto rather than its JSON name."""
    json_name = others.get(key)
    if json_name is None:
        raise JsonError(f"unknown field; {_allowed(key, list(setters))}", f".{key}")
    if json_name in value:
        raise JsonError(f"the field is given twice, also as {json_name}", f".{key}")
    return setters[json_name]


def _allowed(key: str, names: list[str]) -> str:
    # No field's name is long, and comparing takes time by the length.
    close = difflib.get_close_matches(key, names, n=1) if len(key) <= _LONGEST_TYPO else []
    hint = f"did you mean {close[0]}? " if close else ""
    if not names:
        return "no fields are allowed here"
    return f"{hint}Allowed: {', '.join(sorted(names))}"
