"""Client-side execution: the calls of OpenAPI and data store tools are the client's, as those of functions are."""

from collections.abc import Callable

import pytest
from google.api_core import exceptions

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.rest import Rest, words
from tests.e2e.kit.shop import Shop, said, to_json, tool_calls
from tests.kit.http_peer import HttpPeer

pytestmark = pytest.mark.proves("C1", "O7", "X1")

ALWAYS = "ALWAYS_CLIENT_EXECUTION"
LUNA = {"id": 3, "name": "Luna", "owner": "Aisha"}


def by_parameter(shop: Shop, text: str) -> ApiMessage:
    """Say something as clients can whose types lack the documented field."""
    return shop.say(text, query_params={"parameters": {"playbook-execution-mode": ALWAYS}})


def by_header(shop: Shop, text: str) -> ApiMessage:
    """Say something, with a header or gRPC metadata."""
    metadata = [("x-playbook-execution-mode", ALWAYS)]
    return shop.google("Sessions").detect_intent(request=shop.text_request(text), metadata=metadata)


@pytest.mark.parametrize("say", [by_parameter, by_header])
def test_a_typed_client_makes_the_calls_of_an_openapi_tool(
    shop: Shop, pets: HttpPeer, say: Callable[[Shop, str], ApiMessage]
) -> None:
    asked = say(shop, "pet 3")
    assert tool_calls(asked) == [{"tool": shop.pets, "action": "getPet", "inputParameters": {"petId": 3}}]
    assert said(asked) == []
    assert to_json(asked.query_result)["parameters"] == {}
    resumed = shop.give(tool=shop.pets, action="getPet", output_parameters={"200": LUNA})
    assert said(resumed) == ["Luna belongs to Aisha."]
    assert pets.requests == []
    assert said(shop.say("pet 3")) == ["Luna belongs to Aisha."]
    assert [request.target for request in pets.requests] == ["/v1/pets/3"]


def test_a_client_is_told_what_the_server_would_have_sent(shop: Shop) -> None:
    [listing] = tool_calls(by_parameter(shop, "pets labelled cat and indoor"))
    assert listing["inputParameters"] == {"label": ["cat", "indoor"], "X-OWNER": "Aisha", "X-SESSION": "s1"}
    [creation] = tool_calls(by_parameter(shop, "add pet 7 Rex"))
    assert creation["inputParameters"] == {"requestBody": {"id": 7, "name": "Rex", "label": ["new"]}}
    resumed = shop.give(tool=shop.pets, action="createPet", output_parameters={"201": {"id": 7, "name": "Rex"}})
    assert said(resumed) == ["Rex is number 7."]


def test_a_client_may_fail(shop: Shop) -> None:
    by_header(shop, "pet 3")
    failed = shop.give(tool=shop.pets, action="getPet", error={"message": "no network"})
    assert said(failed) == ["That failed: CLIENT_ERROR: no network"]


def test_functions_and_calls_of_the_server_wait_together(shop: Shop, pets: HttpPeer) -> None:
    assert [call["action"] for call in tool_calls(by_header(shop, "pet and weather"))] == ["getPet", "get-weather-tool"]
    left = shop.give(output_parameters={"temperature": 6})
    assert [call["action"] for call in tool_calls(left)] == ["getPet"]
    done = shop.give(tool=shop.pets, action="getPet", output_parameters={"200": LUNA})
    assert said(done) == ["Luna is out at 6 degrees."]
    assert pets.requests == []


def test_a_mode_that_is_none_is_refused(shop: Shop) -> None:
    allowed = "allowed are ALWAYS_CLIENT_EXECUTION and DEFAULT_EXECUTION"
    with pytest.raises(exceptions.BadRequest, match=allowed):
        shop.say("hello", query_params={"parameters": {"playbook-execution-mode": "CLIENT"}})
    metadata = [("x-playbook-execution-mode", "CLIENT")]
    with pytest.raises(exceptions.BadRequest, match=allowed):
        shop.google("Sessions").detect_intent(request=shop.text_request("hello"), metadata=metadata)


def test_an_agent_can_leave_all_calls_to_its_clients(shop: Shop, rest: Rest, pets: HttpPeer) -> None:
    rest("PATCH", f"v3/{shop.agent}?updateMask=playbookExecutionMode", {"playbookExecutionMode": ALWAYS})
    assert [call["action"] for call in tool_calls(shop.say("pet 3"))] == ["getPet"]
    server_side = {"parameters": {"playbook-execution-mode": "DEFAULT_EXECUTION"}}
    assert said(shop.say("pet 3", shop.session("s2"), query_params=server_side)) == ["Luna belongs to Aisha."]
    name = f"{shop.agent}/generativeSettings"
    body = {"name": name, "languageCode": "en", "playbookExecutionMode": "DEFAULT_EXECUTION"}
    rest("PATCH", f"v3/{name}?updateMask=playbookExecutionMode", body)
    assert said(shop.say("pet 3", shop.session("s3"))) == ["Luna belongs to Aisha."]
    assert len(pets.requests) == 2


