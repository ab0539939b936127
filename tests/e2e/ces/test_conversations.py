"""What happens in a conversation with an app: tools, other agents, variables, guardrails, its end, its record."""

import pytest
from google.api_core import exceptions

from openplaybook.jsonvalues import JsonObject
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.studio import Studio, made, texts, to_json
from tests.kit.http_peer import HttpPeer

pytestmark = pytest.mark.proves("X1")

BANNED = "Please stay friendly."


def test_an_operation_of_a_toolset_is_called(studio: Studio, pets: HttpPeer) -> None:
    assert texts(studio.say("pet 3")) == ["Luna belongs to Aisha."]
    assert [received.target for received in pets.requests] == ["/v1/pets/3"]


@pytest.mark.usefixtures("sandbox")
def test_python_functions_change_variables_and_call_other_tools(studio: Studio) -> None:
    assert texts(studio.say("order 3")) == ["desk counts 3, on record 3."]
    assert texts(studio.say("order 4")) == ["desk counts 7, on record 7."]
    assert texts(studio.say("report 3")) == ["Luna belongs to Aisha."]
    assert texts(studio.say("order 1", session="s2")) == ["desk counts 1, on record 1."]


def test_variables_come_with_a_request_and_only_declared_ones_hold(studio: Studio) -> None:
    variables: JsonObject = {"variables": {"shop": "Rome", "stranger": 1}}
    assert texts(studio.run(variables, {"text": "where am I"})) == ["In Rome."]
    assert texts(studio.say("where am I")) == ["In Rome."]
    assert texts(studio.say("where am I", session="s2")) == ["In Bonn."]


def test_another_agent_takes_over_and_stays(studio: Studio) -> None:
    outputs = studio.say("my bill")
    assert texts(outputs) == ["Billing heard: my bill"]
    chunks = [chunk for message in outputs[-1].diagnostic_info.messages for chunk in message.chunks]
    moved = [to_json(chunk.agent_transfer) for chunk in chunks if chunk.agent_transfer.target_agent]
    assert moved == [{"targetAgent": studio.agents["billing"], "displayName": "billing"}]
    assert texts(studio.say("and now?")) == ["Billing heard: and now?"]


def test_an_agent_that_is_a_tool_answers_the_one_that_called_it(studio: Studio) -> None:
    assert texts(studio.say("expert: the weather")) == ["The expert says: it depends on the weather"]
    assert texts(studio.say("hello")) == ["You said: hello"]


def test_an_ended_session_says_why_and_takes_no_more(studio: Studio) -> None:
    outputs = studio.say("goodbye")
    assert texts(outputs) == ["Bye."]
    [ended] = [to_json(output.end_session) for output in outputs if "end_session" in output]
    assert ended == {"metadata": {"session_escalated": True, "reason": "all is said"}}
    with pytest.raises(exceptions.BadRequest):
        studio.say("hello?")
    assert texts(studio.say("hello", session="s2")) == ["You said: hello"]


MATCHES = [
    ("SIMPLE_STRING_MATCH", "blockhead", True),
    ("SIMPLE_STRING_MATCH", "lockhea", True),
    ("WORD_BOUNDARY_STRING_MATCH", "lockhea", False),
    ("WORD_BOUNDARY_STRING_MATCH", "blockhead", True),
    ("REGEXP_MATCH", "bl.ckh\\w+", True),
    ("REGEXP_MATCH", "^blockhead", False),
]


@pytest.mark.parametrize("place", ["bannedContentsInUserInput", "bannedContentsInAgentResponse", "bannedContents"])
@pytest.mark.parametrize(("match", "pattern", "fits"), MATCHES)
def test_a_content_filter_answers_in_place_of_the_agent(
    beta_studio: Studio, rest: Rest, place: str, match: str, pattern: str, fits: bool
) -> None:
    filter_ = {place: [pattern], "matchType": match}
    action = {"respondImmediately": {"responses": [{"text": BANNED}]}}
    guard(beta_studio, rest, {"contentFilter": filter_, "action": action})
    by_user = texts(beta_studio.say("my neighbour is a blockhead"))
    by_agent = texts(beta_studio.say("say rude", session="s2"))
    judges_user, judges_agent = place != "bannedContentsInAgentResponse", place != "bannedContentsInUserInput"
    said = "You said: my neighbour is a blockhead"
    hears_answer = match == "SIMPLE_STRING_MATCH" or not pattern.startswith("^")
    assert by_user == [BANNED if fits and (judges_user or (judges_agent and hears_answer)) else said]
    assert by_agent == [BANNED if fits and judges_agent else "You are a blockhead, they say."]


def test_a_content_filter_may_hand_over_to_another_agent(studio: Studio, rest: Rest) -> None:
    filter_ = {"bannedContentsInUserInput": ["refund"], "matchType": "SIMPLE_STRING_MATCH"}
    action = {"transferAgent": {"agent": studio.agents["billing"]}}
    guard(studio, rest, {"contentFilter": filter_, "action": action})
    assert texts(studio.say("a refund!")) == ["Billing heard: a refund!"]


