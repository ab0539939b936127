"""What gRPC clients can send and JSON cannot."""

import math

import pytest

from openplaybook.services.dialogflow.turn_requests import turn_request
from openplaybook.services.turn_requests import DEFAULT_TIMEOUT_S, MAX_TIMEOUT_S
from openplaybook.wire.api import load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage

API = load_api()


def asked() -> ApiMessage:
    request = API.message("google.cloud.dialogflow.cx.v3beta1.DetectIntentRequest")()
    request.session = "projects/p/locations/l/agents/a/sessions/s"
    request.query_input.text.text = "hi"
    request.query_input.language_code = "en"
    return request


def context(timeout_s: float | None = None) -> RpcContext:
    return RpcContext("DetectIntent", "v3beta1", "grpc", {}, timeout_s)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_lacks_is_the_callers_error(number: float) -> None:
    request = asked()
    request.query_params.parameters.fields["x"].number_value = number
    with pytest.raises(RpcError) as caught:
        turn_request(API, request, context())
    message = "A parameter of the request cannot be used: $: a Value cannot give NaN or infinity as JSON"
    assert (caught.value.code, caught.value.message) == (Code.INVALID_ARGUMENT, message)


def test_a_life_of_any_length_can_be_asked_for() -> None:
    request = asked()
    request.query_params.session_ttl.seconds = 2**62
    assert turn_request(API, request, context()).session_ttl_s == float(2**62)


@pytest.mark.parametrize(
    ("deadline", "timeout"), [(None, DEFAULT_TIMEOUT_S), (0.0, 0.0), (5.0, 5.0), (1e300, MAX_TIMEOUT_S)]
)
def test_a_turn_takes_as_long_as_its_caller_waits_within_reason(deadline: float | None, timeout: float) -> None:
    assert turn_request(API, asked(), context(deadline)).timeout_s == timeout
