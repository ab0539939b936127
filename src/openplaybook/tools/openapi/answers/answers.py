"""The body of an answer as JSON, as text, or as a file."""

from dataclasses import dataclass

from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonValue, loads
from openplaybook.tools.openapi.answers.cutting import BUDGET, salvage
from openplaybook.tools.openapi.answers.failures import excerpt
from openplaybook.tools.openapi.answers.media import Media, is_attachment, media_of
from openplaybook.tools.openapi.operation import Operation

_SALVAGED = 4 * BUDGET
_MAX_PARSED = 2_000_000
"""Bytes of JSON that are read in full, which takes milliseconds; of a longer answer, the beginning."""

_MAX_VALUES = 100_000
"""The same limit for JSON of many small values, each of which costs more than its bytes."""

_FOR_SELECTION = 10
"""How many times that is read where fields are selected: what is wanted may stand anywhere."""

_ANYTHING = ("", "application/octet-stream", "binary/octet-stream", "application/unknown")
"""Types that services send when they do not know better."""


@dataclass(frozen=True, slots=True)
class Content:
    """What an answer holds."""

    value: JsonValue
    note: str = ""
    """What the value lacks."""
    is_file: bool = False
    """Nothing to be read as text; the value is None."""
    excerpt: str = ""
    """The beginning of what claims to be JSON, or had to be, and is not; the value is None."""


_EMPTY = Content(None)
_FILE = Content(None, is_file=True)


def content_of(operation: Operation, response: HttpResponse, *, can_keep: bool, selects: bool = False) -> Content:
    """What an answer holds, by its headers and by what it begins with.

    `can_keep`: whether files can be kept, so that what is to be saved becomes one even where it is text; `selects`:
    whether only some fields of it will be kept.
    """
    if not response.body:
        return _EMPTY
    media = media_of(response.header("Content-Type"))
    if media.is_json:
        return _json(response, media, _FOR_SELECTION if selects else 1)
    if can_keep and is_attachment(response.header("Content-Disposition")):
        return _FILE
    if media.is_page and media.essence not in operation.text_types:
        return Content(None, excerpt=excerpt(_text(response, media)))
    if media.is_text:
        return _text_or_json(response, media)
    if media.essence in _ANYTHING and media.essence not in operation.text_types:
        return _guessed(response, media)
    return _FILE


def _json(response: HttpResponse, media: Media, times: int) -> Content:
    if response.truncated or _is_long(response.body, times):
        text = _text(response, media)
        note = _short(response) or f"Only the beginning of {len(text)} characters is here."
        try:
            return Content(salvage(text[:_SALVAGED]), note)
        except ValueError:
            return Content(None, excerpt=excerpt(text))
    try:
        return Content(loads(response.body))
    except ValueError:
        text = _text(response, media)
    try:
        return Content(loads(text.removeprefix("\ufeff")))
    except ValueError:
        return Content(None, excerpt=excerpt(text))


def _is_long(body: bytes, times: int = 1) -> bool:
    """Whether reading a whole body as JSON takes too long; a count of what begins values, those in strings too."""
    if len(body) <= _MAX_VALUES:
        return False
    return len(body) > times * _MAX_PARSED or sum(map(body.count, (b",", b"[", b"{"))) > times * _MAX_VALUES


def _text_or_json(response: HttpResponse, media: Media) -> Content:
    """JSON that is labelled as text is still JSON."""
    text = _text(response, media)
    if text.lstrip()[:1] in ("{", "[") and not response.truncated and not _is_long(response.body):
        try:
            return Content(loads(text))
        except ValueError:
            pass
    return Content(text, _short(response))


def _guessed(response: HttpResponse, media: Media) -> Content:
    """An answer of no known type: JSON where it reads as such, text where it may be any and is, else a file."""
    try:
        text = response.body.decode()
    except UnicodeDecodeError:
        return _FILE
    found = _text_or_json(response, media)
    return found if not isinstance(found.value, str) or (not media.essence and "\0" not in text) else _FILE


def _text(response: HttpResponse, media: Media) -> str:
    return response.body.decode(media.charset, "replace")


def _short(response: HttpResponse) -> str:
    return (
        f"The answer was longer than {len(response.body)} bytes; the rest was not read." if response.truncated else ""
    )
