"""From an answer to an outcome the model can read."""

import re
from http import HTTPStatus

from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, is_deep, loads
from openplaybook.tools.base import Failure, Outcome, Success
from openplaybook.tools.openapi.bodies import is_json
from openplaybook.tools.openapi.cutting import BUDGET, MAX_DEPTH, cut, salvage
from openplaybook.tools.openapi.operation import Operation

_EXCERPT = 200
_SALVAGED = 4 * BUDGET
_MAX_PARSED = 2_000_000
"""Bytes of JSON that are read in full, which takes milliseconds; of a longer answer, the beginning."""

_MAX_VALUES = 100_000
"""The same limit for JSON of many small values, each of which costs more than its bytes."""

_CHARSET = re.compile(
    r"(utf-?(8|16|32)([_-]?[bl]e)?|us-ascii|ascii|latin-?1|iso-?8859-\d{1,2}|windows-\d{3,4}|cp\d{3,4}"
    r"|shift[_-]?jis|euc-(jp|kr)|iso-2022-(jp|kr)|gb2312|gbk|gb18030|big5|koi8-[ru]|macintosh)"
)
"""Encodings of text on the web. Python knows more by that name, of which some take quadratic time or raise."""

_MESSAGE_KEYS = ("message", "error_description", "detail", "title", "error", "description")
_TEXT_TYPES = ("application/xml", "application/x-ndjson", "application/yaml", "application/javascript")


class _NotJson(Exception):
    """The answer claims to be JSON, or had to be, and is not; the message is an excerpt."""


def outcome(operation: Operation, response: HttpResponse) -> Outcome:
    """What an answer means: success by its status, the body as JSON, text, or a note about bytes."""
    status = str(response.status)
    is_success = 200 <= response.status < 300
    try:
        body, note = _body(operation, response)
    except _NotJson as error:
        if not is_success:
            return Failure("HTTP_ERROR", _told(response, None), {status: str(error)})
        kind = response.header("Content-Type") or "no content type"
        return Failure(
            "NOT_JSON", f"the API answered {status}, but what it sent ({kind}) is not JSON. It begins: {error}"
        )
    # An answer within the budget as sent is not measured again.
    is_small = len(response.body) <= BUDGET and not is_deep(body, MAX_DEPTH)
    kept, cut_note = (body, "") if is_small else cut(body)
    output: JsonObject = {status: kept}
    if not is_success:
        return Failure("HTTP_ERROR", _told(response, body), output)
    return Success(output, " ".join(part for part in (note, cut_note) if part))


def _body(operation: Operation, response: HttpResponse) -> tuple[JsonValue, str]:
    """The body as a JSON value, and a note of what it lacks; raises `_NotJson`."""
    content_type = response.header("Content-Type")
    kind = content_type.partition(";")[0].strip().lower()
    if not response.body:
        return None, ""
    if is_json(kind):
        return _json(response, content_type)
    is_text = kind.startswith("text/") or kind in _TEXT_TYPES or kind.endswith("+xml")
    if kind in operation.text_types and is_text:
        return _text(response, content_type), _short(response)
    if kind in ("text/html", "application/xhtml+xml"):
        raise _NotJson(_excerpt(_text(response, content_type)))
    if is_text or not kind:
        return _maybe_json(response, content_type), _short(response)
    size = f"{'more than ' if response.truncated else ''}{len(response.body)} bytes"
    return None, f"The answer is {size} of {kind}, which is not shown."


def _json(response: HttpResponse, content_type: str) -> tuple[JsonValue, str]:
    if response.truncated or _is_long(response.body):
        text = _text(response, content_type)
        try:
            return salvage(text[:_SALVAGED]), _short(
                response
            ) or f"Only the beginning of {len(text)} characters is here."
        except ValueError:
            raise _NotJson(_excerpt(text)) from None
    try:
        return loads(response.body), ""
    except ValueError:
        text = _text(response, content_type)
    try:
        return loads(text.removeprefix("\ufeff")), ""
    except ValueError:
        raise _NotJson(_excerpt(text)) from None


def _is_long(body: bytes) -> bool:
    """Whether reading a whole body as JSON takes too long; a count of what begins values, those in strings too."""
    return len(body) > _MAX_PARSED or sum(map(body.count, (b",", b"[", b"{"))) > _MAX_VALUES


def _maybe_json(response: HttpResponse, content_type: str) -> JsonValue:
    """JSON that is labelled as text, or has no label, is still JSON."""
    text = _text(response, content_type)
    if text.lstrip()[:1] in ("{", "[") and not _is_long(response.body):
        try:
            return loads(text)
        except ValueError:
            return text
    return text


def _text(response: HttpResponse, content_type: str) -> str:
    declared = content_type.lower().partition("charset=")[2].partition(";")[0].strip(" \"'")
    return response.body.decode(declared if _CHARSET.fullmatch(declared) else "utf-8", "replace")


def _short(response: HttpResponse) -> str:
    return (
        f"The answer was longer than {len(response.body)} bytes; the rest was not read." if response.truncated else ""
    )


def _excerpt(text: str) -> str:
    line = " ".join(text[: 10 * _EXCERPT].split())
    return line if len(line) <= _EXCERPT else f"{line[:_EXCERPT]}…"


def _told(response: HttpResponse, body: JsonValue) -> str:
    """Status in words, and what the API says about it."""
    try:
        phrase = f" {HTTPStatus(response.status).phrase}"
    except ValueError:
        phrase = ""
    said = _message(body)
    return f"the API answered {response.status}{phrase}" + (f": {_excerpt(said)}" if said else "")


def _message(body: JsonValue) -> str:
    """The sentence in an error body, by the usual names (RFC 9457 among them), one level down too."""
    if isinstance(body, str):
        return body
    members = as_object(body)
    for key in _MESSAGE_KEYS:
        value = members.get(key)
        if isinstance(value, str) and value:
            return value
    inner = as_object(members.get("error"))
    return _message(inner) if inner else ""
