"""What a text looks like: the format of a string, an identifier in a path, a number in a query."""

import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from ipaddress import IPv4Address, IPv6Address

_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
_EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+", re.ASCII)
_URI = re.compile(r"(https?|ftp)://[A-Za-z0-9\[][!#-;=?-\[\]_a-z~%]*", re.ASCII)
_BASE64 = re.compile(r"[A-Za-z0-9+/]{22,}={1,2}", re.ASCII)
_INTEGER = re.compile(r"-?(0|[1-9]\d{0,17})", re.ASCII)
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})\.\d{1,15}", re.ASCII)

_HEX = re.compile(r"(?=.*\d)[0-9a-f]{8,}|(?=.*\d)[0-9A-F]{8,}", re.ASCII)
_OPAQUE = re.compile(r"(?=.*[A-Za-z])(?=.*\d)[A-Za-z0-9_~=:.%+-]{16,}|[A-Z]{2}[0-9a-f]{32}", re.ASCII)
_PREFIXED = re.compile(
    r"[A-Z]{1,6}\d{2,}|[A-Za-z]{1,6}\d{4,}[A-Za-z]{0,4}|[A-Za-z]{1,6}[-_]\d{3,}|[a-z]{2,6}_(?=.*\d)[A-Za-z0-9]{6,}",
    re.ASCII,
)
_VERSION = re.compile(
    r"v(?:\d{1,3}|20\d\d)(?:[._-]\d{1,3})*(?:p\d+)?(?:[._-]?(?:alpha|beta|rc|preview|dev)\d*)?",
    re.ASCII | re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+|\d[\d_-]{3,}", re.ASCII)


def _is_date_time(text: str) -> bool:
    return bool(_DATE_TIME.fullmatch(text)) and _parses(_date_time, text)


def _date_time(text: str) -> object:
    # Fractions beyond microseconds are legal in RFC 3339, and `fromisoformat` cuts them; a leap second it refuses.
    return datetime.fromisoformat(text.upper().replace("Z", "+00:00"))


def _is_date(text: str) -> bool:
    return bool(_DATE.fullmatch(text)) and _parses(date.fromisoformat, text)


def _is_uuid(text: str) -> bool:
    return bool(_UUID.fullmatch(text))


def _is_email(text: str) -> bool:
    return bool(_EMAIL.fullmatch(text))


def _is_uri(text: str) -> bool:
    return bool(_URI.fullmatch(text))


def _is_ipv4(text: str) -> bool:
    return text.count(".") == 3 and _parses(IPv4Address, text)


def _is_ipv6(text: str) -> bool:
    return text.count(":") >= 2 and _parses(IPv6Address, text)


def _is_byte(text: str) -> bool:
    return len(text) % 4 == 0 and bool(_BASE64.fullmatch(text)) and _parses(_decoded, text)


def _decoded(text: str) -> object:
    return b64decode(text, validate=True)


def _parses(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except (ValueError, NotBase64):
        return False
    return True


FORMATS: Mapping[str, Callable[[str], bool]] = {
    "date-time": _is_date_time,
    "date": _is_date,
    "uuid": _is_uuid,
    "email": _is_email,
    "uri": _is_uri,
    "ipv4": _is_ipv4,
    "ipv6": _is_ipv6,
    "byte": _is_byte,
}
"""Formats of OpenAPI 3.0 and JSON Schema that a text shows by itself, the more telling first."""


def format_of(texts: Iterable[str]) -> str:
    """The format that every text has; empty when there is none."""
    listed = list(dict.fromkeys(texts))
    if not listed:
        return ""
    return next((name for name, fits in FORMATS.items() if all(map(fits, listed))), "")


def is_integer(text: str) -> bool:
    """Whether a text is an integer as JSON writes it, up to 18 digits: not `007`, which is a name made of digits."""
    return bool(_INTEGER.fullmatch(text)) and text != "-0"


def is_number(text: str) -> bool:
    """Whether a text is a decimal number as JSON writes it, integers included."""
    return is_integer(text) or bool(_NUMBER.fullmatch(text))


def is_version(segment: str) -> bool:
    """Whether a path segment names a version: `v1`, `v2.1`, `v3beta1`."""
    return bool(_VERSION.fullmatch(segment))


def is_identifier(segment: str) -> bool:
    """Whether a path segment, decoded, can only be a value: numbers, UUIDs, dates, addresses, opaque identifiers."""
    if is_version(segment):
        return False
    return (
        bool(_DIGITS.fullmatch(segment))
        or is_number(segment)
        or _is_uuid(segment)
        or _is_date(segment)
        or _is_date_time(segment)
        or _is_email(segment)
        or bool(_HEX.fullmatch(segment) or _OPAQUE.fullmatch(segment) or _PREFIXED.fullmatch(segment))
    )
