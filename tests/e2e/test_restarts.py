"""A server that is killed, and the next one on the same data."""

from pathlib import Path

import pytest

from openplaybook.jsonvalues import dumps
from tests.e2e.conftest import EGRESS
from tests.e2e.kit.pets import schema_of
from tests.e2e.kit.rest import Rest, words
from tests.e2e.kit.server import killed, running
from tests.faults.faults import VARIABLE
from tests.kit.http_peer import HttpPeer

_THINKING = """
rules:
  - when: {after: Pets.getPet}
    delay_ms: 60000
    reply: {text: Never said.}
  - reply: {calls: [{name: Pets.getPet, arguments: {petId: 3}}]}
"""
"""A model that thinks about the result for longer than the server lives."""


@pytest.mark.proves("X4", "F2")
def test_a_paused_session_goes_on_after_the_server_was_killed(tmp_path: Path, script: Path) -> None:
    flags = ["--model", f"scripted:{script}"]
    with killed(tmp_path, *flags) as server:
        rest = Rest(server.http)
        agent = rest.agent()
        tool = rest.tool(agent, "get-weather-tool", functionSpec={})
        rest.start(agent, "Tell the weather with ${TOOL: get-weather-tool}.")
        rest.say(f"{agent}/sessions/1", "weather in Oslo?", queryParams={"parameters": {"colour": "red"}})
    with running(tmp_path, *flags) as server:
        result = {"tool": tool, "action": "get-weather-tool", "outputParameters": {"temperature": 9}}
        answer = Rest(server.http).detect(f"{agent}/sessions/1", {"toolCallResult": result})
        assert words(answer.json["queryResult"]) == "It is 9 degrees."
        assert answer.json["queryResult"]["parameters"] == {"colour": "red"}


@pytest.mark.proves("X4")
def test_a_call_that_was_answered_is_not_made_again_by_the_next_server(
    tmp_path: Path, script: Path, pets: HttpPeer
) -> None:
    (tmp_path / "thinking.yaml").write_text(_THINKING)
    body = dumps({"queryInput": {"text": {"text": "pet 3"}, "languageCode": "en"}})
    key = {"Idempotency-Key": "the-same-request"}
    thinking = ["--model", f"scripted:{tmp_path / 'thinking.yaml'}"]
    with killed(tmp_path, *thinking, OPENPLAYBOOK_EGRESS_ALLOW=EGRESS) as server:
        rest = Rest(server.http)
        agent = rest.agent()
        rest.tool(agent, "Pets", openApiSpec={"textSchema": schema_of(pets)})
        rest.start(agent, "Look pets up with ${TOOL: Pets}.")
        path = f"/v3/{agent}/sessions/1:serverStreamingDetectIntent"
        rest.first_part(path, body, key, until=b"outputActionParameters")
    with running(tmp_path, "--model", f"scripted:{script}", OPENPLAYBOOK_EGRESS_ALLOW=EGRESS) as server:
        answer = Rest(server.http).send("POST", f"/v3/{agent}/sessions/1:detectIntent", body, key)
        assert words(answer.json["queryResult"]) == "Luna belongs to Aisha."
    assert len(pets.requests) == 1


@pytest.mark.proves("X4")
def test_an_answer_is_the_same_byte_for_byte_after_a_restart(tmp_path: Path, script: Path, pets: HttpPeer) -> None:
    flags = ["--model", f"scripted:{script}"]
    body = dumps({"queryInput": {"text": {"text": "pet 3"}, "languageCode": "en"}})
    answers: list[bytes] = []
    path = ""
    for _ in range(3):
        with killed(tmp_path, *flags, OPENPLAYBOOK_EGRESS_ALLOW=EGRESS) as server:
            rest = Rest(server.http)
            if not path:
                agent = rest.agent()
                rest.tool(agent, "Pets", openApiSpec={"textSchema": schema_of(pets)})
                rest.start(agent, "Look pets up with ${TOOL: Pets}.")
                path = f"/v3beta1/{agent}/sessions/1:detectIntent"
            answers.append(rest.send("POST", path, body, {"Idempotency-Key": "k"}).body)
    assert b"Luna belongs to Aisha." in answers[0]
    assert answers[1:] == [answers[0]] * 2
    assert len(pets.requests) == 1


@pytest.mark.proves("X8")
@pytest.mark.parametrize("variable", ["OPENPLAYBOOK_FAULT", VARIABLE])
def test_no_variable_makes_a_server_die(tmp_path: Path, script: Path, variable: str) -> None:
    with running(tmp_path, "--model", f"scripted:{script}", **{variable: "begin.before:1"}) as server:
        rest = Rest(server.http)
        agent = rest.agent()
        rest.start(agent, "Greet.")
        assert words(rest.say(f"{agent}/sessions/1", "hello")) == "You said: hello"
