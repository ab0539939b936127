"""Servers that die while a Python function calls other tools: the request again ends the turn, no call is made twice.

The points come from a turn that nobody disturbs. Each server answers the request that its predecessor died under, and
then dies itself at the next point.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from tests.e2e.kit.payments import Till
from tests.e2e.kit.rest import LOCATION, Rest
from tests.e2e.kit.server import Server, killed
from tests.e2e.kit.studio import made
from tests.kit.background import Background
from tests.kit.http_peer import http_peer

CALLS = ("c1", "c2")
CODE = '''
def pay(order: str) -> dict:
    """Pays an order in two parts."""
    parts = [tools.shop_c1({"requestBody": {"order": order}}), tools.shop_c2({"requestBody": {"order": order}})]
    context.state["paid"] = order
    return {"orders": [part.json()["order"] for part in parts]}
'''
SCRIPT = r"""
rules:
  - when: {user: {matches: '^pay (?P<order>.+)$'}}
    reply: {calls: [{name: pay, arguments: {order: '{{match.order}}'}}]}
  - when: {after: pay, error: false}
    reply: {text: 'Paid {{result.orders.0}}, on record {{parameters.paid}}.'}
  - when: {after: pay, error: true}
    reply: {text: 'In doubt: {{result.error.code}}'}
"""

IN_DOUBT = ("commit", "call", "send")
"""Where a process may die that leaves a call in doubt."""

EVERY = [pytest.param(slice(0, None, 7), id="some"), pytest.param(slice(None), id="all", marks=pytest.mark.proof)]


@dataclass
class Street:
    """Servers that follow each other on one database, and the shop that outlives them."""

    folder: Path
    till: Till
    app: str = ""

    @contextmanager
    def server(self, fault: str = "") -> Generator[Server]:
        """The next server."""
        model = ["--model", f"scripted:{self.folder / 'script.yaml'}"]
        with killed(self.folder, *model, fault=fault, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server:
            yield server

    def pay(self, server: Server, order: str) -> str | None:
        """The agent's words about the order; None when the server dies before."""
        session = f"{self.app}/sessions/{order}"
        body = {"config": {"session": session}, "inputs": [{"text": f"pay {order}"}]}
        try:
            answer = Rest(server.http).send("POST", f"/v1/{session}:runSession", dumps(body), {"Idempotency-Key": "1"})
        except (OSError, HTTPException):
            return None
        assert answer.status == 200, answer.body
        return " ".join(output.get("text", "") for output in answer.json["outputs"])

    def check(self, order: str, said: str, point: str) -> None:
        """What is told to be done was done once; what is told to be unknown at most once."""
        times = [self.till.taken[order, call] for call in CALLS]
        if said == f"Paid {order}, on record {order}.":
            assert times == [1, 1], (point, times)
        else:
            assert said.startswith("In doubt: "), (point, said)
            assert point.partition(".")[0] in IN_DOUBT, (point, said)
            assert max(times) <= 1, (point, times)


@pytest.fixture
def street(tmp_path: Path, background: Background) -> Generator[Street]:
    till = Till()
    (tmp_path / "script.yaml").write_text(SCRIPT)
    with background.entered(http_peer(till.pay)) as peer:
        street = Street(tmp_path, till)
        with street.server() as server:
            street.app = open_app(Rest(server.http), peer.url)
        yield street


def open_app(rest: Rest, url: str) -> str:
    """The name of an app whose only tool for the model is the Python function."""
    schema = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    document: JsonObject = {
        "openapi": "3.0.0",
        "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": url}],
        "paths": {
            f"/{call}": {
                "post": {"operationId": call, "requestBody": body, "responses": {"200": {"description": "taken"}}}
            }
            for call in CALLS
        },
    }
    variables = [{"name": "paid", "description": "The order.", "schema": {"type": "STRING"}}]
    app = made(rest, f"{LOCATION}/apps", {"displayName": "Shop", "variableDeclarations": variables})
    made(
        rest, f"{app}/toolsets", {"displayName": "shop", "openApiToolset": {"openApiSchema": dumps(document).decode()}}
    )
    pay = made(rest, f"{app}/tools", {"pythonFunction": {"pythonCode": CODE}})
    desk = made(rest, f"{app}/agents", {"displayName": "desk", "instruction": "Pay.", "tools": [pay]})
    rest("PATCH", f"v1beta/{app}?updateMask=rootAgent", {"rootAgent": desk})
    return app


def points_of(street: Street) -> Sequence[str]:
    """The points that a turn passes when nobody disturbs it, each with the number of its passing."""
    listed = street.folder / "points"
    with street.server(f"list:{listed}") as server:
        said = street.pay(server, "undisturbed")
        assert said is not None
        street.check("undisturbed", said, "")
    passed = [line.rpartition(":") for line in listed.read_text().splitlines()]
    return [point for point, _, session in passed if session == "undisturbed"]


@pytest.mark.proves("X4")
@pytest.mark.usefixtures("sandbox")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("some", EVERY)
def test_no_call_of_a_python_function_is_doubled_or_lost(street: Street, some: slice) -> None:
    points = points_of(street)
    # Two of the calls are the function's own; each has an intent and a result on record.
    assert sum(point.startswith("call.before") for point in points) == 3
    assert sum(point.startswith("send.before") for point in points) == 2
    left = ""
    for number, point in enumerate([*points[some], ""]):
        order = f"order-{number}"
        with street.server(f"{point}:{order}" if point else "") as server:
            if left:
                said = street.pay(server, f"order-{number - 1}")
                assert said is not None, left
                street.check(f"order-{number - 1}", said, left)
            assert (street.pay(server, order) is None) == bool(point), point
        left = point
