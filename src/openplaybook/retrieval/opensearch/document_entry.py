"""A document as an entry of the index, and back; the data of filters are taken apart as those of the embedded engine.

Data and what a maker wants back are kept as texts of JSON: the engine would round long numbers.
"""

from collections.abc import Iterator
from typing import Final, cast

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads
from openplaybook.retrieval.base import Passage, SearchHit, StoreDocument
from openplaybook.retrieval.catalog.document_rows import write_row
from openplaybook.retrieval.errors import EngineFault, InvalidSource
from openplaybook.retrieval.filters.field_values import number_in, place_in
from openplaybook.retrieval.filters.site_patterns import site_address
from openplaybook.retrieval.index.metadata_fields import TERMS, metadata_members, number_column
from openplaybook.retrieval.opensearch.index_layout import MOST_NESTED, analysis_language

FORM: Final = 1
"""Of entries; grows with each change of what they hold."""

SHOWN: Final = ("form", "id", "uri", "data", "analysis", "heads")
"""Members that a hit is made of, beside its passage."""

_MOST_ADDRESS: Final = 30_000
"""Bytes of an address; the engine takes no longer term."""


def document_entry(document: StoreDocument) -> JsonObject:
    """The entry of a document. Raises `InvalidSource` for one that cannot be stored."""
    row = write_row(document)
    analysis = analysis_language(document)
    entry: JsonObject = {
        "form": FORM,
        "id": document.id,
        "uri": document.uri,
        "language": document.language,
        "analysis": analysis,
        "digest": document.digest,
        "media_type": document.media_type,
        "passage_count": row.passages,
        "bytes": len(row.body),
        "data": dumps(document.data).decode(),
        "source": dumps(document.source).decode(),
        "heads": {analysis: {"title": document.title, "question": document.question}},
        "passages": [_passage_entry(at, passage, analysis) for at, passage in enumerate(document.passages)],
        **_filtered(document),
    }
    nested = sum(len(as_list(entry[name])) for name in ("passages", "numbers", "places"))
    if nested > MOST_NESTED:
        raise InvalidSource(
            f"document {document.id!r} has {nested:,} passages, numbers and places together; the engine takes "
            f"{MOST_NESTED:,} at most"
        )
    return entry


def document_of(entry: JsonObject) -> StoreDocument:
    """The document of an entry. Raises `EngineFault` for one of a newer form."""
    check_form(entry)
    analysis = str(entry["analysis"])
    heads = as_object(as_object(entry["heads"])[analysis])
    return StoreDocument(
        id=entry["id"],
        title=heads["title"],
        uri=entry["uri"],
        passages=tuple(passage_of(as_object(each), analysis) for each in as_list(entry["passages"])),
        data=as_object(loads(entry["data"])),
        language=entry["language"],
        question=heads["question"],
        media_type=entry["media_type"],
        digest=entry["digest"],
        source=as_object(loads(entry["source"])),
    )


def hit_of(entry: JsonObject, passage: JsonObject, score: float) -> SearchHit:
    """A passage of an entry that was found; an empty one stands for a document without any."""
    check_form(entry)
    analysis = str(entry["analysis"])
    heads = as_object(as_object(entry["heads"])[analysis])
    found = passage_of(passage, analysis) if passage else Passage("")
    return SearchHit(
        document=entry["id"],
        passage=passage.get("at", 0),
        score=score,
        title=heads["title"],
        uri=entry["uri"],
        text=found.text,
        headings=found.headings,
        page=found.page,
        data=as_object(loads(entry["data"])),
        question=heads["question"],
    )


def passage_of(members: JsonObject, analysis: str) -> Passage:
    """A passage as it was put."""
    texts = as_object(members[analysis])
    return Passage(texts["text"], tuple(as_list(texts["headings"])), members["page"])


def check_form(entry: JsonObject) -> None:
    """Raise `EngineFault` for an entry that a newer version wrote."""
    if entry.get("form") != FORM:
        raise EngineFault(
            f"document {entry.get('id')!r} was written by a newer version of OpenPlaybook (form {entry.get('form')}, "
            f"this version knows {FORM}); run that version"
        )


def _passage_entry(at: int, passage: Passage, analysis: str) -> JsonObject:
    texts: JsonObject = {"text": passage.text, "headings": [*passage.headings]}
    return {"at": at, "page": passage.page, analysis: texts}


def _filtered(document: StoreDocument) -> JsonObject:
    """What filters are answered from."""
    numbers: set[tuple[str, float]] = set()
    places: set[tuple[str, float, float]] = set()
    for path, value in _values(document.data):
        number, place = number_in(value), place_in(value)
        if number is not None:
            # Zero with a sign is another number to the engine.
            numbers.add((number_column(path), number + 0.0))
        if place is not None:
            places.add((number_column(path), place.latitude, place.longitude))
    members: JsonObject = {
        "terms": metadata_members(document.data, "", document.id).get(TERMS, []),
        "numbers": [{"path": path, "value": value} for path, value in sorted(numbers)],
        "places": [{"path": path, "point": {"lat": north, "lon": east}} for path, north, east in sorted(places)],
    }
    if document.uri:
        members["address"] = _address(document)
    return members


def _address(document: StoreDocument) -> str:
    address = site_address(document.uri)
    if len(address.encode()) > _MOST_ADDRESS:
        raise InvalidSource(
            f"the address of document {document.id!r} has {len(address.encode()):,} bytes; the engine takes "
            f"{_MOST_ADDRESS:,} at most"
        )
    return address


def _values(data: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    """All values that are no lists, objects too, with their paths; without recursion, as data may be deep."""
    left: list[tuple[str, JsonValue]] = list(data.items())
    while left:
        path, value = left.pop()
        if isinstance(value, list):
            left.extend((path, item) for item in cast(list[JsonValue], value))
            continue
        yield path, value
        if isinstance(value, dict):
            left.extend((f"{path}.{key}", item) for key, item in cast(JsonObject, value).items())
