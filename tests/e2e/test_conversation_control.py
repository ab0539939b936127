"""Handlers, hand-off and the end of a conversation, as Google's clients see them."""

import pytest

from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.google import Google
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.shop import Shop, new_agent, said, to_json

pytestmark = pytest.mark.proves("X1")


def handler(google: Google, stage: str, condition: str, *messages: ApiMessage, **fulfillment: ApiMessage) -> ApiMessage:
    done = google.Fulfillment(messages=list(messages), **fulfillment)
    lifecycle = google.Handler.LifecycleHandler(lifecycle_stage=stage, condition=condition, fulfillment=done)
    return google.Handler(lifecycle_handler=lifecycle)


@pytest.fixture
def desk(google: Google) -> Shop:
    """An agent whose playbook answers by handlers."""
    message = google.ResponseMessage
    text = message.Text(text=["Goodbye, $session.params.name.", "Bye!"])
    count = google.Fulfillment.SetParameterAction(parameter="seen", value=True)
    silence = google.Handler.EventHandler(
        event="sys.no-input-default",
        fulfillment=google.Fulfillment(messages=[message(text=message.Text(text=["Are you there?"]))]),
    )
    handlers = [
        handler(google, "playbook-start", "", set_parameter_actions=[count]),
        handler(
            google,
            "pre-action-selection",
            '$request.user-utterance : "person"',
            message(text=message.Text(text=["One moment."])),
            message(live_agent_handoff=message.LiveAgentHandoff(metadata={"queue": "gold"})),
        ),
        handler(
            google,
            "pre-action-selection",
            '$request.user-utterance = "bye"',
            message(text=text),
            message(payload={"stars": [1, 5]}),
        ),
        google.Handler(event_handler=silence),
    ]
    agent = new_agent(google).name
    playbook = google.Playbook(display_name="Desk", goal="Help.", handlers=handlers)
    name = google("Playbooks").create_playbook(parent=agent, playbook=playbook).name
    # Google's types have no place for where a handler goes: a client of the REST API gives it.
    rest = Rest(google.server.http)
    told = rest("GET", f"{google.version}/{name}")["handlers"]
    told[2]["lifecycleHandler"]["targetPage"] = "END_SESSION"
    rest("PATCH", f"{google.version}/{name}?updateMask=handlers", {"handlers": told})
    google("Agents").update_agent(
        agent=google.Agent(name=agent, start_playbook=name), update_mask={"paths": ["start_playbook"]}
    )
    return Shop(google, agent, "", "", name)


def kinds(response: ApiMessage) -> list[str]:
    """The kind of every message, as the client's types name it."""
    messages = response.query_result.response_messages
    return [type(each).pb(each).WhichOneof("message") for each in messages]


def test_a_handler_answers_and_signals_a_hand_off(desk: Shop) -> None:
    response = desk.say("a person please")
    assert (said(response), kinds(response)) == (["One moment."], ["text", "live_agent_handoff"])
    assert to_json(response.query_result.response_messages[1].live_agent_handoff) == {"metadata": {"queue": "gold"}}
    assert dict(response.query_result.parameters) == {"seen": True}


def test_after_the_end_of_the_interaction_the_session_begins_anew(desk: Shop) -> None:
    over = desk.say("bye", query_params={"parameters": {"name": "Ann"}})
    assert (said(over), kinds(over)) == (["Goodbye, Ann."], ["text", "payload", "end_interaction"])
    anew = desk.say("hello")
    assert said(anew) == ["You said: hello"]
    assert dict(anew.query_result.parameters) == {"seen": True}


def test_an_event_is_answered_by_its_handler(desk: Shop) -> None:
    query = {"event": {"event": "sys.no-input-default"}, "language_code": "en"}
    request = {"session": desk.session(), "query_input": query}
    assert said(desk.google("Sessions").detect_intent(request=request)) == ["Are you there?"]


def test_the_model_escalates_and_the_trace_shows_how_the_playbook_ended(rest: Rest, shop: Shop) -> None:
    escalate = {"text": "Escalate angry users to a live agent: say escalate."}
    playbook = rest("GET", f"v3/{shop.playbook}")
    steps = [*playbook["instruction"]["steps"], escalate]
    rest("PATCH", f"v3/{shop.playbook}?updateMask=instruction", {"instruction": {"steps": steps}})
    query = {"text": {"text": "escalate!"}, "languageCode": "en"}
    body = {"queryInput": query, "responseView": "DETECT_INTENT_RESPONSE_VIEW_FULL"}
    result = rest("POST", f"{shop.google.version}/{shop.session()}:detectIntent", body)["queryResult"]
    assert [{key: value for key, value in each.items() if key != "source"} for each in result["responseMessages"]] == [
        {"text": {"text": ["A person takes over."]}},
        {"liveAgentHandoff": {"metadata": {"executionSummary": "The user is angry."}}},
        {"endInteraction": {}},
    ]
    block = result["traceBlocks"][-1]
    assert block["endState"] == "OUTPUT_STATE_ESCALATED"
    assert block["actions"][-1]["playbookInvocation"]["playbookOutput"]["executionSummary"] == "The user is angry."
