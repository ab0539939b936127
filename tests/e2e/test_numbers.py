"""Numbers keep their value, and members their order, through every door of a real server."""

import threading
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from tests.e2e.kit.google import Google
from tests.e2e.kit.rest import LOCATION, Rest
from tests.e2e.kit.server import Server, running
from tests.e2e.kit.shop import said
from tests.kit.background import Background

LONG = 123456789012345678901234567890
ODD = 9007199254740993
"""The least integer that a double changes."""
FINE = "0.12345678901234567890123"
ANSWER = b'{"zeta": %d, "price": %s, "alpha": {"odd": %d}}' % (LONG, FINE.encode(), ODD)
"""What the service says to everything; its members are not in the order of their names."""

_SCHEMA = """
openapi: 3.0.0
info: {title: Items, version: '1'}
servers: [{url: 'http://127.0.0.1:%d'}]
paths:
  /items/{itemId}:
    post:
      operationId: put
      parameters:
        - {name: itemId, in: path, required: true, schema: {type: integer}}
        - {name: weight, in: query, schema: {type: number}}
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties: {zeta: {type: integer}, price: {type: number}, alpha: {type: integer}, note: {type: string}}
      responses: {'200': {description: done}}
"""
_COUNT: JsonObject = {
    "displayName": "count",
    "description": "Counts.",
    "functionSpec": {
        "inputSchema": {"type": "object", "properties": {"zeta": {"type": "integer"}, "alpha": {"type": "integer"}}},
        "outputSchema": {"type": "object", "properties": {"total": {"type": "integer"}, "note": {"type": "string"}}},
    },
}
_SCRIPT = (
    """{"rules": [
  {"when": {"after": "Items.put", "error": false},
   "reply": {"text": "{{result.200.zeta}} {{result.200.price}} {{result.200.alpha.odd}}"}},
  {"when": {"after": "count", "error": false}, "reply": {"text": "{{result.total|number}} {{result.note}}"}},
  {"when": {"user": {"equals": "put"}}, "reply": {"calls": [{"name": "Items.put", "arguments":
    {"itemId": ODD, "weight": FINE, "requestBody": {"zeta": LONG, "price": FINE, "alpha": 1}}}]}},
  {"when": {"user": {"equals": "count"}},
   "reply": {"calls": [{"name": "count", "arguments": {"zeta": LONG, "alpha": 7}}]}}
]}""".replace("ODD", str(ODD))
    .replace("FINE", FINE)
    .replace("LONG", str(LONG))
)


@dataclass
class Items:
    """The service, and what reached it."""

    port: int
    received: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


@dataclass(frozen=True)
class Desk:
    """An agent with two tools."""

    server: Server
    rest: Rest
    agent: str
    items: str
    count: str

    def raw(self, session: str, query: JsonObject) -> str:
        """The text of an answer."""
        body = dumps({"queryInput": {**query, "languageCode": "en"}})
        answer = self.rest.send("POST", f"/v3/{self.agent}/sessions/{session}:detectIntent", body)
        assert answer.status == 200, answer.body
        return answer.body.decode()


