"""Conversation history through Google's own clients."""

from collections.abc import Iterator

import pytest
from google.api_core import exceptions

from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.google import TRANSPORTS, Google
from tests.e2e.kit.server import Server
from tests.e2e.kit.shop import Shop, open_shop, to_json
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer

FULL = 1
"""`DETECT_INTENT_RESPONSE_VIEW_FULL`."""


@pytest.fixture(scope="module", params=TRANSPORTS)
def beta(request: pytest.FixtureRequest, server: Server, background: Background) -> Iterator[Google]:
    """Google's clients of the version that has a history."""
    clients = Google("v3beta1", request.param, server, background)
    yield clients
    clients.close()


@pytest.fixture
def beta_shop(beta: Google, pets: HttpPeer) -> Shop:
    return open_shop(beta, pets)


def name_of(shop: Shop, id_: str) -> str:
    return f"{shop.agent}/conversations/{id_}"


def listed(shop: Shop, **request: ApiMessage) -> list[str]:
    """Ids of the agent's conversations, as the client's pager gives them."""
    history = shop.google("ConversationHistory")
    if shop.google.transport == "grpc_asyncio":
        # The pager is asynchronous; one page is enough here.
        found = history.list_conversations(request={"parent": shop.agent, **request})
    else:
        found = list(history.list_conversations(request={"parent": shop.agent, **request}))
    return [conversation.name.rsplit("/", 1)[1] for conversation in found]


def test_a_conversation_tells_what_was_asked_and_answered_the_latest_first(beta_shop: Shop) -> None:
    shop, session = beta_shop, beta_shop.session("talk")
    first = shop.say("pet 3", session, response_view=FULL)
    paused = shop.say("What is the weather in Oslo?", session, response_view=FULL)
    asked = paused.query_result.response_messages[0].tool_call
    last = shop.give(session, output_parameters={"temperature": 12})
    conversation = shop.google("ConversationHistory").get_conversation(name=name_of(shop, "talk"))
    assert (conversation.language_code, conversation.type_.name) == ("en", "TEXT")
    assert (conversation.environment.name, conversation.environment.display_name) == (
        f"{shop.agent}/environments/-",
        "Draft",
    )
    metrics = conversation.metrics
    assert (metrics.interaction_count, metrics.query_input_count.text_count) == (3, 2)
    assert (metrics.has_end_interaction, metrics.average_match_confidence) == (False, 1.0)
    answered, waited, began = conversation.interactions
    assert (to_json(began.response), to_json(waited.response)) == (to_json(first), to_json(paused))
    assert answered.response.response_id == last.response_id
    assert [to_json(one.request) for one in (began, waited, answered)] == [
        {"session": session, "queryInput": {"text": {"text": "pet 3"}, "languageCode": "en"}},
        {"session": session, "queryInput": {"text": {"text": "What is the weather in Oslo?"}, "languageCode": "en"}},
        {
            "session": session,
            "queryInput": {
                "toolCallResult": {
                    "tool": shop.weather,
                    "action": asked.action,
                    "outputParameters": {"temperature": 12.0},
                },
                "languageCode": "en",
            },
        },
    ]
    assert [(one.request_utterances, one.response_utterances) for one in (began, waited, answered)] == [
        ("pet 3", "Luna belongs to Aisha."),
        ("What is the weather in Oslo?", ""),
        ("", "It is 12 degrees."),
    ]
    assert [step.name.removesuffix(" scripted:script.yaml") for step in began.step_metrics] == [
        "Model",
        "Tool Pets.getPet",
        "Model",
    ]
    assert began.create_time <= waited.create_time <= answered.create_time
    assert conversation.start_time == began.create_time


def test_what_a_user_thought_of_an_answer_stands_beside_it(beta_shop: Shop) -> None:
    shop, google, session = beta_shop, beta_shop.google, beta_shop.session("rated")
    good, bad = (shop.say(text, session).response_id for text in ("hello", "goodbye"))
    sessions = google("Sessions")
    reason = {"reason_labels": ["wrong"], "feedback": "It did not listen."}
    sessions.submit_answer_feedback(
        request={
            "session": session,
            "response_id": bad,
            "answer_feedback": {"rating": "THUMBS_UP", "rating_reason": reason},
        }
    )
    changed = sessions.submit_answer_feedback(
        request={
            "session": session,
            "response_id": bad,
            "answer_feedback": {"rating": "THUMBS_DOWN"},
            "update_mask": {"paths": ["rating"]},
        }
    )
    kept = {"rating": "THUMBS_DOWN", "ratingReason": {"reasonLabels": ["wrong"], "feedback": "It did not listen."}}
    assert to_json(changed) == kept
    conversation = google("ConversationHistory").get_conversation(name=name_of(shop, "rated"))
    found = {one.response.response_id: to_json(one.answer_feedback) for one in conversation.interactions}
    assert found == {good: {}, bad: kept}
    with pytest.raises(exceptions.NotFound, match="Response 'none' of"):
        sessions.submit_answer_feedback(request={"session": session, "response_id": "none"})
    long = {"session": session, "response_id": good, "answer_feedback": {"custom_rating": "x" * 70_000}}
    with pytest.raises(exceptions.BadRequest, match="larger than 65536 bytes"):
        sessions.submit_answer_feedback(request=long)


def test_conversations_are_listed_newest_first_without_their_interactions(beta_shop: Shop) -> None:
    for id_ in ("one", "two", "three"):
        beta_shop.say("hello", beta_shop.session(id_))
    assert listed(beta_shop) == ["three", "two", "one"]
    assert listed(beta_shop, page_size=2)[:2] == ["three", "two"]
    history = beta_shop.google("ConversationHistory")
    page = history.list_conversations(request={"parent": beta_shop.agent})
    assert [len(one.interactions) for one in page] == [0, 0, 0]


def test_a_deleted_conversation_is_forgotten_with_its_session(beta_shop: Shop) -> None:
    history, session = beta_shop.google("ConversationHistory"), beta_shop.session("gone")
    colour = beta_shop.google.QueryParameters(parameters={"colour": "teal"})
    beta_shop.say("hello", session, query_params=colour)
    history.delete_conversation(name=name_of(beta_shop, "gone"))
    with pytest.raises(exceptions.NotFound):
        history.get_conversation(name=name_of(beta_shop, "gone"))
    with pytest.raises(exceptions.NotFound):
        history.delete_conversation(name=name_of(beta_shop, "gone"))
    assert listed(beta_shop) == []
    assert "colour" not in beta_shop.say("hello", session).query_result.parameters


def test_a_filter_that_is_not_documented_is_refused(beta_shop: Shop) -> None:
    beta_shop.say("hello", beta_shop.session("one"))
    assert listed(beta_shop, filter='create_time > "2022-04-21T11:30:00-04:00"') == ["one"]
    assert listed(beta_shop, filter="metrics.has_end_interaction = true") == []
    with pytest.raises(
        exceptions.BadRequest, match="'duration' at character 1 cannot be used in a filter; allowed are"
    ):
        listed(beta_shop, filter="duration > 5")