def test_a_content_filter_may_have_an_answer_made(studio: Studio, rest: Rest) -> None:
    filter_ = {"bannedContentsInUserInput": ["politics"], "matchType": "WORD_BOUNDARY_STRING_MATCH"}
    guard(studio, rest, {"contentFilter": filter_, "action": {"generativeAnswer": {"prompt": "Change the subject."}}})
    assert texts(studio.say("let us talk politics")) == ["You said: let us talk politics"]


def guard(studio: Studio, rest: Rest, guardrail: JsonObject) -> None:
    """Give the app a guardrail."""
    name = made(rest, f"{studio.app}/guardrails", {"displayName": "guard", "enabled": True, **guardrail})
    rest("PATCH", f"v1beta/{studio.app}?updateMask=guardrails", {"guardrails": [name]})


def test_a_stream_tells_the_same_and_completes_the_turn_once(studio: Studio) -> None:
    config = {"session": studio.session(), "enable_text_streaming": studio.google.version == "v1beta"}
    if studio.google.version == "v1":
        del config["enable_text_streaming"]
    request = {"config": config, "inputs": [{"text": "hello there"}]}
    responses = list(studio.google("SessionService").stream_run_session(request=request))
    outputs = [output for response in responses for output in response.outputs]
    assert "".join(texts(outputs)) == "You said: hello there"
    assert [output.turn_completed for output in outputs] == [False] * (len(outputs) - 1) + [True]


def test_a_conversation_goes_over_one_stream_of_both_directions(studio: Studio) -> None:
    message = studio.google.BidiSessionClientMessage
    requests = [
        message(config={"session": studio.session()}),
        message(realtime_input={"text": "hello"}),
        message(realtime_input={"text": "pet 3"}),
    ]
    if studio.google.transport == "rest":
        # The client knows that there is no route for it.
        with pytest.raises(NotImplementedError):
            studio.google("SessionService").bidi_run_session(requests=iter(requests))
        return
    sent = iter(requests)
    responses = list(studio.google("SessionService").bidi_run_session(requests=sent))
    outputs = [response.session_output for response in responses if "session_output" in response]
    assert texts(outputs) == ["You said: hello", "Luna belongs to Aisha."]
    assert [output.turn_index for output in outputs if output.turn_completed] == [1, 2]


def test_the_last_output_tells_what_happened(studio: Studio) -> None:
    outputs = studio.say("pet 3")
    assert [bool(output.diagnostic_info.messages) for output in outputs][:-1] == [False] * (len(outputs) - 1)
    info = outputs[-1].diagnostic_info
    told = [to_json(chunk) for message in info.messages for chunk in message.chunks]
    [called] = [chunk["toolCall"] for chunk in told if "toolCall" in chunk]
    [answered] = [chunk["toolResponse"] for chunk in told if "toolResponse" in chunk]
    assert called["args"] == {"petId": 3}
    assert called["toolsetTool"] == answered["toolsetTool"] == {"toolset": studio.pets, "toolId": "getPet"}
    assert called["id"] == answered["id"]
    assert "Luna" in str(answered["response"])
    assert [chunk["text"] for chunk in told if "text" in chunk] == ["pet 3", "Luna belongs to Aisha."]
    assert info.root_span.name != ""
    assert len(info.root_span.child_spans) > 0


def test_a_conversation_may_begin_with_what_was_said_elsewhere(studio: Studio) -> None:
    history = [
        {"role": "user", "chunks": [{"text": "my bill"}]},
        {"role": "billing", "chunks": [{"text": "What of it?"}]},
    ]
    assert texts(studio.say("all", historical_contexts=history)) == ["Billing heard: all"]


def test_a_deployment_runs_the_version_it_names(studio: Studio, rest: Rest) -> None:
    version = made(rest, f"{studio.app}/versions", {"displayName": "one"})
    body = {"displayName": "web", "appVersion": version, "channelProfile": {"channelType": "API"}}
    deployment = made(rest, f"{studio.app}/deployments", body)
    rest("PATCH", f"v1beta/{studio.app}?updateMask=rootAgent", {"rootAgent": studio.agents["billing"]})
    assert texts(studio.say("hello", deployment=deployment)) == ["You said: hello"]
    assert texts(studio.say("hello", session="s2")) == ["Billing heard: hello"]


def test_conversations_are_on_record(studio: Studio) -> None:
    studio.say("hello")
    studio.say("pet 3")
    agents = studio.google("AgentService")
    [listed] = list(agents.list_conversations(parent=studio.app))
    conversation = agents.get_conversation(name=listed.name)
    assert (listed.name, conversation.turn_count) == (f"{studio.app}/conversations/s1", 2)
    chunks = [chunk.text for turn in conversation.turns for message in turn.messages for chunk in message.chunks]
    assert [text for text in chunks if text] == ["hello", "You said: hello", "pet 3", "Luna belongs to Aisha."]
    agents.delete_conversation(name=listed.name)
    assert list(agents.list_conversations(parent=studio.app)) == []
