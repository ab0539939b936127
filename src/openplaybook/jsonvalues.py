"""JSON as the type checker sees it, and the one pair of functions that reads and writes it.

No room owns this module; every room may use it. Numbers keep their value: an integer of any size is an `int`; a
decimal is a `float` where that has the same value as what is written (`Decimal(repr(number))`), else a `Decimal`.
"""

import json
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NamedTuple, TypeAlias, cast

import orjson

JsonValue: TypeAlias = Any
"""Any JSON value: its shape is data (a schema, a tool's answer), which no static type can state.

What we make and read ourselves (events, state, results, settings) has classes, with the reader of their stored form."""

JsonObject: TypeAlias = dict[str, JsonValue]
"""A JSON object with string keys."""

MAX_DIGITS: Final = 4_000
"""Digits of a number, written without an exponent. Python reads and writes integers of 4,300 in fair time."""

NUMBERS: Final = (int, float, Decimal)
"""Types of numbers; `bool` is an `int` to Python, and no number."""

_LONG: Final = b"0" * 17
_LARGE: Final = b"0" * 16
"""Integers beyond 2^53 have as many digits."""
_TINY: Final = b"0e-000"
_HUGE: Final = b"0e+"
_MARKS: Final = bytes.maketrans(b"0123456789.E", b"00000000000e")
"""Sixteen digits and a point: fewer never lose their value in a double that is neither huge nor tiny."""

_OF_NUMBERS: Final = b"0123456789.eE+-"
_BEFORE: Final = b" \t\r\n,:["
_BEHIND: Final = b" \t\r\n,]}"
"""What stands around a number."""
_MOST_LOOKED_AT: Final = 1_000
"""Places of a piece where a number may be; where there are more, one of them is taken for a number."""
_LOOKED_AROUND: Final = 64
"""Bytes before and behind it within which it must end, else it is taken for a number."""

_MOST_EXACT: Final = 2.0**53
"""Up to here a double holds every integer."""
_NO_FLOATS: Final = frozenset({str, int, bool, type(None)})
"""Types in whose values no float can be: most values, and asking is cheaper than calling."""
_LEAVES: Final = _NO_FLOATS | {float}

_SMALLEST: Final = -(2**63)
_LARGEST: Final = 2**64 - 1
"""Integers that `orjson` reads and writes."""

_MINUS: Final = ord("-")

_NO_MARKS: Final = bytes(set(range(256)) - set(b'{}[]"'))
_AS_BRACES: Final = bytes.maketrans(b"[]", b"{}")
PIECE: Final = 64 * 1024
"""Bytes or characters of something long that are read in one go, a tenth of a millisecond: all other threads wait for
Python's lock meanwhile, the event loop each time it comes back from the system. A multiple of four, as base64 is."""

_REACH: Final = PIECE - 32
"""From one to the next: a number on the border is in one of both."""

_MAX_BITS: Final = 14_000
"""Of an integer that is written: calculation may have made more digits than are read, but Python writes so many."""

_BEYOND_ASCII: Final = re.compile("[^\x00-\x7f]+")

_MAX_LEVELS: Final = 250
"""Objects and arrays within each other that are written with long numbers in them; `orjson` itself writes 254."""


def dumps(value: JsonValue) -> bytes:
    """Compact UTF-8 JSON; numbers as they are, with all their digits. `TypeError` for what is no JSON."""
    return _written(value, 0)


def dumps_sorted(value: JsonValue) -> bytes:
    """The same with keys in order: equal values give equal bytes."""
    return _written(value, orjson.OPT_SORT_KEYS)


def dumps_ascii(value: JsonValue) -> str:
    """JSON in ASCII, blanks behind commas and colons left out."""
    return _BEYOND_ASCII.sub(_escaped, dumps(value).decode("utf-8"))


def dumps_line(value: JsonValue, *, sort_keys: bool = False) -> str:
    """JSON for people: one line, a blank behind each comma and colon."""
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=sort_keys)
    except TypeError:  # the library writes no `Decimal`
        return (dumps_sorted if sort_keys else dumps)(value).decode("utf-8")


def dumps_indented(value: JsonValue, *, sort_keys: bool = False) -> str:
    """JSON for people: two blanks a level. `ValueError` for NaN and infinities."""
    try:
        return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False, sort_keys=sort_keys)
    except TypeError:  # the library writes no `Decimal`
        return _written(value, orjson.OPT_INDENT_2 | (orjson.OPT_SORT_KEYS if sort_keys else 0)).decode("utf-8")


