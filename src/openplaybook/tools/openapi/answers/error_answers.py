"""An answer that is no success, told so that the model can act on it."""

import re
from collections.abc import Iterator
from http import HTTPStatus

from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonValue, as_list, as_object
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, resolve
from openplaybook.tools.openapi.operation import Operation

_EXCERPT = 200
_MOST_FAULTS = 5
_MOST_LEVELS = 4

_MESSAGE_KEYS = ("message", "error_description", "detail", "title", "error", "description", "reason", "msg")
"""RFC 9457 (detail, title), RFC 6749 §5.2 (error_description, error), Google, Spring, Kubernetes, AWS (Message)."""

_LIST_KEYS = ("errors", "details", "fieldviolations", "violations", "invalidparams", "issues", "causes", "detail")
"""Where the faults of single inputs stand: JSON:API and many others; Google's `details[].fieldViolations`; RFC 9457's
`invalid-params`; FastAPI's `detail`; zod's `issues`; Kubernetes' `causes`. Without - and _, in lower case."""

_FIELD_KEYS = ("field", "pointer", "parameter", "param", "loc", "path", "target", "property", "propertypath", "name")
_TEXT_KEYS = ("message", "description", "detail", "msg", "reason", "defaultmessage", "title", "code")

_CHALLENGE = re.compile(r'\b(error|error_description)="([^"]{1,200})"')
"""RFC 6750 §3."""

_MAX_MARKUP = 20_000

_MARKED_UP = re.compile(
    r"<(?:[\w-]{1,40}:)?(?:message|faultstring|reason|detail|title)(?:\s[^<>]{0,200})?>([^<>]{1,500})<", re.IGNORECASE
)

_NOT_NOW = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)


def error_message(operation: Operation, response: HttpResponse, body: JsonValue, *, has_credential: bool) -> str:
    """A sentence on the status: what the API and its description say about it, and what can be done.

    `has_credential`: whether the request carried one.
    """
    phrase = _phrase(response.status)
    reason = excerpt(message_of(body))
    status = f"the API answered {response.status} {phrase}".rstrip()
    parts = [f"{status}: {reason}" if reason else status, *_shown_faults(body, reason)]
    meaning = excerpt(_declared(operation, response.status))
    if meaning.rstrip(".").lower() not in ("", phrase.lower(), reason.rstrip(".").lower()):
        parts.append(f"its description says of {response.status}: {meaning}")
    if hint := _hint(response, has_credential=has_credential):
        parts.append(hint)
    return "; ".join([*(part.rstrip(".") for part in parts[:-1]), parts[-1]])


def excerpt(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text[: 10 * _EXCERPT].split())
    return line if len(line) <= _EXCERPT else f"{line[:_EXCERPT]}…"


def message_of(body: JsonValue, levels: int = _MOST_LEVELS) -> str:
    """The sentence in an error body, by the names that APIs use; empty when there is none."""
    if isinstance(body, str):
        return _in_markup(body) if body.lstrip()[:1] == "<" else body
    if not levels:
        return ""
    if isinstance(body, list):
        return message_of(next(iter(as_list(body)), None), levels - 1)
    members = {key.lower(): value for key, value in as_object(body).items()}
    texts = {key: text for key in _MESSAGE_KEYS if isinstance(text := members.get(key), str) and text.strip()}
    if texts:
        key, text = next(iter(texts.items()))
        # OAuth's code and RFC 9457's title say of what kind the fault is.
        kind = texts.get({"error_description": "error", "detail": "title"}.get(key, ""), "")
        return f"{kind}: {text}" if kind and kind != text else text
    inner = (members.get("error"), as_list(members.get("errors")), members.get("errormessages"), members.get("fault"))
    return next((text for each in inner if (text := message_of(each, levels - 1))), "")


def _in_markup(text: str) -> str:
    """The sentence in an XML error (S3's Message, SOAP's faultstring), or a page's title."""
    match = _MARKED_UP.search(text[:_MAX_MARKUP])
    return match[1].strip() if match else ""


