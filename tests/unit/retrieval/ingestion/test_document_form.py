from base64 import b64encode
from hashlib import sha256

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import StoreDocument, StoreFacts, StoreType
from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.ingestion.document_form import MOST_RAW_BYTES, document_form, document_json
from openplaybook.retrieval.ingestion.document_reader import digested, read_forms
from openplaybook.retrieval.ingestion.reading_options import StoreReading

NAME = "projects/p/locations/global/collections/c/dataStores/d"
RECORDS = StoreReading(StoreFacts(NAME, "D", StoreType.STRUCTURED, language="de-CH"))


@pytest.mark.parametrize(
    ("document", "id"),
    [
        ({"id": "a-1_B", "structData": {"x": 1}}, "a-1_B"),
        ({"name": f"{NAME}/branches/0/documents/n", "structData": {"x": 1}}, "n"),
        ({"content": {"uri": "gs://b/a.pdf"}}, sha256(b"gs://b/a.pdf").hexdigest()[:32]),
    ],
)
def test_a_document_has_its_own_id_or_one_that_follows_from_its_uri(document: JsonObject, id: str) -> None:
    assert document_form(document).id == id


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"id": "a b", "structData": {"x": 1}}, 'the document id "a b" is refused'),
        ({"id": "x" * 129, "structData": {"x": 1}}, "is refused"),
        ({"id": "a"}, "structData, jsonData or content"),
        ({"id": "a", "structData": {"x": 1}, "colour": "red"}, "no member 'colour'"),
        ({"id": "a", "structData": [1]}, "structData must be an object"),
        ({"id": "a", "jsonData": "{"}, "jsonData is no JSON"),
        (
            {"id": "a", "jsonData": '{"a":' + "[" * 100 + "]" * 100 + "}"},
            "jsonData's objects and arrays lie in each other more than 64",
        ),
        ({"id": "a", "jsonData": '{"a":' + '{"a":' * 1_000 + "1" + "}" * 1_001}, "jsonData's objects|is no JSON"),
        ({"id": "a", "structData": {"x" * 600: {"y" * 600: 1}}}, "one of structData's fields has a name of more than"),
        ({"id": "a", "content": {"rawBytes": "###"}}, "rawBytes is no base64"),
        ({"id": "a", "content": {"rawBytes": "A" * (MOST_RAW_BYTES // 3 * 4 + 8)}}, "more than 25,000,000 bytes"),
    ],
)
def test_what_is_no_document_is_refused(document: JsonObject, reason: str) -> None:
    with pytest.raises(InvalidSource, match=reason):
        document_form(document)


def test_title_and_address_come_from_the_data_and_the_language_from_the_store() -> None:
    form = document_form({"id": "a", "structData": {"title": "T", "url": "https://u.test", "text": "Wörter"}})
    [document] = read_forms([digested(form, RECORDS)], RECORDS)
    assert isinstance(document, StoreDocument)
    assert (document.title, document.uri, document.language) == ("T", "https://u.test", "de")


def test_a_document_is_given_back_as_it_came() -> None:
    raw = b64encode(b"words").decode()
    given: JsonObject = {
        "id": "a",
        "jsonData": '{"x":1}',
        "content": {"mimeType": "text/plain", "rawBytes": raw},
        "parentDocumentId": "b",
    }
    form = document_form(given)
    assert (form.raw, form.media_type, form.data) == (b"words", "text/plain", {"x": 1})
    [document] = read_forms([digested(document_form({**given, "content": {}}), RECORDS)], RECORDS)
    assert isinstance(document, StoreDocument)
    assert document_json(document) == {"id": "a", "jsonData": '{"x":1}', "parentDocumentId": "b"}


def test_the_digest_changes_with_the_document_and_with_how_it_is_read() -> None:
    form = document_form({"id": "a", "structData": {"x": 1}})
    others = StoreReading(RECORDS.facts, most_tokens=100)
    changed = document_form({"id": "a", "structData": {"x": 2}})
    digests = {digested(form, RECORDS)[1], digested(form, others)[1], digested(changed, RECORDS)[1]}
    assert len(digests) == 3
    assert digested(form, RECORDS)[1] == digested(form, RECORDS)[1]
