"""Identifiers of documents of all types: their keys lead back to them, and what is behind each is found."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from bson import Binary, Decimal128, Int64, MaxKey, MinKey, ObjectId, Timestamp
from bson.datetime_ms import DatetimeMS

from openplaybook.connectors.plugins.mongodb.bson_values import identifier_of, key_text
from openplaybook.connectors.plugins.mongodb.query_documents import behind

KINDS: list[tuple[object, str]] = [
    (MinKey(), "null"),
    (None, "double"),
    (5, "string"),
    (Int64(2**60), "string"),
    (2.5, "string"),
    (Decimal128("1.5"), "string"),
    ("plain", "object"),
    ("12", "object"),
    ("64b7f0c2a1d2e3f405162739", "object"),
    ({"a": 1}, "array"),
    (b"\x00", "objectId"),
    (Binary(b"\x00", 5), "objectId"),
    (UUID("12345678-1234-5678-1234-567812345678"), "objectId"),
    (ObjectId("64b7f0c2a1d2e3f405162739"), "bool"),
    (True, "date"),
    (datetime(2026, 11, 26, tzinfo=UTC), "timestamp"),
    (DatetimeMS(10**15), "timestamp"),
    (Timestamp(1, 2), "regex"),
]
"""Identifiers, and the kind that MongoDB orders behind theirs."""


@pytest.mark.parametrize(("identifier", "following"), KINDS)
def test_a_key_leads_back_to_its_identifier_and_on_to_all_behind_it(identifier: object, following: str) -> None:
    assert identifier_of(key_text(identifier)) == identifier
    own, others = behind(identifier)["$or"]
    assert own == {"_id": {"$gt": identifier}}
    assert others["_id"]["$type"][0] == following


def test_nothing_is_behind_the_end() -> None:
    assert behind(MaxKey()) == {"$or": [{"_id": {"$gt": MaxKey()}}]}
