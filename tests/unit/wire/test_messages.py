import pytest
from google.protobuf.message import DecodeError

from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage

TAG = b"\xfa\xff\xff\xff\x0f"
LONG = 2**70 + 1
CALL = "google.cloud.dialogflow.cx.v3beta1.ToolCall"


def call(api: Api) -> ApiMessage:
    return api.codec.from_json(
        {"action": "a", "inputParameters": {"z": [{"y": LONG, "x": 1}], "b": 1}}, api.message(CALL)()
    )


def test_what_is_kept_beside_a_message_does_not_leave(api: Api) -> None:
    message = call(api)
    sent = api.doors.write(message)
    assert TAG in message.SerializeToString()
    assert TAG not in sent
    assert api.codec.to_json(type(message).FromString(sent)) == {
        "action": "a",
        "inputParameters": {"b": 1, "z": [{"x": 1, "y": str(LONG)}]},
    }


def test_what_a_client_sends_in_its_place_is_not_read(api: Api) -> None:
    message = call(api)
    for place in (message.input_parameters, message.input_parameters.fields["z"].list_value.values[0].struct_value):
        place.as_written = b'{"b": "forged", "z": []}'
    read = api.doors.read(type(message), message.SerializeToString())
    assert api.codec.to_json(read) == {"action": "a", "inputParameters": {"b": 1, "z": [{"x": 1, "y": str(LONG)}]}}


def test_a_packed_message_loses_it_too(api: Api) -> None:
    operation = api.message("google.longrunning.Operation")(name="o")
    operation.response.Pack(call(api))
    sent = api.doors.write(operation)
    assert TAG not in sent
    assert api.codec.to_json(type(operation).FromString(sent))["response"]["inputParameters"]["b"] == 1


def test_a_packed_message_of_an_unknown_type_passes_as_it_is(api: Api) -> None:
    operation = api.message("google.longrunning.Operation")(name="o")
    operation.response.type_url, operation.response.value = "type.googleapis.com/foreign.Type", TAG + b"\x00"
    assert type(operation).FromString(api.doors.write(operation)) == operation


def test_other_messages_pass_as_they_are(api: Api) -> None:
    message = api.message(CALL)(action="a")
    assert api.doors.write(message) == message.SerializeToString()
    assert api.doors.read(type(message), message.SerializeToString()) == message


@pytest.mark.parametrize("data", [b"\xff", TAG, TAG + b"\xff"])
def test_bytes_that_are_no_message_are_refused(api: Api, data: bytes) -> None:
    with pytest.raises(DecodeError):
        api.doors.read(api.message(CALL), data)
