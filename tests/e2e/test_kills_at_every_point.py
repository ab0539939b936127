"""Real servers that are killed at every point of their turns, and clients that try again.

The points come from a turn that nobody disturbs. Each server answers the retry of the request that its predecessor
died under, and then dies itself at the next point.
"""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import grpc
import pytest
from google.cloud import dialogflowcx_v3

from openplaybook.jsonvalues import JsonObject
from tests.e2e.kit.payments import PLANS, SIGN, Talk, Till, check, open_shop, script
from tests.e2e.kit.rest import Rest, words
from tests.e2e.kit.server import Server, killed
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer, Received, http_peer
from tests.kit.ports import free_ports
from tests.kit.thoroughness import sample

LONGEST_S = 30
EVERY_POINT = 9
"""At which of its points a server dies in `make test`; coprime to the two sides of a point."""

IN_DOUBT = ("commit", "call", "send")
"""Where a process may die that leaves a call in doubt."""

EVERY_PLAN = [pytest.param(plan, marks=[] if plan == "signed" else pytest.mark.proof) for plan in PLANS]
"""A to-and-fro of the server and the client in every run, all other turns in the long proofs."""


@dataclass
class Street:
    """Servers that follow each other at one address and on one database, and the shop that outlives them."""

    folder: Path
    till: Till
    ports: Sequence[int]
    agent: str = ""

    @contextmanager
    def server(self, fault: str = "") -> Generator[Server]:
        """The next server."""
        http, grpc_port = self.ports
        flags = [
            "--model",
            f"scripted:{self.folder / 'script.yaml'}",
            "--port",
            str(http),
            "--grpc-port",
            str(grpc_port),
        ]
        with killed(self.folder, *flags, fault=fault, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server:
            yield server

    def session(self, order: str) -> str:
        return f"{self.agent}/sessions/{order}"


@pytest.fixture
def street(tmp_path: Path, background: Background) -> Generator[Street]:
    till = Till()
    with background.entered(http_peer(till.pay)) as peer:
        street = Street(tmp_path, till, free_ports())
        (tmp_path / "script.yaml").write_text(script())
        with street.server() as server:
            street.agent = open_shop(Rest(server.http), peer.url)
        yield street


def points_of(street: Street, plan: str, converse: Callable[[Server, str], str]) -> Sequence[str]:
    """The points that a conversation passes when nobody disturbs it, each with the number of its passing."""
    listed = street.folder / "points"
    with street.server(f"list:{listed}") as server:
        said = converse(server, "undisturbed")
        assert check(plan, "undisturbed", said, street.till) == ""
    passed = [line.rpartition(":") for line in listed.read_text().splitlines()]
    return [point for point, _, session in passed if session == "undisturbed"]


# With request keys, over REST


def keyed_talk(street: Street, plan: str, server: Server, order: str) -> str:
    said = Talk(street.agent, plan, order, keyed=True).go_on(server.http)
    assert said is not None
    return said


@pytest.mark.sweep
@pytest.mark.proves("X4")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("plan", EVERY_PLAN)
def test_with_request_keys_nothing_is_lost_or_doubled(street: Street, plan: str) -> None:
    points = points_of(street, plan, partial(keyed_talk, street, plan))
    assert {point.partition(":")[0] for point in points} == {
        f"{name}.{side}"
        for name in ("begin", "decide", "commit", "call", "send", "finish")
        for side in ("before", "after")
    }
    points = sample(points, EVERY_POINT)
    before: Talk | None = None
    for number, point in enumerate([*points, ""]):
        order = f"order-{number}"
        with street.server(f"{point}:{order}" if point else "") as server:
            if before is not None:
                said = before.go_on(server.http)
                assert said is not None
                doubtful = check(plan, before.order, said, street.till)
                assert not doubtful or point_of(points, number - 1) in IN_DOUBT, (points[number - 1], said)
            before = Talk(street.agent, plan, order, keyed=True)
            assert (before.go_on(server.http) is None) == bool(point), point


def point_of(points: Sequence[str], number: int) -> str:
    return points[number].partition(".")[0]


# Without keys, by Google's client, which tries again by itself


def google_talk(street: Street, plan: str, server: Server, order: str) -> str:
    """What the agent says to Google's client, whose default is to try again when a server is not there."""
    quick = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 200)]
    with grpc.insecure_channel(server.grpc, options=quick) as channel:
        client = dialogflowcx_v3.SessionsClient(
            transport=dialogflowcx_v3.SessionsClient.get_transport_class("grpc")(channel=channel)
        )
        given: JsonObject = {"text": {"text": f"{plan} for {order}"}}
        while True:
            query = {**given, "language_code": "en"}
            answer = client.detect_intent(request={"session": street.session(order), "query_input": query})
            messages = answer.query_result.response_messages
            calls = [message.tool_call for message in messages if "tool_call" in message]
            if not calls:
                return " ".join(text for message in messages for text in message.text.text)
            given = {"tool_call_result": {"tool": calls[0].tool, "action": SIGN, "output_parameters": {"signed": True}}}


