"""Function tools: the session pauses for the client's result and goes on with it."""

from dataclasses import replace

import pytest
from google.api_core import exceptions

from tests.e2e.kit.rest import Rest
from tests.e2e.kit.shop import Shop, said, tool_calls
from tests.kit.http_peer import HttpPeer

pytestmark = pytest.mark.proves("X1")


def waiting_for(shop: Shop) -> str:
    """The documented sentence."""
    tool = shop.weather.rsplit("/", 1)[1]
    return f"Session is waiting for tool call result of tool, {tool}, and action, get-weather-tool."


@pytest.fixture
def paused(shop: Shop) -> Shop:
    """A shop whose session `s1` waits for the weather."""
    shop.say("weather in Oslo?")
    return shop


@pytest.mark.proves("F1", "F2")
def test_a_function_call_pauses_the_session_until_its_result_comes(shop: Shop) -> None:
    asked = shop.say("weather in Oslo?")
    assert tool_calls(asked) == [
        {"tool": shop.weather, "action": "get-weather-tool", "inputParameters": {"location": "Oslo"}}
    ]
    assert said(asked) == []
    resumed = shop.give(output_parameters={"temperature": 28.5})
    assert said(resumed) == ["It is 28.5 degrees."]
    assert tool_calls(resumed) == []
    assert resumed.query_result.text == ""


@pytest.mark.proves("F2")
def test_an_error_may_come_as_result(paused: Shop) -> None:
    resumed = paused.give(error={"message": "The station is down."})
    assert said(resumed) == ["That failed: CLIENT_ERROR: The station is down."]


def test_a_result_for_another_action_is_refused_and_the_session_still_waits(paused: Shop) -> None:
    with pytest.raises(exceptions.BadRequest, match=waiting_for(paused)):
        paused.give(action="other", output_parameters={"temperature": 1})
    assert said(paused.give(output_parameters={"temperature": 2})) == ["It is 2 degrees."]


def test_a_result_for_another_tool_is_refused(paused: Shop) -> None:
    with pytest.raises(exceptions.BadRequest, match=waiting_for(paused)):
        paused.give(tool=paused.pets, output_parameters={"temperature": 1})


@pytest.mark.proves("F4")
def test_text_while_paused_cancels_the_call_and_a_late_result_is_refused(paused: Shop) -> None:
    assert said(paused.say("hello")) == ["You said: hello"]
    with pytest.raises(exceptions.BadRequest, match=r"Session is not waiting for a tool call result of tool,") as late:
        paused.give(output_parameters={"temperature": 1})
    if paused.google.transport != "rest":
        assert isinstance(late.value, exceptions.FailedPrecondition)


@pytest.mark.proves("F4")
def test_text_while_paused_is_refused_where_the_agent_says_so(paused: Shop, rest: Rest) -> None:
    rest("PATCH", f"v3/{paused.agent}?updateMask=pausedInput", {"pausedInput": "REFUSE"})
    with pytest.raises(exceptions.BadRequest, match=waiting_for(paused)):
        paused.say("hello")
    assert said(paused.give(output_parameters={"temperature": 3})) == ["It is 3 degrees."]


def test_a_result_that_nobody_waits_for_is_refused(shop: Shop) -> None:
    with pytest.raises(exceptions.BadRequest, match="Session is not waiting"):
        shop.give(output_parameters={"temperature": 1})


def test_a_session_waits_by_itself(paused: Shop) -> None:
    other = paused.session("s2")
    assert said(paused.say("hello", other)) == ["You said: hello"]
    assert said(paused.give(output_parameters={"temperature": 4})) == ["It is 4 degrees."]


def test_a_call_of_an_older_form_of_the_agent_can_still_be_answered(paused: Shop) -> None:
    google = paused.google
    google("Tools").delete_tool(request={"name": paused.weather, "force": True})
    assert said(paused.give(output_parameters={"temperature": 5})) == ["It is 5 degrees."]
    gone = replace(paused, playbook="").say("weather in Oslo?")
    assert said(gone)[0].startswith("That failed: NO_SUCH_FUNCTION: There is no function 'get-weather-tool'.")


@pytest.mark.proves("F2", "G6")
def test_the_server_makes_its_calls_before_it_waits_for_the_clients(shop: Shop, pets: HttpPeer) -> None:
    asked = shop.say("pet and weather")
    assert [call["inputParameters"] for call in tool_calls(asked)] == [{"location": "Oslo"}]
    assert [request.target for request in pets.requests] == ["/v1/pets/3"]
    assert said(shop.give(output_parameters={"temperature": 6})) == ["Luna is out at 6 degrees."]
    assert len(pets.requests) == 1


def test_calls_of_one_function_are_asked_for_one_after_the_other(shop: Shop) -> None:
    first = shop.say("two cities")
    assert [call["inputParameters"] for call in tool_calls(first)] == [{"location": "Oslo"}]
    second = shop.give(output_parameters={"temperature": 6})
    assert [call["inputParameters"] for call in tool_calls(second)] == [{"location": "Rome"}]
    assert said(shop.give(output_parameters={"temperature": 7})) == ["I know both."]
