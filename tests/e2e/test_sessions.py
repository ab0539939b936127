"""What a session is told and keeps: parameters, playbook, life time, model; and what it does not take."""

import pytest
from google.api_core import exceptions
from google.protobuf import duration_pb2

from openplaybook.jsonvalues import JsonObject
from tests.e2e.kit.shop import Shop, said, to_json

pytestmark = pytest.mark.proves("X1")


def night_desk(shop: Shop) -> str:
    """The name of a second playbook."""
    playbook = shop.google.Playbook(display_name="Night desk", goal="Help at night.")
    return shop.google("Playbooks").create_playbook(parent=shop.agent, playbook=playbook).name


def test_parameters_go_in_and_come_out_and_stay(shop: Shop) -> None:
    response = shop.say("what is my colour", query_params={"parameters": {"colour": "red", "size": 3}})
    assert said(response) == ["Your colour is red."]
    assert to_json(response.query_result)["parameters"] == {"colour": "red", "size": 3}
    later = shop.say("what is my colour", query_params={"parameters": {"size": 4}})
    assert said(later) == ["Your colour is red."]
    assert to_json(later.query_result)["parameters"] == {"colour": "red", "size": 4}


def test_a_request_may_start_at_another_playbook(shop: Shop) -> None:
    playbook = night_desk(shop)
    response = shop.say("hello", query_params={"current_playbook": playbook})
    assert said(response) == ["The night desk heard: hello"]
    assert said(shop.say("again")) == ["The night desk heard: again"]
    if shop.google.version == "v3beta1":
        assert list(response.query_result.generative_info.current_playbooks) == [playbook]


def test_another_agents_playbook_is_refused(shop: Shop) -> None:
    stranger = f"{shop.agent}0/playbooks/1"
    with pytest.raises(exceptions.BadRequest, match=f"{stranger} is not a playbook of {shop.agent}"):
        shop.say("hello", query_params={"current_playbook": stranger})


def test_a_session_is_forgotten_when_its_time_is_over(shop: Shop) -> None:
    shortest = duration_pb2.Duration(nanos=1000)
    first = shop.say("hello", query_params={"parameters": {"colour": "red"}, "session_ttl": shortest})
    assert to_json(first.query_result)["parameters"] == {"colour": "red"}
    assert to_json(shop.say("hello").query_result)["parameters"] == {}


def test_a_time_to_live_of_nothing_is_refused(shop: Shop) -> None:
    with pytest.raises(exceptions.BadRequest, match="session_ttl must be more than 0 seconds"):
        shop.say("hello", query_params={"session_ttl": duration_pb2.Duration()})


def test_a_request_may_ask_for_another_model(shop: Shop) -> None:
    response = shop.say("hello", query_params={"llm_model_settings": {"model": "other"}})
    assert said(response) == ["The other model speaks."]
    assert said(shop.say("hello")) == ["You said: hello"]


def test_a_model_without_an_alias_is_replaced_and_the_trace_says_so(shop: Shop) -> None:
    response = shop.say("hello", query_params={"llm_model_settings": {"model": "gemini-9"}})
    assert said(response) == ["You said: hello"]
    [notice] = to_json(response.query_result)["diagnosticInfo"]["Notices"]
    assert notice.startswith("MODEL_SUBSTITUTED: The server has no alias for model gemini-9, ")


def test_end_user_metadata_is_taken(shop: Shop) -> None:
    response = shop.say("hello", query_params={"end_user_metadata": {"age": 7}})
    assert said(response) == ["You said: hello"]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"intent": {"intent": "i"}}, "an intent"),
        ({"audio": {"config": {"audio_encoding": 1}}}, "audio"),
        ({"dtmf": {"digits": "1"}}, "DTMF"),
    ],
    ids=["intent", "audio", "dtmf"],
)
def test_input_that_is_not_served_is_unimplemented(shop: Shop, given: JsonObject, named: str) -> None:
    request = {"session": shop.session(), "query_input": {**given, "language_code": "en"}}
    with pytest.raises(exceptions.MethodNotImplemented, match=f"Input as {named} is not served yet"):
        shop.google("Sessions").detect_intent(request=request)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"language_code": "en"}, "query_input has no input"),
        ({"text": {"text": "hello"}}, "query_input.language_code is required"),
        ({"text": {"text": " "}, "language_code": "en"}, "query_input.text.text is empty"),
        ({"tool_call_result": {"tool": "t", "action": "a"}, "language_code": "en"}, "tool_call_result has no result"),
        ({"tool_call_result": {"action": "a"}, "language_code": "en"}, "tool_call_result.tool is required"),
    ],
    ids=["no input", "no language", "no words", "no result", "no tool"],
)
def test_a_query_that_lacks_something_is_refused(shop: Shop, query: JsonObject, message: str) -> None:
    request = {"session": shop.session(), "query_input": query}
    with pytest.raises(exceptions.BadRequest, match=message):
        shop.google("Sessions").detect_intent(request=request)


def test_a_session_of_no_agent_is_not_found(shop: Shop) -> None:
    with pytest.raises(exceptions.NotFound, match=f"Agent {shop.agent}0 does not exist"):
        shop.say("hello", f"{shop.agent}0/sessions/1")


def test_an_agent_without_a_start_playbook_cannot_talk(shop: Shop) -> None:
    google = shop.google
    google("Agents").update_agent(agent=google.Agent(name=shop.agent), update_mask={"paths": ["start_playbook"]})
    with pytest.raises(exceptions.BadRequest, match="has no start playbook"):
        shop.say("hello")


def test_a_models_rate_limit_reaches_the_client_as_its_own(shop: Shop) -> None:
    with pytest.raises(exceptions.TooManyRequests, match=r"MODEL_RATE_LIMITED"):
        shop.say("model limit")
    assert said(shop.say("hello")) == ["You said: hello"]
