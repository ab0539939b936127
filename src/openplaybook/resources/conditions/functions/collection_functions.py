"""Functions on lists and objects."""

from openplaybook.jsonvalues import JsonValue, as_list, as_object, dumps_sorted
from openplaybook.resources.conditions.coercion import to_text
from openplaybook.resources.conditions.functions.system_function import ANY, BadArgument, few_enough, items, pure, whole


def _remove(arguments: list[JsonValue]) -> JsonValue:
    gone = {_key(value) for value in _flat(arguments[1:])}
    return [item for item in items(arguments[0]) if _key(item) not in gone]


def _flat(values: list[JsonValue]) -> list[JsonValue]:
    """The values, and in the place of each list what is in it."""
    return [item for value in values for item in (as_list(value) if isinstance(value, list) else [value])]


def _unique(arguments: list[JsonValue]) -> JsonValue:
    distinct: dict[bytes, JsonValue] = {}
    for item in items(arguments[0]):
        distinct.setdefault(_key(item), item)
    return list(distinct.values())


def _position(arguments: list[JsonValue]) -> int:
    """Position of an item, counted from 0; -1 where it is not."""
    sought = _key(arguments[1])
    return next((at for at, item in enumerate(items(arguments[0])) if _key(item) == sought), -1)


def _get(arguments: list[JsonValue]) -> JsonValue:
    elements, at = items(arguments[0]), whole(arguments[1])
    if not 0 <= at < len(elements):
        raise BadArgument(f"the list has no position {at}")
    return elements[at]


def _nested_field(arguments: list[JsonValue]) -> JsonValue:
    value = arguments[0]
    for name in arguments[1:]:
        value = as_object(value).get(to_text(name))
    return value


def _key(value: JsonValue) -> bytes:
    """What equal values have in common: 1 and 1.0 are equal, 1 and true are not."""
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return dumps_sorted(int(value) if is_whole else value)


LISTS = {
    "APPEND": pure(lambda arguments: few_enough([*items(arguments[0]), *_flat(arguments[1:])]), 2, ANY),
    "REMOVE": pure(_remove, 2, ANY),
    "UNIQUE": pure(_unique, 1),
    "COUNT": pure(lambda arguments: len(items(arguments[0])), 1),
    "CONTAIN": pure(lambda arguments: _position(arguments) >= 0, 2),
    "MATCH": pure(_position, 2),
    "GET": pure(_get, 2),
    "GET_FIELD": pure(lambda arguments: as_object(arguments[0]).get(to_text(arguments[1])), 2),
    "NESTED_FIELD": pure(_nested_field, 2, ANY),
}
