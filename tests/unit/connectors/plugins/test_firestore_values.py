"""Values of Firestore as JSON, and the other way."""

import pytest

from openplaybook.connectors.base import DataType
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.plugins.firestore_values import native_value
from openplaybook.jsonvalues import JsonObject, JsonValue


@pytest.mark.parametrize(
    ("value", "kind", "native"),
    [
        ("-9223372036854775808", DataType.BIGINT, {"integerValue": "-9223372036854775808"}),
        ("9223372036854775808", DataType.BIGINT, {"stringValue": "9223372036854775808"}),
        ("--5", DataType.BIGINT, {"stringValue": "--5"}),
        ("²", DataType.BIGINT, {"stringValue": "²"}),
        (5, DataType.DOUBLE, {"doubleValue": 5}),
        ("AAE=", DataType.BINARY, {"bytesValue": "AAE="}),
        (None, DataType.BIGINT, {"nullValue": "NULL_VALUE"}),
        (
            [1, {"a": True}],
            None,
            {
                "arrayValue": {
                    "values": [{"integerValue": "1"}, {"mapValue": {"fields": {"a": {"booleanValue": True}}}}]
                }
            },
        ),
    ],
)
def test_a_value_is_written_as_its_field_has_it_or_as_it_is(
    value: JsonValue, kind: DataType | None, native: JsonObject
) -> None:
    assert native_value(value, kind, "f") == native


@pytest.mark.parametrize(("value", "kind"), [(1 << 63, None), ("no base64!", DataType.BINARY)])
def test_what_firestore_cannot_keep_is_refused(value: JsonValue, kind: DataType | None) -> None:
    with pytest.raises(InvalidValue):
        native_value(value, kind, "f")
