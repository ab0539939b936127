"""Texts that end or hold parsers, given to a real server from all doors at once while others go on."""

import base64
import io
import json
import signal
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.kit.rest import Answer, Rest
from tests.e2e.kit.server import Server, killed, running
from tests.kit.hostile.texts import HOSTILE_TEXTS

WORST = ("values in values", "keys in keys", "items in items", "a billion laughs")
SLOW = "a: &a [x]\nb:\n" + "- *a\n" * 60_000
"""A text that holds its parser for as long as it may."""
GOOD = """
openapi: 3.0.0
info: {title: Good, version: '1'}
servers: [{url: 'http://127.0.0.1:9'}]
paths: {/a: {get: {operationId: act, responses: {'200': {description: done}}}}}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("texts")) as server:
        yield server


def tool(text: str, name: str = "Hostile") -> bytes:
    return json.dumps({"displayName": name, "description": "h", "openApiSpec": {"textSchema": text}}).encode()


def app_of(text: str) -> bytes:
    """The request that imports an app whose root file is a text."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("app.yaml", text)
    content = base64.b64encode(packed.getvalue()).decode()
    return json.dumps({"appContent": content, "displayName": "Hostile"}).encode()


def done(rest: Rest, answer: Answer) -> dict[str, object]:
    """The operation that a request started, once it is over."""
    operation = rest("POST", f"v1beta/{answer.json['name']}:wait", {"timeout": "45s"})
    assert operation.get("done"), "the operation does not end"
    return operation


@pytest.mark.proves("X8")
@pytest.mark.parametrize("name", WORST)
def test_saving_a_tool_with_a_text_that_ends_parsers_is_refused(name: str, server: Server) -> None:
    rest = Rest(server.http)
    refused = rest.send("POST", f"/v3/{rest.agent()}/tools", tool(HOSTILE_TEXTS[name]))
    assert refused.error[:2] == (400, "INVALID_ARGUMENT")
    assert "the YAML" in refused.error[2] or "more than 200 levels" in refused.error[2]
    assert rest.send("GET", "/healthz").status == 200


@pytest.mark.proves("X8")
@pytest.mark.parametrize("name", WORST)
def test_importing_an_app_with_a_text_that_ends_parsers_is_refused(name: str, server: Server) -> None:
    rest = Rest(server.http)
    started = rest.send("POST", "/v1beta/projects/p/locations/global/apps:importApp", app_of(HOSTILE_TEXTS[name]))
    operation = done(rest, started)
    error = operation["error"]
    assert isinstance(error, dict)
    assert (error["code"], str(error["message"])[:10]) == (3, "app.yaml: ")
    assert server.process.poll() is None


@pytest.mark.proves("X8")
def test_while_eight_slow_texts_are_saved_tools_turns_and_packages_go_on(server: Server) -> None:
    rest = Rest(server.http)
    agent = rest.agent("Calm")
    good = rest.send("POST", f"/v3/{agent}/tools", tool(GOOD, "Good")).json["name"]
    rest.start(agent, "Say hello.")
    answers: list[Answer] = []

    def save(number: int) -> None:
        answers.append(Rest(server.http).send("POST", f"/v3/{agent}/tools", tool(f"{SLOW}# {number}\n")))

    hostile = [threading.Thread(target=save, args=(number,)) for number in range(8)]
    for each in hostile:
        each.start()
    call = json.dumps({"action": "act", "inputParameters": {}}).encode()
    executed = rest.send("POST", f"/v3/{good}:execute", call)
    said = json.dumps({"queryInput": {"text": {"text": "hello"}, "languageCode": "en"}}).encode()
    turn = rest.send("POST", f"/v3/{agent}/sessions/s:detectIntent", said)
    exported = done(rest, rest.send("POST", f"/v3/{agent}:export", b"{}"))
    assert any(each.is_alive() for each in hostile), "the slow texts were not slow"
    for each in hostile:
        each.join(120)
    assert (executed.status, turn.status, "response" in exported) == (200, 200, True)
    assert {answer.status for answer in answers} <= {200, 400, 429, 504}


@pytest.mark.proves("X8")
def test_a_server_that_is_told_to_stop_while_it_reads_slow_texts_ends(tmp_path: Path) -> None:
    with killed(tmp_path / "s", OPENPLAYBOOK_DRAIN_SECONDS="2") as server:
        rest = Rest(server.http)
        agent = rest.agent()
        begun = threading.Barrier(5)

        def save(number: int) -> None:
            begun.wait()
            try:
                Rest(server.http).send("POST", f"/v3/{agent}/tools", tool(f"{SLOW}# {number}\n"))
            except OSError:
                # The server is gone.
                return

        hostile = [threading.Thread(target=save, args=(number,)) for number in range(4)]
        for each in hostile:
            each.start()
        begun.wait()
        assert rest.send("GET", "/healthz").status == 200
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(20) == 0
        for each in hostile:
            each.join(20)
