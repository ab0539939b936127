import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.packages.dialogflow.export_shapes import from_export, to_export


@pytest.mark.parametrize(
    ("exported", "value"),
    [
        ({"createTime": {"seconds": 1750109436, "nanos": 330878000}}, {"createTime": "2025-06-16T21:30:36.330878Z"}),
        ({"createTime": {"seconds": 0, "nanos": 1}}, {"createTime": "1970-01-01T00:00:00.000000001Z"}),
        ({"updateTime": {}}, {"updateTime": "1970-01-01T00:00:00Z"}),
        ({"updateTime": {"seconds": -62135596800}}, {"updateTime": "0001-01-01T00:00:00Z"}),
        ({"noSpeechTimeout": {"seconds": 5}}, {"noSpeechTimeout": "5s"}),
        ({"noSpeechTimeout": {"nanos": 500000000}}, {"noSpeechTimeout": "0.500s"}),
        ({"xDuration": {"seconds": -1, "nanos": -500000000}}, {"xDuration": "-1.500s"}),
        ({"xDuration": {}}, {"xDuration": "0s"}),
        (
            {"speechSettings": {"models": [{"key": "en", "value": "phone_call"}]}},
            {"speechSettings": {"models": {"en": "phone_call"}}},
        ),
        (
            {"textToSpeechSettings": {"synthesizeSpeechConfigs": [{"key": "en", "value": {"pitch": 1}}]}},
            {"textToSpeechSettings": {"synthesizeSpeechConfigs": {"en": {"pitch": 1}}}},
        ),
        ({"speechSettings": {"models": []}}, {"speechSettings": {"models": {}}}),
        ({"a": [{"startTime": {"seconds": 1}}, 5]}, {"a": [{"startTime": "1970-01-01T00:00:01Z"}, 5]}),
    ],
)
def test_shapes_of_exports_and_of_the_api_are_inverse(exported: JsonObject, value: JsonObject) -> None:
    def without_zeros(item: JsonValue) -> JsonValue:
        if isinstance(item, dict):
            return {key: without_zeros(member) for key, member in item.items() if key != "seconds" or member}
        return [without_zeros(member) for member in item] if isinstance(item, list) else item

    assert from_export(exported) == value
    assert to_export(value) == without_zeros(exported)


def test_numbers_of_a_time_may_be_texts() -> None:
    assert from_export({"createTime": {"seconds": "5", "nanos": 0}}) == {"createTime": "1970-01-01T00:00:05Z"}


@pytest.mark.parametrize(
    "value",
    [
        {"createTime": "2025-06-16T21:30:36Z"},
        {"createTime": {"seconds": 10**14}},
        {"createTime": {"seconds": True}},
        {"createTime": {"seconds": 1, "nanos": -1}},
        {"createTime": {"other": 1}},
        {"noSpeechTimeout": {"seconds": 1, "nanos": -1}},
        {"speechSettings": {"models": [{"key": "en"}, {"key": "en"}]}},
        {"speechSettings": {"models": [{"name": "en"}]}},
        {"dataStoreSpec": {"models": {"rewriterModel": {}}}},
        {"inputSchema": {"properties": {"startTime": {"seconds": 5}}}},
        {"toolUse": {"inputActionParameters": {"createTime": {"seconds": 5}}}},
    ],
)
def test_what_does_not_convert_or_belongs_to_users_stays(value: JsonObject) -> None:
    assert from_export(value) == value


@pytest.mark.parametrize(
    "value", [{"createTime": "2025-13-45T00:00:00Z"}, {"createTime": "soon"}, {"xTimeout": "5 s"}, {"ttl": 5}]
)
def test_what_is_no_time_is_written_as_it_is(value: JsonObject) -> None:
    assert to_export(value) == value


@given(st.integers(-62135596800, 253402300799), st.integers(0, 999_999_999))
def test_every_time_comes_back(seconds: int, nanos: int) -> None:
    parts = {key: number for key, number in (("seconds", seconds), ("nanos", nanos)) if number}
    value = from_export({"createTime": parts})
    assert value["createTime"].endswith("Z")
    assert to_export(value) == {"createTime": parts}


@given(st.integers(-315_576_000_000, 315_576_000_000), st.integers(0, 999_999_999))
def test_every_duration_comes_back(seconds: int, nanos: int) -> None:
    signed = -nanos if seconds < 0 else nanos
    parts = {key: number for key, number in (("seconds", seconds), ("nanos", signed)) if number}
    assert to_export(from_export({"xTimeout": parts})) == {"xTimeout": parts}
