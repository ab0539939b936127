"""Newline-delimited JSON: each line a structured record, and a document."""

from collections.abc import Iterator
from typing import BinaryIO, Final, cast

from openplaybook.jsonvalues import JsonObject, loads
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.records.document_ids import (
    checked_id,
    digest_of,
    id_of_record,
    is_document_id,
)
from openplaybook.retrieval.records.record_bounds import judge_data
from openplaybook.retrieval.records.record_text import named_lines, title_of, uri_of
from openplaybook.retrieval.records.source_lines import RecordFault, RecordLimits, SourceLine, source_lines

_LIMITS: Final = RecordLimits()


def read_records(
    file: BinaryIO, *, id_field: str | None = None, limits: RecordLimits = _LIMITS
) -> Iterator[StoreDocument | RecordFault]:
    """A document for each line of a file, and a fault for each that cannot be one. Empty lines are passed over.

    `id_field` names the member that holds the id, which every record then must have; where it is None, `id` is taken
    where it can be an id, and otherwise the record's digest.
    """
    for line in source_lines(file, limits):
        if isinstance(line, RecordFault):
            yield line
        elif line.data and not line.data.isspace():
            try:
                yield document_of_record(_record(line, limits), id_field)
            except InvalidSource as error:
                yield RecordFault(line.number, str(error))


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


def _record(line: SourceLine, limits: RecordLimits) -> JsonObject:
    try:
        value = loads(line.data, most_exact=limits.max_exact)
    except ValueError as error:
        raise InvalidSource(f"it is malformed JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidSource("it is no JSON object")
    judge_data(value, limits)
    return cast(JsonObject, value)


def _id_of(record: JsonObject, id_field: str | None) -> str:
    given = record.get(id_field or "id")
    is_usable = isinstance(given, str | int) and not isinstance(given, bool)
    if id_field is not None:
        if not is_usable:
            raise InvalidSource(f"its member {id_field} is no id")
        return checked_id(str(given))
    return str(given) if is_usable and is_document_id(str(given)) else id_of_record(record)
