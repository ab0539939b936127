"""What a message gives as JSON."""

import pytest

from openplaybook.wire.api import Api
from openplaybook.wire.codec import JsonError

BETA = "google.cloud.dialogflow.cx.v3beta1"


@pytest.mark.parametrize(
    ("number", "given"), [(1.0, "1"), (-0.0, "-0.0"), (0.0, "0"), (2.5, "2.5"), (2.0**53, str(2**53)), (1e17, "1e+17")]
)
def test_whole_numbers_in_a_struct_are_integers_as_far_as_doubles_are_exact(
    api: Api, number: float, given: str
) -> None:
    struct = api.message("google.protobuf.Struct")()
    struct.fields["n"].number_value = number

    assert str(api.codec.to_json(struct)["n"]) == given


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_json_lacks_is_refused_in_a_struct(api: Api, number: float) -> None:
    value = api.message("google.protobuf.Value")(number_value=number)

    with pytest.raises(JsonError, match="NaN or infinity"):
        api.codec.to_json(value)


def test_an_any_of_an_unknown_type_is_refused(api: Api) -> None:
    value = api.message("google.protobuf.Any")(type_url="type.googleapis.com/no.Such", value=b"")

    with pytest.raises(JsonError, match=r"no\.Such is not known"):
        api.codec.to_json(value)


def test_an_any_with_other_bytes_is_refused(api: Api) -> None:
    value = api.message("google.protobuf.Any")(type_url=f"type.googleapis.com/{BETA}.Agent", value=b"\xff")

    with pytest.raises(JsonError, match=f"the bytes are not a {BETA}.Agent"):
        api.codec.to_json(value)


def test_a_time_out_of_range_is_refused(api: Api) -> None:
    with pytest.raises(JsonError, match="Timestamp out of range"):
        api.codec.to_json(api.message("google.protobuf.Timestamp")(seconds=10**15))


def test_enums_are_names_or_on_request_numbers(api: Api) -> None:
    message = api.message(f"{BETA}.Agent")(paused_input="REFUSE")

    assert api.codec.to_json(message) == {"pausedInput": "REFUSE"}
    assert api.codec.for_client(message, enums_as_ints=True) == {"pausedInput": 2}


def test_fields_that_are_not_set_are_left_out_and_empty_messages_kept(api: Api) -> None:
    message = api.message(f"{BETA}.Tool")(name="n", display_name="", function_spec={})

    assert api.codec.to_json(message) == {"name": "n", "functionSpec": {}}