def _shown_faults(body: JsonValue, message: str) -> list[str]:
    faults = [fault for fault in dict.fromkeys(_faults(body, _MOST_LEVELS)) if fault != message]
    if not faults and not message:
        faults = list(_by_name(as_object(body)))
    more = len(faults) - _MOST_FAULTS
    return [*map(excerpt, faults[:_MOST_FAULTS]), *([f"and {more} more"] if more > 0 else [])]


def _faults(value: JsonValue, levels: int) -> Iterator[str]:
    """What is wrong with single inputs, `name: what`, wherever the body tells of them."""
    if not levels:
        return
    for item in as_list(value):
        yield from _faults(item, levels - 1)
    for key, member in as_object(value).items():
        plain = _plain(key)
        if plain in _LIST_KEYS:
            for item in as_list(member):
                yield from _fault(item, levels - 1)
            yield from _by_name(as_object(member))
        if plain in _LIST_KEYS or plain == "error":
            yield from _faults(as_object(member), levels - 1)


def _fault(item: JsonValue, levels: int) -> Iterator[str]:
    """One entry of a list of faults: a text, a field with a text, or something that holds such entries itself."""
    if isinstance(item, str) and item.strip():
        yield item
    members = {_plain(key): value for key, value in as_object(item).items()}
    source = as_object(members.get("source"))
    field = next((name for key in _FIELD_KEYS if (name := _place(source.get(key) or members.get(key)))), "")
    text = next((text for key in _TEXT_KEYS if isinstance(text := members.get(key), str) and text.strip()), "")
    if field and text:
        yield f"{field}: {text}"
    else:
        yield from list(_faults(item, levels)) or ([text] if text else [])


def _by_name(members: dict[str, JsonValue]) -> Iterator[str]:
    """`{"name": ["is too long"]}`, as ASP.NET, Rails, Laravel and Django have it."""
    for name, value in members.items():
        yield from (f"{name}: {text}" for text in as_list(value) if isinstance(text, str) and text.strip())


def _plain(key: str) -> str:
    return key.lower().replace("-", "").replace("_", "")


def _place(value: JsonValue) -> str:
    if isinstance(value, list):
        return ".".join(str(step) for step in as_list(value) if isinstance(step, str | int))
    return value if isinstance(value, str) else ""


def _declared(operation: Operation, status: int) -> str:
    """What the description says of a status: of itself, of its range (`4XX`), or of all others."""
    responses = as_object(operation.entry.operation.get("responses"))
    source = next((responses[key] for key in (str(status), f"{status // 100}XX", "default") if key in responses), None)
    try:
        text: JsonValue = resolve(operation.schemas.root, source).get("description") if source is not None else None
    except UnresolvableReference:
        return ""
    return text if isinstance(text, str) else ""


def _hint(response: HttpResponse, *, has_credential: bool) -> str:
    """What can be done about a status, where that is known."""
    if response.status in _NOT_NOW:
        return f"it may be tried again{_when(response.header('Retry-After').strip())}"
    if response.status not in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return ""
    reason = _challenge(response.header("WWW-Authenticate"))
    if not has_credential:
        return f"the request carried no credential{reason}: set the tool's authentication"
    if response.status == HTTPStatus.FORBIDDEN:
        return f"the tool's credential may not do this{reason}: give it the right or the scope, or use another"
    return f"the tool's credential was not accepted{reason}: check the tool's authentication, or renew its secret"


def _challenge(header: str) -> str:
    parameters = dict(_CHALLENGE.findall(header))
    reason = ": ".join(parameters[key] for key in ("error", "error_description") if key in parameters)
    return f" ({reason})" if reason else ""


def _when(retry_after: str) -> str:
    """`Retry-After` in words: seconds or a date (RFC 9110 §10.2.3)."""
    if retry_after.isascii() and retry_after.isdecimal():
        return f" after {int(retry_after[:9])} s"
    return f" after {retry_after}" if retry_after.endswith(" GMT") and len(retry_after) <= 40 else " later"


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
