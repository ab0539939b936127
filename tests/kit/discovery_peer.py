"""What the Discovery Engine API is to a caller by REST: strict about Google's discovery document of it.

A request becomes an RPC with a message in JSON, which a test answers, by our own services for instance.
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from urllib.parse import parse_qs, unquote, urlsplit

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps
from openplaybook.wire.errors import RpcError, http_status
from tests.kit.http_peer import Received, answer

_STORES = "projects.locations.collections.dataStores"
_RPCS = {
    f"{_STORES}.get": "DataStoreService.GetDataStore",
    f"{_STORES}.branches.documents.get": "DocumentService.GetDocument",
    f"{_STORES}.branches.documents.list": "DocumentService.ListDocuments",
    f"{_STORES}.branches.documents.patch": "DocumentService.UpdateDocument",
    f"{_STORES}.branches.documents.delete": "DocumentService.DeleteDocument",
    f"{_STORES}.branches.documents.purge": "DocumentService.PurgeDocuments",
    f"{_STORES}.servingConfigs.search": "SearchService.Search",
}
_SCALARS = {"string": str, "integer": int, "number": (int, float), "boolean": bool}


@cache
def _document() -> JsonObject:
    folder = resources.files("googleapiclient.discovery_cache.documents")
    return as_object(json.loads(folder.joinpath("discoveryengine.v1.json").read_bytes()))


def read_rpc(received: Received) -> tuple[str, JsonObject]:
    """The RPC that a request is, with its message; an `AssertionError` where the document knows none like it."""
    url = urlsplit(received.target)
    for id, rpc in _RPCS.items():
        method = _method(id)
        template = re.sub(r"\\{\w+\\}", "([^/:]+)", re.escape("/" + method["flatPath"]))
        if received.method != method["httpMethod"] or not re.fullmatch(template, url.path):
            continue
        message: JsonObject = {}
        for key, values in parse_qs(url.query, strict_parsing=True).items() if url.query else ():
            said = method["parameters"][key]
            assert said["location"] == "query", url.query
            assert len(values) == 1
            message[key] = values[0] if said["type"] == "string" else json.loads(values[0])
            assert isinstance(message[key], _SCALARS[said["type"]])
        (variable,) = method["parameterOrder"]
        name = unquote(url.path.removeprefix("/v1/"), errors="strict").removesuffix(":search").removesuffix(":purge")
        if variable == "parent":
            name = name.rpartition("/")[0]
        if "request" not in method:
            assert not received.body
            return rpc, {**message, variable: name}
        body = json.loads(received.body)
        assert received.header("Content-Type") == "application/json"
        faults = list(_faults(body, method["request"]["$ref"], ""))
        assert faults == [], faults
        if rpc.endswith("UpdateDocument"):
            return rpc, {**message, "document": {**body, "name": name}}
        return rpc, {**message, **body, variable: name}
    raise AssertionError(f"{received.method} {received.target} is no method that is used")


def _method(id: str) -> JsonObject:
    *path, last = id.split(".")
    resource = _document()
    for name in path:
        resource = resource["resources"][name]
    return as_object(resource["methods"][last])


def _faults(value: JsonValue, schema: str, path: str) -> Iterator[str]:
    properties = _document()["schemas"][schema].get("properties", {})
    for key, item in value.items():
        said = properties.get(key)
        if said is None:
            yield f"{path}.{key} is no member of {schema}"
            continue
        is_list = said.get("type") == "array"
        of: JsonObject = said["items"] if is_list else said
        for each in item if is_list else [item]:
            if "$ref" in of:
                yield from _faults(each, of["$ref"], f"{path}.{key}")
            elif of["type"] in _SCALARS:
                if not isinstance(each, _SCALARS[of["type"]]):
                    yield f"{path}.{key} is no {of['type']}"
                if "enum" in of and each not in of["enum"]:
                    yield f"{path}.{key} is none of {of['enum']}"


@dataclass
class DiscoveryPeer:
    """Answers requests by RPCs. Give it to `http_peer`."""

    rpc: Callable[[str, JsonObject], Awaitable[JsonObject]]
    """The answer of `Service.Method`. May raise `RpcError`."""
    tokens: set[str] | None = None
    """Those that are let in; None asks for none, and takes none."""
    instead: Callable[[Received], bytes | None] | None = None
    """What is sent in place of an answer; None sends the answer."""
    asked: list[tuple[str, JsonObject]] = field(default_factory=list[tuple[str, JsonObject]])
    """RPCs with their messages."""

    async def __call__(self, received: Received) -> bytes | None:
        name, message = read_rpc(received)
        self.asked.append((name, message))
        given = received.header("Authorization")
        if self.tokens is None:
            assert given is None, "nobody asked for a token"
        elif given is None or given.removeprefix("Bearer ") not in self.tokens:
            return failed(401, f"Request had invalid credentials: {given}")
        told = self.instead(received) if self.instead is not None else None
        if told is not None:
            return told
        try:
            return answer(dumps(await self.rpc(name, message)))
        except RpcError as error:
            return failed(http_status(error.code), str(error))


def failed(status: int, message: str) -> bytes:
    """An error in Google's form."""
    return answer(dumps({"error": {"code": status, "message": message, "status": "X"}}), f"{status} Error")
