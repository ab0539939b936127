"""Values between the system's way and ours: JSON with ISO moments, decimals and large integers as text."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache, partial

from openplaybook.connectors.base import DataType
from openplaybook.connectors.conditions.syntax import Literal
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.rest.google_texts import text_of_mail, text_of_runs
from openplaybook.connectors.rest.manifest.kinds import ValueCodec
from openplaybook.connectors.rest.manifest.model import RestField
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, is_number, loads

_MOST_EXACT = 2**53
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EARLIEST, _LATEST = -62_135_596_800, 253_402_300_799
"""Seconds from 1970 to the first and the last second that a `datetime` has."""
_MINUTES = tuple(f"{minute // 60:02}:{minute % 60:02}" for minute in range(1_440))
_SECONDS = tuple(f"{second:02}" for second in range(60))
_DIGITS = re.compile(r"[+-]?\d{1,18}(\.\d{1,9})?")
_SMALL = re.compile(r"-?[0-9]{1,15}")
"""Whole numbers that any double holds."""
_UTC = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_AS_TEXT = (ValueCodec.UTC_TEXT, ValueCodec.BOOLEAN_TEXT)
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SLASH_DATE = re.compile(r"/Date\((-?\d{1,15})(?:[+-]\d{1,4})?\)/")
_READERS = {ValueCodec.TEXT_RUNS: text_of_runs, ValueCodec.MAIL: text_of_mail}
_MOST_DEPTH = 60
"""Levels of an Atlassian document that are read."""


def read_value(field: RestField, value: JsonValue) -> JsonValue:
    """A value of the system in our way; what is not written as the manifest says stays as it is."""
    if value is None:
        return None
    if field.codec is ValueCodec.PLAIN:
        # Most values, and each is looked at in each row.
        if isinstance(value, str | bool):
            return value
        return str(value) if field.field.data_type is DataType.DECIMAL and is_number(value) else _large_as_text(value)
    return _decoded(field, value)


def is_plain(field: RestField) -> bool:
    """Whether a value of it stays as the system has it, but for large numbers."""
    return field.codec is ValueCodec.PLAIN and field.field.data_type is not DataType.DECIMAL


def value_reader(field: RestField) -> Callable[[JsonValue], JsonValue]:
    """What reads values of one field other than None, for many of them."""
    return _second_of if field.codec is ValueCodec.EPOCH else partial(read_value, field)


def _decoded(field: RestField, value: JsonValue) -> JsonValue:
    if field.codec is ValueCodec.SLASH_DATE:
        return _of_slash_date(field, value)
    if field.codec is ValueCodec.EPOCH:
        return _second_of(value)
    if field.codec is ValueCodec.EPOCH_MS:
        return _moment_of(value, 1_000)
    if field.codec in _AS_TEXT:
        return _of_text(field, value)
    if field.codec is ValueCodec.ADF:
        return value if isinstance(value, str) else text_of_document(value)
    if field.codec is ValueCodec.JSON_TEXT:
        return _json_within(value)
    if field.codec in _READERS:
        return _READERS[field.codec](value)
    if field.codec is ValueCodec.CSV and isinstance(value, str):
        return _parts(value)
    if field.codec is ValueCodec.SEGMENT and isinstance(value, str):
        return value.rstrip("/").rpartition("/")[2]
    return _small_as_number(value) if field.codec is ValueCodec.NUMBER_TEXT else _large_as_text(value)


def written_value(field: RestField, value: JsonValue) -> JsonValue:
    """Our value in the system's way. Raises `InvalidValue`."""
    if value is None:
        return None
    if field.codec in (ValueCodec.EPOCH, ValueCodec.EPOCH_MS):
        return _epoch_of(field.name, value, 1_000 if field.codec is ValueCodec.EPOCH_MS else 1)
    if field.codec is ValueCodec.SLASH_DATE:
        return _slash_date(field, value)
    if field.codec in _AS_TEXT:
        return _as_text(field, value)
    if field.codec is ValueCodec.ADF and isinstance(value, str):
        return document_of_text(value)
    if field.codec is ValueCodec.JSON_TEXT:
        return dumps(value).decode()
    if field.codec is ValueCodec.CSV and isinstance(value, list):
        return ",".join(str(each) for each in as_list(value))
    if field.codec is ValueCodec.NUMBER_TEXT and (is_number(value) or isinstance(value, str)):
        return str(value)
    if field.field.data_type is DataType.DECIMAL and isinstance(value, str) and _DIGITS.fullmatch(value):
        return _number(value)
    return _allowed(field, value)


def _allowed(field: RestField, value: JsonValue) -> JsonValue:
    known = field.field.values
    given: list[JsonValue] = as_list(value) if isinstance(value, list) else [value]
    for each in given if known else ():
        if each not in known:
            raise InvalidValue(field.name, f"must be one of {', '.join(str(each) for each in known)}")
    if field.field.data_type is DataType.UUID and not (isinstance(value, str) and _UUID.fullmatch(value)):
        # Some stand within addresses, such as that of a group's new member, and must not lead elsewhere.
        raise InvalidValue(field.name, "must be a UUID such as 123e4567-e89b-12d3-a456-426614174000")
    return given if isinstance(value, list) else value


def literal_value(field: RestField, value: Literal) -> Literal:
    """A condition's value in the system's way."""
    if field.codec in (ValueCodec.EPOCH, ValueCodec.EPOCH_MS):
        return _epoch_of(field.name, value, 1_000 if field.codec is ValueCodec.EPOCH_MS else 1)
    return _as_text(field, value) if field.codec in _AS_TEXT else value


