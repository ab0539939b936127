"""What a resource of an export holds beyond the API: split off at reading, put back at writing.

Exports carry fields that no public message has, and names of enum values that it lacks. A stored resource has to
parse as its message, so these are kept beside it in an object that mirrors the resource: an object holds the
private members of the object at the same place; for a list it maps positions to what their items lack, with the
list's length under `#`, so that nothing is put into a list that has changed since.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pool import DescriptorPool

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_LENGTH = "#"


@dataclass(frozen=True, slots=True)
class ExportField:
    """A field that a message has."""

    message: str | None = None
    """Full name of the message it holds, one or many; None for all else (scalars, maps, free JSON)."""
    values: frozenset[str] | None = None
    """Names of the values of its enum; None when it is no enum."""


FieldLookup: TypeAlias = Callable[[str, str], ExportField | None]
"""From a message's full name and a JSON key to the field; None where the message has no such field."""


def every_field(message: str, key: str) -> ExportField | None:
    """The lookup that knows every field and looks into none: nothing is private."""
    return ExportField()


def fields_in(pool: DescriptorPool) -> FieldLookup:
    """The lookup that asks message descriptors."""
    known: dict[str, dict[str, ExportField]] = {}

    def lookup(message: str, key: str) -> ExportField | None:
        if message not in known:
            descriptor = pool.FindMessageTypeByName(message)
            known[message] = {field.json_name: _field(field) for field in descriptor.fields}
        return known[message].get(key)

    return lookup


def _field(field: FieldDescriptor) -> ExportField:
    if field.enum_type is not None:
        return ExportField(values=frozenset(field.enum_type.values_by_name))
    message = field.message_type
    if message is None or message.GetOptions().map_entry or message.full_name.startswith("google.protobuf."):
        return ExportField()
    return ExportField(message=message.full_name)


def split_private(resource: JsonObject, message: str, fields: FieldLookup) -> tuple[JsonObject, JsonObject]:
    """The part of `resource` that `message` can hold, and what it lacks (empty when nothing)."""
    known: JsonObject = {}
    private: JsonObject = {}
    for key, value in resource.items():
        field = fields(message, key)
        if field is None or (field.values is not None and not _are_of(field.values, value)):
            private[key] = value
            continue
        known[key], rest = _split_value(value, field.message, fields)
        if rest:
            private[key] = rest
    return known, private


def merge_private(resource: JsonObject, private: JsonObject) -> JsonObject:
    """The resource with its private members put back; a member that it has got since stays."""
    merged = dict(resource)
    for key, value in private.items():
        merged[key] = _merge_value(merged[key], value) if key in merged else value
    return merged


def _split_value(value: JsonValue, message: str | None, fields: FieldLookup) -> tuple[JsonValue, JsonObject]:
    if message is None:
        return value, {}
    if isinstance(value, dict):
        return split_private(as_object(value), message, fields)
    if not isinstance(value, list):
        return value, {}
    items = [_split_value(item, message, fields) for item in as_list(value)]
    rest: JsonObject = {str(index): private for index, (_, private) in enumerate(items) if private}
    return [item for item, _ in items], {_LENGTH: len(items), **rest} if rest else {}


def _merge_value(value: JsonValue, private: JsonValue) -> JsonValue:
    rest = as_object(private)
    if isinstance(value, dict) and _LENGTH not in rest:
        return merge_private(as_object(value), rest)
    items = as_list(value)
    if not items or rest.get(_LENGTH) != len(items):
        return value if not isinstance(value, dict) else as_object(value)
    return [merge_private(as_object(item), rest[str(at)]) if str(at) in rest else item for at, item in enumerate(items)]


def _are_of(names: frozenset[str], value: JsonValue) -> bool:
    """Whether a value, or every one of a list, is an enum's: by name, by number, or none."""
    values = as_list(value) if isinstance(value, list) else [value]
    return all(item in names if isinstance(item, str) else item is None or isinstance(item, int) for item in values)
