"""Order and long numbers of Structs, beside what a Struct says."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, dumps_sorted, loads
from openplaybook.wire.api import Api, converted, load_api
from openplaybook.wire.codec import JsonError, parse_text, structs
from openplaybook.wire.codec.structs import with_digits
from openplaybook.wire.messages import AS_WRITTEN

BETA, STABLE = "google.cloud.dialogflow.cx.v3beta1", "google.cloud.dialogflow.cx.v3"
LONG, FINE = 2**70 + 1, Decimal("0.12345678901234567890")

SCALARS = st.none() | st.booleans() | st.text(max_size=5) | st.integers(-(10**40), 10**40) | st.floats(-1e300, 1e300)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


def in_order(value: JsonValue) -> bytes:
    """A value as text, in which the order of members counts; whole doubles are integers, as Structs give them."""
    return dumps(_whole(value))


def _whole(value: JsonValue) -> JsonValue:
    if isinstance(value, float) and value.is_integer() and abs(value) <= 2**53 and str(value) != "-0.0":
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    return [_whole(item) for item in value] if isinstance(value, list) else value


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=3), VALUES, max_size=5))
def test_a_struct_comes_back_in_its_order_with_its_numbers(value: JsonObject) -> None:
    api = load_api()
    query = api.codec.from_json({"parameters": value}, api.message(f"{BETA}.QueryParameters")())
    read = type(query).FromString(query.SerializeToString())
    assert in_order(api.codec.to_json(read).get("parameters", {})) == in_order(value)
    assert api.codec.for_client(read) == _digits(api.codec.to_json(read))


def _digits(value: JsonValue) -> JsonValue:
    if isinstance(value, int) and not isinstance(value, bool) and float(value) != value:
        return str(value)
    if isinstance(value, dict):
        return {key: _digits(item) for key, item in value.items()}
    return [_digits(item) for item in value] if isinstance(value, list) else value


def test_a_double_would_change_it_so_the_message_holds_its_digits(api: Api) -> None:
    struct = api.codec.from_json({"long": LONG, "fine": FINE, "kept": 2**60}, api.message("google.protobuf.Struct")())
    held = {name: value.WhichOneof("kind") for name, value in struct.fields.items()}
    assert held == {"long": "string_value", "fine": "string_value", "kept": "number_value"}
    assert struct.fields["long"].string_value == str(LONG)
    assert api.codec.to_json(struct) == {"long": LONG, "fine": FINE, "kept": 2**60}
    assert dumps(api.codec.for_client(struct)) == dumps({"long": str(LONG), "fine": str(FINE), "kept": 2**60})


def test_texts_of_digits_stay_texts(api: Api) -> None:
    value = {"b": str(LONG), "a": LONG}
    struct = api.codec.from_json(value, api.message("google.protobuf.Struct")())
    assert api.codec.to_json(struct) == value


@pytest.mark.parametrize("value", [[LONG, "x"], LONG, {"b": 1, "a": [{"z": 1, "c": 2}]}])
def test_values_and_lists_keep_it_too(api: Api, value: JsonValue) -> None:
    message = api.codec.from_json(value, api.message("google.protobuf.Value")())
    assert dumps(api.codec.to_json(message)) == dumps(value)
    use = api.codec.from_json({"inputParameters": [{"name": "n", "value": value}]}, api.message(f"{BETA}.ToolUse")())
    assert dumps(api.codec.to_json(use)["inputParameters"][0]["value"]) == dumps(value)


def test_it_goes_along_to_another_version_and_back(api: Api) -> None:
    value: JsonObject = {"inputParameters": {"z": LONG, "a": 1}}
    beta = api.codec.from_json(value, api.message(f"{BETA}.ToolCall")())
    stable = converted(beta, api.message(f"{STABLE}.ToolCall"))
    assert dumps(api.codec.to_json(stable)) == dumps(api.codec.to_json(converted(stable, type(beta)))) == dumps(value)


def test_properties_of_a_schema_of_apps_keep_their_order(api: Api) -> None:
    value: JsonObject = {
        "type": "OBJECT",
        "properties": {"zeta": {"type": "STRING"}, "alpha": {"properties": {"d": {}, "c": {}}}},
        "defs": {"y": {}, "x": {}},
    }
    schema = api.codec.from_json(value, api.message("google.cloud.ces.v1.Schema")())
    given = api.codec.to_json(schema)
    assert dumps(given["properties"]) == dumps(value["properties"])
    assert list(given["defs"]) == ["y", "x"]
    del schema.properties["zeta"]
    schema.properties["beta"].SetInParent()
    assert list(api.codec.to_json(schema)["properties"]) == ["alpha", "beta"]


def test_code_that_changes_a_struct_need_not_know(api: Api) -> None:
    struct = api.codec.from_json({"b": 1, "a": 2}, api.message("google.protobuf.Struct")())
    struct.fields["c"].string_value = "new"
    assert dumps(api.codec.to_json(struct)) == b'{"b":1,"a":2,"c":"new"}'


def test_a_value_that_is_changed_in_its_place_is_given_as_it_is_now(api: Api) -> None:
    value: JsonObject = {"z": LONG, "n": 7, "x": {"b": FINE, "a": [1, LONG, {"y": 2, "c": 3}]}, "t": "old", "e": True}
    struct = api.codec.from_json(value, api.message("google.protobuf.Struct")())
    inner = struct.fields["x"].struct_value.fields
    struct.fields["z"].number_value = 5
    struct.fields["t"].string_value = ""
    struct.fields["n"].bool_value = True
    inner["b"].string_value = "0.5"
    inner["a"].list_value.values[0].string_value = "one"
    inner["a"].list_value.values[2].struct_value.fields["y"].null_value = 0
    now: dict[str, Any] = {
        "z": 5,
        "n": True,
        "x": {"b": "0.5", "a": ["one", LONG, {"y": None, "c": 3}]},
        "t": "",
        "e": True,
    }
    assert dumps(api.codec.to_json(struct)) == dumps(now)
    now["x"]["a"][1] = str(LONG)
    assert dumps(api.codec.for_client(struct)) == dumps(now)
    inner["a"].list_value.values.add().string_value = "more"
    inner["b"].struct_value.fields["deep"].number_value = 1
    now["x"] = {"b": {"deep": 1}, "a": ["one", str(LONG), {"c": 3, "y": None}, "more"]}
    assert dumps(api.codec.to_json(struct)) == dumps(now)


@settings(deadline=None)
@given(VALUES, VALUES)
def test_whatever_was_kept_the_message_says_what_is_given(value: JsonValue, other: JsonValue) -> None:
    """A text that was kept of another value changes the order at most, never what is there."""
    api = load_api()
    one, two = ({"parameters": {"b": each, "a": 1}} for each in (value, other))
    message, wrong = (api.codec.from_json(each, api.message(f"{BETA}.QueryParameters")()) for each in (one, two))
    plain = structs.write_struct(message.parameters)
    setattr(message.parameters, AS_WRITTEN, getattr(wrong.parameters, AS_WRITTEN))
    assert _with_texts(api.codec.to_json(message)["parameters"]) == _with_texts(plain)


def _with_texts(value: JsonValue) -> JsonValue:
    """`value` with the digits of every number that a Struct holds as a text."""
    return loads(dumps_sorted(with_digits(_whole(value))))


def test_what_has_nothing_more_to_say_keeps_nothing(api: Api) -> None:
    for value in ({"a": 1, "b": [1.5, "x", {"c": None}]}, {}, {"n": 2**53}):
        struct = api.codec.from_json(value, api.message("google.protobuf.Struct")())
        assert getattr(struct, AS_WRITTEN) == b""


def test_what_is_filled_without_its_order_is_given_by_name(api: Api) -> None:
    struct = api.message("google.protobuf.Struct")()
    structs.fill_struct({"z": 1, "a": {"y": 2, "b": 3}}, struct, 0)
    assert getattr(struct, AS_WRITTEN) == b""
    assert dumps(api.codec.to_json(struct)) == b'{"a":{"b":3,"y":2},"z":1}'


def test_long_texts_are_not_kept_twice(api: Api) -> None:
    value: JsonObject = {"z": "x" * 100_000, "a": [{"y": "long " * 1_000, "b": LONG, "n": None}, None], "m": "short"}
    struct = api.codec.from_json(value, api.message("google.protobuf.Struct")())
    assert len(getattr(struct, AS_WRITTEN)) < 200
    assert dumps(api.codec.to_json(struct)) == dumps(value)
    value["a"][0]["b"] = str(LONG)
    assert dumps(api.codec.for_client(struct)) == dumps(value)
    for kind in ("Value", "ListValue"):
        message = api.codec.from_json([value, value["z"]], api.message(f"google.protobuf.{kind}")())
        assert dumps(api.codec.to_json(message)) == dumps([value, value["z"]])


def test_no_json_names_the_field(api: Api) -> None:
    with pytest.raises(JsonError, match="unknown field"):
        api.codec.from_json({"asWritten": "AAAA"}, api.message("google.cloud.ces.v1.Schema")())
    struct = api.codec.from_json({"as_written": "x", "asWritten": "y"}, api.message("google.protobuf.Struct")())
    assert api.codec.to_json(struct) == {"as_written": "x", "asWritten": "y"} | {}


def test_a_request_text_is_read_exactly_by_both_parsers() -> None:
    text = b'{"b": 123456789012345678901234567890, "a": 0.12345678901234567890, "\\u003a": 1e400}'
    assert parse_text(text) == loads(text) == {"b": 123456789012345678901234567890, "a": FINE, ":": Decimal("1e400")}
    with pytest.raises(JsonError, match="is given twice"):
        parse_text(b'{"a": 123456789012345678901234567890, "a": 1}')


def test_a_whole_number_that_a_client_writes_as_a_double_is_an_integer(api: Api) -> None:
    struct = api.codec.from_json({"b": 7.0, "a": LONG}, api.message("google.protobuf.Struct")())
    assert dumps(api.codec.to_json(struct)) == dumps({"b": 7, "a": LONG})