@pytest.mark.sweep
@pytest.mark.proves("X4")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("plan", EVERY_PLAN)
def test_without_keys_googles_client_tries_again_and_nothing_is_lost_or_doubled(street: Street, plan: str) -> None:
    points = points_of(street, plan, partial(google_talk, street, plan))
    points = sample(points[1:], EVERY_POINT)
    before: tuple[str, Future[str]] | None = None
    with ThreadPoolExecutor(2) as clients:
        for number, point in enumerate([*points, ""]):
            order = f"order-{number}"
            with street.server(f"{point}:{order}" if point else "") as server:
                if before is not None:
                    said = before[1].result(LONGEST_S)
                    doubtful = check(plan, before[0], said, street.till)
                    assert not doubtful or point_of(points, number - 1) in IN_DOUBT, (point, said)
                before = (order, clients.submit(google_talk, street, plan, server, order))
                if point:
                    server.process.wait(LONGEST_S)
                else:
                    assert check(plan, order, before[1].result(LONGEST_S), street.till) == ""


@pytest.mark.proves("X4")
@pytest.mark.parametrize("point", ["mark.before", "mark.after"])
def test_an_answer_that_arrived_stays_one_when_the_server_dies_behind_it(street: Street, point: str) -> None:
    with street.server(f"{point}:1") as server:
        first = Talk(street.agent, "one by one 1", "o", keyed=False).go_on(server.http)
        assert first is not None
        server.process.wait(LONGEST_S)
    with street.server() as server:
        rest = Rest(server.http)
        assert words(rest.say(street.session("o"), "thanks")) == "You said: thanks"
        assert check("one by one 1", "o", first, street.till) == ""
        # Said after other words, the order is a new one.
        assert Talk(street.agent, "one by one 1", "o", keyed=False).go_on(server.http) == first
        assert street.till.taken == {("o", "c1"): 2}


@pytest.mark.proves("X4")
@pytest.mark.parametrize("point", ["mark.before", "mark.after"])
def test_words_said_again_on_purpose_right_behind_a_kill_are_new_words(street: Street, point: str) -> None:
    with street.server(f"{point}:1") as server:
        first = Talk(street.agent, "one by one 1", "o", keyed=False).go_on(server.http)
        server.process.wait(LONGEST_S)
    with street.server() as server:
        assert Talk(street.agent, "one by one 1", "o", keyed=False).go_on(server.http) == first
        assert street.till.taken == {("o", "c1"): 2}, "the second was answered by the first's answer"


@pytest.mark.proves("X4")
@pytest.mark.parametrize("point", ["blob.before", "blob.after"])
def test_a_server_that_dies_over_the_agents_snapshot_has_begun_nothing(street: Street, point: str) -> None:
    talk = Talk(street.agent, "one by one 1", "o", keyed=False)
    with street.server(f"{point}:1") as server:
        assert talk.go_on(server.http) is None
        server.process.wait(LONGEST_S)
    with street.server() as server:
        said = talk.go_on(server.http)
        assert said is not None
        assert check("one by one 1", "o", said, street.till) == ""


@pytest.mark.proves("X4")
@pytest.mark.parametrize("point", ["send.before:1", "send.after:1", "send.before:2", "send.after:2"])
def test_a_call_whose_token_was_being_fetched_is_in_doubt_at_most(
    tmp_path: Path, background: Background, point: str
) -> None:
    till = Till()
    with background.entered(http_peer(till.pay)) as peer:
        street = Street(tmp_path, till, free_ports())
        (tmp_path / "script.yaml").write_text(script())
        with street.server() as server:
            street.agent = open_shop(Rest(server.http), peer.url, token_url=f"{peer.url}/token")
        talk = Talk(street.agent, "one by one 2", "o", keyed=True)
        with street.server(point) as server:
            assert talk.go_on(server.http) is None
            server.process.wait(LONGEST_S)
        assert till.tokens == (0 if point == "send.before:1" else 1)
        with street.server() as server:
            said = talk.go_on(server.http)
            assert said is not None
            assert check("one by one 2", "o", said, till) == "c1"
    assert till.taken == {**({("o", "c1"): 1} if point == "send.after:2" else {}), ("o", "c2"): 1}


@pytest.mark.proves("X4")
def test_a_server_that_dies_while_a_call_is_under_way_leaves_it_in_doubt(
    tmp_path: Path, background: Background
) -> None:
    till, dying = Till(), list[Server]()

    async def pay(received: Received) -> bytes | None:
        taken = await till.pay(received)
        if dying:
            dying.pop().process.kill()
            return None
        return taken

    with background.entered(http_peer(pay)) as peer:
        _in_the_middle(Street(tmp_path, till, free_ports()), peer, dying)


def _in_the_middle(street: Street, peer: HttpPeer, dying: list[Server]) -> None:
    (street.folder / "script.yaml").write_text(script())
    with street.server() as server:
        street.agent = open_shop(Rest(server.http), peer.url)
        talk = Talk(street.agent, "one by one 2", "o", keyed=True)
        dying.append(server)
        assert talk.go_on(server.http) is None
    with street.server() as server:
        said = talk.go_on(server.http)
        assert said is not None
        assert check("one by one 2", "o", said, street.till) == "c1"
        assert street.till.taken == {("o", "c1"): 1, ("o", "c2"): 1}
