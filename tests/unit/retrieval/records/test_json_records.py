"""Newline-delimited JSON as documents."""

import io

from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.records.document_ids import digest_of, id_of_record
from openplaybook.retrieval.records.json_records import (
    read_records,
)
from openplaybook.retrieval.records.source_lines import RecordFault

CAT: JsonObject = {
    "id": "c1",
    "title": " Cat food ",
    "url": "https://shop.example/c1",
    "price": 3.50,
    "tags": ["fish", "wet"],
    "vet": {"approved": True, "notes": ["good", {"by": "Dr. No"}]},
    "none": None,
}


def records(*lines: str | JsonObject, id_field: str | None = None) -> list[StoreDocument | RecordFault]:
    text = b"\n".join(line.encode() if isinstance(line, str) else dumps(line) for line in lines)
    return list(read_records(io.BytesIO(text), id_field=id_field))


def ids(*lines: str | JsonObject, id_field: str | None = None) -> list[str]:
    return [
        found.id if isinstance(found, StoreDocument) else str(found) for found in records(*lines, id_field=id_field)
    ]


def test_a_record_is_searched_by_its_values_in_their_order() -> None:
    lines = (
        "id: c1\ntitle: Cat food\nprice: 3.5\ntags: fish, wet\n"
        "vet.approved: true\nvet.notes: good\nvet.notes.by: Dr. No"
    )
    assert records(CAT) == [
        StoreDocument(
            id="c1",
            title="Cat food",
            uri="https://shop.example/c1",
            passages=(Passage(lines),),
            data=CAT,
            media_type="application/json",
            digest=digest_of(CAT),
        )
    ]


def test_uri_counts_more_than_url_and_only_text_is_taken() -> None:
    found = records(
        {"uri": "https://a/", "url": "https://b/", "title": 5}, {"uri": 1, "url": "https://b/"}, {"url": ["x"]}
    )
    assert [(item.uri, item.title) for item in found if isinstance(item, StoreDocument)] == [
        ("https://a/", ""),
        ("https://b/", ""),
        ("", ""),
    ]


def test_a_record_of_which_nothing_can_be_searched_has_no_passage() -> None:
    assert [item.passages for item in records({"a": None}) if isinstance(item, StoreDocument)] == [()]


def test_ids_are_taken_where_they_can_be_and_else_made() -> None:
    strange: JsonObject = {"id": "a/b"}
    assert ids({"id": 7}, strange, {"x": 1}) == ["7", id_of_record(strange), id_of_record({"x": 1})]


def test_a_named_id_has_to_be_there() -> None:
    assert ids({"sku": "a"}, {"id": "b"}, {"sku": "a/b"}, {"sku": True}, id_field="sku") == [
        "a",
        "line 2: its member sku is no id",
        'line 3: the document id "a/b" is refused: 1 to 128 letters, digits, "-" and "_" are allowed, '
        'and the first is no "-"',
        "line 4: its member sku is no id",
    ]


def test_what_is_no_record_is_told_with_its_line_and_the_rest_goes_on() -> None:
    deep = "[" * 70 + "]" * 70
    assert ids('{"id":"a"}', "", "{", "[]", f'{{"a":{deep}}}', "[" * 100_000, '{"id":"b"}') == [
        "a",
        "line 3: it is malformed JSON: unexpected end of data: line 1 column 2 (char 1)",
        "line 4: it is no JSON object",
        "line 5: its objects and arrays lie in each other more than 64 levels deep",
        "line 6: it is malformed JSON: depth limit exceeded: line 1 column 1026 (char 1025)",
        "b",
    ]


def test_numbers_keep_their_digits() -> None:
    (found,) = records('{"n": 123456789012345678901234567890}')
    assert isinstance(found, StoreDocument)
    assert found.passages[0].text == "n: 123456789012345678901234567890"


@given(st.lists(st.binary(max_size=40), max_size=5))
def test_any_bytes_are_records_or_faults(lines: list[bytes]) -> None:
    found = list(read_records(io.BytesIO(b"\n".join(lines))))
    assert all(isinstance(item, StoreDocument | RecordFault) for item in found)
