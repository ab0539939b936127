"""Numbers keep their value, and members their order, through the session and tool services of apps."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from tests.e2e.kit.google import Google
from tests.e2e.kit.rest import LOCATION, Rest
from tests.e2e.kit.server import Server, running
from tests.e2e.kit.studio import made, texts, to_json
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer, answer, http_peer

LONG = 123456789012345678901234567890
ODD = 9007199254740993
FINE = "0.12345678901234567890123"

_COUNT = {
    "name": "count",
    "description": "Counts.",
    "parameters": {
        "type": "OBJECT",
        "properties": {"zeta": {"type": "INTEGER"}, "price": {"type": "NUMBER"}, "alpha": {"type": "STRING"}},
    },
    "response": {"type": "OBJECT", "properties": {"total": {"type": "INTEGER"}, "note": {"type": "STRING"}}},
}
_SCHEMA = """
openapi: 3.0.0
info: {title: Items, version: '1'}
servers: [{url: 'URL'}]
paths:
  /items/{itemId}:
    post:
      operationId: put
      parameters: [{name: itemId, in: path, required: true, schema: {type: integer, maximum: 1e40}}]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                zeta: {type: integer, default: LONG}
                price: {type: number, enum: [FINE, 1]}
                alpha: {type: string}
      responses: {'200': {description: done}}
"""
_SCRIPT = """
rules:
  - when: {after: count, error: false}
    reply: {text: '{{result.total}} {{result.note}} {{parameters.big}}'}
  - when: {user: {equals: count}}
    reply: {calls: [{name: count, arguments: {zeta: LONG, price: FINE, alpha: a}}]}
  - reply: {text: '{{parameters.big}} {{parameters.fine}}'}