def literal_text(value: JsonValue) -> str:
    """A value as it stands in a query: lists with commas between their parts, objects as JSON."""
    if isinstance(value, dict):
        return dumps(value).decode()
    if isinstance(value, list):
        return ",".join(literal_text(each) for each in as_list(value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _of_slash_date(field: RestField, value: JsonValue) -> JsonValue:
    """A day, or a moment in UTC; the zone behind the number says only how it was shown once."""
    found = _SLASH_DATE.fullmatch(str(value))
    if found is None:
        return value
    try:
        moment = _EPOCH + timedelta(milliseconds=int(found[1]))
    except OverflowError:
        return value
    if field.field.data_type is DataType.DATE:
        return moment.date().isoformat()
    zone = "Z" if field.field.data_type is DataType.TIMESTAMP_WITH_ZONE else ""
    return moment.replace(tzinfo=None).isoformat() + zone


def _slash_date(field: RestField, value: JsonValue) -> str:
    if _SLASH_DATE.fullmatch(str(value)):
        return str(value)
    milliseconds = _epoch_of(field.name, value, 1_000)
    zone = "+0000" if field.field.data_type is DataType.TIMESTAMP_WITH_ZONE else ""
    return f"/Date({milliseconds}{zone})/"


def _json_within(value: JsonValue) -> JsonValue:
    """What a text holds; one that is no JSON stays."""
    try:
        return loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _parts(text: str) -> list[JsonValue]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _moment_of(value: JsonValue, unit: int) -> JsonValue:
    text = str(value)
    if isinstance(value, bool) or not _DIGITS.fullmatch(text):
        return value
    try:
        moment = _EPOCH + timedelta(seconds=float(text) / unit)
    except OverflowError:
        return value
    return moment.isoformat().replace("+00:00", "Z")


def _second_of(value: JsonValue) -> JsonValue:
    """The moment of seconds since 1970; whole ones several times cheaper than by a `datetime`."""
    if type(value) is not int or not _EARLIEST <= value <= _LATEST:
        return _moment_of(value, 1)
    days, rest = divmod(value, 86_400)
    minutes, second = divmod(rest, 60)
    return f"{_day(days)}T{_MINUTES[minutes]}:{_SECONDS[second]}Z"


@lru_cache(maxsize=10_000)
def _day(number: int) -> str:
    return (_EPOCH + timedelta(days=number)).date().isoformat()


def _epoch_of(name: str, value: JsonValue, unit: int) -> int:
    if is_number(value) or (isinstance(value, str) and _DIGITS.fullmatch(value)):
        return int(Decimal(str(value)))
    return round((_given_moment(name, value) - _EPOCH).total_seconds() * unit)


def _given_moment(name: str, value: JsonValue) -> datetime:
    """A moment that a client gives; without a zone it is UTC. Raises `InvalidValue`."""
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        raise InvalidValue(name, f"must be a moment such as 2026-11-26T09:00:00Z, not {str(value)[:60]!r}") from None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _of_text(field: RestField, value: JsonValue) -> JsonValue:
    """A moment or boolean that the system writes as text; what is neither stays."""
    text = str(value)
    if field.codec is ValueCodec.UTC_TEXT:
        return f"{text[:10]}T{text[11:]}Z" if _UTC.fullmatch(text) else value
    return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), value)


def _as_text(field: RestField, value: JsonValue) -> str:
    if field.codec is ValueCodec.UTC_TEXT:
        return f"{_given_moment(field.name, value):%Y-%m-%d %H:%M:%S}"
    return literal_text(value)


def _number(text: str) -> int | float | Decimal:
    exact = Decimal(text)
    if exact == exact.to_integral_value() and "." not in text:
        return int(exact)
    return float(text) if Decimal(repr(float(text))) == exact else exact


def _large_as_text(value: JsonValue) -> JsonValue:
    """Integers beyond what a double holds, and decimals, as text, at any depth."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if -_MOST_EXACT <= value <= _MOST_EXACT else str(value)
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, dict):
        return {name: _large_as_text(each) for name, each in as_object(value).items()}
    if isinstance(value, list):
        return [_large_as_text(each) for each in as_list(value)]
    return value


def _small_as_number(value: JsonValue) -> JsonValue:
    if isinstance(value, str) and _SMALL.fullmatch(value):
        return int(value)
    return value if isinstance(value, str) else _large_as_text(value)


def document_of_text(text: str) -> JsonObject:
    """Text as a document of Atlassian: a paragraph for each line."""
    lines: list[JsonValue] = [
        {"type": "paragraph", "content": [{"type": "text", "text": line}]} if line else {"type": "paragraph"}
        for line in text.split("\n")
    ]
    return {"version": 1, "type": "doc", "content": lines}


def text_of_document(document: JsonValue) -> str:
    """The text of such a document, one line for each paragraph, heading or item."""
    lines: list[str] = []
    _gather(document, lines, 0)
    return "\n".join(line for line in lines).strip()


_BLOCKS = frozenset({"paragraph", "heading", "codeBlock", "tableCell", "rule"})


def _gather(node: JsonValue, lines: list[str], depth: int) -> None:
    members = as_object(node)
    if depth > _MOST_DEPTH:
        return
    if members.get("type") in _BLOCKS:
        lines.append("")
    if not lines:
        lines.append("")
    text = members.get("text") or as_object(members.get("attrs")).get("text")
    if isinstance(text, str):
        lines[-1] += text
    elif members.get("type") == "hardBreak":
        lines.append("")
    for each in as_list(members.get("content")):
        _gather(each, lines, depth + 1)
