"""Values of a message in binary form, counted before it is built."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.wire.api import Api, load_api
from openplaybook.wire.codec.json_parser import MAX_VALUES
from openplaybook.wire.errors import RpcError
from openplaybook.wire.grpc_calls import check_shape

DETECT_INTENT = "google.cloud.dialogflow.cx.v3beta1.DetectIntentRequest"
STRUCT = "google.protobuf.Struct"


def test_long_texts_are_one_value(api: Api) -> None:
    request = api.message(DETECT_INTENT)()
    request.query_input.text.text = "x" * 2_000_000
    check_shape(request.SerializeToString(), request.DESCRIPTOR)


def test_more_small_values_than_json_may_have_are_refused(api: Api) -> None:
    request = api.message(DETECT_INTENT)()
    values = request.query_params.parameters.fields["list"].list_value.values
    for _ in range(MAX_VALUES):
        values.add().bool_value = True
    with pytest.raises(RpcError, match=r"^The request has more than 100,000 values\.$"):
        check_shape(request.SerializeToString(), request.DESCRIPTOR)


def test_packed_numbers_are_counted(api: Api) -> None:
    file = api.message("google.protobuf.FileDescriptorProto")
    packed = b"\x52" + b"\xa1\x8d\x06" + b"\x01" * 100_001  # public_dependency, 100,001 bytes of numbers
    with pytest.raises(RpcError, match="more than 100,000 values"):
        check_shape(packed, file.DESCRIPTOR)


@given(st.binary(max_size=200))
def test_bytes_that_are_no_message_pass(data: bytes) -> None:
    check_shape(data, load_api().message(STRUCT).DESCRIPTOR)
