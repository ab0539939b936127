"""From arguments to a request."""

from openplaybook.egress.base import HttpRequest
from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import ToolContext
from openplaybook.tools.openapi.injection import MISSING, Sources, TooMuchToFill
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.parameters import BODY_ARGUMENT, Parameter, Place
from openplaybook.tools.schema.numbers import restore_integers

_ACCEPT = "application/json, */*;q=0.5"


class InvalidArguments(Exception):
    """The arguments do not fit; no request is made. The message is for the model."""


def prepare(operation: Operation, arguments: JsonObject, context: ToolContext) -> HttpRequest:
    """The request for a call, before authentication; raises `InvalidArguments`."""
    try:
        complete = complete_arguments(operation, arguments, context)
    except TooMuchToFill as error:
        raise InvalidArguments(str(error)) from error
    problems = operation.validator.problems(complete)
    if problems:
        raise InvalidArguments("; ".join(problems))
    return _write(operation, complete)


def complete_arguments(operation: Operation, arguments: JsonObject, context: ToolContext) -> JsonObject:
    """The arguments with injected and default values in, and whole numbers as integers."""
    sources = Sources(context)
    complete = dict(arguments)
    filler = operation.schemas.filler
    for each in operation.filled:
        value = filler.fill(each.schema, complete.get(each.argument, MISSING), sources, required=each.required)
        if value is not MISSING:
            complete[each.argument] = value
    if operation.body is not None and operation.fills_body:
        given = complete.get(BODY_ARGUMENT, MISSING)
        value = filler.fill_body(operation.body.schema, given, sources, required=operation.body.required)
        if value is not MISSING:
            complete[BODY_ARGUMENT] = value
    if operation.key_parameter is not None and context.idempotency_key:
        complete[operation.key_parameter.argument] = context.idempotency_key
    return restore_integers(complete)


def _write(operation: Operation, arguments: JsonObject) -> HttpRequest:
    path = _path(operation, arguments)
    query: list[str] = []
    cookies: list[str] = []
    headers: list[tuple[str, str]] = [("Accept", _ACCEPT)]
    for each in operation.elsewhere:
        value = arguments.get(each.argument)
        if value is None:
            continue
        text = each.write(value)
        if each.place is Place.HEADER:
            headers.append((each.name, _header_value(each, text)))
        elif text:
            (query if each.place is Place.QUERY else cookies).append(text)
    if cookies:
        headers.append(("Cookie", "; ".join(cookies)))
    body = None
    if operation.body is not None and BODY_ARGUMENT in arguments:
        headers.append(("Content-Type", operation.body.media_type))
        body = operation.body.encode(arguments[BODY_ARGUMENT])
    slash = "" if path.startswith("/") else "/"
    url = f"{operation.server}{slash}{path}"
    return HttpRequest(operation.entry.method, f"{url}{_separator(url, query)}{'&'.join(query)}", tuple(headers), body)


def _separator(url: str, query: list[str]) -> str:
    if not query:
        return ""
    return "&" if "?" in url else "?"


def _path(operation: Operation, arguments: JsonObject) -> str:
    """The path, in which no parameter is empty and none makes a step to another level (RFC 3986 §5.2.4)."""
    pieces: list[str] = []
    for piece in operation.template:
        text = piece if isinstance(piece, str) else piece.write(arguments[piece.argument])
        if not text and isinstance(piece, Parameter):
            raise InvalidArguments(f"{piece.argument} must not be empty, since it is part of the path")
        pieces.append(text)
    path = "".join(pieces)
    if "/." in path and not {".", ".."}.isdisjoint(path.split("/")):
        raise InvalidArguments("the arguments must not turn a part of the path into '.' or '..'")
    return path


def _header_value(parameter: Parameter, text: str) -> str:
    if not text.isprintable():
        raise InvalidArguments(f"{parameter.argument} must not hold line breaks or control characters")
    return text
