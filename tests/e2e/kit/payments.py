"""Payments: an agent whose turns are rounds of calls, each of which must happen once, and the service that counts."""

import asyncio
import json
import re
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPException

from openplaybook.jsonvalues import JsonObject, dumps, loads
from tests.e2e.kit.rest import Rest, words
from tests.kit.http_peer import Received, answer

SIGN = "sign"
"""The call that the client makes; all others are the server's."""

Rounds = Sequence[Sequence[str]]
"""Calls by the replies of the model that ask for them."""

ONE_BY_ONE: Rounds = [["c1"], ["c2"], ["c3"], ["c4"], ["c5"]]
SIDE_BY_SIDE: Rounds = [["c1", "c2", "c3", "c4", "c5"]]
MIXED: Rounds = [["c1"], ["c2", SIGN, "c3"], ["c4"]]
PLANS = {
    **{f"one by one {n}": ONE_BY_ONE[:n] for n in range(1, 6)},
    **{f"side by side {n}": [SIDE_BY_SIDE[0][:n]] for n in range(2, 6)},
    "mixed": MIXED,
    "both": [["c1"], ["c2", "c3"]],
    "signed": [["c1", "c2", SIGN], ["c3"]],
}


def script() -> str:
    """The part of a scripted model that follows the plans: `PLAN for ORDER` makes the calls of the plan."""
    rules: list[JsonObject] = []
    for name, rounds in PLANS.items():
        said = {"matches": f"^{name} for (?P<order>.+)$"}
        before: JsonObject = {}
        for calls in rounds:
            arguments = [
                {"name": call, "arguments": {}}
                if call == SIGN
                else {"name": f"Shop.{call}", "arguments": {"requestBody": {"order": "{{match.order}}"}}}
                for call in calls
            ]
            rules.append({"when": {"user": said, **before}, "reply": {"calls": arguments}})
            before = {"after": SIGN if SIGN in calls else f"Shop.{calls[0]}"}
        told = " ".join(f"{call}={{{{results.{call}}}}}" for calls in rounds for call in calls)
        rules.append({"when": {"user": said, **before}, "reply": {"text": told}})
    rules.append({"reply": {"text": "You said: {{user}}"}})
    return json.dumps({"rules": rules})


@dataclass
class Till:
    """The service: takes payments, and knows which it took."""

    taken: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """Times by (order, call)."""
    tokens: int = 0
    """Access tokens given out."""
    closed: dict[str, threading.Event] = field(default_factory=dict[str, threading.Event])
    """Orders whose payments are taken once their event is set."""

    async def pay(self, received: Received) -> bytes:
        """Take one, or give out a token."""
        if received.target == "/token":
            self.tokens += 1
            return answer(dumps({"access_token": "t", "token_type": "Bearer", "expires_in": 3600}))
        order = loads(received.body)["order"]
        if order in self.closed:
            await asyncio.to_thread(self.closed[order].wait)
        self.taken[order, received.target.removeprefix("/")] += 1
        return answer(dumps({"order": order}))


def open_shop(rest: Rest, peer_url: str, *, token_url: str = "") -> str:
    """The name of an agent that pays, with access tokens where there is a place to get them."""
    agent = rest.agent()
    schema = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}
    document: JsonObject = {
        "openapi": "3.0.0",
        "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": peer_url}],
        "paths": {
            f"/{call}": {
                "post": {
                    "operationId": call,
                    "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
                    "responses": {"200": {"description": "taken"}},
                }
            }
            for call in SIDE_BY_SIDE[0]
        },
    }
    config: JsonObject = {
        "oauthGrantType": "CLIENT_CREDENTIAL",
        "clientId": "shop",
        "clientSecret": "s",
        "tokenEndpoint": token_url,
    }
    spec: JsonObject = {"textSchema": dumps(document).decode()}
    rest.tool(agent, "Shop", openApiSpec={**spec, "authentication": {"oauthConfig": config}} if token_url else spec)
    rest.tool(agent, SIGN, functionSpec={})
    rest.start(agent, f"Use ${{TOOL: Shop}} and ${{TOOL: {SIGN}}}.")
    return agent


def check(plan: str, order: str, said: str, till: Till) -> str:
    """Hold what the agent said against what the till took; the calls in doubt, for people.

    A call that is told to be done was made once, one that is told to be unknown at most once, and each is told of.
    """
    doubtful: list[str] = []
    for call in (call for calls in PLANS[plan] for call in calls):
        found = re.search(rf"{call}=(\{{.*?\}})(?= c\d=| {SIGN}=|$)", said)
        assert found, (call, said)
        told: JsonObject = loads(found[1])
        times = till.taken[order, call]
        if call == SIGN:
            assert told == {"signed": True}, said
        elif "error" in told:
            assert told["error"]["code"] == "OUTCOME_UNKNOWN", said
            assert times <= 1, (order, call, times)
            doubtful.append(call)
        else:
            assert (told["200"], times) == ({"order": order}, 1), (order, call, said, times)
    return ", ".join(doubtful)


class Talk:
    """A conversation about one order over REST, which can be gone on with at another server."""

    def __init__(self, agent: str, plan: str, order: str, *, keyed: bool) -> None:
        self.plan = plan
        self.order = order
        self._path = f"/v3/{agent}/sessions/{order}:detectIntent"
        self._keyed = keyed
        self._next: JsonObject = {"text": {"text": f"{plan} for {order}"}}
        self._answered = 0

    def go_on(self, http: str) -> str | None:
        """The agent's last words; None when the server dies before."""
        try:
            while True:
                answer = self._asked(Rest(http))
                calls = [m["toolCall"] for m in answer["responseMessages"] if "toolCall" in m]
                if not calls:
                    return words(answer)
                result = {"tool": calls[0]["tool"], "action": SIGN, "outputParameters": {"signed": True}}
                self._next = {"toolCallResult": result}
                self._answered += 1
        except (ConnectionError, HTTPException):
            return None

    def _asked(self, rest: Rest) -> JsonObject:
        body = dumps({"queryInput": {**self._next, "languageCode": "en"}})
        key = {"Idempotency-Key": f"request {self._answered}"} if self._keyed else {}
        answer = rest.send("POST", self._path, body, key)
        assert answer.status == 200, answer.body
        return answer.json["queryResult"]