@pytest.fixture(scope="module")
def items() -> Iterator[Items]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            found.received.append((self.path, self.rfile.read(length).decode()))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(ANSWER)))
            self.end_headers()
            self.wfile.write(ANSWER)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as service:
        found = Items(service.server_port)
        threading.Thread(target=service.serve_forever, daemon=True).start()
        yield found
        service.shutdown()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, items: Items) -> Iterator[Desk]:
    folder: Path = tmp_path_factory.mktemp("numbers")
    script = folder / "script.json"
    script.write_text(_SCRIPT)
    with running(folder, "--model", f"scripted:{script}", OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server:
        rest = Rest(server.http)
        agent = rest(
            "POST",
            f"v3/{LOCATION}/agents",
            {"displayName": "Desk", "defaultLanguageCode": "en", "timeZone": "Europe/Berlin"},
        )["name"]
        spec: JsonObject = {"textSchema": _SCHEMA % items.port}
        tools = [
            {"displayName": "Items", "description": "Items.", "openApiSpec": spec},
            _COUNT,
        ]
        named = [rest("POST", f"v3/{agent}/tools", tool)["name"] for tool in tools]
        playbook = rest(
            "POST",
            f"v3/{agent}/playbooks",
            {
                "displayName": "Desk",
                "goal": "Help.",
                "instruction": {"steps": [{"text": "${TOOL: Items} ${TOOL: count}"}]},
            },
        )["name"]
        rest("PATCH", f"v3/{agent}?updateMask=startPlaybook", {"startPlaybook": playbook})
        yield Desk(server, rest, agent, *named)


def test_a_models_numbers_reach_a_service_and_its_answer_the_model(desk: Desk, items: Items) -> None:
    answer = desk.raw("s1", {"text": {"text": "put"}})
    assert items.received[-1] == (
        f"/items/{ODD}?weight={FINE}",
        f'{{"zeta":{LONG},"price":{FINE},"alpha":1}}',
    )
    assert f'"{LONG} {FINE} {ODD}"' in answer


def test_a_call_is_given_with_its_order_and_the_digits_of_what_a_double_would_change(desk: Desk) -> None:
    answer = desk.raw("s2", {"text": {"text": "count"}})
    assert f'"inputParameters":{{"zeta":"{LONG}","alpha":7}}' in answer


@pytest.mark.parametrize("given", [str(LONG), f'"{LONG}"'])
def test_a_clients_result_is_a_number_whichever_way_it_is_written(desk: Desk, given: str) -> None:
    session = f"r{len(given)}"
    desk.raw(session, {"text": {"text": "count"}})
    told = f'{{"tool": "{desk.count}", "action": "count", "outputParameters": {{"total": {given}, "note": "7"}}}}'
    body = f'{{"queryInput": {{"toolCallResult": {told}, "languageCode": "en"}}}}'.encode()
    answer = desk.rest.send("POST", f"/v3/{desk.agent}/sessions/{session}:detectIntent", body)
    assert f'"{LONG} 7"'.encode() in answer.body


def test_an_execution_takes_numbers_and_digits_alike(desk: Desk, items: Items) -> None:
    for long, fine in ((str(LONG), FINE), (f'"{LONG}"', f'"{FINE}"')):
        body = (
            f'{{"action": "put", "inputParameters": {{"itemId": {long}, "weight": {fine}, '
            f'"requestBody": {{"zeta": {long}, "price": {fine}, "alpha": 1, "note": "12"}}}}}}'
        )
        answer = desk.rest.send("POST", f"/v3/{desk.items}:execute", body.encode())
        assert items.received[-1] == (
            f"/items/{LONG}?weight={FINE}",
            f'{{"zeta":{LONG},"price":{FINE},"alpha":1,"note":"12"}}',
        )
        output = f'{{"200":{{"zeta":"{LONG}","price":"{FINE}","alpha":{{"odd":"{ODD}"}}}}}}'
        assert f'"outputParameters":{output}'.encode() in answer.body


@pytest.mark.parametrize("version", ["v3", "v3beta1"])
def test_a_typed_client_over_grpc_gets_and_gives_digits(desk: Desk, background: Background, version: str) -> None:
    google = Google(version, "grpc", desk.server, background)
    session, sessions = f"{desk.agent}/sessions/g{version}", google("Sessions")
    query = {"text": {"text": "count"}, "language_code": "en"}
    asked = sessions.detect_intent(request={"session": session, "query_input": query})
    (call,) = [each.tool_call for each in asked.query_result.response_messages if "tool_call" in each]
    raw = type(asked).pb(asked).SerializeToString()
    assert dict(call.input_parameters) == {"alpha": 7.0, "zeta": str(LONG)}
    assert b"\xfa\xff\xff\xff\x0f" not in raw
    told = {"tool": call.tool, "action": call.action, "output_parameters": {"total": str(LONG), "note": "7"}}
    query = {"tool_call_result": told, "language_code": "en"}
    answered = sessions.detect_intent(request={"session": session, "query_input": query})
    assert said(answered) == [f"{LONG} 7"]


def test_parameters_of_a_session_are_given_back_in_their_order_with_their_digits(desk: Desk) -> None:
    given = f'{{"zeta": {LONG}, "fine": {FINE}, "alpha": {{"odd": {ODD}, "n": 1, "a": [{ODD}, "{ODD}"]}}}}'
    query = '{"text": {"text": "count"}, "languageCode": "en"}'
    body = f'{{"queryInput": {query}, "queryParams": {{"parameters": {given}}}}}'
    answer = desk.rest.send("POST", f"/v3/{desk.agent}/sessions/p1:detectIntent", body.encode()).body.decode()
    assert f'"zeta":"{LONG}"' in answer
    assert f'"fine":"{FINE}"' in answer
    assert f'"alpha":{{"odd":"{ODD}","n":1,"a":["{ODD}","{ODD}"]}}' in answer
    assert answer.index('"zeta"') < answer.index('"fine"') < answer.index('"alpha"')
    told = f'{{"tool": "{desk.count}", "action": "count", "outputParameters": {{"total": 1, "note": "n"}}}}'
    body = f'{{"queryInput": {{"toolCallResult": {told}, "languageCode": "en"}}}}'
    later = desk.rest.send("POST", f"/v3/{desk.agent}/sessions/p1:detectIntent", body.encode()).body.decode()
    assert f'"alpha":{{"odd":"{ODD}","n":1,"a":["{ODD}","{ODD}"]}}' in later


def test_a_schema_keeps_its_order_where_it_is_stored(desk: Desk) -> None:
    stored = desk.rest.send("GET", f"/v3/{desk.count}").body.decode()
    assert stored.index('"zeta"') < stored.index('"alpha"')
    assert stored.index('"total"') < stored.index('"note"')


@pytest.fixture(scope="module")
def example(desk: Desk) -> str:
    """The answer to an example's creation."""
    playbook = desk.rest("GET", f"v3/{desk.agent}")["startPlaybook"]
    use = {"tool": desk.count, "action": "count", "inputActionParameters": {"zeta": LONG, "alpha": 1}}
    example = {
        "displayName": "e",
        "languageCode": "en",
        "actions": [{"userUtterance": {"text": "hi"}}, {"toolUse": {**use, "outputActionParameters": {"total": ODD}}}],
    }
    return desk.rest.send("POST", f"/v3/{playbook}/examples", dumps(example)).body.decode()


def test_an_example_gives_its_numbers_back_in_their_order(example: str) -> None:
    assert f'"inputActionParameters":{{"zeta":"{LONG}","alpha":1}}' in example
    assert f'"outputActionParameters":{{"total":"{ODD}"}}' in example


@pytest.mark.usefixtures("example")
def test_an_export_has_the_numbers_themselves_and_comes_back_the_same(desk: Desk) -> None:
    files = _exported(desk, desk.agent)
    (example,) = [data for name, data in files.items() if "examples" in name]
    made: JsonObject = loads(example)
    assert str(made).count(str(LONG)) == 1
    assert f'"zeta": {LONG}' in example.decode()
    assert example.index(b'"zeta"') < example.index(b'"alpha"')
    again = desk.rest(
        "POST", f"v3/{LOCATION}/agents", {"displayName": "Again", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    )["name"]
    content = b64encode(_archive(files)).decode()
    restored = _finished(desk, desk.rest("POST", f"v3/{again}:restore", {"agentContent": content}))
    assert "error" not in restored
    assert _exported(desk, again) == files


def _exported(desk: Desk, agent: str) -> dict[str, bytes]:
    operation = _finished(desk, desk.rest("POST", f"v3/{agent}:export", {"dataFormat": "JSON_PACKAGE"}))
    with ZipFile(BytesIO(b64decode(operation["response"]["agentContent"]))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _finished(desk: Desk, operation: JsonObject) -> JsonObject:
    while not operation.get("done"):
        operation = desk.rest("GET", f"v3/{operation['name']}")
    return operation


def _archive(files: Mapping[str, bytes]) -> bytes:
    written = BytesIO()
    with ZipFile(written, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return written.getvalue()
