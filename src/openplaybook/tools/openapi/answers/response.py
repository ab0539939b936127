"""From what came of a request to an outcome the model can read."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from openplaybook.egress.base import HttpResponse
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, JsonValue, is_deep
from openplaybook.tools.base import Failure, Files, InDoubt, Outcome, StoredFile, Success, ToolContext
from openplaybook.tools.openapi.answers.answers import Content, content_of
from openplaybook.tools.openapi.answers.cutting import BUDGET, MAX_DEPTH, cut
from openplaybook.tools.openapi.answers.declared import only_declared
from openplaybook.tools.openapi.answers.exchanges import TRACE_BUDGET, Sent
from openplaybook.tools.openapi.answers.failures import told
from openplaybook.tools.openapi.answers.masking import without_long
from openplaybook.tools.openapi.answers.media import file_name, media_of
from openplaybook.tools.openapi.answers.projecting import project
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.settings import ToolSettings
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import ANSWERS

T = TypeVar("T")

_AT_ONCE = 32 * 1024
"""Bytes of an answer that is read on the event loop."""

_MOST_NAMED = 5
"""Selected fields that a note lists."""


async def outcome(operation: Operation, sent: Sent, context: ToolContext, settings: ToolSettings) -> Outcome:
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
        content = await _aside(response, partial(content_of, operation, response, can_keep=can_keep, selects=selects))
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
    operation: Operation, sent: Sent, response: HttpResponse, content: Content, settings: ToolSettings
) -> Outcome:
    status = str(response.status)
    if content.excerpt:
        kind = response.header("Content-Type") or "no content type"
        message = f"the API answered {status}, but what it sent ({kind}) is not JSON. It begins: {content.excerpt}"
        return Failure("NOT_JSON", _masked(message, sent))
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


def _success(status: str, response: HttpResponse, content: Content, fields: tuple[str, ...]) -> Success:
    value, note = content.value, content.note
    if fields and isinstance(value, dict | list):
        value = project(value, fields)
        more = len(fields) - _MOST_NAMED
        named = ", ".join(fields[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        missed = "" if value else " The answer has none of them."
        note = f"{note} Only selected fields are here: {named}.{missed}".lstrip()
    kept, cut_note = _fitting(value, response.body)
    return Success({status: kept}, f"{note} {cut_note}".strip() if cut_note else note)


def _http_error(operation: Operation, sent: Sent, response: HttpResponse, content: Content) -> Failure:
    body = content.excerpt or content.value
    message = told(operation, response, body, has_credential=sent.has_credential)
    kept, note = _fitting(body, response.body)
    notes = " ".join(part for part in (content.note, note) if part)
    return Failure(
        "HTTP_ERROR", _masked(f"{message}. {notes}" if notes else message, sent), {str(response.status): kept}
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


def _masked(message: str, sent: Sent) -> str:
    """A message without secrets; headers may have been read for it."""
    return without_long(message.encode(), sent.secrets).decode("utf-8", "replace") if sent.secrets else message
