"""What JSON a message takes, and what it says about JSON that it does not take."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.wire.api import Api, load_api
from openplaybook.wire.codec import JsonError
from openplaybook.wire.messages import ApiMessage

BETA = "google.cloud.dialogflow.cx.v3beta1"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def read(api: Api, name: str, value: JsonValue) -> ApiMessage:
    kind = name if "." in name else f"{BETA}.{name}"
    return api.codec.from_json(value, api.message(kind)())


def error(api: Api, name: str, value: JsonValue) -> tuple[str, str]:
    with pytest.raises(JsonError) as caught:
        read(api, name, value)
    return caught.value.path, caught.value.message


def test_an_unknown_field_is_refused_with_what_is_allowed(api: Api) -> None:
    path, message = error(api, "QueryInput", {"text": {"txt": "x"}})

    assert (path, message) == ("$.text.txt", "unknown field; did you mean text? Allowed: text")


def test_a_message_without_fields_allows_none(api: Api) -> None:
    assert error(api, "google.protobuf.Empty", {"a": 1}) == ("$.a", "unknown field; no fields are allowed here")


def test_names_may_be_those_of_the_proto(api: Api) -> None:
    assert read(api, "Agent", {"display_name": "a"}).display_name == "a"


def test_a_field_given_under_both_names_is_refused(api: Api) -> None:
    value = {"displayName": "a", "display_name": "b"}

    assert error(api, "Agent", value) == ("$.display_name", "the field is given twice, also as displayName")


@pytest.mark.parametrize("name", ["displayName", "locked", "speechToTextSettings", "supportedLanguageCodes"])
def test_null_leaves_a_field_unset(api: Api, name: str) -> None:
    assert read(api, "Agent", {name: None}).ListFields() == []


def test_two_members_of_a_oneof_are_refused(api: Api) -> None:
    path, message = error(api, "QueryInput", {"text": {"text": "a"}, "dtmf": {"digits": "1"}})

    assert (path, message) == (
        "$.dtmf",
        "only one of text, intent, audio, event, dtmf, toolCallResult may be set; text is set already",
    )


def test_null_beside_a_member_of_a_oneof_is_no_second_one(api: Api) -> None:
    assert read(api, "QueryInput", {"text": {"text": "a"}, "dtmf": None}).WhichOneof("input") == "text"


def test_an_empty_message_in_a_oneof_is_kept(api: Api) -> None:
    assert read(api, "Tool", {"functionSpec": {}}).WhichOneof("specification") == "function_spec"


def test_an_optional_scalar_keeps_that_it_was_given(api: Api) -> None:
    assert read(api, "Agent", {"satisfiesPzs": False}).HasField("satisfies_pzs")


@pytest.mark.parametrize(("value", "number"), [("PLAYBOOK", 9), (9, 9), ("9", 9), (9.0, 9), (4711, 4711)])
def test_an_enum_is_a_name_or_a_number(api: Api, value: JsonValue, number: int) -> None:
    assert read(api, "Match", {"matchType": value}).match_type == number


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("REFUSED", "'REFUSED' is not one of PAUSED_INPUT_UNSPECIFIED, CANCEL, REFUSE"),
        (True, "one of PAUSED_INPUT_UNSPECIFIED, CANCEL, REFUSE is expected, not a boolean"),
        (1.5, "an integer is expected, not 1.5"),
        (2**31, "the integer is out of range (-2147483648 to 2147483647): 2147483648"),
    ],
)
def test_a_value_that_is_no_enum_is_refused_with_those_that_are(api: Api, value: JsonValue, message: str) -> None:
    assert error(api, "Agent", {"pausedInput": value}) == ("$.pausedInput", message)


@pytest.mark.parametrize("value", ["true", 1, {}, []])
def test_a_boolean_is_not_quoted(api: Api, value: JsonValue) -> None:
    path, message = error(api, "Agent", {"locked": value})

    assert (path, message) == ("$.locked", f"true or false is expected, without quotes, not {value!r}")


@pytest.mark.parametrize("value", [5, "5", 5.0, "5.0", "5e0"])
def test_an_integer_may_be_quoted_or_a_whole_decimal(api: Api, value: JsonValue) -> None:
    assert read(api, "google.protobuf.Int64Value", value).value == 5


def test_digits_behind_a_point_do_not_make_an_integer_a_double(api: Api) -> None:
    assert read(api, "google.protobuf.Int64Value", "9007199254740993.0").value == 9007199254740993


@pytest.mark.parametrize("value", ["9" * 4001 + "e0", "9" * 4001 + ".0"])
def test_a_quoted_number_has_a_length_that_is_told(api: Api, value: str) -> None:
    assert error(api, "google.protobuf.Int64Value", value)[1] == "a number has more than 4,000 digits"


@pytest.mark.parametrize("value", [True, "five", "5_0", " 5", "0x5", 5.5, 2**63, [], {}, "99999999999999999999999"])
def test_what_is_no_integer_is_refused(api: Api, value: JsonValue) -> None:
    assert error(api, "google.protobuf.Int64Value", value)[0] == "$"


@pytest.mark.parametrize(("value", "number"), [(1, 1.0), ("1.5e3", 1500.0), ("-Infinity", float("-inf"))])
def test_a_double_may_be_quoted(api: Api, value: JsonValue, number: float) -> None:
    assert read(api, "google.protobuf.DoubleValue", value).value == number


@pytest.mark.parametrize("value", [True, "inf", "nan", "1e999", float("nan"), 10**400, "", "1_0"])
def test_what_is_no_double_is_refused(api: Api, value: JsonValue) -> None:
    assert error(api, "google.protobuf.DoubleValue", value)[0] == "$"


def test_a_32_bit_float_takes_its_greatest_number_and_no_more(api: Api) -> None:
    assert read(api, "google.protobuf.FloatValue", 3.4028235e38).value == 3.4028234663852886e38
    assert error(api, "google.protobuf.FloatValue", 3.5e38) == (
        "$",
        "the number is out of the range of a 32-bit float: 3.5e+38",
    )


@pytest.mark.parametrize("value", ["-_8=", "-_8", "+/8=", "+/8"])
def test_bytes_are_base64_of_either_alphabet_with_or_without_padding(api: Api, value: str) -> None:
    assert read(api, "google.protobuf.BytesValue", value).value == b"\xfb\xff"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("a b=", "the string is not base64"),
        ("abcde", "the string is not base64: its length is wrong"),
        (5, "a base64 string is expected, not a number"),
    ],
)
def test_what_is_no_base64_is_refused(api: Api, value: JsonValue, message: str) -> None:
    assert error(api, "google.protobuf.BytesValue", value) == ("$", message)


@pytest.mark.parametrize("value", ["displayName,openApiSpec.textSchema", "display_name,open_api_spec.text_schema"])
def test_a_field_mask_is_one_string_of_either_spelling(api: Api, value: str) -> None:
    assert list(read(api, "google.protobuf.FieldMask", value).paths) == ["display_name", "open_api_spec.text_schema"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("google.protobuf.FieldMask", "a,,b"),
        ("google.protobuf.FieldMask", ["a"]),
        ("google.protobuf.Duration", "3"),
        ("google.protobuf.Duration", 3),
        ("google.protobuf.Timestamp", "yesterday"),
        ("google.protobuf.Timestamp", None),
    ],
)
def test_a_malformed_well_known_type_is_refused(api: Api, name: str, value: JsonValue) -> None:
    assert error(api, name, value)[0] == "$"


def test_an_any_needs_a_type_that_is_known(api: Api) -> None:
    name = "google.protobuf.Any"

    assert error(api, name, {"a": 1})[1].startswith("@type is missing")
    assert error(api, name, {"@type": "x/no.Such"}) == ("$.@type", "the type 'x/no.Such' is not known to this server")
    assert error(api, name, {"@type": "x/google.protobuf.Duration", "seconds": 1})[1] == (
        'google.protobuf.Duration takes "@type" and "value"'
    )
    assert read(api, name, {}).type_url == ""


@pytest.mark.parametrize(
    ("name", "value", "path", "message"),
    [
        ("Agent", [], "$", "an object is expected, not an array"),
        ("Agent", None, "$", "an object is expected, not null"),
        ("Agent", {"supportedLanguageCodes": "en"}, "$.supportedLanguageCodes", "an array is expected, not a string"),
        (
            "Agent",
            {"supportedLanguageCodes": ["en", 1]},
            "$.supportedLanguageCodes[1]",
            "a string is expected, not a number",
        ),
        ("ListAgentsResponse", {"agents": [None]}, "$.agents[0]", "null is not allowed in an array of messages"),
        (
            "QueryParameters",
            {"webhookHeaders": {"a": None}},
            "$.webhookHeaders.a",
            "null is not allowed as a value of a map",
        ),
        ("QueryParameters", {"webhookHeaders": 1}, "$.webhookHeaders", "an object is expected, not a number"),
        ("QueryParameters", {"parameters": []}, "$.parameters", "an object is expected, not an array"),
        (
            "QueryParameters",
            {"parameters": {"a": [{"b": float("inf")}]}},
            "$.parameters.a[0].b",
            "the number is out of range of a double",
        ),
        (
            "Agent",
            {"displayName": "\ud800"},
            "$.displayName",
            "the string contains half of a surrogate pair, which is not a character",
        ),
        (
            "QueryParameters",
            {"parameters": {"a": "\udfff"}},
            "$.parameters.a",
            "the string contains half of a surrogate pair, which is not a character",
        ),
    ],
)
def test_an_error_names_its_json_path(api: Api, name: str, value: JsonValue, path: str, message: str) -> None:
    assert error(api, name, value) == (path, message)


def test_what_was_read_at_the_depth_limit_can_be_sent_and_read_again(api: Api) -> None:
    value: JsonObject = {}
    for _ in range(28):
        value = {"a": value}
    message = read(api, "QueryParameters", {"parameters": value})

    assert type(message).FromString(message.SerializeToString()) == message
    path, text = error(api, "QueryParameters", {"parameters": {"a": {"a": value}}})
    assert (path, text) == (
        f"$.parameters{'.a' * 30}",
        "nested too deeply: protobuf allows about 30 levels of objects",
    )


@given(JSON)
def test_any_json_gives_a_message_or_a_json_error(value: object) -> None:
    api = load_api()
    for name in ("DetectIntentRequest", "Tool"):
        with suppress(JsonError):
            read(api, name, value)


@given(
    st.dictionaries(st.sampled_from(["parameters", "sessionTtl", "webhookHeaders", "timeZone", "geoLocation"]), JSON)
)
def test_any_values_of_known_fields_give_a_message_or_a_json_error(value: JsonObject) -> None:
    with suppress(JsonError):
        read(load_api(), "QueryParameters", value)


@pytest.mark.timeout(10)
def test_an_unknown_field_of_any_length_is_named_in_short(api: Api) -> None:
    path, text = error(api, "QueryParameters", {"a" * 3_000_000: 1})

    assert path == f"$.{'a' * 126}..."
    assert text.startswith("unknown field; Allowed: ")