"""


def _filled(text: str) -> str:
    return text.replace("LONG", str(LONG)).replace("FINE", FINE)


@dataclass(frozen=True)
class Desk:
    """An app with a client function and a toolset."""

    server: Server
    rest: Rest
    app: str
    count: str
    items: str

    def run(self, session: str, inputs: str) -> str:
        """The text of an answer to RunSession over REST."""
        name = f"{self.app}/sessions/{session}"
        body = f'{{"config": {{"session": "{name}"}}, "inputs": [{inputs}]}}'
        answer = self.rest.send("POST", f"/v1beta/{name}:runSession", body.encode())
        assert answer.status == 200, answer.body
        return answer.body.decode()

    def execute(self, body: str) -> str:
        """The text of an answer to ExecuteTool over REST."""
        answer = self.rest.send("POST", f"/v1beta/{self.app}:executeTool", body.encode())
        assert answer.status == 200, answer.body
        return answer.body.decode()


@pytest.fixture(scope="module")
def peer(background: Background) -> Iterator[HttpPeer]:
    """A service that says what it is told."""
    with background.entered(http_peer(lambda received: answer(received.body))) as it:
        yield it


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, peer: HttpPeer) -> Iterator[Desk]:
    folder: Path = tmp_path_factory.mktemp("numbers")
    script = folder / "script.yaml"
    script.write_text(_filled(_SCRIPT))
    with running(folder, "--model", f"scripted:{script}", OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server:
        rest = Rest(server.http)
        variables = [
            {"name": "big", "description": "b", "schema": {"type": "INTEGER"}},
            {"name": "fine", "description": "f", "schema": {"type": "NUMBER"}},
        ]
        app = made(rest, f"{LOCATION}/apps", {"displayName": "Numbers", "variableDeclarations": variables})
        count = made(rest, f"{app}/tools?toolId=count", {"clientFunction": _COUNT})
        spec = {"openApiSchema": _filled(_SCHEMA).replace("URL", peer.url)}
        items = made(rest, f"{app}/toolsets?toolsetId=items", {"displayName": "items", "openApiToolset": spec})
        agent = {"displayName": "desk", "instruction": "Help.", "tools": [count], "toolsets": [{"toolset": items}]}
        root = made(rest, f"{app}/agents", agent)
        rest("PATCH", f"v1beta/{app}?updateMask=rootAgent", {"rootAgent": root})
        yield Desk(server, rest, app, count, items)


def test_a_call_has_the_models_order_and_digits(desk: Desk) -> None:
    asked = desk.run("s1", '{"text": "count"}')
    assert f'"args":{{"zeta":"{LONG}","price":"{FINE}","alpha":"a"}}' in asked


@pytest.mark.parametrize("given", [str(LONG), f'"{LONG}"'])
def test_a_clients_result_is_a_number_whichever_way_it_is_written(desk: Desk, given: str) -> None:
    session = f"r{len(given)}"
    asked = desk.run(session, f'{{"variables": {{"big": {given}}}}}, {{"text": "count"}}')
    call = loads(asked)["outputs"][-1]["toolCalls"]["toolCalls"][0]
    told = f'{{"id": "{call["id"]}", "tool": "{desk.count}", "response": {{"total": {given}, "note": "7"}}}}'
    answered = desk.run(session, f'{{"toolResponses": {{"toolResponses": [{told}]}}}}')
    assert f'"{LONG} 7 {LONG}"' in answered


def test_variables_of_a_session_keep_their_digits(desk: Desk) -> None:
    assert f'"{ODD} {FINE}"' in desk.run("v1", f'{{"variables": {{"fine": {FINE}, "big": {ODD}}}}}, {{"text": "hi"}}')
    assert f'"{ODD} {FINE}"' in desk.run("v1", '{"text": "again"}')


@pytest.mark.parametrize("quote", ["", '"'], ids=["numbers", "digits"])
def test_an_execution_takes_and_gives_all_digits_in_their_order(desk: Desk, peer: HttpPeer, quote: str) -> None:
    long, fine = f"{quote}{LONG}{quote}", f"{quote}{FINE}{quote}"
    tool = f'"toolsetTool": {{"toolset": "{desk.items}", "toolId": "put"}}'
    args = f'{{"itemId": {long}, "requestBody": {{"zeta": {long}, "price": {fine}, "alpha": "12"}}}}'
    answered = desk.execute(f'{{{tool}, "args": {args}, "variables": {{"big": {ODD}, "a": 1}}}}')
    assert peer.requests[-1].target == f"/items/{LONG}"
    assert peer.requests[-1].body == f'{{"zeta":{LONG},"price":{FINE},"alpha":"12"}}'.encode()
    assert f'{{"zeta":"{LONG}","price":"{FINE}","alpha":"12"}}' in answered


def test_defaults_of_a_yaml_text_are_sent_with_all_their_digits(desk: Desk, peer: HttpPeer) -> None:
    tool = f'"toolsetTool": {{"toolset": "{desk.items}", "toolId": "put"}}'
    desk.execute(f'{{{tool}, "args": {{"itemId": 7, "requestBody": {{"alpha": "x"}}}}}}')
    assert loads(peer.requests[-1].body) == {"alpha": "x", "zeta": LONG}


def test_a_schema_of_a_tool_has_its_properties_in_their_order(desk: Desk) -> None:
    stored = desk.rest.send("GET", f"/v1beta/{desk.count}").body.decode()
    told = desk.rest.send("POST", f"/v1beta/{desk.app}:retrieveToolSchema", dumps({"tool": desk.count})).body.decode()
    for text in (stored, told):
        assert text.index('"zeta"') < text.index('"price"') < text.index('"alpha"')
        assert text.index('"total"') < text.index('"note"')


@pytest.mark.parametrize("transport", ["grpc", "rest"])
def test_a_typed_client_gets_and_gives_digits(desk: Desk, background: Background, transport: str) -> None:
    google = Google("v1beta", transport, desk.server, background, "ces")
    session, sessions = f"{desk.app}/sessions/{transport}", google("SessionService")
    given: list[JsonObject] = [{"variables": {"big": str(ODD)}}, {"text": "count"}]
    asked = sessions.run_session(request={"config": {"session": session}, "inputs": given}).outputs
    (call,) = [call for output in asked for call in output.tool_calls.tool_calls]
    assert dict(call.args) == {"zeta": str(LONG), "price": FINE, "alpha": "a"}
    told = {"id": call.id, "tool": call.tool, "response": {"total": str(LONG), "note": "7"}}
    inputs: list[JsonObject] = [{"tool_responses": {"tool_responses": [told]}}]
    answered = sessions.run_session(request={"config": {"session": session}, "inputs": inputs}).outputs
    assert texts(answered) == [f"{LONG} 7 {ODD}"]
    named = {"toolset": desk.items, "tool_id": "put"}
    executed = google("ToolService").execute_tool(
        request={
            "parent": desk.app,
            "toolset_tool": named,
            "args": {"itemId": str(ODD), "requestBody": {"price": FINE}},
        }
    )
    assert to_json(executed)["response"] == {"price": FINE, "zeta": str(LONG)}
    google.close()
