"""Values are read and written as manifests say that the system has them."""

from decimal import Decimal

import pytest

from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.rest.manifest.field_notation import from_words
from openplaybook.connectors.rest.values import (
    document_of_text,
    literal_value,
    read_value,
    text_of_document,
    written_value,
)
from openplaybook.jsonvalues import JsonValue


@pytest.mark.parametrize(
    ("words", "system", "ours"),
    [
        ("epoch", 1_795_651_200, "2026-11-26T00:00:00Z"),
        ("epoch", 1_795_651_200.5, "2026-11-26T00:00:00.500000Z"),
        ("epoch_ms", 1_795_651_200_000, "2026-11-26T00:00:00Z"),
        ("csv", "a, b,,c", ["a", "b", "c"]),
        ("decimal", 12.5, "12.5"),
        ("decimal", Decimal("12.3456789012345678901"), "12.3456789012345678901"),
        ("bigint", 2**53, 2**53),
        ("bigint", 2**53 + 1, str(2**53 + 1)),
        ("int64", "42", 42),
        ("int64", "9007199254740993", "9007199254740993"),
        ("int64", "²", "²"),
        ("int64", "--5", "--5"),
        ("segment", "people/c1", "c1"),
        ("object", {"id": 2**60, "in": [2**60]}, {"id": str(2**60), "in": [str(2**60)]}),
        ("string", None, None),
        ("epoch", "soon", "soon"),
        ("utc", "2026-11-26 09:00:00", "2026-11-26T09:00:00Z"),
        ("utc", "", ""),
        ("utc", "1", "1"),
        ("boolean_text", "true", True),
        ("boolean_text", "0", False),
        ("boolean_text", "", ""),
    ],
)
def test_a_value_of_the_system_is_read(words: str, system: JsonValue, ours: JsonValue) -> None:
    assert read_value(from_words("a", words, "a"), system) == ours


@pytest.mark.parametrize(
    ("words", "ours", "system"),
    [
        ("epoch", "2026-11-26T01:00:00+01:00", 1_795_651_200),
        ("epoch", "2026-11-26", 1_795_651_200),
        ("epoch_ms", "2026-11-26T00:00:00.5", 1_795_651_200_500),
        ("epoch", 7, 7),
        ("utc", "2026-11-26T10:00:00.5+01:00", "2026-11-26 09:00:00"),
        ("utc", "2026-11-26", "2026-11-26 00:00:00"),
        ("boolean_text", True, "true"),
        ("boolean_text", "false", "false"),
        ("csv", ["a", "b"], "a,b"),
        ("int64", 42, "42"),
        ("decimal_text", "7.50", "7.50"),
        ("decimal", "12.50", 12.5),
        ("decimal", "12", 12),
        ("open|paid", "paid", "paid"),
        ("open|paid", ["paid"], ["paid"]),
        ("string", None, None),
    ],
)
def test_our_value_is_written_as_the_system_has_it(words: str, ours: JsonValue, system: JsonValue) -> None:
    assert written_value(from_words("a", words, "a"), ours) == system


def test_what_a_field_cannot_hold_is_refused_with_the_field() -> None:
    with pytest.raises(InvalidValue, match="a: must be one of open, paid") as caught:
        written_value(from_words("a", "open|paid", "a"), "void")
    assert caught.value.field == "a"
    with pytest.raises(InvalidValue, match="must be a moment"):
        literal_value(from_words("a", "epoch", "a"), "yesterday")


def test_text_becomes_a_document_of_atlassian_and_back() -> None:
    text = "First line\n\nThird line"
    assert text_of_document(document_of_text(text)) == text


def test_a_document_that_has_more_than_text_is_read_as_its_text() -> None:
    document: JsonValue = {
        "type": "doc",
        "content": [
            {"type": "heading", "content": [{"type": "text", "text": "Title"}]},
            {
                "type": "paragraph",
                "content": [
                    {"type": "mention", "attrs": {"text": "@Ann"}},
                    {"type": "text", "text": " said"},
                    {"type": "hardBreak"},
                    {"type": "text", "text": "hello"},
                ],
            },
        ],
    }
    assert text_of_document(document) == "Title\n@Ann said\nhello"


def test_a_document_of_endless_depth_ends() -> None:
    document: JsonValue = {"type": "text", "text": "x"}
    for _ in range(500):
        document = {"type": "doc", "content": [document]}
    assert text_of_document(document) == ""
