"""What requests for a turn have in common, whichever front door they come through."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.api import Api
from openplaybook.wire.codec import JsonError
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import RpcContext

DEFAULT_TIMEOUT_S = 120.0
"""How long a turn may take when the caller sets no deadline."""

MAX_TIMEOUT_S = 3600.0
"""Longest wait that a deadline can ask for."""

MAX_REQUEST_BYTES = 1024 * 1024
"""Largest request as protobuf, contents of files left out: what is said and passed in one turn is stored, and shown to
a model."""

_LONGEST_KEY = 256
_REQUEST_KEYS = ("idempotency-key", "x-goog-request-id")
"""Headers by which a client says that two requests are one, the first that is there."""


def check_size(api: Api, *messages: ApiMessage, of_files: int) -> None:
    """Refuse messages of too many bytes together, those of files' contents not counted. Raises `RpcError`."""
    if sum(message.ByteSize() for message in messages) - of_files <= MAX_REQUEST_BYTES:
        return
    # What is kept beside a Struct is no part of the request.
    if sum(map(api.doors.size, messages)) - of_files > MAX_REQUEST_BYTES:
        raise RpcError(Code.INVALID_ARGUMENT, f"The request is larger than {MAX_REQUEST_BYTES} bytes.")


def request_key(context: RpcContext) -> str | None:
    """The key by which a client says that two requests are one; None where it gives none. Raises `RpcError`."""
    name = next((name for name in _REQUEST_KEYS if context.metadata.get(name)), None)
    if name is None:
        return None
    if len(context.metadata[name]) > _LONGEST_KEY:
        raise RpcError(Code.INVALID_ARGUMENT, f"The header {name} must not be longer than {_LONGEST_KEY} characters.")
    return context.metadata[name]


def timeout_s(context: RpcContext) -> float:
    """How long the turn may take."""
    allowed = DEFAULT_TIMEOUT_S if context.timeout_s is None else min(context.timeout_s, MAX_TIMEOUT_S)
    return max(0.0, allowed - context.spent_s)


def struct_json(api: Api, struct: ApiMessage) -> JsonObject:
    """A Struct of a request. Raises `RpcError` for what JSON has no word for."""
    if not struct.fields:
        return {}
    try:
        return api.codec.to_json(struct)
    except JsonError as error:
        raise RpcError(Code.INVALID_ARGUMENT, f"A parameter of the request cannot be used: {error}") from error
