"""Samples as callers give them, and the exchanges they are read as."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, unquote, unquote_plus, urlsplit

from openplaybook.drafting.errors import UnusableSample
from openplaybook.jsonvalues import JsonValue, is_deep, loads

MAX_SAMPLES = 50
MAX_SAMPLE_BYTES = 1_000_000
"""Of one sample: URL, headers and both bodies in UTF-8."""

MAX_TOTAL_BYTES = 20_000_000
"""Of all samples: read, they take ten times as much memory, and a second for each 10 MB."""

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
"""The methods that OpenAPI 3 has."""

JSON_TYPE = "application/json"
FORM_TYPE = "application/x-www-form-urlencoded"

_MAX_DEPTH = 100
_MAX_URL = 8_000
_MAX_SEGMENTS = 100
_FORM = re.compile(r"[^\s=&{}<>\"]+=[^\s&<>]*(&[^\s=&{}<>\"]+=[^\s&<>]*)*")
_UNSAFE = re.compile(r"[\x00-\x20\x7f]")


@dataclass(frozen=True, slots=True)
class Sample:
    """One exchange with an API, as it was seen."""

    url: str
    """Absolute, query string included. A segment `{petId}` names a parameter whose value is not known."""
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Request headers that callers set."""
    request_body: str = ""
    response_body: str = ""
    status: int = 200
    response_type: str = ""
    """Media type of the answer, where known."""


@dataclass(frozen=True, slots=True)
class Content:
    """A body, read."""

    media_type: str
    """Without parameters, lower case."""
    value: JsonValue
    """The JSON value; for a form the lists of its texts by name; else the text."""

    @property
    def is_json(self) -> bool:
        """Whether the value is a JSON value."""
        return self.media_type == JSON_TYPE or self.media_type.endswith("+json")


@dataclass(frozen=True, slots=True)
class ApiExchange:
    """A sample that was read."""

    number: int
    """Position among the samples, counted from 0."""
    method: str
    """Lower case."""
    origin: str
    """`https://api.example.com`, without user name and password."""
    segments: tuple[str, ...]
    """Of the path, percent-encoded as written; one empty segment for the path `/`."""
    query: tuple[tuple[str, str], ...]
    """Names, decoded, and values as written."""
    headers: Mapping[str, str]
    request: Content | None
    response: Content | None
    status: str
    has_user: bool
    """Whether the URL named a user."""


def read_samples(samples: Sequence[Sample]) -> list[ApiExchange]:
    """The exchanges of the samples, in their order; raises `UnusableSample`."""
    if len(samples) > MAX_SAMPLES:
        raise UnusableSample(MAX_SAMPLES, "", f"there are {len(samples)} samples; at most {MAX_SAMPLES} are read")
    total = 0
    for number, sample in enumerate(samples):
        total += _checked_size(number, sample)
        if total > MAX_TOTAL_BYTES:
            raise UnusableSample(number, "", f"with it the samples are more than {MAX_TOTAL_BYTES:,} bytes; give fewer")
    return [_exchange(number, sample) for number, sample in enumerate(samples)]


def _exchange(number: int, sample: Sample) -> ApiExchange:
    url = _url(number, sample.url)
    method = (sample.method or "GET").strip().lower()
    if method not in METHODS:
        allowed = ", ".join(each.upper() for each in METHODS)
        raise UnusableSample(number, "method", f"{sample.method!r} is not one of {allowed}")
    status = sample.status or 200
    if not 100 <= status <= 599:
        raise UnusableSample(number, "status", f"{status} is not an HTTP status; it must be from 100 to 599")
    declared = next((value for name, value in sample.headers.items() if name.lower() == "content-type"), "")
    return ApiExchange(
        number=number,
        method=method,
        origin=f"{url.scheme.lower()}://{url.netloc.rpartition('@')[2].lower()}",
        segments=tuple(url.path.removeprefix("/").split("/")),
        query=tuple(_pairs(url.query)),
        headers=sample.headers,
        request=_content(number, "request_body", sample.request_body, declared),
        response=_content(number, "response_body", sample.response_body, sample.response_type),
        status=str(status),
        has_user="@" in url.netloc,
    )


def _checked_size(number: int, sample: Sample) -> int:
    texts = (sample.url, sample.request_body, sample.response_body, *sample.headers, *sample.headers.values())
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    if size > MAX_SAMPLE_BYTES:
        raise UnusableSample(number, "", f"is {size:,} bytes; at most {MAX_SAMPLE_BYTES:,} are read of one sample")
    return size


def _url(number: int, text: str) -> SplitResult:
    if not text:
        raise UnusableSample(number, "url", "is required")
    if len(text) > _MAX_URL:
        raise UnusableSample(number, "url", f"is longer than {_MAX_URL:,} characters")
    if _UNSAFE.search(text):
        raise UnusableSample(number, "url", "contains blanks or control characters; percent-encode them")
    example = "such as https://api.example.com/v1/pets?limit=10"
    try:
        url = urlsplit(text)
        _ = url.port
    except ValueError as error:
        raise UnusableSample(number, "url", f"is not a URL ({error}); write an absolute one, {example}") from error
    if url.scheme.lower() not in ("http", "https") or not url.hostname:
        raise UnusableSample(number, "url", f"is not absolute; write one with scheme and host, {example}")
    if url.path.count("/") > _MAX_SEGMENTS:
        raise UnusableSample(number, "url", f"has more than {_MAX_SEGMENTS} segments in its path")
    return url


def _pairs(query: str) -> list[tuple[str, str]]:
    """The pairs of a query; values stay encoded, since a comma between items is told from one within by that."""
    pairs: list[tuple[str, str]] = []
    for part in query.split("&"):
        name, _, value = part.partition("=")
        if name:
            pairs.append((unquote_plus(name), value))
    return pairs


def _content(number: int, field: str, body: str, declared: str) -> Content | None:
    if not body.strip():
        return None
    media_type = declared.partition(";")[0].strip().lower() or _guessed(body)
    if media_type == FORM_TYPE:
        return Content(media_type, _form(body))
    content = Content(media_type, body)
    if not content.is_json:
        return content
    try:
        value = loads(body.removeprefix("\ufeff"))
    except ValueError as error:
        raise UnusableSample(number, field, f"is malformed JSON: {str(error).partition(chr(10))[0]}") from error
    if is_deep(value, _MAX_DEPTH):
        raise UnusableSample(number, field, f"is nested in more than {_MAX_DEPTH} levels")
    return Content(media_type, value)


def _guessed(body: str) -> str:
    """The media type of a body that comes without one."""
    start = body.lstrip("\ufeff \t\r\n")
    if start[0] in "{[":
        return "application/x-ndjson" if _is_ndjson(start) else JSON_TYPE
    if start[:9].lower() == "<!doctype" or start[:5].lower() == "<html":
        return "text/html"
    if start[0] == "<":
        return "application/xml"
    if _FORM.fullmatch(body.strip()):
        return FORM_TYPE
    return JSON_TYPE if _is_json(body) else "text/plain"


def _is_ndjson(body: str) -> bool:
    lines = [line for line in body.splitlines() if line.strip()]
    return len(lines) > 1 and all(line.lstrip()[0] in "{[" and _is_json(line) for line in lines)


def _is_json(text: str) -> bool:
    try:
        loads(text)
    except ValueError:
        return False
    return True


def _form(body: str) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for name, value in parse_qsl(body.strip(), keep_blank_values=True):
        fields.setdefault(name, []).append(value)
    return fields


def decoded(segment: str) -> str:
    """A path segment without its percent-encoding."""
    return unquote(segment)
