"""Newline-delimited JSON: each line a record of its own, or a document as Discovery Engine writes it.

A document is `{id, structData | jsonData, content: {mimeType, uri | rawBytes}}` (`Document` of its v1 API); a file of
metadata has a line for each file that its `content.uri` names.
"""

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final, TypeVar, cast

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, is_deep, loads
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.records.document_ids import (
    checked_id,
    digest_of,
    id_of_record,
    id_of_uri,
    is_document_id,
)
from openplaybook.retrieval.records.record_text import named_lines, title_of, uri_of
from openplaybook.retrieval.records.source_lines import RecordFault, RecordLimits, SourceLine, source_lines

MAX_RAW_BYTES: Final = 1_000_000
"""Of `content.rawBytes`, decoded (the documented limit)."""

_LIMITS: Final = RecordLimits()
_DOCUMENT_MEMBERS: Final = frozenset(
    {"id", "name", "structData", "jsonData", "content", "schemaId", "parentDocumentId", "aclInfo"}
    | {"derivedStructData", "indexTime", "indexStatus"}
)
_BODIES: Final = frozenset({"structData", "jsonData", "content"})
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class DescribedDocument:
    """A document of Discovery Engine's shape, its content not read yet."""

    id: str
    data: JsonObject = field(default_factory=dict[str, JsonValue])
    """`structData`, or the object that `jsonData` holds."""
    media_type: str = ""
    """Of the content; empty where there is none."""
    content_uri: str = ""
    """Where the content lies; empty where it is here, or there is none."""
    raw: bytes | None = None
    """The content itself; None where there is none here."""
    line: int = 0
    """Where it stands in its file, from 1."""

    @property
    def has_content(self) -> bool:
        """Whether a file belongs to it; else its data are all there is."""
        return self.raw is not None or bool(self.content_uri)


def is_described_document(record: JsonObject) -> bool:
    """Whether a record has the shape of Discovery Engine's documents."""
    return record.keys() <= _DOCUMENT_MEMBERS and not _BODIES.isdisjoint(record)


def read_records(
    file: BinaryIO, *, id_field: str | None = None, limits: RecordLimits = _LIMITS
) -> Iterator[StoreDocument | RecordFault]:
    """A document for each line of a file, and a fault for each that cannot be one. Empty lines are passed over.

    `id_field` names the member that holds the id, which every record then must have; where it is None, `id` is taken
    where it can be an id, and otherwise the record's digest.
    """
    return _each(file, limits, lambda record, _: document_of_record(record, id_field))


def read_described(file: BinaryIO, limits: RecordLimits = _LIMITS) -> Iterator[DescribedDocument | RecordFault]:
    """A document of Discovery Engine's shape for each line of a file, and a fault for each that has another shape."""
    return _each(file, limits, described_document)


def document_of_record(record: JsonObject, id_field: str | None = None) -> StoreDocument:
    """The document of a structured record; raises `InvalidSource` where its id is none."""
    return structured_document(_id_of(record, id_field), record)


def structured_document(id_: str, data: JsonObject) -> StoreDocument:
    """The document whose only passage are its data. Its id is taken as it is."""
    text = named_lines(data)
    return StoreDocument(
        id=id_,
        title=title_of(data),
        uri=uri_of(data),
        passages=(Passage(text),) if text else (),
        data=data,
        digest=digest_of(data),
        media_type="application/json",
    )


def described_document(value: JsonObject, line: int = 0) -> DescribedDocument:
    """A document of Discovery Engine's shape; raises `InvalidSource` where it has another one."""
    if strange := sorted(value.keys() - _DOCUMENT_MEMBERS):
        raise InvalidSource(f"a document has no member {strange[0][:80]}")
    if "structData" in value and "jsonData" in value:
        raise InvalidSource("a document has structData or jsonData, not both")
    if _BODIES.isdisjoint(value):
        raise InvalidSource("a document has structData, jsonData or content")
    data = _data_of(value)
    media_type, uri, raw = _content_of(value)
    given = str(value.get("id") or str(value.get("name") or "").rpartition("/")[2])
    id_ = checked_id(given) if given else id_of_uri(uri) if uri else id_of_record(data)
    return DescribedDocument(id_, data, media_type, uri, raw, line)


def _each(
    file: BinaryIO, limits: RecordLimits, make: Callable[[JsonObject, int], _Made]
) -> Iterator[_Made | RecordFault]:
    for line in source_lines(file, limits):
        if isinstance(line, RecordFault):
            yield line
        elif line.data and not line.data.isspace():
            try:
                yield make(_record(line, limits), line.number)
            except InvalidSource as error:
                yield RecordFault(line.number, str(error))


def _record(line: SourceLine, limits: RecordLimits) -> JsonObject:
    try:
        value = loads(line.data, most_exact=limits.max_exact)
    except ValueError as error:
        raise InvalidSource(f"it is malformed JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidSource("it is no JSON object")
    if is_deep(value, limits.max_depth):
        raise InvalidSource(f"its objects and arrays lie in each other more than {limits.max_depth} levels deep")
    return cast(JsonObject, value)


def _id_of(record: JsonObject, id_field: str | None) -> str:
    given = record.get(id_field or "id")
    is_usable = isinstance(given, str | int) and not isinstance(given, bool)
    if id_field is not None:
        if not is_usable:
            raise InvalidSource(f"its member {id_field} is no id")
        return checked_id(str(given))
    return str(given) if is_usable and is_document_id(str(given)) else id_of_record(record)


def _data_of(value: JsonObject) -> JsonObject:
    if "jsonData" not in value:
        data = value.get("structData", {})
        if not isinstance(data, dict):
            raise InvalidSource("structData is no object")
        return as_object(data)
    text = value["jsonData"]
    if not isinstance(text, str):
        raise InvalidSource("jsonData is no text")
    try:
        data = loads(text, most_exact=_LIMITS.max_exact)
    except ValueError as error:
        raise InvalidSource(f"jsonData is malformed JSON: {error}") from error
    if not isinstance(data, dict) or is_deep(data, _LIMITS.max_depth):
        raise InvalidSource(f"jsonData is no object of at most {_LIMITS.max_depth} levels")
    return as_object(data)


def _content_of(value: JsonObject) -> tuple[str, str, bytes | None]:
    content = value.get("content")
    if content is None:
        return "", "", None
    if not isinstance(content, dict):
        raise InvalidSource("content is no object")
    members = as_object(content)
    media_type, uri, encoded = (members.get(name, "") for name in ("mimeType", "uri", "rawBytes"))
    if not (isinstance(media_type, str) and isinstance(uri, str) and isinstance(encoded, str)):
        raise InvalidSource("mimeType, uri and rawBytes of content are texts")
    if bool(uri) == ("rawBytes" in members):
        raise InvalidSource("content has uri or rawBytes, one of them")
    return media_type, uri, None if uri else _raw_bytes(encoded)


def _raw_bytes(encoded: str) -> bytes:
    if len(encoded) > MAX_RAW_BYTES * 4 // 3 + 4:
        raise InvalidSource(f"rawBytes has more than {MAX_RAW_BYTES:,} bytes")
    try:
        # Protobuf's JSON form takes either alphabet, with or without padding.
        return b64decode(encoded.translate({45: "+", 95: "/"}) + "=" * (-len(encoded) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidSource(f"rawBytes is no base64: {error}") from error
