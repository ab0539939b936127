"""The places where a request may say who makes the tool calls."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.services.dialogflow.detect_intent_requests import turn_request
from openplaybook.turns.base import TurnRequest
from openplaybook.wire.api import load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError

pytestmark = pytest.mark.proves("C1")

API = load_api()
ALWAYS, DEFAULT = "ALWAYS_CLIENT_EXECUTION", "DEFAULT_EXECUTION"


def restated(query_params: JsonValue = None, header: str | None = None) -> TurnRequest:
    """What the engine gets of a request, whose parameters are JSON as a client writes it."""
    request = API.message("google.cloud.dialogflow.cx.v3beta1.DetectIntentRequest")()
    asked: JsonObject = {
        "queryInput": {"text": {"text": "hi"}, "languageCode": "en"},
        "queryParams": query_params or {},
    }
    API.codec.from_json(asked, request)
    request.session = "projects/p/locations/l/agents/a/sessions/s"
    metadata = {} if header is None else {"x-playbook-execution-mode": header}
    return turn_request(API, request, RpcContext("DetectIntent", "v3beta1", "grpc", metadata))


def field(mode: JsonValue) -> JsonObject:
    return {"playbookStateOverride": {"playbookExecutionMode": mode}}


def parameter(mode: JsonValue, **more: JsonValue) -> JsonObject:
    return {"parameters": {"playbook-execution-mode": mode, **more}}


@pytest.mark.parametrize(
    "query_params",
    [
        field(ALWAYS),
        {"playbook_state_override": {"playbook_execution_mode": ALWAYS}},
        {"playbookStateOverride": {"playbook_execution_mode": ALWAYS}},
        parameter(ALWAYS),
    ],
)
def test_a_request_asks_by_the_documented_field_in_both_spellings_or_by_session_parameter(
    query_params: JsonObject,
) -> None:
    assert restated(query_params).client_execution is True


def test_a_request_asks_by_header() -> None:
    assert restated(header=ALWAYS).client_execution is True
    assert restated(header=DEFAULT).client_execution is False


@pytest.mark.parametrize("query_params", [None, field("PLAYBOOK_EXECUTION_MODE_UNSPECIFIED"), parameter(None)])
def test_a_request_that_does_not_say_leaves_it_to_its_turn_and_agent(query_params: JsonValue) -> None:
    assert restated(query_params).client_execution is None


@pytest.mark.parametrize(
    ("query_params", "header", "mode"),
    [
        ({**field(DEFAULT), **parameter(ALWAYS)}, ALWAYS, False),
        ({**field(ALWAYS), **parameter(DEFAULT)}, DEFAULT, True),
        (parameter(ALWAYS), DEFAULT, False),
        (parameter(DEFAULT), ALWAYS, True),
        ({**field("PLAYBOOK_EXECUTION_MODE_UNSPECIFIED"), **parameter(ALWAYS)}, None, True),
    ],
)
def test_the_field_goes_before_the_header_and_the_header_before_the_parameter(
    query_params: JsonObject, header: str | None, mode: bool
) -> None:
    assert restated(query_params, header).client_execution is mode


def test_the_session_never_has_the_parameter() -> None:
    assert restated(parameter(ALWAYS, colour="red")).parameters == {"colour": "red"}


@pytest.mark.parametrize(
    ("query_params", "header", "where"),
    [
        (field(7), None, "query_params.playbook_state_override.playbook_execution_mode is 7"),
        (parameter("ALWAYS"), None, "query_params.parameters.playbook-execution-mode is 'ALWAYS'"),
        (parameter(True), None, "query_params.parameters.playbook-execution-mode is True"),
        (None, "", "The header x-playbook-execution-mode is ''"),
        ({**field(ALWAYS), **parameter({"a": 1})}, None, "query_params.parameters.playbook-execution-mode is {'a': 1}"),
    ],
)
def test_a_value_that_is_none_is_refused_wherever_it_stands(
    query_params: JsonValue, header: str | None, where: str
) -> None:
    with pytest.raises(RpcError) as refused:
        restated(query_params, header)
    message = f"{where}; allowed are ALWAYS_CLIENT_EXECUTION and DEFAULT_EXECUTION."
    assert (refused.value.code, refused.value.message) == (Code.INVALID_ARGUMENT, message)
