"""From what came of a request to an outcome the model can read: its body as JSON, as text, or as a file."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from openplaybook.egress.base import HttpResponse
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, JsonValue, is_deep, loads
from openplaybook.telemetry.redaction import without_long
from openplaybook.tools.base import Failure, Files, InDoubt, Outcome, StoredFile, Success, ToolContext
from openplaybook.tools.openapi.answers.content_headers import ContentType, file_name, is_attachment, media_of
from openplaybook.tools.openapi.answers.declared_fields import only_declared
from openplaybook.tools.openapi.answers.error_answers import error_message, excerpt
from openplaybook.tools.openapi.answers.exchanges import TRACE_BUDGET, SentRequest
from openplaybook.tools.openapi.answers.projection import project
from openplaybook.tools.openapi.answers.truncation import BUDGET, MAX_DEPTH, cut, salvage
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.tool_settings import ToolSettings
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import ANSWERS

_SALVAGED = 4 * BUDGET
_MAX_PARSED = 2_000_000
"""Bytes of JSON that are read in full, which takes milliseconds; of a longer answer, the beginning."""

_MAX_VALUES = 100_000
"""The same limit for JSON of many small values, each of which costs more than its bytes."""

_FOR_SELECTION = 10
"""How many times that is read where fields are selected: what is wanted may stand anywhere."""

_ANYTHING = ("", "application/octet-stream", "binary/octet-stream", "application/unknown")
"""Types that services send when they do not know better."""

T = TypeVar("T")
_AT_ONCE = 32 * 1024
"""Bytes of an answer that is read on the event loop."""
_MOST_NAMED = 5
"""Selected fields that a note lists."""


@dataclass(frozen=True, slots=True)
class _Content:
    """What an answer holds."""

    value: JsonValue
    note: str = ""
    """What the value lacks."""
    is_file: bool = False
    """Nothing to be read as text; the value is None."""
    excerpt: str = ""
    """The beginning of what claims to be JSON, or had to be, and is not; the value is None."""


_EMPTY = _Content(None)
_FILE = _Content(None, is_file=True)


def _content_of(operation: Operation, response: HttpResponse, *, can_keep: bool, selects: bool = False) -> _Content:
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
        return _Content(None, excerpt=excerpt(_text(response, media)))
    if media.is_text:
        return _text_or_json(response, media)
    if media.essence in _ANYTHING and media.essence not in operation.text_types:
        return _guessed(response, media)
    return _FILE


def _json(response: HttpResponse, media: ContentType, times: int) -> _Content:
    if response.truncated or _is_long(response.body, times):
        text = _text(response, media)
        note = _short(response) or f"Only the beginning of {len(text)} characters is here."
        try:
            value = salvage(text[:_SALVAGED])
        except ValueError:
            return _Content(None, excerpt=excerpt(text))
        if value in ({}, []):
            note = f"{note} No value in it is whole. It begins: {excerpt(text)}"
        return _Content(value, note)
    try:
        return _Content(loads(response.body))
    except ValueError:
        text = _text(response, media)
    try:
        return _Content(loads(text.removeprefix("\ufeff")))
    except ValueError:
        return _Content(None, excerpt=excerpt(text))


def _is_long(body: bytes, times: int = 1) -> bool:
    """Whether reading a whole body as JSON takes too long; a count of what begins values, those in strings too."""
    if len(body) <= _MAX_VALUES:
        return False
    return len(body) > times * _MAX_PARSED or sum(map(body.count, (b",", b"[", b"{"))) > times * _MAX_VALUES


def _text_or_json(response: HttpResponse, media: ContentType) -> _Content:
    """JSON that is labelled as text is still JSON."""
    text = _text(response, media)
    if text.lstrip()[:1] in ("{", "[") and not response.truncated and not _is_long(response.body):
        try:
            return _Content(loads(text))
        except ValueError:
            pass
    return _Content(text, _short(response))


def _guessed(response: HttpResponse, media: ContentType) -> _Content:
    """An answer of no known type: JSON where it reads as such, text where it may be any and is, else a file."""
    try:
        text = response.body.decode()
    except UnicodeDecodeError:
        return _FILE
    content = _text_or_json(response, media)
    return content if not isinstance(content.value, str) or (not media.essence and "\0" not in text) else _FILE


def _text(response: HttpResponse, media: ContentType) -> str:
    return response.body.decode(media.charset, "replace")


def _short(response: HttpResponse) -> str:
    return (
        f"The answer was longer than {len(response.body)} bytes; the rest was not read." if response.truncated else ""
    )


async def outcome(operation: Operation, sent: SentRequest, context: ToolContext, settings: ToolSettings) -> Outcome:
    """What came of a request: success by its status, the body as JSON, text or a file; a failure with what to do.

    A body that is longer than a trace shows is kept among the conversation's files, where it has any.
    """
    response = sent.result
    if isinstance(response, EgressError):
        return _unanswered(operation, _masked(str(response), sent), response)
    fields = settings.fields_of(operation.entry.operation_id)
    is_success = 200 <= response.status < 300
    can_keep = is_success and context.files is not None
    selects = is_success and bool(fields)
    try:
        content = await _aside(response, partial(_content_of, operation, response, can_keep=can_keep, selects=selects))
        file = None
        if context.files is not None and (len(response.body) > TRACE_BUDGET or (content.is_file and is_success)):
            file = await _keep(sent.request.url, response, context.files, settings.limits.max_bytes)
            sent.response_file = file.handle
        if not is_success:
            return await _aside(response, partial(_http_error, operation, sent, response, content))
        if content.is_file:
            return _file(str(response.status), response, file)
        return await _aside(response, partial(_succeeded, operation, sent, response, content, settings))
    except WorkError as error:
        return Failure("ANSWER_NOT_READ", f"the API answered {response.status}, but its answer was not read: {error}")


async def _aside(response: HttpResponse, work: Callable[[], T]) -> T:
    """What `work` makes of an answer; of a large one beside the event loop. Raises `WorkError`."""
    return work() if len(response.body) <= _AT_ONCE else await ANSWERS.run(work)


def _succeeded(
    operation: Operation, sent: SentRequest, response: HttpResponse, content: _Content, settings: ToolSettings
) -> Outcome:
    status = str(response.status)
    if content.excerpt:
        kind = response.header("Content-Type") or "no content type"
        message = f"the API answered {status}, but what it sent ({kind}) is not JSON. It begins: {content.excerpt}"
        return Failure("NOT_JSON", _masked(message, sent))
    if content.note:
        content = replace(content, note=_masked(content.note, sent))
    if settings.ignores_unknown_fields:
        content = replace(content, value=only_declared(operation.answers, status, content.value))
    return _success(status, response, content, settings.fields_of(operation.entry.operation_id))


def _unanswered(operation: Operation, reason: str, error: EgressError) -> Outcome:
    """A failure, or a doubt where the service may have acted and must not be asked to act again."""
    if error.sent and not operation.safe_to_repeat:
        return InDoubt(f"it is unknown whether {operation.entry.operation_id} was carried out: {reason}")
    return Failure(error.code, reason)


async def _keep(url: str, response: HttpResponse, files: Files, most: int) -> StoredFile:
    kind = media_of(response.header("Content-Type")).essence or "application/octet-stream"
    name = file_name(response.header("Content-Disposition"), url, kind)
    # A mask may be longer than what it masks.
    return await files.put(name, kind, response.body[:most])


def _success(status: str, response: HttpResponse, content: _Content, fields: tuple[str, ...]) -> Success:
    value, note = content.value, content.note
    if fields and isinstance(value, dict | list):
        value = project(value, fields)
        more = len(fields) - _MOST_NAMED
        named = ", ".join(fields[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        missed = "" if value else " The answer has none of them."
        note = f"{note} Only selected fields are here: {named}.{missed}".lstrip()
    fitted, cut_note = _fitting(value, response.body)
    return Success({status: fitted}, f"{note} {cut_note}".strip() if cut_note else note)


def _http_error(operation: Operation, sent: SentRequest, response: HttpResponse, content: _Content) -> Failure:
    body = content.excerpt or content.value
    message = error_message(operation, response, body, has_credential=sent.has_credential)
    fitted, note = _fitting(body, response.body)
    notes = " ".join(part for part in (content.note, note) if part)
    return Failure(
        "HTTP_ERROR", _masked(f"{message}. {notes}" if notes else message, sent), {str(response.status): fitted}
    )


def _file(status: str, response: HttpResponse, file: StoredFile | None) -> Outcome:
    kind = media_of(response.header("Content-Type")).essence or "unknown kind"
    if response.truncated:
        return Failure(
            "ANSWER_TOO_LARGE",
            f"the API answered {status} with a file of {kind} that is longer than {len(response.body):,} bytes, "
            "the most that is read: half a file is of no use, so it was not kept",
        )
    if file is None:
        return Success({status: None}, f"The answer is {len(response.body)} bytes of {kind}, which is not shown.")
    told_of: JsonObject = {
        "handle": file.handle,
        "name": file.name,
        "mimeType": file.media_type,
        "sizeBytes": len(file.data),
    }
    return Success({status: {"file": told_of}})


def _fitting(value: JsonValue, body: bytes) -> tuple[JsonValue, str]:
    """`value` within what a model is given, and what was left out."""
    # An answer within the budget as sent is not measured again, and one of few brackets is not deep.
    if len(body) <= BUDGET:
        may_be_deep = body.count(b"{") + body.count(b"[") > MAX_DEPTH
        if not may_be_deep or not is_deep(value, MAX_DEPTH):
            return value, ""
    return cut(value)


def _masked(message: str, sent: SentRequest) -> str:
    """A message without secrets; headers may have been read for it."""
    return without_long(message.encode(), sent.secrets).decode("utf-8", "replace") if sent.secrets else message