@pytest.mark.parametrize("version", ["v3", "v3beta1"])
@pytest.mark.parametrize(
    "override",
    [
        {"queryParams": {"playbookStateOverride": {"playbookExecutionMode": ALWAYS}}},
        {"query_params": {"playbook_state_override": {"playbook_execution_mode": ALWAYS}}},
    ],
    ids=["camelCase", "snake_case"],
)
def test_the_documented_field_is_taken_in_both_spellings(
    shop: Shop, rest: Rest, version: str, override: JsonObject
) -> None:
    session = shop.session("raw")
    paused = rest.say(session, "pet 3", version=version, **override)
    assert paused["responseMessages"] == [
        {
            "source": "VIRTUAL_AGENT",
            "toolCall": {
                "id": "call-1-1-1",
                "tool": shop.pets,
                "action": "getPet",
                "inputParameters": {"petId": 3},
            },
        }
    ]
    given = {"tool": shop.pets, "action": "getPet", "id": "call-1-1-1", "outputParameters": {"200": LUNA}}
    resumed = rest.detect(session, {"toolCallResult": given}, version=version)
    assert words(resumed.json["queryResult"]) == "Luna belongs to Aisha."


def test_an_id_that_no_open_call_has_is_refused(shop: Shop, rest: Rest) -> None:
    by_header(shop, "two cities")
    given: JsonObject = {"tool": shop.weather, "action": "get-weather-tool", "outputParameters": {"temperature": 1}}
    refused = rest.detect(shop.session(), {"toolCallResult": {**given, "id": "call-9"}})
    message = "Session is not waiting for the result of call, call-9; open calls: call-1-1-1, call-1-1-2."
    assert refused.error == (400, "FAILED_PRECONDITION", message)
    later = rest.detect(shop.session(), {"toolCallResult": {**given, "id": "call-1-1-2"}})
    [left] = later.json["queryResult"]["responseMessages"]
    assert left["toolCall"]["id"] == "call-1-1-1"


@pytest.fixture
def creating(shop: Shop, rest: Rest) -> Callable[[JsonValue], tuple[int, str]]:
    """Gives the session, which waits for a new pet, a result over REST; status and words or message."""
    by_header(shop, "add pet 7 Rex")

    def give(output: JsonValue) -> tuple[int, str]:
        given = {"tool": shop.pets, "action": "createPet", "outputParameters": output}
        answer = rest.detect(shop.session(), {"toolCallResult": given}, version="v3beta1")
        body = answer.json
        return answer.status, words(body["queryResult"]) if answer.status == 200 else body["error"]["message"]

    return give


def test_a_strict_agent_refuses_a_result_that_does_not_fit(
    shop: Shop, rest: Rest, creating: Callable[[JsonValue], tuple[int, str]]
) -> None:
    # Set while the session waits: it goes on with the agent as it was.
    rest("PATCH", f"v3/{shop.agent}?updateMask=toolResultValidation", {"toolResultValidation": "STRICT"})
    assert creating({"201": {"id": "x", "name": "Rex"}}) == (200, "Rex is number x.")
    by_header(shop, "add pet 8 Rex")
    tool = shop.pets.rsplit("/", 1)[1]
    refusal = f"The result of tool, {tool}, and action, createPet, does not fit its output schema: "
    assert creating({"201": {"id": "x", "name": "Rex"}}) == (400, f'{refusal}201.id must be integer, got "x"')
    assert creating({"id": 8}) == (400, f"{refusal}name is required (string)")
    assert creating({"201": {"id": 8, "name": "Rex"}}) == (200, "Rex is number 8.")


def test_a_wait_may_have_a_limit(shop: Shop, rest: Rest) -> None:
    path = f"v3/{shop.agent}?updateMask=toolCallResultTimeout"
    refused = rest.send("PATCH", f"/{path}", b'{"toolCallResultTimeout": "-1s"}')
    assert (refused.status, "agent.tool_call_result_timeout" in str(refused.json)) == (400, True)
    assert rest("PATCH", path, {"toolCallResultTimeout": "0.000001s"})["toolCallResultTimeout"] == "0.000001s"
    by_header(shop, "pet 3")
    with pytest.raises(exceptions.BadRequest, match="any more: the time for it is over"):
        shop.give(tool=shop.pets, action="getPet", output_parameters={"200": LUNA})
    assert said(shop.say("hello")) == ["You said: hello"]


def test_the_calls_of_a_data_store_tool_are_the_clients_too(rest: Rest) -> None:
    agent = rest.agent()
    store = {"dataStoreType": "UNSTRUCTURED", "dataStore": "projects/p/locations/global/collections/c/dataStores/d"}
    tool = rest.tool(agent, "Handbook", dataStoreSpec={"dataStoreConnections": [store], "fallbackPrompt": {}})
    rest.start(agent, "Answer with ${TOOL: Handbook}.")
    session = f"{agent}/sessions/s"
    mode: JsonObject = {"queryParams": {"playbookStateOverride": {"playbookExecutionMode": ALWAYS}}}
    [message] = rest.say(session, "handbook: opening hours", **mode)["responseMessages"]
    call = message["toolCall"]
    assert (call["tool"], call["action"]) == (tool, "Handbook")
    assert call["inputParameters"] == {"requestBody": {"query": "opening hours"}}
    given = {"tool": tool, "action": "Handbook", "outputParameters": {"200": {"answer": "Nine to five."}}}
    answer = rest.detect(session, {"toolCallResult": given})
    assert words(answer.json["queryResult"]) == "Nine to five."
