"""An API that exists only as its OpenAPI 3.x description: every operation answers with a value its schema allows."""

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import yaml

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps, loads
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.made_values import made_value
from tests.kit.openapi_judge import Judge, relocated

_METHODS = ("get", "put", "post", "delete", "patch")


@dataclass(frozen=True)
class Operation:
    """One operation and what it answers."""

    name: str
    """Its operationId."""
    method: str
    path: str
    status: str
    """What it answers with, such as `200`."""
    body: JsonValue


@dataclass(frozen=True)
class DescribedApi:
    """The API while it runs."""

    text: str
    """Its description, which says where it is."""
    operations: Mapping[str, Operation]
    """By operationId."""
    peer: HttpPeer
    judge: Judge

    def objections(self, name: str) -> list[str]:
        """What openapi-core finds wrong with the latest request, which is to be one for this operation."""
        operation = self.operations[name]
        return self.judge.objections(operation.method, operation.path, self.peer.requests[-1])


@asynccontextmanager
async def api_from_schema(text: str) -> AsyncGenerator[DescribedApi]:
    """Runs an API of this description while the context lasts."""
    root = as_object(yaml.safe_load(text))
    operations = {operation.name: operation for operation in _operations(root)}

    def reply(received: Received) -> bytes:
        for operation in operations.values():
            if received.method == operation.method and _fits(operation.path, received.target):
                return answer(dumps(operation.body), f"{operation.status} Fine")
        return answer(b'{"error":"no such operation"}', "404 Not Found")

    async with http_peer(reply) as peer:
        moved = relocated(root, peer.url)
        # Dialogflow's name for the session's id, of which no other reader of OpenAPI knows.
        readable = loads(dumps(moved).replace(b'"$ref":"@dialogflow/sessionId"', b'"type":"string"'))
        yield DescribedApi(dumps(moved).decode(), operations, peer, Judge(readable, peer.url))


def _fits(path: str, target: str) -> bool:
    pattern = re.sub(r"\\\{[^{}]*\\\}", "[^/]*", re.escape(path))
    return re.search(rf"{pattern}$", target.partition("?")[0]) is not None


def _operations(root: JsonObject) -> list[Operation]:
    return [
        _operation(root, method, path, as_object(item[method]))
        for path, item in as_object(root.get("paths")).items()
        for method in _METHODS
        if method in item
    ]


def _operation(root: JsonObject, method: str, path: str, operation: JsonObject) -> Operation:
    status, response = _success(as_object(operation.get("responses")))
    name = str(operation["operationId"])
    schema = as_object(as_object(as_object(response.get("content")).get("application/json")).get("schema"))
    return Operation(name, method.upper(), path, status, made_value(_in_json_schema(root, schema), name))


def _success(responses: JsonObject) -> tuple[str, JsonObject]:
    for status, response in responses.items():
        if str(status).startswith("2") and str(status) != "204":
            return str(status), as_object(response)
    return "200", {}


def _in_json_schema(root: JsonObject, schema: JsonObject) -> JsonObject:
    """A schema of the document with all that it may refer to."""
    definitions = as_object(as_object(root.get("components")).get("schemas"))
    whole = {**schema, "$defs": definitions} if schema else {"type": "object"}
    return loads(dumps(whole).replace(b"#/components/schemas/", b"#/$defs/"))
