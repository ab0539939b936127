"""What a reply that is an error means: by its status, and by what the manifest says of the system's own words."""

import math
import re
from collections.abc import Collection
from datetime import UTC, datetime

from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    EntityConflict,
    EntityNotFound,
    InvalidValue,
    OperationUnsupported,
    PermissionRefused,
    RateLimited,
    SystemFault,
    SystemUnavailable,
    WriteInDoubt,
)
from openplaybook.connectors.rest.manifest.kinds import FailureClass
from openplaybook.connectors.rest.manifest.model import FailureManifest
from openplaybook.connectors.rest.reply_paths import first_text, value_at
from openplaybook.connectors.rest.system_request import SystemRequest
from openplaybook.egress.base import HttpResponse
from openplaybook.egress.retries import retry_after
from openplaybook.jsonvalues import JsonValue, as_list, as_object
from openplaybook.telemetry.redaction import excerpt

_MOST_TOLD = 400
"""Characters of the system's words."""
_MOST_READ = 20_000
"""Characters of them that are looked at."""
_CLASSES = {
    400: FailureClass.INVALID,
    401: FailureClass.AUTHENTICATION,
    402: FailureClass.PERMISSION,
    403: FailureClass.PERMISSION,
    404: FailureClass.NOT_FOUND,
    409: FailureClass.CONFLICT,
    410: FailureClass.NOT_FOUND,
    412: FailureClass.CONFLICT,
    413: FailureClass.INVALID,
    414: FailureClass.INVALID,
    422: FailureClass.INVALID,
    423: FailureClass.CONFLICT,
    428: FailureClass.CONFLICT,
    429: FailureClass.LIMITED,
    503: FailureClass.UNAVAILABLE,
}
_UNSUPPORTED = (405, 406, 415, 501)
_GATEWAY = (502, 504)


def failure_of(
    manifest: FailureManifest,
    request: SystemRequest,
    response: HttpResponse,
    reply: JsonValue,
    secrets: Collection[str],
) -> ConnectorError | None:
    """The error that a response is; None for one that is none. The system's words are cut, its echo of our secrets
    masked."""
    if 200 <= response.status < 300 and not _says_failed(manifest, reply):
        return None
    # Dropbox ends its codes with dots, whose number says nothing.
    code = first_text(reply, manifest.code).rstrip("./")
    field, message = _blamed(manifest, reply)
    message = message or first_text(reply, manifest.message)
    said = next((kind for kind, words in manifest.words.items() if re.search(words, message, re.IGNORECASE)), None)
    coded = manifest.codes.get(code)
    # That something is invalid many say of all that the caller did; the words tell what it was.
    kind = said if said is not None and coded is FailureClass.INVALID else coded or said
    kind = kind or manifest.statuses.get(response.status) or _CLASSES.get(response.status)
    words = ": ".join(dict.fromkeys(part for part in (code, message) if part))
    told = excerpt(" ".join(words[:_MOST_READ].split()), _MOST_TOLD, secrets)
    return _error(kind, request, response, told, field)


def _says_failed(manifest: FailureManifest, reply: JsonValue) -> bool:
    """Whether a reply with status 200 is an error all the same."""
    if manifest.ok and value_at(reply, manifest.ok) is False:
        return True
    return any(value_at(reply, path) not in (None, "", [], {}, False, 0) for path in manifest.failed)


def _blamed(manifest: FailureManifest, reply: JsonValue) -> tuple[str, str]:
    """The field that the system names, and what it says about it."""
    named = first_text(reply, manifest.blamed)
    if named or not manifest.fields:
        return named, ""
    for field, said in as_object(value_at(reply, manifest.fields)).items():
        first: JsonValue = next(iter(as_list(said)), said)
        inner = as_object(first)
        text = first if isinstance(first, str) else inner.get("description") or inner.get("message") or ""
        return field, str(text)
    return "", ""


def _error(
    kind: FailureClass | None, request: SystemRequest, response: HttpResponse, told: str, field: str
) -> ConnectorError:
    said = f"the system answered {response.status}" + (f": {told}" if told else "")
    if kind is FailureClass.INVALID:
        return InvalidValue(field, told or said)
    if kind is FailureClass.LIMITED:
        seconds = retry_after(response, datetime.now(UTC))
        when = f"; it may be asked again in {math.ceil(seconds)} s" if seconds is not None else ""
        return RateLimited(f"the system asks to wait{f': {told}' if told else ''}{when}", seconds)
    simple: dict[FailureClass, type[ConnectorError]] = {
        FailureClass.AUTHENTICATION: AuthenticationRefused,
        FailureClass.PERMISSION: PermissionRefused,
        FailureClass.NOT_FOUND: EntityNotFound,
        FailureClass.CONFLICT: EntityConflict,
        FailureClass.UNAVAILABLE: SystemUnavailable,
    }
    if kind is not None:
        return simple[kind](f"{said} (field {field})" if field else said)
    if response.status in _UNSUPPORTED:
        return OperationUnsupported(said)
    if request.is_write and not request.is_repeatable and response.status >= 500:
        return WriteInDoubt(f"{said}; whether the write was done is not known, and it is not tried again")
    return SystemUnavailable(said) if response.status in _GATEWAY else SystemFault(said)
