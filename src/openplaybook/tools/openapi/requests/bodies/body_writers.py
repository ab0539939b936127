"""How a value becomes a body: one maker of writers for each kind."""

import codecs
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps
from openplaybook.tools.base import Files
from openplaybook.tools.openapi.requests.bodies.file_arguments import BodyFile, attached
from openplaybook.tools.openapi.requests.bodies.form_fields import FormField, urlencoded
from openplaybook.tools.openapi.requests.bodies.media_types import essence_of, fits, is_valid
from openplaybook.tools.openapi.requests.bodies.multipart import form_data_parts, multipart, sequence_parts
from openplaybook.tools.openapi.requests.bodies.part_headers import ARGUMENT, NONE, PartHeaders
from openplaybook.tools.openapi.requests.parameter_places import BODY_ARGUMENT, InvalidArguments

_BINARY = "application/octet-stream"
_WITHOUT_TEXT = ("image/*", "audio/*", "video/*", "font/*", "application/pdf", "application/zip", "application/gzip")
"""For which a plain text is a mistake."""

_FILE_KEYS = frozenset({"name", "contents", "mimeType", "file"})


@dataclass(frozen=True, slots=True)
class BodyPayload:
    """A body, written."""

    media_type: str
    """For `Content-Type`."""
    data: bytes


Writer: TypeAlias = Callable[[JsonValue, Files | None], Awaitable[BodyPayload]]
"""Value of the body, files of the conversation → payload. Raises `InvalidArguments`."""


def json_writer(media_type: str) -> Writer:
    """The value as JSON."""

    async def write(value: JsonValue, files: Files | None) -> BodyPayload:
        return BodyPayload(media_type, dumps(value))

    return write


def text_writer(media_type: str, spell: Callable[[JsonValue], str]) -> Writer:
    """The value as `spell` writes it, in the charset that the media type names, else in UTF-8."""
    charset = _charset(media_type)

    async def write(value: JsonValue, files: Files | None) -> BodyPayload:
        try:
            return BodyPayload(media_type, spell(value).encode(charset))
        except UnicodeEncodeError as error:
            raise InvalidArguments(f"{BODY_ARGUMENT} cannot be written in {charset}: {error.reason}") from error

    return write


def form_writer(media_type: str, fields: Mapping[str, FormField]) -> Writer:
    """The members as a form."""

    async def write(value: JsonValue, files: Files | None) -> BodyPayload:
        return BodyPayload(media_type, urlencoded(value, fields).encode())

    return write


def file_writer(media_type: str) -> Writer:
    """A file as it is; a range such as `image/*` leaves the type to the file."""
    is_text_allowed = allows_text(media_type)

    async def write(value: JsonValue, files: Files | None) -> BodyPayload:
        file = await attached(value, files, BODY_ARGUMENT, allows_text=is_text_allowed)
        if is_valid(media_type):
            return BodyPayload(media_type, file.data)
        kind = file.likely_type
        is_allowed = is_valid(kind) and ("*" not in media_type or fits(kind, media_type))
        return BodyPayload(kind if is_allowed else _BINARY, file.data)

    return write


def allows_text(media_type: str) -> bool:
    """Whether a plain text may stand for a file of this type or range."""
    return not any(fits(media_type, each) for each in _WITHOUT_TEXT)


@dataclass(frozen=True, slots=True)
class MultipartWriter:
    """The members as parts, the items of an array as unnamed ones, a lone file as a part called `file`."""

    media_type: str
    """Without parameters."""
    fields: Mapping[str, FormField] = field(default_factory=dict[str, FormField])
    described: frozenset[str] = frozenset()
    """Members that the schema knows."""
    file_members: frozenset[str] = frozenset()
    """Those of them that may be files."""
    headers: PartHeaders = NONE

    async def __call__(self, value: JsonValue, files: Files | None) -> BodyPayload:
        """Write `value`; raises `InvalidArguments`."""
        if isinstance(value, list):
            parts = [*sequence_parts(value)]
        else:
            members = dict(as_object(value)) if isinstance(value, dict) else {"file": value}
            headers = self.headers.of(members.pop(ARGUMENT, None) if self.headers.schema else None)
            attached_members = {name: await self._attached(name, item, files) for name, item in members.items()}
            parts = [*form_data_parts(attached_members, self.fields, headers)]
        boundary, data = multipart(parts)
        # RFC 2387 §3.1: the type of the first part, the root.
        root = dict(parts[0].headers)["Content-Type"] if parts and self.media_type == "multipart/related" else ""
        kind = f'; type="{essence_of(root)}"' if root else ""
        return BodyPayload(f"{self.media_type}; boundary={boundary}{kind}", data)

    async def _attached(self, name: str, value: JsonValue, files: Files | None) -> JsonValue | BodyFile:
        if (items := as_list(value)) and name in self.file_members:
            return [await self._attached(name, item, files) for item in items]
        is_file = name in self.file_members or (name not in self.described and _looks_like_file(value))
        if not is_file or not isinstance(value, str | dict):
            return value
        where = f"{BODY_ARGUMENT}.{name}"
        allowed = self.fields[name].allowed if name in self.fields else ""
        is_text_allowed = not allowed or any(allows_text(each) for each in allowed.split(","))
        return await attached(value, files, where, allows_text=is_text_allowed)


def _looks_like_file(value: JsonValue) -> bool:
    members: JsonObject = as_object(value)
    return members.keys() <= _FILE_KEYS and ("contents" in members or "file" in members)


def _charset(media_type: str) -> str:
    for parameter in media_type.split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            try:
                return codecs.lookup(value.strip().strip('"')).name
            except LookupError:
                break
    return "utf-8"
