"""A stand-in for Couchbase's query service behind a transport: it knows the few forms of statements that a connection
makes, and holds each request against what the manual of the service's HTTP API allows."""

import base64
import copy
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from tests.kit.bolt_server import meets_leaves

USER, PASSWORD = "clerk", "s3cret-w0rd"
URL = "https://couch.example:18093/query/service"
_KEYSPACE = re.compile(r"(?:FROM|INTO|UPDATE) `shop`\.`main`\.`((?:[^`]|``)+)`")
_SETTINGS = frozenset({"statement", "query_context", "readonly", "scan_consistency", "timeout", "args", "txid"})
_OF_BEGIN = frozenset({"txtimeout", "durability_level"})
_WRITES = re.compile(r"^\s*(INSERT|UPDATE|DELETE|MERGE|UPSERT)\b")

Values = dict[str, Any]


@dataclass
class HeldCollections:
    """Collections of documents by their keys."""

    collections: dict[str, dict[str, Values]] = field(default_factory=lambda: {"guests": {}})
    requests: list[HttpRequest] = field(default_factory=list[HttpRequest])
    bodies: list[Values] = field(default_factory=list[Values])
    violations: list[str] = field(default_factory=list[str])
    fault: Callable[[HttpRequest], HttpResponse | None] | None = None
    answer: Callable[[str, Values], list[Any] | None] = lambda text, values: None
    """Results of other statements."""
    mutations: int = 0
    """Documents that the next other statement says it has changed."""
    before: dict[str, dict[str, Values]] | None = None
    """The collections as they were when the transaction that is open began."""
    ended: list[str] = field(default_factory=list[str])
    """How transactions ended."""

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The service's reply."""
        del limits
        self.requests.append(request)
        answered = self.fault(request) if self.fault is not None else None
        if answered is not None:
            return answered
        headers = {name.lower(): value for name, value in request.headers}
        pair = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        if headers.get("authorization") != f"Basic {pair}":
            return _failed(401, 10_000, "Authentication failure.")
        body: Values = json.loads(request.body or b"")
        self._judge(request, headers.get("content-type", ""), body)
        self.bodies.append(body)
        text = body["statement"]
        if body["readonly"] and _WRITES.search(text):
            return _failed(403, 1_000, "The server or request is read-only and cannot accept this write statement.")
        if (text.split() or [""])[-1] == "WORK":
            return self._transaction(text, body)
        if (self.before is not None) != ("txid" in body):
            self.violations.append(f"{text} is in the wrong transaction")
        values = {name[1:]: value for name, value in body.items() if name.startswith("$")}
        results = self.answer(text, body)
        try:
            results = self._results(text, values) if results is None else results
        except FileExistsError:
            return _failed(409, 17_012, "Duplicate Key: key exists")
        except KeyError:
            return _failed(400, 3_000, "syntax error")
        metrics = {"resultCount": len(results)} | ({"mutationCount": self.mutations} if self.mutations else {})
        return _reply(200, {"results": results, "status": "success", "metrics": metrics})

    def _transaction(self, text: str, body: Values) -> HttpResponse:
        if text == "BEGIN WORK" and self.before is None:
            self.before = copy.deepcopy(self.collections)
            return _reply(200, {"results": [{"txid": "t1"}], "status": "success"})
        if self.before is None or body.get("txid") != "t1" or text not in ("COMMIT WORK", "ROLLBACK WORK"):
            return _failed(400, 17_010, "No such transaction")
        if text == "ROLLBACK WORK":
            self.collections = self.before
        self.before = None
        self.ended.append(text)
        return _reply(200, {"results": [], "status": "success"})

    async def aclose(self) -> None:
        """Nothing is held."""

    def held(self) -> dict[str, object]:
        """Documents by their names."""
        return {str(each.get("name")): each for each in self.collections["guests"].values()}

    def _judge(self, request: HttpRequest, kind: str, body: Values) -> None:
        known = _SETTINGS | (_OF_BEGIN if body["statement"] == "BEGIN WORK" else frozenset())
        unknown = [name for name in body if name not in known and not re.fullmatch(r"\$[A-Za-z]\w*", name)]
        named = set(re.findall(r"\$([A-Za-z]\w*)", re.sub(r'`(?:[^`]|``)*`|"[^"]*"', "", body["statement"])))
        given = {name[1:] for name in body if name.startswith("$")}
        facts = (
            (request.method == "POST" and request.url == URL and kind == "application/json", "is no request"),
            (not unknown, f"unknown {unknown}"),
            (named == given, f"{named} are named and {given} given"),
            (bool(re.fullmatch(r"\d+ms", body["timeout"])), "timeout is no duration"),
            (body["query_context"] == "default:`shop`.`main`", "another context"),
        )
        self.violations += [said for is_so, said in facts if not is_so]

    def _results(self, text: str, values: Values) -> list[Any]:
        if text == "SELECT 1 AS one":
            return [{"one": 1}]
        if "system:keyspaces" in text:
            return list(self.collections)
        found = _KEYSPACE.search(text)
        if found is None:
            raise KeyError(text)
        documents = self.collections[found[1].replace("``", "`")]
        if text.startswith("INSERT"):
            if values["key"] in documents:
                raise FileExistsError
            documents[values["key"]] = values["document"]
            return [{"key": values["key"]}]
        if "USE KEYS" in text:
            return self._one(text, documents, values)
        if "SELECT RAW d" in text:
            return list(documents.values())[: values["size"]]
        where = re.search(r" WHERE (.*) ORDER BY", text)
        keys = [
            key
            for key in sorted(documents)
            if key > values.get("after", "") and (where is None or _meets(where[1], documents[key], values))
        ]
        return [{"key": key, "fields": _projected(text, documents[key])} for key in keys[: values["size"]]]

    def _one(self, text: str, documents: dict[str, Values], values: Values) -> list[Any]:
        key = values["key"]
        if key not in documents:
            return []
        if text.startswith("DELETE"):
            del documents[key]
        elif text.startswith("UPDATE"):
            changes = re.findall(r"d\.`((?:[^`]|``)+)` = \$(\w+)", text)
            documents[key] |= {name.replace("``", "`"): values[each] for name, each in changes}
        else:
            return [{"key": key, "fields": _projected(text, documents[key])}]
        return [{"key": key}]


def _projected(text: str, document: Values) -> Values:
    """What is missing stays so."""
    names = [json.loads(each) for each in re.findall(r'("(?:[^"\\]|\\.)*"): d\.`', text)]
    return {name: document[name] for name in names if name in document}


def _meets(where: str, document: Values, values: Values) -> bool:
    """As in Cypher, from which the leaves differ in words."""
    text = where.replace("META(d).id > $after", "elementId(n) > $after").replace("d.`", "n.`")
    text = text.replace("IS NOT VALUED", "IS NULL").replace("IS VALUED", "IS NOT NULL")
    likened = set(re.findall(r" LIKE \$(\w+)", text))
    plain = {name: re.sub(r"\\(.)", r"\1", each[:-1]) if name in likened else each for name, each in values.items()}
    return meets_leaves(text.replace(" LIKE ", " STARTS WITH "), document, plain)


def _failed(status: int, code: int, message: str) -> HttpResponse:
    return _reply(status, {"errors": [{"code": code, "msg": message}], "status": "errors", "results": []})


def _reply(status: int, value: Values) -> HttpResponse:
    return HttpResponse(status, (("Content-Type", "application/json"),), json.dumps(value).encode(), False, 0.001)
