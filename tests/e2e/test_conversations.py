"""Conversations in which the agent calls an API, held by Google's own clients."""

import pytest
from google.api_core import exceptions

from openplaybook.jsonvalues import loads
from tests.e2e.kit.shop import Shop, said, to_json
from tests.kit.http_peer import HttpPeer

pytestmark = pytest.mark.proves("X1")

FULL, BASIC = 1, 2
"""Values of `response_view`."""


@pytest.mark.proves("G1", "G4", "O1", "O2")
def test_the_agent_calls_the_api_for_the_user(shop: Shop, pets: HttpPeer) -> None:
    assert said(shop.say("pet 3")) == ["Luna belongs to Aisha."]
    [request] = pets.requests
    assert (request.method, request.target, request.body) == ("GET", "/v1/pets/3", b"")


@pytest.mark.proves("O2", "O3")
def test_arrays_and_headers_and_the_session_id_reach_the_api(shop: Shop, pets: HttpPeer) -> None:
    response = shop.say("pets labelled cat and indoor", shop.session("conversation-7"))
    assert said(response) == ["The first is Luna."]
    [request] = pets.requests
    assert request.target == "/v1/pets?label=cat&label=indoor"
    assert request.header("X-OWNER") == "Aisha"
    assert request.header("X-SESSION") == "conversation-7"


@pytest.mark.proves("O2")
def test_a_json_body_reaches_the_api(shop: Shop, pets: HttpPeer) -> None:
    assert said(shop.say("add pet 9 Rex")) == ["Rex is number 9."]
    [request] = pets.requests
    assert (request.method, request.target) == ("POST", "/v1/pets")
    assert request.header("Content-Type") == "application/json"
    assert loads(request.body) == {"id": 9, "name": "Rex", "label": ["new"]}


def test_an_error_of_the_api_is_for_the_agent_to_tell(shop: Shop) -> None:
    refused = "That failed: HTTP_ERROR: the API answered 404 Not Found: There is no such pet."
    assert said(shop.say("pet 77")) == [refused]


@pytest.mark.proves("G6")
def test_the_trace_shows_the_call_with_input_output_and_time(shop: Shop, pets: HttpPeer) -> None:
    result = shop.say("pet 3", response_view=FULL).query_result
    [block] = result.trace_blocks
    assert block.playbook_trace_metadata.playbook == shop.playbook
    steps = [to_json(action) for action in block.actions]
    uses = [step["toolUse"] for step in steps if "toolUse" in step]
    pet = {"id": 3, "name": "Luna", "owner": "Aisha", "label": ["cat", "indoor"]}
    assert uses == [
        {
            "tool": shop.pets,
            "displayName": "Pets",
            "action": "getPet",
            "inputActionParameters": {"petId": 3},
            "outputActionParameters": {"200": pet},
        }
    ]
    assert {} not in steps
    [call] = to_json(result)["diagnosticInfo"]["Tool Calls"]
    [exchange] = call["Requests"]
    assert (exchange["method"], exchange["url"], exchange["status"]) == ("GET", f"{pets.url}/v1/pets/3", 200)
    assert loads(exchange["responseBody"]) == pet
    assert call["Latency Ms"] >= exchange["elapsedMs"] > 0


@pytest.mark.proves("G6")
def test_the_trace_shows_the_error_of_a_call(shop: Shop) -> None:
    result = to_json(shop.say("pet 77").query_result)
    [call] = result["diagnosticInfo"]["Tool Calls"]
    assert call["Error"] == {"code": "HTTP_ERROR", "message": "the API answered 404 Not Found: There is no such pet."}
    assert call["Requests"][0]["status"] == 404


@pytest.mark.proves("G6")
def test_the_beta_api_tells_of_every_step_in_generative_info(shop: Shop) -> None:
    result = to_json(shop.say("pet 3").query_result)
    if shop.google.version == "v3":
        assert "generativeInfo" not in result
        return
    info = result["generativeInfo"]
    assert info["currentPlaybooks"] == [shop.playbook]
    actions = info["actionTracingInfo"]["actions"]
    kinds = [next(kind for kind in action if kind not in ("startTime", "completeTime")) for action in actions]
    assert kinds == ["userUtterance", "llmCall", "toolUse", "llmCall", "agentUtterance"]
    # Without the Z, as a time with fewer digits would come behind one with more.
    assert all(action["startTime"].rstrip("Z") <= action["completeTime"].rstrip("Z") for action in actions)


def test_a_basic_view_leaves_the_trace_out(shop: Shop) -> None:
    result = to_json(shop.say("pet 3", response_view=BASIC).query_result)
    assert result.keys().isdisjoint({"traceBlocks", "generativeInfo", "diagnosticInfo"})
    assert result["match"]["matchType"] == "PLAYBOOK"


def test_the_draft_environments_sessions_are_the_agents(shop: Shop) -> None:
    shop.say("weather in Rome?", f"{shop.agent}/environments/-/sessions/s1")
    assert said(shop.give(shop.session("s1"), output_parameters={"temperature": 30})) == ["It is 30 degrees."]
    with pytest.raises(exceptions.NotFound, match="the draft is the one called '-'"):
        shop.say("hello", f"{shop.agent}/environments/e/sessions/s1")


def test_the_answer_says_what_was_heard(shop: Shop) -> None:
    response = shop.say("hello")
    assert response.response_id != ""
    assert response.response_type.name == "FINAL"
    assert (response.query_result.text, response.query_result.language_code) == ("hello", "en")
    assert said(response) == ["You said: hello"]


@pytest.mark.proves("G6")
def test_the_trace_shows_when_another_playbook_takes_over(shop: Shop) -> None:
    google = shop.google
    night = google("Playbooks").create_playbook(
        parent=shop.agent, playbook=google.Playbook(display_name="Night desk", goal="Help at night.")
    )
    step = google.Playbook.Step(text="At night: ${PLAYBOOK: Night desk}.")
    desk = google.Playbook(name=shop.playbook, instruction=google.Playbook.Instruction(steps=[step]))
    google("Playbooks").update_playbook(playbook=desk, update_mask={"paths": ["instruction"]})
    response = shop.say("call the night desk", response_view=FULL)
    assert said(response) == ["The night desk heard: call the night desk"]
    blocks = response.query_result.trace_blocks
    assert [block.playbook_trace_metadata.display_name for block in blocks] == ["Desk", "Night desk"]
    calls = [
        action.playbook_invocation for block in blocks for action in block.actions if "playbook_invocation" in action
    ]
    assert [(call.playbook, call.display_name) for call in calls] == [(night.name, "Night desk")]
    assert said(shop.say("still there?")) == ["The night desk heard: still there?"]
