"""Media types (RFC 9110 §8.3.1): what a body of a type is written as, and the texts of JSON types."""

import re
from enum import Enum

from openplaybook.jsonvalues import JsonValue, as_list, dumps

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_VALID = re.compile(rf"{_TOKEN}/{_TOKEN}(\s*;.*)?")
_TEXTUAL = frozenset(
    {
        "application/csv",
        "application/ecmascript",
        "application/graphql",
        "application/javascript",
        "application/jose",
        "application/jwt",
        "application/openyaml",
        "application/pem-certificate-chain",
        "application/rtf",
        "application/sdp",
        "application/sparql-query",
        "application/sparql-update",
        "application/sql",
        "application/x-javascript",
        "application/x-pem-file",
        "application/x-yaml",
        "application/yaml",
    }
)
_LINES_OF_JSON = frozenset(
    {
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonlines",
        "application/json-seq",
    }
)


class BodyFormat(Enum):
    """The ways to write a value."""

    JSON = "JSON"
    FORM = "form"
    MULTIPART = "multipart"
    XML = "XML"
    LINES = "lines of JSON"
    TEXT = "text"
    FILE = "file"
    ANY = "any"
    """A range of everything, or no media type at all: the schema decides."""


def essence_of(media_type: str) -> str:
    """The type without its parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def is_json(media_type: str) -> bool:
    """Whether a media type (parameters allowed) holds JSON: `application/json`, `text/json`, anything `+json`."""
    essence = essence_of(media_type)
    return essence in ("application/json", "text/json") or essence.endswith("+json")


def is_valid(media_type: str) -> bool:
    """Whether it can stand in a `Content-Type`; a range such as `image/*` cannot."""
    return "*" not in essence_of(media_type) and media_type.isprintable() and bool(_VALID.fullmatch(media_type))


def kind_of(media_type: str) -> BodyFormat:
    """How a body of this type, or of a type in this range, is written."""
    essence = essence_of(media_type)
    if is_json(essence):
        return BodyFormat.JSON
    if essence == "application/x-www-form-urlencoded":
        return BodyFormat.FORM
    if essence.startswith("multipart/"):
        return BodyFormat.MULTIPART
    if essence in _LINES_OF_JSON:
        return BodyFormat.LINES
    if essence in ("application/xml", "text/xml") or essence.endswith("+xml"):
        return BodyFormat.XML
    if essence in _TEXTUAL or essence.startswith("text/") or essence.endswith("+yaml"):
        return BodyFormat.TEXT
    if essence in ("*/*", "*", "application/*") or "/" not in essence:
        return BodyFormat.ANY
    return BodyFormat.FILE


def fits(media_type: str, allowed: str) -> bool:
    """Whether a media type is one of `allowed`: types and ranges, separated by commas."""
    essence = essence_of(media_type)
    ranges = [essence_of(each) for each in allowed.split(",")]
    return any(each in (essence, "*/*") or (each.endswith("/*") and essence.startswith(each[:-1])) for each in ranges)


def first_of(allowed: str) -> str:
    """The first of `allowed` that is no range, parameters included; empty when there is none."""
    return next((each.strip() for each in allowed.split(",") if is_valid(each.strip())), "")


def json_text(value: JsonValue) -> str:
    """The value as JSON; numbers with all their digits."""
    return dumps(value).decode()


def lines_of_json(value: JsonValue) -> str:
    """The items of an array, each in a line (https://jsonlines.org); a text is such lines already."""
    if isinstance(value, str):
        return value
    return "".join(f"{json_text(item)}\n" for item in (as_list(value) if isinstance(value, list) else [value]))
