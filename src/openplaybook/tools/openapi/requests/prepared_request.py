"""From the arguments of a call to the request: filled in, checked, written; for a client that makes the call, without
what is secret."""

import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import unquote

from openplaybook.egress.base import HttpRequest
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, restore_integers
from openplaybook.resources.digits import has_digits, with_numbers
from openplaybook.telemetry.redaction import without
from openplaybook.tools.base import ToolContext
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.requests.parameter_places import BODY_ARGUMENT, InvalidArguments, ParameterPlace
from openplaybook.tools.openapi.requests.request_parameters import Parameter
from openplaybook.tools.openapi.schemas.injection import MISSING, Sources, TooLongToFill, TooMuchToFill
from openplaybook.tools.schema.validator import Validator
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import JUDGEMENT

_STEP = re.compile(r"[/\\]")
_MAY_STEP = re.compile(r"(/|%2F|%5C)\.")
_ACCEPT = ("Accept", "application/json, */*;q=0.5")

_REFUSED = (InvalidArguments, TooMuchToFill, RecursionError, UnicodeEncodeError)
_NAMELESS = "a session parameter that holds a credential does not fit where it goes"


async def prepare(operation: Operation, arguments: JsonObject, context: ToolContext) -> HttpRequest:
    """The request for a call, before authentication; raises `InvalidArguments`."""
    complete = await checked_arguments(operation, arguments, context)
    try:
        return await _write(operation, complete, context)
    except _REFUSED as error:
        raise _refusal(error, context) from error


async def checked_arguments(operation: Operation, arguments: JsonObject, context: ToolContext) -> JsonObject:
    """The complete arguments, which fit the operation; raises `InvalidArguments`."""
    try:
        complete = await complete_arguments(operation, arguments, context)
        problems = await _problems_without(context.secrets, operation.validator, complete)
        if problems and has_digits(complete):
            complete = as_object(with_numbers(complete, operation.full_schema()))
            problems = await _problems_without(context.secrets, operation.validator, complete)
    except _REFUSED as error:
        raise _refusal(error, context) from error
    if problems:
        raise InvalidArguments(without("; ".join(problems), context.secrets))
    return complete


def _refusal(error: Exception, context: ToolContext) -> InvalidArguments:
    """What makes arguments unusable, without secrets."""
    match error:
        case RecursionError():
            return InvalidArguments("the arguments are nested too deeply")
        case UnicodeEncodeError():
            return InvalidArguments("the arguments contain half of a surrogate pair, which is not a character")
        case TooMuchToFill():
            return InvalidArguments(str(error))
        case _:
            return InvalidArguments(without(str(error), context.secrets))


async def complete_arguments(operation: Operation, arguments: JsonObject, context: ToolContext) -> JsonObject:
    """The arguments with injected and default values in, and whole numbers as integers.

    Where it takes long to find out what is to be filled in, a thread does it. Raises `TooMuchToFill`.
    """
    try:
        return _completed(operation, arguments, Sources(context))
    except TooLongToFill:
        sources = Sources(context, may_wait=True)
    try:
        return await JUDGEMENT.run(lambda: _completed(operation, arguments, sources))
    except WorkError as error:
        raise TooMuchToFill("finding out which of the described objects are meant takes too long") from error


def _completed(operation: Operation, arguments: JsonObject, sources: Sources) -> JsonObject:
    context = sources.context
    complete = dict(arguments)
    for argument in operation.session_ids:
        complete[argument] = context.session_id
    if operation.fills:
        _fill(operation, complete, sources)
    if BODY_ARGUMENT not in complete and operation.sends_empty_body:
        complete[BODY_ARGUMENT] = {}
    if operation.key_parameter is not None and context.idempotency_key:
        complete[operation.key_parameter.argument] = context.idempotency_key
    return restore_integers(complete)


def _fill(operation: Operation, complete: JsonObject, sources: Sources) -> None:
    filler = operation.schemas.filler
    for each in operation.filled:
        argument = complete.get(each.argument, MISSING)
        value = filler.fill(each.schema, argument, sources, required=each.required)
        # An empty value in a query says more than that there is none, and no default means to say it.
        if value is not MISSING and (value != "" or argument is not MISSING or each.place is not ParameterPlace.QUERY):
            complete[each.argument] = value
    if operation.body is not None and operation.fills_body:
        argument = complete.get(BODY_ARGUMENT, MISSING)
        value = filler.fill_body(operation.body.schema, argument, sources, required=operation.body.required)
        if value is not MISSING:
            complete[BODY_ARGUMENT] = value


