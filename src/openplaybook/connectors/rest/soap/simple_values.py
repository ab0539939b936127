"""Simple values of XML Schema 1.0 (part 2): as JSON, and as the text that stands in a message.

Decimals are texts in JSON and integers beyond 2^53 too; dates, times and binary are texts as they stand. Decimals that
may have no places are integers.
"""

import math
import re
from base64 import b64decode
from binascii import Error as BinasciiError
from datetime import date, datetime, time
from decimal import Context, Decimal, InvalidOperation

from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.rest.soap.schema_model import SimpleKind, SimpleType
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, number_text

_MOST_EXACT = 2**53
_MOST_DIGITS = 1_000
_ALL_DIGITS = Context(prec=_MOST_DIGITS)
_ZONE = re.compile(r"(Z|[+-]\d\d:\d\d)$")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(Z|[+-]\d\d:\d\d)?")
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?")
_TIME = re.compile(r"\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?")
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")
_INTEGER = re.compile(r"[+-]?\d+")
_HEX = re.compile(r"([0-9a-fA-F]{2})*")
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_DOUBLES = {"INF": math.inf, "-INF": -math.inf, "NaN": math.nan}
_MOST_SHOWN = 60


def written_simple(kind: SimpleType, value: JsonValue, path: str) -> str:
    """The text of a value. Raises `InvalidValue` with the path."""
    if kind.is_list and isinstance(value, list):
        return " ".join(
            written_simple(SimpleType(kind.kind, values=kind.values), each, path) for each in as_list(value)
        )
    if isinstance(value, dict | list) or value is None:
        raise InvalidValue(path, f"must be {_WORDS[kind.kind]}, not {_noun(value)}")
    text = _text(kind, value, path)
    if kind.values and text not in kind.values:
        raise InvalidValue(path, f"must be one of {', '.join(kind.values[:40])}")
    length = len(text)
    if kind.kind is SimpleKind.TEXT and kind.least_length is not None and length < kind.least_length:
        raise InvalidValue(path, f"must have at least {kind.least_length} characters")
    if kind.kind is SimpleKind.TEXT and kind.most_length is not None and length > kind.most_length:
        raise InvalidValue(path, f"has {length:,} characters; at most {kind.most_length:,} are allowed")
    return text


def _text(kind: SimpleType, value: str | float | Decimal, path: str) -> str:
    if isinstance(value, bool) and kind.kind is not SimpleKind.BOOLEAN:
        raise InvalidValue(path, f"must be {_WORDS[kind.kind]}, not {value}")
    text = ("true" if value else "false") if isinstance(value, bool) else value if isinstance(value, str) else ""
    text = text or ("" if isinstance(value, str) else number_text(value))
    if _FORBIDDEN.search(text):
        raise InvalidValue(path, "holds a control character, which XML cannot carry")
    if kind.kind is SimpleKind.TEXT:
        return text
    text = text.strip()
    if not _fits(kind.kind, text):
        raise InvalidValue(path, f"is {text[:_MOST_SHOWN]!r}; {_WORDS[kind.kind]} is expected")
    return _bounded(kind, text, path) if kind.kind in (SimpleKind.DECIMAL, SimpleKind.INTEGER) else text


def _fits(kind: SimpleKind, text: str) -> bool:
    """Whether a text is a value of a kind."""
    try:
        return _is_value(kind, text)
    except (ValueError, BinasciiError, InvalidOperation):
        return False


def _is_value(kind: SimpleKind, text: str) -> bool:
    match kind:
        case SimpleKind.BOOLEAN:
            return text in _BOOLEANS
        case SimpleKind.INTEGER:
            return len(text) <= _MOST_DIGITS and Decimal(text) == Decimal(text).to_integral_value()
        case SimpleKind.DECIMAL:
            return len(text) <= _MOST_DIGITS and Decimal(text).is_finite()
        case SimpleKind.DOUBLE:
            return text in _DOUBLES or math.isfinite(float(text))
        case SimpleKind.DATE:
            return bool(_DATE.fullmatch(text) and date.fromisoformat(_ZONE.sub("", text)))
        case SimpleKind.TIMESTAMP:
            return bool(_TIMESTAMP.fullmatch(text) and datetime.fromisoformat(_seconds(text)))
        case SimpleKind.TIME:
            return bool(_TIME.fullmatch(text) and time.fromisoformat(_seconds(text)))
        case SimpleKind.BASE64:
            b64decode("".join(text.split()), validate=True)
            return True
        case SimpleKind.HEX:
            return _HEX.fullmatch(text) is not None
        case SimpleKind.TEXT:
            return True


