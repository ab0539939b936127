"""The model that needs no network asks for what is missing in the order in which a schema names it."""

from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from tests.e2e.kit.rest import LOCATION, Rest
from tests.e2e.kit.server import running

_ASKED = ["wine", "meal", "zone", "city"]
"""Members of the schema, in no order of the alphabet."""

_PROPERTIES: JsonObject = {name: {"type": "string", "description": name.capitalize()} for name in _ASKED}
_FUNCTION: JsonObject = {
    "displayName": "order_dinner",
    "description": "Order a dinner.",
    "functionSpec": {"inputSchema": {"type": "object", "properties": _PROPERTIES, "required": sorted(_ASKED)}},
}
_TEXT = """
openapi: 3.0.0
info: {title: Dinners, version: '1'}
servers: [{url: 'http://127.0.0.1:9'}]
paths:
  /dinners:
    post:
      operationId: orderDinner
      summary: Order a dinner.
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [city, meal, wine, zone]
              properties:
                wine: {type: string, description: Wine}
                meal: {type: string, description: Meal}
                zone: {type: string, description: Zone}
                city: {type: string, description: City}
      responses: {'200': {description: done}}
"""
_API: JsonObject = {"displayName": "Dinners", "description": "Dinners.", "openApiSpec": {"textSchema": _TEXT}}


@pytest.fixture(scope="module")
def rest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rest]:
    folder: Path = tmp_path_factory.mktemp("order")
    with running(folder, "--model", "offline", OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server:
        yield Rest(server.http)


def _agent(rest: Rest, name: str) -> str:
    body = {"displayName": name, "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    return rest("POST", f"v3/{LOCATION}/agents", body)["name"]


def _with_tool(rest: Rest, tool: JsonObject) -> str:
    agent = _agent(rest, str(tool["displayName"]))
    rest("POST", f"v3/{agent}/tools", tool)
    steps = [{"text": f"Use ${{TOOL: {tool['displayName']}}}."}]
    playbook: JsonObject = {"displayName": "Desk", "goal": "Order dinners.", "instruction": {"steps": steps}}
    name = rest("POST", f"v3/{agent}/playbooks", playbook)["name"]
    rest("PATCH", f"v3/{agent}?updateMask=startPlaybook", {"startPlaybook": name})
    return agent


def _questions(rest: Rest, agent: str) -> list[str]:
    """What is asked, question by question, until nothing is missing."""
    told: list[str] = []
    for words in ("Order a dinner", "Merlot", "Pizza", "North"):
        query = {"text": {"text": words}, "languageCode": "en"}
        answer = rest("POST", f"v3/{agent}/sessions/s1:detectIntent", {"queryInput": query})
        told += [line for each in answer["queryResult"]["responseMessages"] for line in each["text"]["text"]]
    return told


def _imported(rest: Rest, agent: str) -> str:
    """Another agent that is made of a package of this one."""
    operation = _finished(rest, rest("POST", f"v3/{agent}:export", {"dataFormat": "JSON_PACKAGE"}))
    content = b64encode(b64decode(operation["response"]["agentContent"])).decode()
    again = _agent(rest, "Again")
    assert "error" not in _finished(rest, rest("POST", f"v3/{again}:restore", {"agentContent": content}))
    return again


def _finished(rest: Rest, operation: JsonObject) -> JsonObject:
    while not operation.get("done"):
        operation = rest("GET", f"v3/{operation['name']}")
    return operation


@pytest.mark.parametrize("tool", [_FUNCTION, _API], ids=["function", "text of an API"])
@pytest.mark.parametrize("is_imported", [False, True], ids=["made", "imported"])
def test_what_is_missing_is_asked_for_in_the_order_of_the_schema(
    rest: Rest, tool: JsonObject, is_imported: bool
) -> None:
    agent = _with_tool(rest, tool)
    questions = _questions(rest, _imported(rest, agent) if is_imported else agent)
    assert questions == [f"What is the {name}?" for name in _ASKED]
