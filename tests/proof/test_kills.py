"""A process that dies at any moment of a turn loses nothing and repeats no completed call."""

import random
import threading
from collections import Counter
from functools import partial
from http.client import HTTPException
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from tests.e2e.kit.background import Background
from tests.e2e.kit.rest import Answer, Rest, words
from tests.e2e.kit.server import killed
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer

KILLS = 200
LONGEST_TURN_S = 0.6
"""A first turn after a start compiles the agent and takes about half of that."""
SEED = 20261121

SCRIPT = r"""
rules:
  - when: {user: {matches: '^charge (?P<n>\d+)$'}}
    reply:
      text: 'One moment.'
      calls: [{name: Shop.charge, arguments: {requestBody: {order: '{{match.n}}'}}}]
  - when: {after: Shop.charge, error: false}
    reply: {calls: [{name: Shop.confirm, arguments: {requestBody: {order: '{{result.200.order}}'}}}]}
  - when: {after: Shop.confirm, error: false}
    reply: {text: 'Order {{result.200.order}} is done.'}
  - when: {after: '*', error: true}
    reply: {text: '{{result.error.code}}'}
"""


def operation(name: str) -> JsonObject:
    schema = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    return {"post": {"operationId": name, "requestBody": body, "responses": {"200": {"description": "done"}}}}


def pay(received: Received) -> bytes:
    return answer(dumps({"order": loads(received.body)["order"]}))


def shop(rest: Rest, peer: HttpPeer) -> str:
    agent = rest.agent()
    document = {
        "openapi": "3.0.0",
        "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": peer.url}],
        "paths": {f"/{name}": operation(name) for name in ("charge", "confirm")},
    }
    rest.tool(agent, "Shop", openApiSpec={"textSchema": dumps(document).decode()})
    rest.start(agent, "Use ${TOOL: Shop}.")
    return agent


def attempt(rest: Rest, session: str, number: int) -> Answer | None:
    """The answer to a charge; None when the server died under it."""
    body = {"queryInput": {"text": {"text": f"charge {number}"}, "languageCode": "en"}}
    try:
        return rest.send("POST", f"/v3/{session}:detectIntent", dumps(body), {"Idempotency-Key": f"charge-{number}"})
    except (ConnectionError, HTTPException):
        return None


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_no_kill_loses_a_turn_or_doubles_a_call(tmp_path: Path, background: Background) -> None:
    script = tmp_path / "script.yaml"
    script.write_text(SCRIPT)
    chance = random.Random(SEED)
    outcomes: Counter[str] = Counter()
    start = partial(killed, tmp_path / "s", "--model", f"scripted:{script}", OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8")
    with background.entered(http_peer(pay)) as peer:
        with start() as server:
            agent = shop(Rest(server.http), peer)
        for number in range(KILLS):
            session = f"{agent}/sessions/{number % 10}"
            with start() as server:
                killer = threading.Timer(chance.uniform(0, LONGEST_TURN_S), server.process.kill)
                killer.start()
                first = attempt(Rest(server.http), session, number)
                killer.join()
            with start() as server:
                second = attempt(Rest(server.http), session, number)
            assert second is not None
            assert second.status == 200, second.body
            said = words(second.json["queryResult"])
            assert said in (
                f"One moment. Order {number} is done.",
                "One moment. OUTCOME_UNKNOWN",
            ), said
            outcomes["answered before the kill" if first is not None else said.replace(str(number), "N")] += 1
            charged = Counter((each.target, loads(each.body)["order"]) for each in peer.requests)
            assert set(charged.values()) <= {1}, charged.most_common(3)
            done = charged[("/charge", str(number))] + charged[("/confirm", str(number))]
            assert done == 2 or "OUTCOME_UNKNOWN" in said
    print(f"\n{KILLS} kills: {dict(outcomes)}; every call at most once, every turn answered")
