"""What tools send, as a recording tells it: the same of a request that was sent and of one that would be."""

import re
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import parse_qsl, unquote_plus, urlsplit

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, is_deep, loads
from openplaybook.recordings.step_form import RecordedRequest
from openplaybook.telemetry.redaction import MASK, mask_json
from openplaybook.tools.base import Exchange

_CUT = "…"
"""At the end of a body that is not shown whole."""
_MOST_LEVELS = 100
"""A body that is nested deeper is not read: a file of recordings has at most 200 levels."""
_FORM = "application/x-www-form-urlencoded"
_BOUNDARY = re.compile(r"^multipart/form-data;.*?\bboundary=\"?([^\";]+)", re.IGNORECASE)
_FIELD = re.compile(r'^content-disposition:.*?\bname="([^"]*)"', re.IGNORECASE | re.MULTILINE)


def request_of(exchange: Exchange) -> RecordedRequest:
    """The request of an exchange.

    Credentials are left out, as a replay has none; so are headers, and bodies that are neither JSON nor a form.
    """
    url = urlsplit(exchange.url)
    query = "&".join(part for part in url.query.split("&") if part and unquote_plus(part.partition("=")[2]) != MASK)
    path = f"{url.path}?{query}" if query else url.path
    body = exchange.request_body
    form = None if body.endswith(_CUT) else _form(body, _media_type(exchange))
    return RecordedRequest(method=exchange.method, path=path, body=_json(body) if form is None else None, form=form)


def _json(text: str) -> JsonValue:
    with suppress(ValueError):
        value = loads(text)
        return None if is_deep(value, _MOST_LEVELS) else value
    return None


def _media_type(exchange: Exchange) -> str:
    return next((value for name, value in exchange.request_headers.items() if name.lower() == "content-type"), "")


def _form(body: str, media_type: str) -> list[JsonObject] | None:
    """The fields of a form in their order; None for any other body."""
    if media_type.partition(";")[0].strip().lower() == _FORM:
        return [{name: _masked(value)} for name, value in parse_qsl(body, keep_blank_values=True)]
    boundary = _BOUNDARY.match(media_type)
    return None if boundary is None else list(_parts(body, boundary[1]))


def _parts(body: str, boundary: str) -> Iterator[JsonObject]:
    for part in f"\r\n{body}".split(f"\r\n--{boundary}")[1:-1]:
        head, _, content = part.partition("\r\n\r\n")
        name = _FIELD.search(head.replace("\r\n", "\n"))
        yield {name[1] if name else "": _masked(content)}


def _masked(text: str) -> str:
    """The value of a field. One that is JSON holds what stands under secret names, as a whole body does."""
    value = _json(text)
    masked = mask_json(value)
    return text if masked == value else dumps(masked).decode()
