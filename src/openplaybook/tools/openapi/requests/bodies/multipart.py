"""Multipart bodies (RFC 2046 §5.1, RFC 7578, OAS 3.1.1 §4.8.15.3)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from secrets import token_hex

from openplaybook.jsonvalues import JsonValue, as_list, as_object
from openplaybook.tools.openapi.requests.bodies.file_arguments import BodyFile
from openplaybook.tools.openapi.requests.bodies.form_fields import FormField, values_of
from openplaybook.tools.openapi.requests.bodies.media_types import fits
from openplaybook.tools.openapi.requests.parameter_places import InvalidArguments

_DEFAULT = FormField()
_BINARY = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class BodyPart:
    """One part: its header lines, and its content."""

    headers: tuple[tuple[str, str], ...]
    data: bytes


def form_data_parts(
    value: JsonValue, fields: Mapping[str, FormField], headers: Mapping[str, Mapping[str, str]]
) -> Iterator[BodyPart]:
    """The parts of an object: one for each value, named after its member; null is left out.

    `headers` are more headers by member. Raises `InvalidArguments`.
    """
    for name, member in as_object(value).items():
        field = fields.get(name, _DEFAULT)
        more = headers.get(name, {})
        if field.style is not None and member is not None:
            for key, text in field.style.pairs(name, member):
                yield _part(key, text, _DEFAULT, more)
        else:
            for each in values_of(member):
                yield _part(name, each, field, more)


def sequence_parts(value: JsonValue) -> Iterator[BodyPart]:
    """The items of an array as unnamed parts."""
    for item in as_list(value):
        data, media_type, _ = _content(item, _DEFAULT)
        yield BodyPart((("Content-Type", media_type),), data)


def multipart(parts: Sequence[BodyPart]) -> tuple[str, bytes]:
    """The boundary, which occurs in no part, and the body."""
    boundary = token_hex(16)
    while any(boundary.encode() in part.data for part in parts):
        boundary = token_hex(16)
    delimiter = f"--{boundary}".encode()
    pieces: list[bytes] = []
    for part in parts:
        lines = "".join(f"{name}: {value}\r\n" for name, value in part.headers).encode()
        pieces += [delimiter, b"\r\n", lines, b"\r\n", part.data, b"\r\n"]
    return boundary, b"".join([*pieces, delimiter, b"--\r\n"])


def _part(name: str, value: JsonValue, field: FormField, more: Mapping[str, str]) -> BodyPart:
    data, media_type, filename = _content(value, field)
    disposition = f'form-data; name="{_escaped(name)}"'
    if isinstance(value, BodyFile):
        # Services know a file by its having a name.
        disposition += f'; filename="{_escaped(filename or name)}"'
    headers = [("Content-Disposition", disposition), ("Content-Type", media_type), *more.items()]
    if field.transfer_encoding:
        headers.append(("Content-Transfer-Encoding", field.transfer_encoding))
    for header, text in headers:
        if not text.isprintable():
            raise InvalidArguments(f"the header {header} of {name} must not hold line breaks or control characters")
    return BodyPart(tuple(headers), data)


def _content(value: JsonValue, field: FormField) -> tuple[bytes, str, str]:
    """The content of a part, its media type, and the name of its file."""
    if isinstance(value, BodyFile):
        # Without a word of it a file is octets (OAS 3.1.1 §4.8.15.1.1).
        media_type = value.likely_type if field.allowed else value.media_type
        is_allowed = media_type and (not field.allowed or fits(media_type, field.allowed))
        return value.data, (media_type if is_allowed else field.media_type) or _BINARY, value.name
    data = field.write(value).encode()
    media_type = field.media_type or _default_type(value, field)
    is_plain = media_type == "text/plain" and not data.isascii()
    return data, f"{media_type}; charset=utf-8" if is_plain else media_type, ""


def _default_type(value: JsonValue, field: FormField) -> str:
    if field.transfer_encoding:
        return _BINARY
    return "application/json" if isinstance(value, dict | list) else "text/plain"


def _escaped(text: str) -> str:
    """A name in quotes, as browsers write it (HTML §4.10.21.8)."""
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
