"""Several servers on one database: a client may speak to any of them at any time."""

import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from tests.e2e.kit.payments import SIGN, Talk, Till, check, open_shop, script
from tests.e2e.kit.replicas import replicas, shared
from tests.e2e.kit.rest import LOCATION, Rest, words
from tests.e2e.kit.server import Server, clean_environment, killed
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.postgres import PASSWORD, Cluster, running_cluster
from tests.kit.preloaded.commands import quick_command

PHOTO = bytes(range(256)) * 10
_CAMERA = """
  - when: {user: {equals: smile}}
    reply: {calls: [{name: Camera.photo, arguments: {}}]}
  - when: {after: Camera.photo}
    reply: {text: '{{results.photo}}'}
  - reply: {text: The camera is on.}
"""
_CAMERA_API: JsonObject = {
    "openapi": "3.0.0",
    "info": {"title": "Camera", "version": "1"},
    "paths": {
        "/photo": {
            "get": {
                "operationId": "photo",
                "responses": {"200": {"description": "It", "content": {"image/png": {"schema": {"type": "string"}}}}},
            }
        }
    },
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as started:
        yield started


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replicas")
    (path / "script.yaml").write_text(script())
    (path / "camera.yaml").write_text(f"rules:{_CAMERA}")
    return path


@pytest.fixture(scope="module")
def servers(cluster: Cluster, folder: Path) -> Iterator[list[Server]]:
    aliases = f"camera=scripted:{folder / 'camera.yaml'}"
    flags = ["--model", f"scripted:{folder / 'script.yaml'}", "--model-aliases", aliases]
    with replicas(folder, cluster, 2, *flags) as started:
        yield started


@pytest.fixture
def ends(servers: list[Server]) -> tuple[Rest, Rest]:
    """Two servers of the same agents."""
    one, two = (Rest(server.http) for server in servers)
    return one, two


@pytest.fixture(scope="module")
def till() -> Till:
    return Till()


@pytest.fixture(scope="module")
def shop_peer(background: Background, till: Till) -> Iterator[HttpPeer]:
    with background.entered(http_peer(till.pay)) as peer:
        yield peer


@pytest.fixture
def shop(ends: tuple[Rest, Rest], shop_peer: HttpPeer) -> str:
    """The name of an agent that pays."""
    return open_shop(ends[0], shop_peer.url)


@pytest.mark.proves("X4", "F2")
def test_a_pause_that_began_at_one_goes_on_at_the_other(ends: tuple[Rest, Rest], shop: str, till: Till) -> None:
    one, two = ends
    session = f"{shop}/sessions/pause"
    asked = one.say(session, "signed for pause", queryParams={"parameters": {"colour": "red"}})
    (call,) = [message["toolCall"] for message in asked["responseMessages"] if "toolCall" in message]
    result = {"tool": call["tool"], "action": SIGN, "outputParameters": {"signed": True}}
    answered = two.detect(session, {"toolCallResult": result}).json["queryResult"]
    assert check("signed", "pause", words(answered), till) == ""
    assert answered["parameters"] == {"colour": "red"}


def test_what_is_written_at_one_is_read_at_the_other_at_once(ends: tuple[Rest, Rest], shop: str) -> None:
    writer, reader = ends
    for number in range(10):
        tool = writer.tool(shop, f"tool {number}", functionSpec={})
        assert reader("GET", f"v3/{tool}")["displayName"] == f"tool {number}"
        changed = writer("PATCH", f"v3/{tool}?updateMask=displayName", {"displayName": f"changed {number}"})
        assert reader("GET", f"v3/{tool}") == changed
        writer("DELETE", f"v3/{tool}")
        assert reader.send("GET", f"/v3/{tool}").status == 404
        writer, reader = reader, writer


def test_a_turn_at_one_plays_what_was_just_changed_at_the_other(ends: tuple[Rest, Rest], shop: str) -> None:
    one, two = ends
    assert words(two.say(f"{shop}/sessions/before", "hello")) == "You said: hello"
    playbook = one("GET", f"v3/{shop}")["startPlaybook"]
    one("PATCH", f"v3/{playbook}?updateMask=llmModelSettings", {"llmModelSettings": {"model": "camera"}})
    assert words(two.say(f"{shop}/sessions/after", "hello")) == "The camera is on."


def test_an_operation_that_ran_at_one_is_known_to_the_other(ends: tuple[Rest, Rest], shop: str) -> None:
    one, two = ends
    operation = one("POST", f"v3/{shop}:export", {})["name"]
    found = two("GET", f"v3/{operation}")
    while not found.get("done"):
        found = two("GET", f"v3/{operation}")
    assert "agentContent" in found["response"]
    assert operation in [each["name"] for each in two("GET", f"v3/{LOCATION}/operations")["operations"]]


def test_a_file_that_a_conversation_got_at_one_is_read_at_the_other(
    ends: tuple[Rest, Rest], background: Background
) -> None:
    def photo(_: Received) -> bytes:
        return answer(PHOTO, content_type="image/png")

    one, two = ends
    agent = one.agent("Studio")
    with background.entered(http_peer(photo)) as peer:
        document = {**_CAMERA_API, "servers": [{"url": peer.url}]}
        one.tool(agent, "Camera", openApiSpec={"textSchema": dumps(document).decode()})
        playbook = one.start(agent, "Use ${TOOL: Camera}.")
        one("PATCH", f"v3/{playbook}?updateMask=llmModelSettings", {"llmModelSettings": {"model": "camera"}})
        said = words(one.say(f"{agent}/sessions/1", "smile"))
    handle = re.search(r'"handle": ?"([^"]+)"', said)
    assert handle, said
    assert two.send("GET", f"/v3/{handle[1]}").status == 200


@pytest.mark.proves("X4")
@pytest.mark.parametrize("keyed", [True, False])
def test_a_request_that_comes_to_both_at_once_is_one_turn(
    servers: list[Server], shop: str, till: Till, keyed: bool
) -> None:
    order = f"both {keyed}".replace(" ", "-")
    path = f"/v3/{shop}/sessions/{order}:detectIntent"
    body = dumps({"queryInput": {"text": {"text": f"one by one 3 for {order}"}, "languageCode": "en"}})
    till.closed[order] = threading.Event()

    def asked(server: Server) -> bytes:
        return Rest(server.http).send("POST", path, body, {"Idempotency-Key": "k"} if keyed else {}).body

    with ThreadPoolExecutor(2) as threads:
        asking = [threads.submit(asked, server) for server in servers]
        try:
            while not all(b"openplaybook_turns_running 1.0" in _metrics(server) for server in servers):
                assert not any(each.done() for each in asking)
        finally:
            till.closed[order].set()
        one, two = (each.result() for each in asking)
    assert one == two
    assert {call: till.taken[order, call] for call in ("c1", "c2", "c3")} == {"c1": 1, "c2": 1, "c3": 1}


def _metrics(server: Server) -> bytes:
    return Rest(server.http).send("GET", "/metrics").body


def test_different_requests_that_come_to_both_at_once_follow_each_other(servers: list[Server], shop: str) -> None:
    def asked(number: int) -> str:
        return words(Rest(servers[number % 2].http).say(f"{shop}/sessions/order", f"number {number}"))

    with ThreadPoolExecutor(6) as threads:
        said = list(threads.map(asked, range(6)))
    assert said == [f"You said: number {number}" for number in range(6)]
    name = f"v3beta1/{shop}/conversations/order"
    told = Rest(servers[0].http)("GET", name)["interactions"]
    assert sorted(each["request"]["queryInput"]["text"]["text"] for each in told) == [f"number {n}" for n in range(6)]


@pytest.mark.proves("X4")
def test_another_server_ends_the_turn_of_one_that_was_killed(
    cluster: Cluster, folder: Path, servers: list[Server], shop: str, till: Till
) -> None:
    talk = Talk(shop, "one by one 3", "orphan", keyed=True)
    model = ["--model", f"scripted:{folder / 'script.yaml'}"]
    with killed(folder / "mortal", *model, fault="commit.after:3", **shared(cluster)) as mortal:
        assert talk.go_on(mortal.http) is None
        mortal.process.wait()
        said = talk.go_on(servers[0].http)
    assert said is not None
    check("one by one 3", "orphan", said, till)
    assert max(till.taken["orphan", call] for call in ("c1", "c2", "c3")) == 1


def test_conversations_go_on_over_a_crash_of_the_database(
    cluster: Cluster, servers: list[Server], shop: str, till: Till
) -> None:
    def order(number: int) -> str:
        talk = Talk(shop, "one by one 2", f"crash-{number}", keyed=number % 2 == 0)
        return talk.go_on(servers[number % 2].http) or "the server died"

    with ThreadPoolExecutor(4) as threads:
        orders = [threads.submit(order, number) for number in range(20)]
        cluster.restart(signal.SIGQUIT)
        said = [each.result() for each in orders]
    assert [check("one by one 2", f"crash-{number}", each, till) for number, each in enumerate(said)] == [""] * 20


def test_the_password_is_in_no_log_and_no_answer(cluster: Cluster, folder: Path, servers: list[Server]) -> None:
    for server in servers:
        facts = "\n".join(server.facts.values()) + server.log.read_text()
        assert PASSWORD not in facts
        assert cluster.url().split("@")[0] not in facts


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"OPENPLAYBOOK_MASTER_KEY": ""}, "error: servers that share a database need the same master key: set"),
        ({"OPENPLAYBOOK_DATABASE_URL": "postgresql://u:{password}x@127.0.0.1:{port}/postgres"}, "the user or password"),
        ({"OPENPLAYBOOK_DATABASE_URL": "postgresql://u:p@127.0.0.1:1/d"}, "cannot be reached; is it running there?"),
        ({"OPENPLAYBOOK_DATABASE_URL": "mysql://u:secret@h/d"}, "error: OPENPLAYBOOK_DATABASE_URL: must start with"),
    ],
)
def test_a_server_that_cannot_start_says_why_in_one_line(
    cluster: Cluster, tmp_path: Path, variables: dict[str, str], said: str
) -> None:
    filled = {name: value.format(password="p%40ss", port=cluster.port) for name, value in variables.items()}
    ended = subprocess.run(
        [quick_command(), "serve", "--data-dir", tmp_path, "--port", "0", "--grpc-port", "0"],
        env={**clean_environment(), **shared(cluster), **filled},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1
    assert said in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert "secret" not in ended.stderr
    assert "p%40ss" not in ended.stderr