async def _write(operation: Operation, arguments: JsonObject, context: ToolContext) -> HttpRequest:
    path = _path(operation, arguments)
    query: list[str] = []
    cookies: list[str] = []
    headers: list[tuple[str, str]] = [_ACCEPT]
    for each in operation.elsewhere:
        value = arguments.get(each.argument)
        if value is None:
            continue
        text = each.write(value)
        if each.place is ParameterPlace.HEADER:
            headers.append((each.name, _header_value(each, text)))
        elif text:
            (query if each.place is ParameterPlace.QUERY else cookies).append(text)
    if cookies:
        headers.append(("Cookie", "; ".join(cookies)))
    if operation.key_header and context.idempotency_key:
        headers.append((operation.key_header, context.idempotency_key))
    body = None
    if operation.body is not None and BODY_ARGUMENT in arguments:
        payload = await operation.body.write(arguments[BODY_ARGUMENT], context.files)
        headers.append(("Content-Type", payload.media_type))
        body = payload.data
    url = operation.server + path
    if query:
        url = f"{url}{'&' if '?' in url else '?'}{'&'.join(query)}"
    return HttpRequest(operation.entry.method, url, tuple(headers), body, repeatable=operation.safe_to_repeat)


def _path(operation: Operation, arguments: JsonObject) -> str:
    """The path, in which no parameter is empty and none makes a step to another level (RFC 3986 §5.2.4).

    A service may decode a path before it reads the steps in it, so encoded slashes count too.
    """
    pieces: list[str] = []
    for piece in operation.template:
        pieces.append(piece if isinstance(piece, str) else _in_path(piece, arguments[piece.argument]))
    path = "".join(pieces)
    if _MAY_STEP.search(path) and any(map(_is_step, _STEP.split(unquote(path)))):
        raise InvalidArguments("the arguments must not turn a part of the path into '.' or '..'")
    return path if path.startswith("/") else f"/{path}"


def _is_step(segment: str) -> bool:
    """Whether a segment leads elsewhere; services that know its parameters (RFC 3986 §3.3) read `..;a` as `..`."""
    return segment.partition(";")[0] in (".", "..")


def _in_path(parameter: Parameter, value: object) -> str:
    text = "" if value is None else parameter.write(value)
    if not text:
        raise InvalidArguments(f"{parameter.argument} must not be empty, since it is part of the path")
    return text


def _header_value(parameter: Parameter, text: str) -> str:
    if not text.isprintable():
        raise InvalidArguments(f"{parameter.argument} must not hold line breaks or control characters")
    return text


async def _problems_without(secrets: Sequence[str], validator: Validator, arguments: JsonObject) -> Sequence[str]:
    """What is wrong with arguments, every secret in them masked; empty when they fit. Raises `InvalidSchema`."""
    problems = await validator.judge(arguments)
    if not problems or not secrets:
        return problems
    # Masked beforehand, since a message may show no more than the beginning of a value.
    return await validator.judge(_masked(arguments, secrets)) or (_NAMELESS,)


def _masked(value: JsonValue, secrets: Sequence[str]) -> JsonValue:
    if isinstance(value, str):
        return without(value, secrets)
    if isinstance(value, list):
        return [_masked(each, secrets) for each in as_list(value)]
    if isinstance(value, dict):
        return {name: _masked(each, secrets) for name, each in as_object(value).items()}
    return value


async def without_secrets(
    operation: Operation, arguments: JsonObject, complete: JsonObject, context: ToolContext
) -> JsonObject:
    """What of the `complete` arguments comes about without the session's secret parameters too."""
    if not context.secret_parameters:
        return complete
    open_ones = {name: value for name, value in context.parameters.items() if name not in context.secret_parameters}
    open_complete = await complete_arguments(operation, arguments, replace(context, parameters=open_ones))
    return _common(complete, open_complete)


def _common(complete: JsonObject, open_ones: JsonObject) -> JsonObject:
    """The members that both have: where they differ, a secret has made the difference."""
    return {
        name: _of_both(value, open_ones[name])
        for name, value in complete.items()
        if name in open_ones and _are_alike(value, open_ones[name])
    }


def _of_both(one: JsonValue, other: JsonValue) -> JsonValue:
    if one == other:
        return one
    if isinstance(one, list):
        return [_of_both(*pair) for pair in zip(as_list(one), as_list(other), strict=True)]
    return _common(as_object(one), as_object(other))


def _are_alike(one: JsonValue, other: JsonValue) -> bool:
    """Whether they are equal but for members of objects."""
    if isinstance(one, list) and isinstance(other, list):
        ones, others = as_list(one), as_list(other)
        return len(ones) == len(others) and all(map(_are_alike, ones, others))
    return one == other or (isinstance(one, dict) and isinstance(other, dict))
