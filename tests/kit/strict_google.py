"""Google's APIs behind a transport, strict about their discovery documents, which come with Google's own client."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from urllib.parse import parse_qsl, unquote, urlsplit

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from tests.kit.vendor_mock.strict_schema import StrictSchema
from tests.kit.vendor_mock.vendor_document import VendorDocument

TOKEN = "ya29.g00d-t0ken"


@dataclass(frozen=True, slots=True)
class GoogleAsked:
    """A request that the document allows."""

    method: str
    path: Sequence[str]
    """Decoded parts."""
    query: Mapping[str, str]
    fields: Sequence[str]
    """Of parameters that come several times, all."""
    body: bytes
    headers: Mapping[str, str]

    @property
    def json(self) -> JsonObject:
        """The body."""
        return as_object(json.loads(self.body or b"{}"))


@cache
def discovery_document(name: str) -> JsonObject:
    """Such as `storage.v1`."""
    folder = resources.files("googleapiclient.discovery_cache.documents")
    return as_object(json.loads(folder.joinpath(f"{name}.json").read_bytes()))


@cache
def _operations(name: str) -> VendorDocument:
    return VendorDocument([as_object(_with_patterns(discovery_document(name)))])


def _with_patterns(value: JsonValue) -> JsonValue:
    """With what each method says of its path's parameters in the path itself: `{+name}` may be anything else."""
    if isinstance(value, list):
        return [_with_patterns(each) for each in as_list(value)]
    if not isinstance(value, dict):
        return value
    members = {key: _with_patterns(each) for key, each in as_object(value).items() if key != "flatPath"}
    path = members.get("path")
    for name, each in as_object(members.get("parameters")).items() if isinstance(path, str) else ():
        pattern = str(as_object(each).get("pattern") or "")
        parts = pattern.removeprefix("^").removesuffix("$").replace("[^/]+", "{x}").replace(".*", "{+x}")
        if name == "parent" and "/documents" in parts:
            # The pattern is of a document; by the description, the root of all documents is a parent too.
            parts = f"{parts.partition('/documents')[0]}/documents"
        path = str(path).replace(f"{{+{name}}}", parts or f"{{+{name}}}")
    return {**members, "path": path} if "path" in members else members


@dataclass(slots=True)
class StrictGoogle:
    """An API. What its document does not allow is answered with 418 and noted."""

    name: str
    origin: str
    reply: Callable[[GoogleAsked], HttpResponse]
    violations: list[str] = field(default_factory=list[str])
    requests: list[HttpRequest] = field(default_factory=list[HttpRequest])
    fault: Callable[[HttpRequest], HttpResponse | None] | None = None
    """Asked first; None lets a request through."""

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The API's reply."""
        self.requests.append(request)
        answered = self.fault(request) if self.fault is not None else None
        if answered is not None:
            return answered
        headers = {name.lower(): value for name, value in request.headers}
        if headers.get("authorization") != f"Bearer {TOKEN}":
            return error(401, "Request had invalid authentication credentials.")
        url = urlsplit(request.url)
        query = parse_qsl(url.query, keep_blank_values=True, strict_parsing=bool(url.query))
        found = self._violations(request, url.path, query, headers.get("content-type", ""))
        if not request.url.startswith(f"{self.origin}/"):
            found.append(f"{request.url} is not at {self.origin}")
        if found:
            self.violations += [f"{request.method} {url.path}: {each}" for each in found]
            return error(418, "; ".join(found))
        path = [unquote(part, errors="strict") for part in url.path.split("/")[1:]]
        masks = [value for name, value in query if name.endswith("fieldPaths")]
        response = self.reply(GoogleAsked(request.method, path, dict(query), masks, request.body or b"", headers))
        if len(response.body) <= limits.max_bytes:
            return response
        return HttpResponse(response.status, response.headers, response.body[: limits.max_bytes], True, 0.0)

    async def aclose(self) -> None:
        """Nothing is held."""

    def _violations(self, request: HttpRequest, path: str, query: list[tuple[str, str]], kind: str) -> list[str]:
        document = _operations(self.name)
        is_upload = path.startswith("/upload/")
        operation = document.find(request.method, path.removeprefix("/upload") if is_upload else path)
        if operation is None:
            return [f"there is no such operation; the path takes {document.methods(path)}"]
        strict = StrictSchema(document, is_text=True)
        found: list[str] = []
        for name, value in query:
            if name not in operation.query:
                found.append(f"unknown query parameter {name}; there are {sorted(operation.query)}")
            elif sum(name == other for other, _ in query) > 1 and not operation.query[name].is_repeated:
                found.append(f"query parameter {name} came several times")
            elif not operation.query[name].is_repeated:
                found += strict.faults(operation.query[name].schema, value, name)
        named = {name for name, _ in query}
        found += [
            f"{name} is required" for name, each in operation.query.items() if each.is_required and name not in named
        ]
        if request.body is None or is_upload:
            return found
        if kind != "application/json" or "application/json" not in operation.bodies:
            return [*found, f"no body of type {kind} is taken"]
        body: JsonValue = json.loads(request.body)
        return found + list(StrictSchema(document).faults(operation.bodies["application/json"], body, "body"))


def reply(value: JsonValue, status: int = 200) -> HttpResponse:
    """JSON."""
    return HttpResponse(status, (("Content-Type", "application/json"),), json.dumps(value).encode(), False, 0.001)


def error(status: int, message: str) -> HttpResponse:
    """As Google's APIs say it."""
    return reply({"error": {"code": status, "message": message, "status": "FAILED"}}, status)


def partial(value: JsonValue, fields: str) -> JsonValue:
    """What `fields` leaves of a reply: names, and names with names in parentheses."""
    if not fields:
        return value
    kept: JsonObject = {}
    for name, inner in _selected(fields):
        members = as_object(value)
        if name in members:
            item = members[name]
            kept[name] = [partial(each, inner) for each in as_list(item)] if isinstance(item, list) else item
    return kept


def _selected(fields: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    depth, start = 0, 0
    for at, char in enumerate(f"{fields},"):
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            name, _, inner = fields[start:at].partition("(")
            found.append((name, inner.removesuffix(")")))
            start = at + 1
    return found