def loads(text: bytes | memoryview | str, *, most_exact: int | None = None) -> JsonValue:
    """The value of a JSON text; `ValueError` says where it is malformed, or that a number is beyond `MAX_DIGITS`.

    `most_exact`: how many numbers it may have that neither 64 bits nor a double hold; each costs what a hundred others
    do.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return _read_exactly(bytes(data), most_exact) if _has_long_number(data) else _read(data, most_exact).value


class ReadJson(NamedTuple):
    """The value of a JSON text, and what is known of its numbers."""

    value: JsonValue
    has_large: bool
    """Whether it may have an integer beyond 2^53 or a `Decimal`; some without one are not told apart."""


def loads_judged(text: bytes, *, most_exact: int | None = None) -> ReadJson:
    """Like `loads`; who must look for large numbers needs not, most often."""
    if _has_long_number(text, _LARGE):
        return ReadJson(loads(text, most_exact=most_exact), has_large=True)
    return _read(text, most_exact)


def _read(data: bytes | memoryview, most_exact: int | None) -> ReadJson:
    """The value of a text in which no number is long, but its exponent may be."""
    try:
        return ReadJson(orjson.loads(data), has_large=False)
    except orjson.JSONDecodeError as error:
        if "infinity" not in str(error):
            raise
        return ReadJson(_read_exactly(bytes(data), most_exact), has_large=True)


def _has_long_number(data: bytes | memoryview, digits: bytes = _LONG) -> bool:
    if len(data) > PIECE:
        # A piece at a time, and a little of the next: a copy of all of a large text takes its size and its time.
        return any(_has_long_number(data[start : start + PIECE], digits) for start in range(0, len(data), _REACH))
    text = data if isinstance(data, bytes) else bytes(data)
    marks = text.translate(_MARKS)
    return _may_be_number(text, marks, digits) or (_MINUS in text and _may_be_number(text, marks, _TINY))


def _may_be_number(text: bytes, marks: bytes, wanted: bytes) -> bool:
    """Whether digits with the wanted marks may be a number: most are part of an id, and touch what no number does."""
    start = marks.find(wanted)
    for _ in range(_MOST_LOOKED_AT):
        if start < 0:
            return False
        before = text[max(start - _LOOKED_AROUND, 0) : start].rstrip(_OF_NUMBERS)[-1:]
        around = text[start : start + _LOOKED_AROUND]
        behind = around.lstrip(_OF_NUMBERS)
        # Nothing is before the first byte and behind the last one, or they are further away: it may be a number.
        if before in _BEFORE and behind[:1] in _BEHIND:
            return True
        start = marks.find(wanted, start + len(around) - len(behind))
    return True


def may_have_long_numbers(text: bytes) -> bool:
    """Whether a JSON text may have a number that a double would change; some without one are not told apart."""
    marks = text.translate(_MARKS)
    return _LONG[1:] in marks or _TINY in marks or _HUGE in marks


def number_of(text: str) -> int | float | Decimal:
    """The number that a JSON number says, exactly; `ValueError` for one beyond `MAX_DIGITS`."""
    if "." not in text and "e" not in text and "E" not in text:
        return _integer(text)
    return _decimal(text)


def few_exact(most: int) -> Callable[[str], int | float | Decimal]:
    """`number_of` for the numbers of one text, of which `most` may be such that neither 64 bits nor a double hold them;
    `ValueError` for one more."""
    left = most

    def read(text: str) -> int | float | Decimal:
        nonlocal left
        number = number_of(text)
        if isinstance(number, Decimal) or (isinstance(number, int) and not _SMALLEST <= number <= _LARGEST):
            left -= 1
            if left < 0:
                raise ValueError(f"more than {most:,} numbers that neither 64 bits nor a double hold")
        return number

    return read


def is_number(value: JsonValue) -> bool:
    """Whether a JSON value is a number."""
    return isinstance(value, NUMBERS) and not isinstance(value, bool)


def fits_double(number: float | Decimal) -> bool:
    """Whether a double holds the number without another value."""
    if isinstance(number, float):
        return True
    if isinstance(number, Decimal):
        return False  # else it were a float
    try:
        return float(number) == number
    except OverflowError:
        return False


def restore_integers(value: JsonValue) -> JsonValue:
    """`value` with every float that is a whole number (up to 2^53) as an integer, at any depth; a `Decimal` too.

    A protobuf Struct holds every number as a double. JSON makes no difference between 3.0 and 3, so nothing is lost
    where a schema says number, either.
    """
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= _MOST_EXACT else value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else value
    if isinstance(value, dict):
        members = cast(JsonObject, value)
        return {key: item if type(item) in _NO_FLOATS else restore_integers(item) for key, item in members.items()}
    if isinstance(value, list):
        items = cast(list[JsonValue], value)
        return [item if type(item) in _NO_FLOATS else restore_integers(item) for item in items]
    return value


def number_text(number: float | Decimal) -> str:
    """The number as JSON has it."""
    return dumps(number).decode("ascii")


def _integer(text: str) -> int:
    if len(text) - text.startswith("-") > MAX_DIGITS:
        raise _too_long()
    return int(text)


def _decimal(text: str) -> float | Decimal:
    if len(text) > MAX_DIGITS:
        raise _too_long()
    number = float(text)
    if repr(number) == text:  # as other programs write a double
        return number
    try:
        exact = Decimal(text)
    except InvalidOperation:  # the exponent is beyond what a Decimal has
        raise _too_long() from None
    if exact and not -MAX_DIGITS <= exact.adjusted() < MAX_DIGITS:
        raise _too_long()
    if number - number == 0.0 and Decimal(repr(number)) == exact:
        return number
    return exact


def _too_long() -> ValueError:
    return ValueError(f"a number has more than {MAX_DIGITS:,} digits")


def _constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is not JSON")


def _decoder(integer: Callable[[str], JsonValue], decimal: Callable[[str], JsonValue]) -> json.JSONDecoder:
    return json.JSONDecoder(parse_int=integer, parse_float=decimal, parse_constant=_constant)


_EXACT = _decoder(_integer, _decimal)


def _read_exactly(data: bytes, most: int | None) -> JsonValue:
    """Like `orjson.loads`, number by number."""
    number = None if most is None else few_exact(most)
    decoder = _EXACT if number is None else _decoder(number, number)
    try:
        value = decoder.decode(data.decode("utf-8"))
    except RecursionError:
        raise ValueError("more objects and arrays within each other than can be read") from None
    if b"\\ud" in data or b"\\uD" in data:
        _refuse_half_pairs(value)
    return value


def _refuse_half_pairs(value: JsonValue) -> None:
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("a string contains half of a surrogate pair, which is not a character") from None


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"\\u{unit:04x}" for unit in memoryview(match[0].encode("utf-16-le")).cast("H"))


def _written(value: JsonValue, option: int) -> bytes:
    try:
        return orjson.dumps(value, option=option)
    except TypeError:
        writable = _with_digits(value, _MAX_LEVELS)
    return orjson.dumps(writable, option=option)


def _with_digits(value: JsonValue, levels: int) -> JsonValue:
    """`value` with the digits of every number that `orjson` does not write."""
    kind = cast(type[object], type(value))
    if kind is dict and levels:
        return {key: _with_digits(item, levels - 1) for key, item in as_object(value).items()}
    if (kind is list or kind is tuple) and levels:
        return [_with_digits(item, levels - 1) for item in cast(list[JsonValue], value)]
    if kind is int and not _SMALLEST <= value <= _LARGEST:
        if value.bit_length() > _MAX_BITS:
            raise TypeError(str(_too_long()))
        return orjson.Fragment(str(value))
    if kind is Decimal and value.is_finite():
        return orjson.Fragment(str(value))
    return value


def as_object(value: JsonValue) -> JsonObject:
    """`value` when it is an object, else an empty one (a lenient view of foreign documents)."""
    return cast(JsonObject, value) if isinstance(value, dict) else {}


def as_list(value: JsonValue) -> list[JsonValue]:
    """`value` when it is an array, else an empty one (a lenient view of foreign documents)."""
    return cast(list[JsonValue], value) if isinstance(value, list) else []


def object_in(source: JsonValue) -> JsonValue:
    """The object in a JSON text, an empty one for an empty text or None; what holds no object stays as it is."""
    if not isinstance(source, str):
        return {} if source is None else source
    if not source.strip():
        return {}
    try:
        value = loads(source)
    except ValueError:
        return source
    return as_object(value) if isinstance(value, dict) else source


def is_large(value: JsonValue, most: int) -> bool:
    """Whether texts and values come to more than `most` characters, as `rough_size` counts them."""
    return rough_size(value, most) > most


def rough_size(value: JsonValue, most: int) -> int:
    """Characters of texts and values, roughly as in JSON, a part that is shared counted as often as it stands there.
    What is behind the part with which they come to more than `most` is not counted."""
    left: list[JsonValue] = [[value]]
    size = 0
    while left and size <= most:
        part = left.pop()
        items = as_object(part).values() if isinstance(part, dict) else as_list(part)
        size += 4 * len(items) + sum(map(len, as_object(part)))
        for item in items if size <= most else ():
            if type(item) is str:
                size += len(item)
            elif type(item) not in _LEAVES:
                left.append(item)
    return size


def may_be_deep(text: bytes, levels: int) -> bool:
    """Whether arrays and objects of a JSON text may lie within each other in more than `levels` levels; some texts with
    brackets in their strings are not told apart. Asked of the text it costs less than of the value."""
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    marks = text.translate(None, _NO_MARKS)
    brackets = marks.translate(_AS_BRACES, b'"')
    if len(brackets) <= 2 * levels:
        return False
    # Where no string has brackets, its quotes stand in pairs. Each round takes the innermost level away.
    for _ in range(levels if 2 * marks.count(b'""') == len(marks) - len(brackets) else 0):
        brackets = brackets.replace(b"{}", b"")
        if not brackets:
            return False
    return True


def is_deep(value: JsonValue, levels: int) -> bool:
    """Whether arrays and objects lie within each other in more than `levels` levels."""
    layer: list[JsonValue] = [value] if isinstance(value, dict | list) else []
    for _ in range(levels):
        # By identity: a part that a document shares is looked into once in each layer.
        inner: dict[int, JsonValue] = {
            id(cast(object, item)): item
            for outer in layer
            for item in (as_object(outer).values() if isinstance(outer, dict) else as_list(outer))
            if type(item) not in _LEAVES and isinstance(item, dict | list)
        }
        if not inner:
            return False
        layer = list(inner.values())
    return bool(layer)
