"""The cluster's HTTP API: every request is held against Elasticsearch's own description of it, where that is there."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from openplaybook.jsonvalues import JsonObject, dumps, loads
from tests.kit.elasticsearch_api import elasticsearch_api
from tests.kit.http_peer import Received, answer
from tests.kit.search_cluster.held_index import HeldIndex


@dataclass
class SearchCluster:
    """Indexes with entries. Give it to `http_peer`."""

    indexes: dict[str, HeldIndex] = field(default_factory=dict[str, HeldIndex])
    authorization: str | None = None
    """The header that every request must have."""
    instead: Callable[[Received], bytes | None] | None = None
    """What is sent in place of an answer; None sends the answer."""
    refused_ids: set[str] = field(default_factory=set[str])
    """Documents that the cluster has no room for at the moment."""
    requests: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Methods and paths."""

    def __call__(self, received: Received) -> bytes:
        api = elasticsearch_api()
        if api is not None:
            assert api.objections(received) == [], (received.method, received.target, received.body[:2000])
        url = urlsplit(received.target)
        self.requests.append((received.method, url.path))
        if received.header("Authorization") != self.authorization:
            return failed(401, "security_exception", "unable to authenticate user")
        given = self.instead(received) if self.instead is not None else None
        if given is not None:
            return given
        name, _, operation = url.path.removeprefix("/").partition("/")
        query = dict(parse_qsl(url.query))
        if operation == "_bulk":
            return self._bulk(name, received.body, query)
        body = json.loads(received.body) if received.body else {}
        if not operation:
            return self._create(name, body) if received.method == "PUT" else self._drop(name)
        index = self._aliased(name)
        if operation == "_mget":
            return self._mget(name, index, body["ids"], query)
        if index is None:
            return failed(404, "index_not_found_exception", f"no such index [{name}]")
        if operation == "_mapping":
            return done({f"{name}-1": {"mappings": index.made["mappings"]}})
        if operation == "_analyze":
            return done(index.analyzed(body["field"], body["text"]))
        assert operation == "_search", operation
        return done(index.search(body))

    def _aliased(self, alias: str) -> HeldIndex | None:
        return next((each for each in self.indexes.values() if alias in each.made["aliases"]), None)

    def _create(self, name: str, body: JsonObject) -> bytes:
        if name in self.indexes:
            return failed(400, "resource_already_exists_exception", f"index [{name}] already exists")
        self.indexes[name] = HeldIndex(body)
        return done({"acknowledged": True, "index": name})

    def _drop(self, name: str) -> bytes:
        if self.indexes.pop(name, None) is None:
            return failed(404, "index_not_found_exception", f"no such index [{name}]")
        return done({"acknowledged": True})

    def _bulk(self, alias: str, body: bytes, query: dict[str, str]) -> bytes:
        assert query == {"refresh": "wait_for", "require_alias": "true"}
        assert body.endswith(b"\n")
        lines = iter(body.splitlines())
        items = [self._item(alias, json.loads(line), lines) for line in lines]
        return done(
            {"took": 1, "errors": any("error" in each for item in items for each in item.values()), "items": items}
        )

    def _item(self, alias: str, action: JsonObject, lines: Iterator[bytes]) -> JsonObject:
        ((kind, about),) = action.items()
        id = about["_id"]
        assert len(id.encode()) <= 512
        entry = loads(next(lines)) if kind == "index" else {}
        index = self._aliased(alias)
        if index is None:
            return {kind: {"_id": id, **_error(404, "index_not_found_exception", f"no such index [{alias}]")}}
        if id in self.refused_ids:
            return {kind: {"_id": id, **_error(429, "es_rejected_execution_exception", "queue is full")}}
        if kind == "delete":
            is_there = index.entries.pop(id, None) is not None
            return {kind: {"_id": id, "result": "deleted" if is_there else "not_found", "status": 200}}
        if fault := index.fault(entry):
            return {kind: {"_id": id, **_error(400, "document_parsing_exception", fault)}}
        index.entries[id] = entry
        return {kind: {"_id": id, "result": "created", "status": 201}}

    def _mget(self, name: str, index: HeldIndex | None, ids: list[str], query: dict[str, str]) -> bytes:
        if index is None:
            missing = _error(404, "index_not_found_exception", f"no such index [{name}]")["error"]
            return done({"docs": [{"_index": name, "_id": id, "error": missing} for id in ids]})
        wanted = query.get("_source_includes", "").split(",")
        docs: list[JsonObject] = []
        for id in ids:
            entry = index.entries.get(id)
            shown = {k: v for k, v in (entry or {}).items() if wanted == [""] or k in wanted}
            docs.append({"_id": id, "found": entry is not None, **({"_source": shown} if entry else {})})
        return done({"docs": docs})


def done(body: JsonObject) -> bytes:
    """An answer."""
    return answer(dumps(body))


def failed(status: int, kind: str, reason: str) -> bytes:
    """An error."""
    return answer(dumps(_error(status, kind, reason)), f"{status} Error")


def _error(status: int, kind: str, reason: str) -> JsonObject:
    cause = {"type": kind, "reason": reason}
    return {"error": {"root_cause": [cause], **cause}, "status": status}