def _seconds(text: str) -> str:
    """Without zone and fractions, which may be longer here than Python reads them."""
    return re.sub(r"\.\d+", "", _ZONE.sub("", text))


def _bounded(kind: SimpleType, text: str, path: str) -> str:
    """A number as plain digits, within its bounds."""
    number = Decimal(text)
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exponent) > _MOST_DIGITS:
        raise InvalidValue(path, f"has more than {_MOST_DIGITS:,} digits")
    # Exact, since no text that comes here has more digits; without the zeros at the end, which count for nothing.
    number = number.normalize(_ALL_DIGITS)
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int), "it is finite"
    plain = text if _DECIMAL.fullmatch(text) else f"{number:f}"
    if kind.kind is SimpleKind.INTEGER and not _INTEGER.fullmatch(plain):
        plain = f"{number:f}"
    if kind.places is not None and -exponent > kind.places:
        raise InvalidValue(path, f"may have {kind.places} decimal places at most")
    if kind.digits is not None and len(digits) + max(exponent, 0) > kind.digits:
        raise InvalidValue(path, f"may have {kind.digits} digits at most")
    if kind.least and number < Decimal(kind.least):
        raise InvalidValue(path, f"must be {kind.least} at least")
    if kind.most and number > Decimal(kind.most):
        raise InvalidValue(path, f"must be {kind.most} at most")
    return plain


def read_simple(kind: SimpleType, text: str) -> JsonValue:
    """A value of a reply; one that is not what the description says is the text as it stands."""
    if kind.is_list:
        return [read_simple(SimpleType(kind.kind), each) for each in text.split()]
    if kind.kind is SimpleKind.TEXT:
        return text
    stripped = text.strip()
    if kind.kind is SimpleKind.BOOLEAN:
        return _BOOLEANS.get(stripped, text)
    is_whole = kind.kind is SimpleKind.INTEGER or (kind.kind is SimpleKind.DECIMAL and kind.places == 0)
    if is_whole and _INTEGER.fullmatch(stripped) and len(stripped) < 18:
        number = int(stripped)
        return number if abs(number) <= _MOST_EXACT else stripped
    if kind.kind is SimpleKind.DOUBLE and stripped not in _DOUBLES and _fits(kind.kind, stripped):
        return float(stripped)
    return stripped


def simple_schema(kind: SimpleType) -> JsonObject:
    """The JSON Schema of a value."""
    if kind.is_list:
        return {"type": "array", "items": simple_schema(SimpleType(kind.kind, values=kind.values))}
    made: JsonObject = dict(_SCHEMAS[kind.kind])
    if kind.kind is SimpleKind.DECIMAL and kind.places == 0:
        made = {"type": "integer"}
    if kind.values:
        made["enum"] = list(kind.values)
    elif kind.documented:
        made["examples"] = list(kind.documented)
    if kind.kind is SimpleKind.TEXT and kind.most_length is not None:
        made["maxLength"] = kind.most_length
    return made


def _noun(value: JsonValue) -> str:
    return "nothing" if value is None else "an object" if isinstance(value, dict) else "a list"


_WORDS = {
    SimpleKind.TEXT: "a text",
    SimpleKind.BOOLEAN: "true or false",
    SimpleKind.INTEGER: "a whole number",
    SimpleKind.DECIMAL: "a number, or its digits as a text",
    SimpleKind.DOUBLE: "a number",
    SimpleKind.DATE: "a date such as 2026-11-30",
    SimpleKind.TIMESTAMP: "a moment such as 2026-11-30T09:00:00Z",
    SimpleKind.TIME: "a time such as 09:00:00",
    SimpleKind.BASE64: "a text in base64",
    SimpleKind.HEX: "a text of pairs of hexadecimal digits",
}
_SCHEMAS: dict[SimpleKind, JsonObject] = {
    SimpleKind.TEXT: {"type": "string"},
    SimpleKind.BOOLEAN: {"type": "boolean"},
    SimpleKind.INTEGER: {"type": "integer"},
    SimpleKind.DECIMAL: {"type": ["string", "number"], "format": "decimal"},
    SimpleKind.DOUBLE: {"type": "number"},
    SimpleKind.DATE: {"type": "string", "format": "date"},
    SimpleKind.TIMESTAMP: {"type": "string", "format": "date-time"},
    SimpleKind.TIME: {"type": "string", "format": "time"},
    SimpleKind.BASE64: {"type": "string", "contentEncoding": "base64"},
    SimpleKind.HEX: {"type": "string", "description": "Hexadecimal digits."},
}
