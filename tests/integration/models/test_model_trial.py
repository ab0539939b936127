"""Trying a model out, against a server on the loopback."""

import pytest

from openplaybook.models.base import Model
from openplaybook.models.model_keys import ModelKey
from openplaybook.models.model_registry import create_model
from openplaybook.models.model_trial import Trial, try_model
from tests.integration.models import chat_peer
from tests.integration.models.chat_peer import asked, call, chunk, said, streamed
from tests.integration.models.peer import Answer, Peer, answer

KEY = ModelKey("OPENAI_API_KEY", "sk-secret")
CALL = asked(call("c1", "get_weather", '{"city":"Paris"}'))
SUNNY = streamed(chunk({"content": "It is "}), chunk({"content": "sunny."}), chunk({}, "stop"))
ALL = {
    "configured": True,
    "reachable": True,
    "key accepted": True,
    "answers text": True,
    "calls a tool": True,
    "streams": True,
}


async def tried(model: Model, timeout_s: float = 60.0) -> Trial:
    return await try_model(model, KEY, timeout_s)


def found(trial: Trial) -> dict[str, bool | None]:
    return {observation.name: observation.ok for observation in trial.observations}


def detail(trial: Trial, name: str) -> str:
    (found,) = (observation.detail for observation in trial.observations if observation.name == name)
    return found


async def test_a_model_that_works_is_said_to_in_two_requests(chat: Peer, model: Model) -> None:
    chat.will(CALL, SUNNY)
    trial = await tried(model)
    assert (trial.ok, trial.model, trial.url) == (True, "openai:m", chat.base_url)
    assert [(observation.name, observation.ok, observation.detail) for observation in trial.observations] == [
        ("configured", True, ""),
        ("reachable", True, ""),
        ("key accepted", True, "OPENAI_API_KEY"),
        ("answers text", True, '"It is sunny."'),
        ("calls a tool", True, 'get_weather {"city":"Paris"}'),
        ("streams", True, "in 2 pieces"),
    ]
    first, second = (request.body for request in chat.requests)
    assert [tool["function"]["name"] for tool in first["tools"]] == ["get_weather"]
    assert [message["role"] for message in second["messages"]] == ["system", "user", "assistant", "tool"]
    assert second["stream"] is True


async def test_a_wrong_key_is_called_wrong_and_nothing_more_is_asked(chat: Peer, model: Model) -> None:
    chat.will(answer({"error": {"message": "Incorrect API key provided: sk-secret."}}, 401))
    trial = await tried(model)
    unknown = dict.fromkeys(("answers text", "calls a tool", "streams"))
    assert (trial.ok, found(trial)) == (False, {**ALL, "key accepted": False, **unknown})
    assert detail(trial, "key accepted").endswith(
        "rejects the API key (401): set OPENAI_API_KEY to one that it accepts."
    )
    assert "sk-secret" not in repr(trial)
    assert len(chat.requests) == 1


async def test_a_server_that_takes_no_tools_is_told_by_its_own_words(chat: Peer, model: Model) -> None:
    refused = answer({"error": {"message": "start me with --enable-auto-tool-choice"}}, 400)
    chat.will(refused, SUNNY)
    trial = await tried(model)
    assert found(trial) == {**ALL, "calls a tool": False}
    assert detail(trial, "calls a tool").endswith("answered 400. It says: start me with --enable-auto-tool-choice")
    assert "tools" not in chat.requests[1].body


async def test_a_server_that_breaks_over_tools_is_told_from_one_that_is_broken(chat: Peer, model: Model) -> None:
    chat.will(*[answer({"error": {"message": "tools need --jinja"}}, 500, Retry_After="0")] * 3, SUNNY)
    trial = await tried(model)
    assert found(trial) == {**ALL, "calls a tool": False}
    assert detail(trial, "calls a tool").endswith("answered 500. It says: tools need --jinja")


@pytest.mark.parametrize(
    ("first", "problem"),
    [
        (said("It is sunny."), "it returned text instead of calling get_weather"),
        (asked(call("c1", "getWeather", "{}")), "it called getWeather, but only get_weather exists"),
        (asked(call("c1", "get_weather", '{"city":')), "it called get_weather without a city: "),
    ],
)
async def test_a_model_that_cannot_call_is_said_to(chat: Peer, model: Model, first: Answer, problem: str) -> None:
    chat.will(first, SUNNY)
    trial = await tried(model)
    assert (trial.ok, found(trial)) == (False, {**ALL, "calls a tool": False})
    assert detail(trial, "calls a tool").startswith(problem)


async def test_a_stream_that_fails_is_told_from_an_answer_that_fails(chat: Peer, model: Model) -> None:
    chat.will(CALL, answer({"error": {"message": "no streams here"}}, 400), said("It is sunny."))
    trial = await tried(model)
    assert found(trial) == {**ALL, "streams": False}
    assert detail(trial, "streams").endswith("It says: no streams here")


async def test_an_answer_that_comes_at_once_is_no_failure_and_told(chat: Peer, model: Model) -> None:
    chat.will(CALL, said("It is sunny."))
    trial = await tried(model)
    assert (trial.ok, detail(trial, "streams")) == (True, "the request is accepted, and the response came in one piece")


async def test_a_model_without_words_is_said_to_have_none(chat: Peer, model: Model) -> None:
    chat.will(CALL, streamed(chunk({}, "stop")))
    trial = await tried(model)
    assert (trial.ok, found(trial)["answers text"], detail(trial, "answers text")) == (
        False,
        False,
        "it returned no text",
    )


async def test_a_model_that_the_server_does_not_have_is_named(chat: Peer, model: Model) -> None:
    chat.will(answer({"error": {"message": "model 'm' not found"}}, 404))
    trial = await tried(model)
    unknown = dict.fromkeys(("key accepted", "calls a tool", "streams"))
    assert found(trial) == {**ALL, **unknown, "answers text": False}
    assert "model 'm' not found" in detail(trial, "answers text")


async def test_a_server_that_does_not_answer_is_not_reachable(chat: Peer, model: Model) -> None:
    chat.will(Answer(b"", is_never=True))
    trial = await tried(model, timeout_s=0.05)
    assert found(trial) == {"configured": True, "reachable": False, **dict.fromkeys(list(ALL)[2:])}
    assert detail(trial, "reachable").endswith(" did not respond in time.")


async def test_what_is_no_model_server_is_reachable_and_no_more(chat: Peer, model: Model) -> None:
    chat.will(Answer(b"<html>Welcome</html>"))
    trial = await tried(model)
    assert found(trial) == {**ALL, **dict.fromkeys(("key accepted", "calls a tool", "streams")), "answers text": False}
    assert detail(trial, "answers text").endswith(" responded with something that is not JSON.")


async def test_a_server_without_keys_is_told_from_one_that_took_a_key() -> None:
    async with Peer(chat_peer.faults).serving() as peer:
        peer.will(CALL, SUNNY)
        model = create_model("openai:m", {"OPENAI_BASE_URL": peer.base_url})
        trial = await try_model(model, ModelKey("OPENAI_API_KEY", ""), 60)
        await model.aclose()
    assert (trial.ok, detail(trial, "key accepted")) == (True, "none was sent, as OPENAI_API_KEY is not set")


async def test_the_offline_model_passes() -> None:
    trial = await try_model(create_model("offline", {}), None, 60)
    assert (trial.ok, found(trial), detail(trial, "key accepted")) == (True, ALL, "none is needed")
