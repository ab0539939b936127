"""Ids and digests of documents."""

import hashlib

import pytest

from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.records.document_ids import checked_id, digest_of, id_of_record, id_of_uri, is_document_id


@pytest.mark.parametrize("id_", ["1", "a-b_C", "_x", "a" * 128])
def test_ids_that_are_taken(id_: str) -> None:
    assert checked_id(id_) == id_


@pytest.mark.parametrize("id_", ["", "-a", "a" * 129, "a/b", "a b", "ä", "a.b", "a\n"])
def test_ids_that_are_refused(id_: str) -> None:
    assert not is_document_id(id_)
    with pytest.raises(InvalidSource, match=r"(?s)the document id .* is refused: 1 to 128 letters"):
        checked_id(id_)


def test_the_id_of_a_file_is_the_first_half_of_the_digest_of_its_uri() -> None:
    uri = "gs://bucket/document_1.pdf"
    assert id_of_uri(uri) == hashlib.sha256(uri.encode()).hexdigest()[:32]


def test_equal_records_have_one_id_in_whatever_order_they_are_written() -> None:
    assert id_of_record({"b": 1, "a": "é"}) == id_of_record({"a": "é", "b": 1})
    assert id_of_record({"a": "é", "b": 1}) == hashlib.sha256('{"a":"é","b":1}'.encode()).hexdigest()[:32]


def test_a_digest_changes_with_each_of_its_parts() -> None:
    digests = {
        digest_of(b"ab", b""),
        digest_of(b"a", b"b"),
        digest_of(b"ab"),
        digest_of(b"ab", {"size": 1}),
        digest_of(),
    }
    assert len(digests) == 5
    assert digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1})
