"""Query strings and bodies of requests."""

from collections.abc import Iterator, Sequence
from secrets import token_hex
from urllib.parse import quote, urlencode

from openplaybook.connectors.rest.manifest.kinds import BodyKind
from openplaybook.connectors.rest.values import literal_text
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps

_FORM = "application/x-www-form-urlencoded"


def query_string(pairs: Sequence[tuple[str, str]]) -> str:
    """`a=b&c=d`, percent-encoded; brackets and commas, which APIs want to see, stay."""
    return "&".join(f"{quote(name, safe='[]$.:')}={quote(value, safe=',:')}" for name, value in pairs)


def encoded_body(kind: BodyKind, members: JsonValue) -> tuple[str, bytes]:
    """Content type and bytes."""
    if kind is BodyKind.JSON:
        return "application/json", dumps(members)
    if kind is BodyKind.FORM:
        pairs = [(name, _form_text(value)) for name, value in as_object(members).items()]
        return _FORM, urlencode(pairs).encode()
    if kind is BodyKind.FORM_BRACKETS:
        return _FORM, query_string(list(_bracketed("", members))).encode()
    if kind is BodyKind.QUERY:
        return "", b""
    return _multipart(as_object(members))


def _form_text(value: JsonValue) -> str:
    return dumps(value).decode() if isinstance(value, dict | list) else literal_text(value)


def _bracketed(prefix: str, value: JsonValue) -> Iterator[tuple[str, str]]:
    """Members as `a[b][0]`; null is an empty text, which takes a value away."""
    if isinstance(value, dict):
        for name, each in as_object(value).items():
            yield from _bracketed(f"{prefix}[{name}]" if prefix else name, each)
    elif isinstance(value, list):
        for index, each in enumerate(as_list(value)):
            yield from _bracketed(f"{prefix}[{index}]", each)
        if not value:
            yield prefix, ""
    else:
        yield prefix, literal_text(value)


def _multipart(members: JsonObject) -> tuple[str, bytes]:
    """Parts of text (RFC 7578); the boundary is not to be guessed, so that no value can end its part."""
    boundary = token_hex(16)
    parts: list[bytes] = []
    for name, value in members.items():
        shown = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{shown}"\r\n\r\n'
        parts.append(head.encode() + _form_text(value).encode() + b"\r\n")
    return f"multipart/form-data; boundary={boundary}", b"".join(parts) + f"--{boundary}--\r\n".encode()
