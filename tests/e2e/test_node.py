"""Google's Node client, over gRPC and over REST, in a process of its own."""

import subprocess
from http import HTTPStatus

import grpc
import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from tests.e2e.kit.google import VERSIONS
from tests.e2e.kit.node import NODE, needs_node
from tests.e2e.kit.pets import schema_of
from tests.e2e.kit.server import Server, clean_environment
from tests.kit.http_peer import HttpPeer

pytestmark = [pytest.mark.proves("X1"), needs_node]


@pytest.mark.parametrize("transport", ["grpc", "rest"])
@pytest.mark.parametrize("version", VERSIONS)
def test_the_node_client_builds_an_agent_and_talks_to_it(
    server: Server, pets: HttpPeer, version: str, transport: str
) -> None:
    task = {"version": version, "transport": transport, "http": server.http, "grpc": server.grpc}
    seen = conversation({**task, "schema": schema_of(pets)})
    both_ways: list[JsonObject] = seen.pop("bothWays")
    streamed, late, missing = seen.pop("streamed"), seen.pop("late"), seen.pop("missing")
    assert seen == {
        "sameSchema": True,
        "description": "Tells the weather.",
        "paged": ["Pets", "get-weather-tool", "code-interpreter"],
        "answered": ["Luna belongs to Aisha."],
        "asked": {"action": "get-weather-tool", "ofTheTool": True, "input": {"location": "Oslo"}},
        "resumed": ["It is 28.5 degrees."],
        "exported": "PK",
        "deleted": code_of(transport, grpc.StatusCode.NOT_FOUND, HTTPStatus.NOT_FOUND),
    }
    for *partial, final in [streamed, both_ways] if transport == "grpc" else [streamed]:
        assert "".join(text for each in partial for text in each["texts"]) == "You said: hello"
        assert final == {"type": "FINAL", "texts": ["You said: hello"]}
    assert late["code"] == code_of(transport, grpc.StatusCode.FAILED_PRECONDITION, HTTPStatus.BAD_REQUEST)
    assert "Session is not waiting for a tool call result" in late["message"]
    assert missing["code"] == seen["deleted"]
    assert "/tools/none does not exist" in missing["message"]


def conversation(task: JsonObject) -> JsonObject:
    """What the script saw."""
    ran = subprocess.run(
        ["node", "conversation.mjs"],
        input=dumps(task),
        capture_output=True,
        cwd=NODE,
        env=clean_environment(),
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    return loads(ran.stdout)


def code_of(transport: str, over_grpc: grpc.StatusCode, over_rest: HTTPStatus) -> int:
    """The client's `error.code`: that of the transport."""
    return over_grpc.value[0] if transport == "grpc" else over_rest.value
