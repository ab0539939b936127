"""List filters (https://google.aip.dev/160) over the fields of any message.

Texts are compared by `=`, `!=` and `:` (contains, whatever the case), enumerations and booleans by `=` and `!=`,
numbers and times by all but `:`. A field of a list holds where one item does; `field:*` holds where it is set.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from openplaybook.resources.errors import InvalidFilter
from openplaybook.resources.filters import (
    ORDERED,
    FieldComparison,
    check_operator,
    comparisons,
    holds,
    microseconds_of,
    parse_filter,
    plain,
    truth_of,
)
from openplaybook.resources.message_fields import is_map, is_set

MessageTest: TypeAlias = Callable[[Message], bool]

_Values: TypeAlias = Iterator[object]
_TIME = "google.protobuf.Timestamp"
_NUMBERS = (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT)
_INTEGERS = (
    FieldDescriptor.CPPTYPE_INT32,
    FieldDescriptor.CPPTYPE_INT64,
    FieldDescriptor.CPPTYPE_UINT32,
    FieldDescriptor.CPPTYPE_UINT64,
)


def message_test(text: str, descriptor: Descriptor, aliases: Mapping[str, str] | None = None) -> MessageTest:
    """Whether a message of the type passes the filter. Raises `InvalidFilter`.

    `aliases` gives the path of a field by the name that a filter may have for it.
    """
    parsed = parse_filter(text)
    tests = {one: _test(one, descriptor, aliases or {}) for one in comparisons(parsed)}
    return lambda message: holds(parsed, lambda comparison: tests[comparison](message))


def _test(comparison: FieldComparison, descriptor: Descriptor, aliases: Mapping[str, str]) -> MessageTest:
    path = _path(comparison, descriptor, aliases)
    if comparison.operator == ":" and comparison.value == "*":
        return lambda message: any(True for _ in _values(message, path))
    passes = _judge(comparison, path[-1])
    if comparison.operator == "!=":
        return lambda message: all(passes(value) for value in _values(message, path, with_default=True))
    return lambda message: any(passes(value) for value in _values(message, path, with_default=True))


def _path(comparison: FieldComparison, descriptor: Descriptor, aliases: Mapping[str, str]) -> Sequence[FieldDescriptor]:
    path: list[FieldDescriptor] = []
    here: Descriptor | None = descriptor
    named = plain(comparison.field)
    for step in aliases.get(named, named).split("."):
        field = here.fields_by_name.get(step) if here is not None else None
        if field is None or is_map(field):
            known = sorted({*(one.name for one in descriptor.fields if not is_map(one)), *aliases})
            raise InvalidFilter(
                f"{comparison.field!r} at character {comparison.position + 1} cannot be used in a filter; "
                f"allowed are {', '.join(known)}"
            )
        path.append(field)
        here = field.message_type
    return path


def _values(message: Message, path: Sequence[FieldDescriptor], *, with_default: bool = False) -> _Values:
    """What stands at a path; where a field of its own tells no presence, `with_default` gives its empty value."""
    field, *rest = path
    if not is_set(message, field):
        if with_default and not rest and not field.has_presence and not field.is_repeated:
            yield getattr(message, field.name)
        return
    value = getattr(message, field.name)
    for item in value if field.is_repeated else (value,):
        if rest:
            yield from _values(item, rest, with_default=with_default)
        else:
            yield item


def _judge(comparison: FieldComparison, field: FieldDescriptor) -> Callable[[object], bool]:
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING and field.type != FieldDescriptor.TYPE_BYTES:
        return _text_judge(comparison)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        check_operator(comparison, ("=", "!="))
        wanted = truth_of(comparison) == (comparison.operator == "=")
        return lambda value: value is wanted
    if field.enum_type is not None:
        return _enum_judge(comparison, field)
    if field.cpp_type in _NUMBERS or field.cpp_type in _INTEGERS:
        return _ordered_judge(comparison, _number(comparison))
    if field.message_type is not None and field.message_type.full_name == _TIME:
        return _ordered_judge(comparison, microseconds_of(comparison))
    raise InvalidFilter(f"{comparison.field} can only be used as {comparison.field}:*, whether it is there")


def _text_judge(comparison: FieldComparison) -> Callable[[object], bool]:
    check_operator(comparison, ("=", "!=", ":"))
    wanted, folded = comparison.value, comparison.value.casefold()
    if comparison.operator == ":":
        return lambda value: folded in str(value).casefold()
    equal = comparison.operator == "="
    return lambda value: (value == wanted) is equal


def _enum_judge(comparison: FieldComparison, field: FieldDescriptor) -> Callable[[object], bool]:
    check_operator(comparison, ("=", "!="))
    assert field.enum_type is not None, "only enumerations are judged here"
    known = field.enum_type.values_by_name
    if comparison.value not in known:
        allowed = ", ".join(known)
        raise InvalidFilter(f"{comparison.field} is compared with {comparison.value!r}; it is one of {allowed}")
    number, equal = known[comparison.value].number, comparison.operator == "="
    return lambda value: (value == number) is equal


def _ordered_judge(comparison: FieldComparison, limit: float) -> Callable[[object], bool]:
    check_operator(comparison, tuple(ORDERED))
    compare = ORDERED[comparison.operator]
    return lambda value: compare(_comparable(value), limit)


def _comparable(value: object) -> float:
    if isinstance(value, int | float):
        return value
    # Messages of a private pool are no instances of the generated class; their bytes are the same.
    assert isinstance(value, Message), "numbers and times are all that is ordered"
    return Timestamp.FromString(value.SerializeToString()).ToMicroseconds()


def _number(comparison: FieldComparison) -> float:
    try:
        return float(comparison.value)
    except ValueError:
        raise InvalidFilter(f"{comparison.field} is compared with {comparison.value!r}; it is a number") from None
