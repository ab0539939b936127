"""The schema of records, from the records."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.records.schema import FieldType, RecordField, RecordSchema, SchemaDetector, value_type

STRING, NUMBER, INTEGER = FieldType.STRING, FieldType.NUMBER, FieldType.INTEGER


def detect_schema(records: Iterable[JsonObject]) -> RecordSchema:
    detector = SchemaDetector()
    detector.add_all(records)
    return detector.schema()


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("cat", STRING),
        ("", STRING),
        (5, INTEGER),
        (2**70, INTEGER),
        (5.5, NUMBER),
        (True, FieldType.BOOLEAN),
        ("2024-02-29", FieldType.DATETIME),
        ("2024-04-16T12:00:00-07:00", FieldType.DATETIME),
        ("2024-04-16 12:00", FieldType.DATETIME),
        ("2024-13-01", STRING),
        ("2024", STRING),
        ("34.02, -118.4", FieldType.GEOLOCATION),
        ("94.02,-118.4", STRING),
        ({"latitude": 1, "longitude": 2.5}, FieldType.GEOLOCATION),
        ({"lat": 1, "lng": "2"}, FieldType.OBJECT),
        (None, None),
        ([1], None),
    ],
)
def test_the_type_of_a_value(value: JsonValue, kind: FieldType | None) -> None:
    assert value_type(value) is kind


def test_fields_have_the_type_that_all_their_values_have() -> None:
    schema = detect_schema(
        [
            {
                "price": 1,
                "since": "2024-01-01",
                "tags": ["a"],
                "vet": {"name": "x"},
                "rooms": [{"beds": 1}],
                "mixed": 1,
            },
            {"price": 1.5, "since": "soon", "vet": None, "rooms": [{"beds": 2.5}], "mixed": "x", "late": []},
        ]
    )
    assert schema.fields == (
        RecordField(("price",), NUMBER),
        RecordField(("since",), STRING),
        RecordField(("tags",), STRING, is_array=True),
        RecordField(("vet",), FieldType.OBJECT),
        RecordField(("vet", "name"), STRING),
        RecordField(("rooms",), FieldType.OBJECT, is_array=True),
        RecordField(("rooms", "beds"), NUMBER),
        RecordField(("mixed",), STRING),
    )


def test_key_properties_are_known_by_name() -> None:
    schema = detect_schema(
        [{"name": "n", "Title": "t", "url": "https://a/", "summary": "s", "category": ["c"], "uri": 5}]
    )
    keys = {item.path[0]: item.key_property for item in schema.fields}
    assert keys == {
        "name": "", "Title": "title", "url": "", "summary": "description", "category": "category", "uri": ""
    }  # fmt: skip


def test_a_schema_is_written_as_discovery_engine_does() -> None:
    schema = detect_schema(
        [{"title": "t", "price": 2, "at": {"lat": 1, "lon": 2}, "rooms": [{"beds": ["x"]}], "vet": {"n": 1}}]
    )
    assert schema.to_json_schema() == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "title": {
                "type": "string",
                "keyPropertyMapping": "title",
                "retrievable": True,
                "indexable": False,
                "searchable": True,
            },
            "price": {"type": "integer", "retrievable": True, "indexable": True},
            "at": {"type": "geolocation", "retrievable": True, "indexable": True},
            "rooms": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "beds": {
                            "type": "array",
                            "items": {"type": "string", "retrievable": True, "indexable": True, "searchable": True},
                        }
                    },
                },
            },
            "vet": {"type": "object", "properties": {"n": {"type": "integer", "retrievable": True, "indexable": True}}},
        },
    }


def test_a_name_that_stands_for_an_object_and_a_text_has_no_fields_below() -> None:
    schema = detect_schema([{"a": {"b": {"lat": 1, "lng": 2}}}, {"a": {"b": {"c": 1}}}, {"a": "x"}])
    assert [(item.path, item.type) for item in schema.fields] == [
        (("a",), FieldType.OBJECT),
        (("a", "b"), FieldType.OBJECT),
        (("a", "b", "c"), INTEGER),
    ]


def test_no_more_than_two_thousand_fields_are_looked_at() -> None:
    assert len(detect_schema([{f"f{number}": 1 for number in range(3_000)}]).fields) == 2_000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-1, 1) | st.sampled_from(["a", "2024-01-01", "1.5,2.5"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "lat", "lng"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.sampled_from(["a", "b", "title"]), JSON, max_size=3), max_size=4))
def test_any_records_have_a_schema_that_can_be_written(records: list[dict[str, JsonValue]]) -> None:
    schema = detect_schema(records)
    written = schema.to_json_schema()
    assert set(written["properties"]) == {item.path[0] for item in schema.fields}
