"""Messages of an earlier conversation."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import AgentText, FunctionCall, FunctionResult, UserText
from openplaybook.services.ces.historical_contexts import EarlierConversation, past_of
from openplaybook.wire.api import load_api
from openplaybook.wire.errors import RpcError

API = load_api()
APP = "projects/p/locations/l/apps/a"
BILLING = f"{APP}/agents/b1"


def past(*messages: JsonObject) -> EarlierConversation:
    """What they tell."""
    kind = API.message("google.cloud.ces.v1beta.Message")
    return past_of(API, [API.codec.from_json(each, kind()) for each in messages], APP, {"Billing": BILLING})


def test_nothing_tells_nothing() -> None:
    assert past() == EarlierConversation()


def test_words_are_the_users_or_an_agents() -> None:
    told = past(
        {"role": "user", "chunks": [{"text": "a"}, {"transcript": "b"}]},
        {"role": "agent", "chunks": [{"text": "c"}, {"payload": {"x": 1}}]},
    )
    assert told == EarlierConversation([UserText("a"), UserText("b"), AgentText("c")])


def test_results_find_their_calls() -> None:
    told = past(
        {"role": "Desk", "chunks": [{"toolCall": {"id": "1", "displayName": "add", "args": {"a": 1}}}]},
        {"role": "Desk", "chunks": [{"toolCall": {"tool": f"{APP}/tools/add"}}]},
        {"role": "user", "chunks": [{"toolResponse": {"id": "1", "displayName": "add", "response": {"error": "no"}}}]},
        {"role": "user", "chunks": [{"toolResponse": {"displayName": "add", "response": {"output": {"s": 1}}}}]},
    )
    assert told.entries == [
        FunctionCall("1", "add", {"a": 1}),
        FunctionCall("past-1", "add", {}),
        FunctionResult("1", "add", {"error": {"code": "CLIENT_ERROR", "message": "no"}}, is_error=True),
        FunctionResult("past-1", "add", {"s": 1}),
    ]


def test_variables_add_up_and_the_last_agent_goes_on() -> None:
    told = past(
        {"role": "user", "chunks": [{"defaultVariables": {"a": 1, "b": 1}}, {"updatedVariables": {"b": 2}}]},
        {"role": "Billing", "chunks": [{"agentTransfer": {"targetAgent": f"{APP}/agents/desk"}}]},
    )
    assert (told.variables, told.agent) == ({"a": 1, "b": 2}, f"{APP}/agents/desk")
    assert past({"role": "Billing", "chunks": [{"text": "Yes?"}]}).agent == BILLING


@pytest.mark.parametrize("target", ["desk", "projects/p/locations/l/apps/b/agents/desk"])
def test_a_transfer_leads_to_an_agent_of_the_app(target: str) -> None:
    with pytest.raises(RpcError, match=r"config.historical_contexts\[0\].chunks\[0\].agent_transfer.target_agent: "):
        past({"role": "x", "chunks": [{"agentTransfer": {"targetAgent": target}}]})


def test_a_hundred_thousand_calls_find_their_results_at_once() -> None:
    many: JsonObject = {"role": "Desk", "chunks": [{"toolCall": {"displayName": "add"}}] * 50_000}
    answered: JsonObject = {"role": "user", "chunks": [{"toolResponse": {"displayName": "add"}}] * 50_001}
    entries = past(many, answered).entries
    assert [each.id for each in entries if isinstance(each, FunctionResult)] == [
        *(f"past-{index}" for index in range(50_000)),
        "",
    ]
