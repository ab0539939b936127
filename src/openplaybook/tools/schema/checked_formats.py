"""Formats of texts that are checked before a text is sent.

JSON Schema leaves formats unchecked unless asked (2020-12 validation §7.2.1), and descriptions are careless with them:
a service takes more than its description says. So only those are checked whose texts have one shape everywhere, and
these leniently: the empty text passes, a date may have a time, a time may lack its zone, a UUID its hyphens. What no
reading makes a date or a UUID is refused, so that a model hears it in a sentence rather than as a status.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date

_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})([Tt ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[Zz]| ?[+-]\d{2}(:?\d{2})?)?)?")
_UUID = re.compile(r"\{?[0-9A-Fa-f]{8}(-?[0-9A-Fa-f]{4}){3}-?[0-9A-Fa-f]{12}\}?")
_BUILT_IN = (
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
)
EXPECTED: Mapping[str, str] = {
    "date": "a date such as 2026-01-31",
    "date-time": "a date and time such as 2026-01-31T12:00:00Z",
    "uuid": "a UUID such as f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
}
"""What a text of a checked format must be."""


def is_date(text: str) -> bool:
    """Whether a text is a day of the calendar, with or without a time (RFC 3339 §5.6, ISO 8601)."""
    match = _DATE.fullmatch(text)
    if match is None:
        return not text
    try:
        date.fromisoformat(match[1])
    except ValueError:
        return False
    return True


def is_uuid(text: str) -> bool:
    """Whether a text is a UUID (RFC 9562 §4), with or without hyphens and braces."""
    return not text or bool(_UUID.fullmatch(text.removeprefix("urn:uuid:")))


def _anything(text: str) -> bool:
    return True


FORMATS: Mapping[str, Callable[[str], bool]] = {
    **dict.fromkeys(_BUILT_IN, _anything),
    "date": is_date,
    "date-time": is_date,
    "uuid": is_uuid,
}
"""The check of every format that the validator would check by itself."""
