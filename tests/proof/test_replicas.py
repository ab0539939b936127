"""Four servers on one database: every request is given to two at once while they are killed one after another."""

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from http.client import HTTPException
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from tests.e2e.kit.payments import PLANS, SIGN, Till, check, open_shop, script
from tests.e2e.kit.replicas import shared
from tests.e2e.kit.rest import Answer, Rest, words
from tests.e2e.kit.server import Server, killed
from tests.kit.background import Background
from tests.kit.http_peer import http_peer
from tests.kit.postgres import Cluster, running_cluster

REPLICAS = 4
SESSIONS = 200
ORDERS = 20
"""Orders of each session, one after another."""
CLIENTS = 16
LIFE_S = (0.2, 1.5)
"""From one kill to the next, at each half of them."""
PATIENCE_S = 120.0
"""For one request: a turn whose server died waits ten seconds for its lease to end."""
SEED = 20261122
_PASSING = {409, 503}
"""ABORTED where another server took the turn over, UNAVAILABLE where one stops: try again."""


class Replica:
    """A place in which servers follow each other."""

    def __init__(self, folder: Path, cluster: Cluster, model: str) -> None:
        self.folder, self._cluster, self._model = folder, cluster, model
        self._running: AbstractContextManager[Server] | None = None
        self.http = ""

    def start(self) -> None:
        self._running = killed(self.folder, "--model", self._model, **shared(self._cluster))
        self.http = self._running.__enter__().http

    def kill(self) -> None:
        """The server's end, without a chance to finish anything."""
        assert self._running is not None
        self._running.__exit__(None, None, None)


class Killer(threading.Thread):
    """Kills one replica of some after another, and starts each again."""

    def __init__(self, replicas: list[Replica]) -> None:
        super().__init__()
        self._replicas = replicas
        self._chance = random.Random(f"{SEED} {replicas[0].folder}")
        self.enough = threading.Event()
        self.kills = 0

    def run(self) -> None:
        while not self.enough.wait(self._chance.uniform(*LIFE_S)):
            victim = self._chance.choice(self._replicas)
            victim.kill()
            self.kills += 1
            victim.start()


class Client:
    """Gives each of its requests to two replicas at once, until one has answered it."""

    def __init__(self, agent: str, session: str, replicas: list[Replica], pool: ThreadPoolExecutor) -> None:
        self.session = session
        self._path = f"/v3/{agent}/sessions/{session}:detectIntent"
        self._replicas, self._pool = replicas, pool
        self._chance = random.Random(f"{SEED} {session}")
        self._requests = 0
        self.outcomes: Counter[str] = Counter()

    def run(self, till: Till) -> Counter[str]:
        for number in range(ORDERS):
            plan, order = self._chance.choice(list(PLANS)), f"{self.session}-{number}"
            said = self._talk({"text": {"text": f"{plan} for {order}"}})
            self.outcomes["in doubt" if check(plan, order, said, till) else "whole"] += 1
        return self.outcomes

    def _talk(self, query: JsonObject) -> str:
        while True:
            result = self._answered(query)
            calls = [each["toolCall"] for each in result["responseMessages"] if "toolCall" in each]
            if not calls:
                return words(result)
            query = {"toolCallResult": {"tool": calls[0]["tool"], "action": SIGN, "outputParameters": {"signed": True}}}

    def _answered(self, query: JsonObject) -> JsonObject:
        body = dumps({"queryInput": {**query, "languageCode": "en"}})
        self._requests += 1
        headers = {"Idempotency-Key": f"{self._requests}"}
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            both = self._chance.sample(self._replicas, 2)
            sent = [self._pool.submit(ask, replica.http, self._path, body, headers) for replica in both]
            answers = [answer for each in sent if (answer := each.result()) is not None]
            if len(answers) == 2:
                assert answers[0] == answers[1]
                self.outcomes["answered twice"] += 1
            if answers:
                return answers[0]
            self.outcomes["tried again"] += 1
        raise AssertionError(f"{self.session}: request {self._requests} was never answered")


def ask(http: str, path: str, body: bytes, headers: dict[str, str]) -> JsonObject | None:
    """The query result; None where the server died or could not."""
    try:
        answer: Answer = Rest(http).send("POST", path, body, headers)
    except (OSError, HTTPException):
        return None
    if answer.status in _PASSING:
        return None
    assert answer.status == 200, answer.body
    return answer.json["queryResult"]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with running_cluster() as started:
        yield started


@pytest.mark.proof
@pytest.mark.timeout(900)
def test_no_killed_replica_loses_doubles_or_disorders_a_turn(
    tmp_path: Path, background: Background, cluster: Cluster
) -> None:
    (tmp_path / "script.yaml").write_text(script())
    model, till, begun = f"scripted:{tmp_path / 'script.yaml'}", Till(), time.monotonic()
    replicas = [Replica(tmp_path / str(number), cluster, model) for number in range(REPLICAS)]
    with ExitStack() as stack:
        peer = stack.enter_context(background.entered(http_peer(till.pay)))
        pool = stack.enter_context(ThreadPoolExecutor(2 * CLIENTS))
        for replica in replicas:
            replica.start()
            stack.callback(replica.kill)
        agent = open_shop(Rest(replicas[0].http), peer.url)
        killers = [Killer(replicas[: REPLICAS // 2]), Killer(replicas[REPLICAS // 2 :])]
        for killer in killers:
            killer.start()
        clients = [Client(agent, f"s{number}", replicas, pool) for number in range(SESSIONS)]
        try:
            with ThreadPoolExecutor(CLIENTS) as threads:
                outcomes = sum(threads.map(lambda client: client.run(till), clients), Counter[str]())
        finally:
            for killer in killers:
                killer.enough.set()
                killer.join()
        wrong = [client.session for client in clients if not in_order(Rest(replicas[0].http), agent, client.session)]
    kills = sum(killer.kills for killer in killers)
    assert wrong == []
    assert set(till.taken.values()) == {1}, till.taken.most_common(3)
    assert outcomes["whole"] + outcomes["in doubt"] == SESSIONS * ORDERS
    print(
        f"\n{REPLICAS} replicas, {SESSIONS} sessions, {kills} kills, {time.monotonic() - begun:.0f} s: "
        f"{dict(outcomes)}; {len(till.taken)} calls, none doubled, none lost, none out of order"
    )


def in_order(rest: Rest, agent: str, session: str) -> bool:
    """Whether the conversation holds every order once, the first one first."""
    told = rest("GET", f"v3beta1/{agent}/conversations/{session}")["interactions"]
    inputs = [each["request"]["queryInput"] for each in told]
    said = [each["text"]["text"].rpartition(" ")[2] for each in inputs if "text" in each]
    return said == [f"{session}-{number}" for number in reversed(range(ORDERS))]
