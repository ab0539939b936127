"""A REST request as the message it stands for (google.api.http transcoding)."""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonValue
from openplaybook.wire.codec import Codec, JsonError, parse_text
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage, message_class
from openplaybook.wire.query import query_fields, sent_fields
from openplaybook.wire.router import Match

WHOLE = "*"


def read_request(
    codec: Codec, match: Match, body: bytes | bytearray, parameters: Sequence[tuple[str, str]]
) -> tuple[ApiMessage, frozenset[str]]:
    """The request message and the paths that its JSON body held.

    The body comes first, then parameters; what the path says replaces what the body says. Raises `RpcError` with
    INVALID_ARGUMENT for anything that does not fit, with its JSON path."""
    binding = match.route.binding
    message = message_class(match.route.method.input)()
    sent: frozenset[str] = frozenset()
    try:
        value: JsonValue = parse_text(body) if body and not body.isspace() else {}
        if binding.body == WHOLE:
            sent = _fill(codec, value, message)
        elif binding.body:
            sent = _fill(codec, value, getattr(message, binding.body))
        elif value != {}:
            raise JsonError(f"{binding.verb} {binding.template} takes no body")
        query = query_fields(parameters, message.DESCRIPTOR)
        if query:
            codec.from_json(query, message)
        for path, text in match.variables():
            _set(message, path, text)
    except JsonError as error:
        raise RpcError(Code.INVALID_ARGUMENT, f"Invalid JSON payload received. {error}") from error
    except UnicodeDecodeError as error:
        raise RpcError(Code.INVALID_ARGUMENT, "The path is not percent-encoded UTF-8.") from error
    return message, sent


def _fill(codec: Codec, value: JsonValue, message: ApiMessage) -> frozenset[str]:
    codec.from_json(value, message)
    return sent_fields(value, message.DESCRIPTOR)


def _set(message: ApiMessage, path: Sequence[str], text: str) -> None:
    for name in path[:-1]:
        message = getattr(message, name)
    setattr(message, path[-1], text)
