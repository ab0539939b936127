"""The export's shapes of times, durations and maps, to those of the API and back.

Exports write `{seconds, nanos}` where the API has RFC 3339 or `1.5s`, and lists of `{key, value}` where it has
objects. What users put into parameters, schemas and payloads is never touched.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

OPAQUE = frozenset(
    {
        "actionParameters",
        "actionSchemas",
        "customPayload",
        "defaultEndUserMetadata",
        "inputActionParameters",
        "inputParameters",
        "inputSchema",
        "metadata",
        "openapiJsonSchema",
        "outputActionParameters",
        "outputParameters",
        "outputSchema",
        "parameters",
        "payload",
        "schemas",
        "sharedSchemas",
        "updatedParameters",
        "value",
        "voiceModeSettings",
    }
)
"""Keys whose values are users' data."""

_MAPS = frozenset({("speechSettings", "models"), ("textToSpeechSettings", "synthesizeSpeechConfigs")})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TIMESTAMP = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z")
_DURATION = re.compile(r"(-?)(\d{1,12})(?:\.(\d{1,9}))?s")
_MAX_SECONDS = 315_576_000_000
"""Bound of a Duration (protobuf, duration.proto): 10,000 years."""

_Converter = Callable[[JsonValue], JsonValue]


def from_export(resource: JsonObject) -> JsonObject:
    """A resource in the API's shapes. What does not convert stays as it is."""
    return _convert_object(resource, "", _Shapes(_read_timestamp, _read_duration, _read_map))


def to_export(resource: JsonObject) -> JsonObject:
    """A resource in the export's shapes; inverse of `from_export`."""
    return _convert_object(resource, "", _Shapes(_write_timestamp, _write_duration, _write_map))


class _Shapes:
    def __init__(self, timestamp: _Converter, duration: _Converter, mapping: _Converter) -> None:
        self._timestamp = timestamp
        self._duration = duration
        self._mapping = mapping

    def of(self, parent: str, key: str) -> _Converter | None:
        """What converts the value under `key` in the object under `parent`; None: it has an ordinary shape."""
        if (parent, key) in _MAPS:
            return self._mapping
        if key.endswith("Time"):
            return self._timestamp
        return self._duration if key.endswith(("Timeout", "Duration", "Ttl")) or key == "ttl" else None


def _convert_object(value: JsonObject, parent: str, shapes: _Shapes) -> JsonObject:
    return {key: _convert_member(parent, key, member, shapes) for key, member in value.items()}


def _convert_member(parent: str, key: str, value: JsonValue, shapes: _Shapes) -> JsonValue:
    if key in OPAQUE:
        return value
    converter = shapes.of(parent, key)
    if converter is not None:
        return converter(value)
    if isinstance(value, list):
        return [
            _convert_object(as_object(item), key, shapes) if isinstance(item, dict) else item for item in as_list(value)
        ]
    return _convert_object(as_object(value), key, shapes) if isinstance(value, dict) else value


def _parts(value: JsonValue) -> tuple[int, int] | None:
    """Seconds and nanoseconds of an exported time; numbers may be texts, as JSON of 64-bit integers has them."""
    if not isinstance(value, dict) or not set(as_object(value)) <= {"seconds", "nanos"}:
        return None
    numbers: list[int] = []
    for key in ("seconds", "nanos"):
        number = as_object(value).get(key, 0)
        if isinstance(number, str) and re.fullmatch(r"-?\d{1,18}", number):
            number = int(number)
        if not isinstance(number, int) or isinstance(number, bool):
            return None
        numbers.append(number)
    seconds, nanos = numbers
    return (seconds, nanos) if abs(seconds) <= _MAX_SECONDS and abs(nanos) < 10**9 else None


def _read_timestamp(value: JsonValue) -> JsonValue:
    parts = _parts(value)
    if parts is None or parts[1] < 0:
        return value
    seconds, nanos = parts
    try:
        moment = _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return value
    return f"{moment.replace(tzinfo=None).isoformat()}{_fraction(nanos)}Z"


def _write_timestamp(value: JsonValue) -> JsonValue:
    match = _TIMESTAMP.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return value
    try:
        moment = datetime.fromisoformat(f"{match[1]}+00:00")
    except ValueError:
        return value
    return _object((moment - _EPOCH) // timedelta(seconds=1), int((match[2] or "0").ljust(9, "0")))


def _read_duration(value: JsonValue) -> JsonValue:
    parts = _parts(value)
    if parts is None or parts[0] * parts[1] < 0:
        return value
    sign = "-" if min(parts) < 0 else ""
    return f"{sign}{abs(parts[0])}{_fraction(abs(parts[1]))}s"


def _write_duration(value: JsonValue) -> JsonValue:
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return value
    sign = -1 if match[1] else 1
    return _object(sign * int(match[2]), sign * int((match[3] or "0").ljust(9, "0")))


def _object(seconds: int, nanos: int) -> JsonObject:
    return {key: number for key, number in (("seconds", seconds), ("nanos", nanos)) if number}


def _fraction(nanos: int) -> str:
    """Fractional seconds in 0, 3, 6 or 9 digits, as the JSON form of protobuf has them."""
    if not nanos:
        return ""
    digits = f"{nanos:09d}"
    while digits.endswith("000"):
        digits = digits[:-3]
    return f".{digits}"


def _read_map(value: JsonValue) -> JsonValue:
    """The object that a list of entries stands for; other values, and lists with a key given twice, stay."""
    members: JsonObject = {}
    for item in as_list(value):
        entry = as_object(item)
        key = entry.get("key")
        if not isinstance(key, str) or key in members or not set(entry) <= {"key", "value"}:
            return value
        members[key] = entry.get("value")
    return members if isinstance(value, list) else value


def _write_map(value: JsonValue) -> JsonValue:
    if not isinstance(value, dict):
        return value
    return [{"key": key, "value": member} for key, member in as_object(value).items()]
