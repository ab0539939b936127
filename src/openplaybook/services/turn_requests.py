"""What requests for a turn have in common, whichever front door they come through: size, key, deadline, and files.

Files come in the payload, `queryParams.payload.files: [{name, contents, mimeType}]`. `contents` is base64. Inside, and
wherever the payload is kept, a file stands by its handle instead. `files` that has no `contents` anywhere is the
client's own and left alone.
"""

import base64
import binascii
import mimetypes
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass

from openplaybook.jsonvalues import PIECE, JsonObject, JsonValue, as_list, as_object
from openplaybook.services.errors import invalid
from openplaybook.tools.session_files import MAX_FILE_BYTES, file_handle
from openplaybook.turns.base import GivenFile
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


MAX_FILES = 32
"""In one request."""
MAX_FILES_BYTES = 32 * 1024 * 1024
"""All of them."""

_LONGEST_NAME = 255
_PADDING = f"={string.whitespace}"
IN_QUERY = "query_params.payload.files"
"""Where a DetectIntentRequest has them."""
_NOT_IN_NAMES = re.compile(r"[/\\\x00-\x1f\x7f]")
_MEDIA_TYPE = re.compile(r"[\w.+-]{1,127}/[\w.+-]{1,127}(?:;[\x20-\x7e]{0,127})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class TurnPayload:
    """A payload as it is kept, and the files that it had."""

    values: JsonObject
    files: tuple[GivenFile, ...] = ()


def contents_bytes(payload: ApiMessage) -> int:
    """Bytes that the contents of files have in a request's payload (a Struct), as base64."""
    items = payload.fields["files"].list_value.values if "files" in payload.fields else ()
    return sum(len(item.struct_value.fields["contents"].string_value) for item in items if _has_contents(item))


def take_files(payload: JsonObject, session: str, path: str = IN_QUERY) -> TurnPayload:
    """The payload with handles in place of contents, and the files; `path` is where the request has them.

    INVALID_ARGUMENT with the path of what is no file: a bad name, no base64, too large, too many.
    """
    items = [as_object(item) for item in as_list(payload.get("files"))]
    if not any("contents" in item for item in items):
        return TurnPayload(payload)
    if len(items) > MAX_FILES:
        raise invalid((path, f"has {len(items)} files; at most {MAX_FILES} fit into one request"))
    entries: list[JsonObject] = []
    files: list[GivenFile] = []
    for index, item in enumerate(items):
        file = _file(item, f"{path}[{index}]", session)
        handle = str(item["contents"])
        if file is not None:
            handle = file_handle(session, file.name, file.media_type, file.data)
            files.append(file)
        entries.append({**item, "contents": handle})
    total = sum(len(file.data) for file in files)
    if total > MAX_FILES_BYTES:
        raise invalid((path, f"have {total} bytes together; at most {MAX_FILES_BYTES} fit into one request"))
    return TurnPayload({**payload, "files": entries}, tuple(files))


def _file(item: JsonObject, path: str, session: str) -> GivenFile | None:
    """None for a file of the session, given again by its handle."""
    name, contents = _name(item.get("name"), path), item.get("contents")
    if not isinstance(contents, str):
        raise invalid((f"{path}.contents", "is required: the file in base64"))
    if contents.startswith(f"{session}/files/"):
        return None
    return GivenFile(name, _media_type(item.get("mimeType"), name, path), _decoded(contents, f"{path}.contents"))


def _name(name: JsonValue, path: str) -> str:
    if not isinstance(name, str) or not name:
        raise invalid((f"{path}.name", "is required: the name of the file, such as sales.csv"))
    if len(name.encode("utf-8", "surrogatepass")) > _LONGEST_NAME:
        raise invalid((f"{path}.name", f"is longer than {_LONGEST_NAME} bytes"))
    if name in (".", "..") or _NOT_IN_NAMES.search(name):
        raise invalid((f"{path}.name", f"{name!r} is not a file name; folders and control characters are not allowed"))
    return name


def _media_type(media_type: JsonValue, name: str, path: str) -> str:
    if media_type is None or media_type == "":
        return mimetypes.guess_type(name)[0] or "application/octet-stream"
    if not isinstance(media_type, str) or not _MEDIA_TYPE.fullmatch(media_type):
        raise invalid((f"{path}.mimeType", "is not a media type such as text/csv"))
    return media_type


def _decoded(contents: str, path: str) -> bytes:
    try:
        data = b"".join(_pieces(contents))
    except (binascii.Error, ValueError) as error:
        raise invalid((path, f"is not base64: {error}")) from None
    if len(data) > MAX_FILE_BYTES:
        raise invalid((path, f"has {len(data)} bytes; a file can have at most {MAX_FILE_BYTES}"))
    return data


def _pieces(contents: str) -> Iterator[bytes]:
    """What the digits stand for, a piece at a time: one call on all of them would keep everybody else waiting."""
    end = len(contents.rstrip(_PADDING))
    digits = ""
    for cut in range(0, end, PIECE):
        digits += "".join(contents[cut : min(cut + PIECE, end)].split())
        if "=" in digits:
            raise binascii.Error("Excess data after padding")
        whole = len(digits) // 4 * 4
        yield base64.b64decode(digits[:whole], validate=True)
        digits = digits[whole:]
    yield base64.b64decode(digits + "".join(contents[end:].split()), validate=True)


def _has_contents(item: ApiMessage) -> bool:
    return item.HasField("struct_value") and "contents" in item.struct_value.fields
