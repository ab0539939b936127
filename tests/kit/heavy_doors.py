"""The doors through which a value comes to be judged by a schema, and what comes of a heavy one at each."""

import json
from collections.abc import Mapping

from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.e2e.kit.rest import Answer, Rest
from tests.kit.heavy_values import Heavy

SCRIPT = """
rules:
  - when: {user: {equals: act}}
    reply: {calls: [{name: heavy, arguments: {}}]}
  - reply: {text: 'Done.'}
"""
"""What the model does: it calls the function, and says that it is done."""

EXPECTED: Mapping[str, frozenset[int]] = {
    "save a function": frozenset({200, 400}),
    "save operations": frozenset({200, 400}),
    "execute": frozenset({200, 400}),
    "result": frozenset({200, 400}),
}
"""Statuses that may come back, by the door."""


def answers(heavy: Heavy, rest: Rest, service: str) -> dict[str, Answer]:
    """What comes back at each door that can be reached: without a tool there is nothing to call."""
    agent = rest.agent(heavy.name)
    found: dict[str, Answer] = {}
    function = _put(rest, f"/v3beta1/{agent}/tools", _function(heavy))
    found["save a function"] = function
    operations = _put(rest, f"/v3beta1/{agent}/tools", _operations(heavy, service))
    found["save operations"] = operations
    if operations.status == 200:
        call = {"action": "put", "inputParameters": {"requestBody": {"v": heavy.value()}}}
        found["execute"] = _put(rest, f"/v3/{operations.json['name']}:execute", call)
    if function.status == 200:
        rest.start(agent, "Use ${TOOL: heavy}.")
        session = f"{agent}/sessions/s"
        rest.say(session, "act")
        result = {"tool": function.json["name"], "action": "heavy", "outputParameters": {"v": heavy.value()}}
        query = {"queryInput": {"toolCallResult": result, "languageCode": "en"}}
        found["result"] = _put(rest, f"/v3/{session}:detectIntent", query)
    return found


def unexpected(found: Mapping[str, Answer]) -> list[str]:
    """Answers that none of the doors gives."""
    return [
        f"{door} answered {answer.status}: {answer.body[:300]!r}"
        for door, answer in found.items()
        if answer.status not in EXPECTED[door]
    ]


def _put(rest: Rest, path: str, body: JsonValue) -> Answer:
    return rest.send("POST", path, json.dumps(body).encode())


def _function(heavy: Heavy) -> JsonObject:
    schema, definitions = _parts(heavy)
    output = {"type": "object", "properties": {"v": schema}, **({"$defs": definitions} if definitions else {})}
    spec: JsonObject = {"inputSchema": {"type": "object", "properties": {}}, "outputSchema": output}
    return {"displayName": "heavy", "description": "h", "functionSpec": spec}


def _operations(heavy: Heavy, service: str) -> JsonObject:
    schema, definitions = _parts(heavy)
    content = {"application/json": {"schema": {"type": "object", "properties": {"v": schema}}}}
    operation = {"operationId": "put", "requestBody": {"content": content}, "responses": {"200": {"description": "d"}}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "servers": [{"url": f"{service}/api"}],
        "paths": {"/v": {"post": operation}},
        "components": {"schemas": definitions},
    }
    text = json.dumps(document).replace("#/$defs/", "#/components/schemas/")
    return {"displayName": "operations", "description": "o", "openApiSpec": {"textSchema": text}}


def _parts(heavy: Heavy) -> tuple[JsonObject, JsonObject]:
    """The schema without its definitions, and these."""
    return {key: value for key, value in heavy.schema.items() if key != "$defs"}, heavy.schema.get("$defs", {})
