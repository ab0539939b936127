"""Client functions of apps: the session blocks, the client answers by id, the agent waits for every answer."""

import pytest
from google.api_core import exceptions

from openplaybook.jsonvalues import dumps
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.studio import Studio, calls_of, ids_of, texts

pytestmark = pytest.mark.proves("X1")


@pytest.mark.proves("S1", "S2")
def test_a_call_blocks_the_session_and_shows_id_tool_and_arguments(studio: Studio) -> None:
    outputs = studio.say("weather in Oslo")
    assert calls_of(outputs) == [{"tool": studio.weather, "displayName": "get_weather", "args": {"city": "Oslo"}}]
    assert all(ids_of(outputs))
    assert [(output.turn_index, output.turn_completed) for output in outputs] == [(1, True)]
    with pytest.raises(exceptions.BadRequest):
        studio.say("hello?")


@pytest.mark.proves("S3")
def test_the_answer_goes_by_its_id_and_the_agent_goes_on_with_it(studio: Studio) -> None:
    [id_] = ids_of(studio.say("weather in Oslo"))
    with pytest.raises(exceptions.BadRequest):
        studio.give({"id": "another", "tool": studio.weather, "response": {"temperature": 1}})
    answered = studio.give(
        {"id": id_, "tool": studio.weather, "display_name": "get_weather", "response": {"temperature": 21.5}}
    )
    assert texts(answered) == ["It is 21.5 degrees."]
    assert answered[-1].turn_completed
    assert texts(studio.say("hello")) == ["You said: hello"]


@pytest.mark.proves("S3")
def test_of_two_calls_one_may_be_answered_first_and_the_other_stays_open(studio: Studio) -> None:
    asked = studio.say("two cities")
    assert texts(asked) == ["One moment."]
    oslo, rome = ids_of(asked)
    rest_of_them = studio.give({"id": rome, "tool": studio.weather, "response": {"temperature": 30}})
    assert ids_of(rest_of_them) == [oslo]
    assert calls_of(rest_of_them) == [{"tool": studio.weather, "displayName": "get_weather", "args": {"city": "Oslo"}}]
    assert texts(studio.give({"id": oslo, "tool": studio.weather, "response": {"temperature": 3}})) == ["I know both."]


@pytest.mark.proves("S3")
def test_both_may_be_answered_at_once(studio: Studio) -> None:
    both = ids_of(studio.say("two cities"))
    responses = [{"id": id_, "tool": studio.weather, "response": {"temperature": 3}} for id_ in reversed(both)]
    assert texts(studio.give(*responses)) == ["I know both."]


@pytest.mark.proves("S3")
@pytest.mark.parametrize("spelling", ["displayName", "display_name"])
def test_the_json_of_the_documents_is_taken_in_both_spellings(studio: Studio, rest: Rest, spelling: str) -> None:
    [id_] = ids_of(studio.say("weather in Oslo"))
    response = {"id": id_, "tool": studio.weather, spelling: "get_weather", "response": {"temperature": 4}}
    body = {
        "config": {"session": studio.session()},
        "inputs": [{"toolResponses": {"toolResponses": [response]}}],
    }
    answered = rest.send("POST", f"/v1/{studio.session()}:runSession", dumps(body))
    assert (answered.status, [output["text"] for output in answered.json["outputs"]]) == (200, ["It is 4 degrees."])


def test_an_error_may_be_the_answer(studio: Studio) -> None:
    [id_] = ids_of(studio.say("weather in Oslo"))
    assert texts(studio.give({"id": id_, "tool": studio.weather, "response": {"error": "The station is down."}})) == [
        "That failed: CLIENT_ERROR"
    ]


def test_where_fakes_are_used_the_client_is_not_asked(studio: Studio) -> None:
    assert texts(studio.say("weather in Oslo", use_tool_fakes=True)) == ["It is 21 degrees."]
    real = studio.say("weather in Nowhere", session="s2", use_tool_fakes=True)
    assert calls_of(real) == [{"tool": studio.weather, "displayName": "get_weather", "args": {"city": "Nowhere"}}]
