"""`VendorMock`: a transport behind which a system stands that refuses whatever its vendor's document does not allow.

What it holds, and how it pages, is taken from the manifest as it is shipped; what a request may look like from the
vendor's document alone. A refused request is answered with 418 and noted.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from urllib.parse import urlsplit

from openplaybook.connectors.rest.manifest.kinds import ListPlace, PagingKind
from openplaybook.connectors.rest.manifest.list_model import ListManifest
from openplaybook.connectors.rest.manifest.model import EntityManifest, OperationManifest, SystemManifest
from openplaybook.connectors.rest.reply_paths import put_at, value_at
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.egress.errors import TimedOut
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from tests.kit.vendor_mock.asked_request import (
    FORM,
    AskedRequest,
    as_texts,
    is_line,
    key_in,
    matches,
    read_request,
    unwrapped,
)
from tests.kit.vendor_mock.held_entities import HeldEntities
from tests.kit.vendor_mock.partial_replies import absent_members
from tests.kit.vendor_mock.strict_schema import StrictSchema, sample_of
from tests.kit.vendor_mock.vendor_document import VendorDocument, VendorOperation

SEEDED = 5
"""Entities of each type that are there from the beginning."""
_OFFSET = "mock_offset"
_REFUSED = 418


@dataclass(frozen=True, slots=True)
class MockSettings:
    """What is said of a system besides its manifest and its document."""

    base: str
    """Path of the base URL, as the manifest makes it."""
    ignored: frozenset[str] = frozenset()
    """Query parameters that the document leaves out."""
    values: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    """Entity → field → value, where a made one will not do."""
    unchecked: frozenset[str] = frozenset()
    """`METHOD /path` of operations whose bodies the document describes wrongly."""
    has_text_bodies: bool = False
    """Whether the document calls all members of bodies texts, which they are not."""
    undocumented: frozenset[str] = frozenset()
    """`METHOD /path` of operations that the document leaves out; they are taken as they come."""


@dataclass(slots=True)
class VendorMock:
    """One system."""

    manifest: SystemManifest
    document: VendorDocument
    settings: MockSettings
    violations: list[str] = field(default_factory=list[str])
    requests: list[HttpRequest] = field(default_factory=list[HttpRequest])
    faults: list[Callable[[HttpRequest, HttpLimits], HttpResponse | None]] = field(
        default_factory=list[Callable[[HttpRequest, HttpLimits], HttpResponse | None]]
    )
    """Each is asked once, in order, before the system; None lets the request through."""
    held: dict[str, HeldEntities] = field(default_factory=dict[str, HeldEntities])
    after: Callable[[HttpResponse], HttpResponse] | None = None
    """Changes each reply."""

    def __post_init__(self) -> None:
        for name, entity in self.manifest.entities.items():
            self.held[name] = HeldEntities(entity, SEEDED, self.settings.values.get(name, {}))

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The system's reply."""
        self.requests.append(request)
        if self.faults:
            answered = self.faults.pop(0)(request, limits)
            if answered is not None:
                return answered
        asked = self._located(read_request(request), request.url)
        found = self._violations(asked)
        if found:
            self.violations += [f"{asked.method} {asked.path}: {each}" for each in found]
            return reply_of(_REFUSED, {"violations": list(found)})
        response = self._answer(asked)
        return self.after(response) if self.after is not None else response

    async def aclose(self) -> None:
        """Nothing is held."""

    def _located(self, asked: AskedRequest, url: str) -> AskedRequest:
        for name, base in self.manifest.hosts.items():
            if url.startswith(base.rstrip("/") + "/"):
                path = urlsplit(base).path.rstrip("/")
                return replace(asked, host=name, local=asked.path.removeprefix(path))
        return replace(asked, local=asked.path.removeprefix(self.settings.base))

    def _is_among(self, asked: AskedRequest, lines: frozenset[str]) -> bool:
        pairs = [each.split(" ", 1) for each in lines]
        return any(method == asked.method and matches(path, asked.local) for method, path in pairs)

    def _violations(self, asked: AskedRequest) -> list[str]:
        if self._is_among(asked, self.settings.undocumented):
            return []
        operation = self.document.find(asked.method, asked.path)
        if operation is None:
            methods = self.document.methods(asked.path)
            return [f"there is no such operation{f' (the path takes {methods})' if methods else ''}"]
        found = self._query_violations(operation, asked)
        if self._is_among(asked, self.settings.unchecked):
            return found
        return found + self._body_violations(operation, asked)

    def _query_violations(self, operation: VendorOperation, asked: AskedRequest) -> list[str]:
        strict = StrictSchema(self.document, is_text=True)
        ignored = self.settings.ignored | self.document.ignored | {_OFFSET}
        found: list[str] = []
        grouped: dict[str, list[str]] = {}
        nested: dict[str, JsonObject] = {}
        for name, value in asked.query:
            base, bracket, rest = name.partition("[")
            if name in operation.query or name in ignored:
                grouped.setdefault(name, []).append(value)
            elif bracket and (base in operation.query or f"{base}[]" in operation.query):
                key = base if base in operation.query else f"{base}[]"
                put_at(nested.setdefault(key, {}), rest.rstrip("]").replace("][", ".") or "0", value)
            else:
                found.append(f"unknown query parameter {name}; there are {sorted(operation.query)[:20]}")
        for name, values in grouped.items():
            if name in operation.query:
                schema = operation.query[name].schema
                is_list = self.document.resolved(schema).get("type") == "array" and len(values) > 1
                if len(values) > 1 and not is_list:
                    found.append(f"query parameter {name} came {len(values)} times")
                found += strict.faults(schema, values if is_list else values[0], f"query {name}")
        for name, value in nested.items():
            schema = self.document.resolved(operation.query[name].schema)
            if schema.get("type") != "array":
                found += strict.faults(schema, value, f"query {name}")
        if self.document.has_partial_replies and operation.reply is not None:
            for text in grouped.get("fields", []):
                absent = absent_members(self.document, operation.reply, text)
                found += [f"fields names {path}, which is not in the reply" for path in absent]
        found += operation.check(grouped)
        given = {*grouped, *nested}
        found += [
            f"query parameter {name} is required"
            for name, each in operation.query.items()
            if each.is_required and name not in given and name not in ignored
        ]
        return found

    def _body_violations(self, operation: VendorOperation, asked: AskedRequest) -> list[str]:
        if asked.body is None:
            needs = operation.needs_body and operation.method != "GET"
            return ["a body is required"] if needs else []
        bodies = operation.bodies
        if asked.method == "GET" and not any(
            self.document.resolved(each).get("properties") for each in bodies.values()
        ):
            return ["a GET has no body"]
        kind = asked.kind if asked.kind in bodies else next((each for each in bodies if each == "*/*"), "")
        if not kind and asked.kind == "application/json":
            kind = next((each for each in bodies if "json" in each), "")
        if not kind:
            return [f"no body of type {asked.kind} is taken; there are {sorted(bodies)}"]
        strict = StrictSchema(self.document, is_text=asked.kind == FORM)
        body = as_texts(asked.body) if self.settings.has_text_bodies else asked.body
        return strict.faults(bodies[kind], body, "body")

    def _answer(self, asked: AskedRequest) -> HttpResponse:
        path = asked.local
        check = self.manifest.check
        if check is not None and (asked.method, path) == (check.method, check.path):
            return self._acted(asked, path)
        for name, entity in self.manifest.entities.items():
            for listing in (entity.list, entity.search):
                if listing is not None and self._is_list(asked, path, listing, entity):
                    return self._listed(asked, listing, self.held[name])
            if entity.list and entity.list.paging.http and is_line(asked, path, entity.list.paging.http, entity):
                return self._listed(asked, entity.list, self.held[name])
        absent: HttpResponse | None = None
        for name, entity in self.manifest.entities.items():
            answered = self._one(asked, path, entity, self.held[name])
            if answered is not None and answered.status != HTTPStatus.NOT_FOUND:
                return answered
            # Entities of several kinds may have the same address.
            absent = answered or absent
        return absent or self._acted(asked, path)

    def _is_list(self, asked: AskedRequest, path: str, listing: ListManifest, entity: EntityManifest) -> bool:
        given = dict(asked.query) if listing.place is ListPlace.QUERY else as_object(asked.body)
        told = {each.param for each in listing.filter.parameters}
        constant = {name: value for name, value in listing.params.items() if "{" not in str(value) and name not in told}
        same = all(str(given.get(name)).lower() == str(value).lower() for name, value in constant.items())
        statement = listing.filter.statement.replace("{entity}", entity.path).partition("{condition}")[0]
        beginning = statement.rpartition("{")[0] if "{" in statement else statement
        text = str(given.get(listing.filter.param, ""))
        tail = statement.rpartition("}")[2] if "{" in statement else ""
        return (
            is_line(asked, path, listing.http, entity) and same and text.startswith(beginning) and tail.strip() in text
        )

    def _listed(self, asked: AskedRequest, listing: ListManifest, held: HeldEntities) -> HttpResponse:
        paging = listing.paging
        given: dict[str, JsonValue] = dict(asked.query)
        given |= as_object(asked.body)
        size = int(given.get(paging.size_param) or 25) if paging.size_param else 3
        size = _in_statement(listing, given, "limit") or size
        if paging.size_param and size > paging.most:
            self.violations.append(f"{asked.path}: {paging.size_param} is {size}, more than {paging.most}")
        if paging.kind is PagingKind.NONE:
            size = 1_000
        start = self._start(given, listing, held, size)
        items: list[JsonValue] = [held.given(each, listing.gives) for each in held.objects[start : start + size]]
        is_last = start + size >= len(held.objects)
        reply: JsonObject = {}
        headers: list[tuple[str, str]] = []
        if listing.items:
            put_at(reply, listing.items, items)
        for path, value in ((paging.more, not is_last), (paging.last, is_last)):
            if path:
                put_at(reply, path, value)
        for path, value in ((paging.total, len(held.objects)), (paging.pages, -(-len(held.objects) // size))):
            if path.startswith("header."):
                headers.append((path.removeprefix("header."), str(value)))
            elif path:
                put_at(reply, path, value)
        if not is_last:
            self._put_next(asked, listing, start + size, reply, headers)
        return reply_of(200, reply if listing.items else items, headers)

    def _start(self, given: JsonObject, listing: ListManifest, held: HeldEntities, size: int) -> int:
        paging = listing.paging
        if _OFFSET in given:
            return int(given[_OFFSET])
        value = given.get(paging.param) or value_at(given, paging.param) if paging.param else None
        if paging.kind in (PagingKind.PAGE, PagingKind.OFFSET):
            number = paging.first if value is None else int(value)
            number = _in_statement(listing, given, "offset") or number
            return (number - paging.first) * (size if paging.kind is PagingKind.PAGE else 1)
        if value is None:
            return 0
        if paging.next.startswith("last_item"):
            path = paging.next.partition(".")[2]
            found = [str(value_at(each, path)) for each in held.objects]
            if str(value) not in found:
                self.violations.append(f"{paging.param} is {value!r}, which no entity has")
                return len(held.objects)
            return found.index(str(value)) + 1
        if not str(value).startswith("cursor"):
            self.violations.append(f"{paging.param} is {value!r}, which is no cursor that was given")
            return len(held.objects)
        return int(str(value).removeprefix("cursor"))

    def _put_next(
        self,
        asked: AskedRequest,
        listing: ListManifest,
        start: int,
        reply: JsonObject,
        headers: list[tuple[str, str]],
    ) -> None:
        paging = listing.paging
        query = [(name, value) for name, value in asked.query if name not in (_OFFSET, *self.document.ignored)]
        url = f"{asked.path}?{'&'.join(f'{name}={value}' for name, value in [*query, (_OFFSET, str(start))])}"
        if paging.kind is PagingKind.LINK_HEADER:
            headers.append(("Link", f'<{url}>; rel="next", <{asked.path}>; rel="first"'))
        elif paging.kind is PagingKind.NEXT_URL and paging.param:
            put_at(reply, paging.next, f"/elsewhere{asked.path}?{paging.param}=cursor{start}")
        elif paging.kind is PagingKind.NEXT_URL:
            put_at(reply, paging.next, url)
        elif paging.next.startswith("header."):
            headers.append((paging.next.removeprefix("header."), f"cursor{start}"))
        elif paging.kind in (PagingKind.CURSOR, PagingKind.CONTINUE) and not paging.next.startswith("last_item"):
            put_at(reply, paging.next, f"cursor{start}")

    def _one(self, asked: AskedRequest, path: str, entity: EntityManifest, held: HeldEntities) -> HttpResponse | None:
        operations = {"get": entity.get, "create": entity.create, "update": entity.update, "delete": entity.delete}
        for kind, operation in operations.items():
            if operation is None or not is_line(asked, path, operation.http, entity):
                continue
            if kind == "create":
                made = held.create(unwrapped(asked, operation))
                headers = []
                if operation.key.startswith("header."):
                    headers.append((operation.key.removeprefix("header."), f"{asked.path}/{held.key(made)}"))
                return self._single(asked, operation, made, headers)
            found = held.find(key_in(asked, operation, path, entity, held))
            if found is None:
                return reply_of(404, {})
            if kind == "delete":
                held.objects.remove(found)
                return reply_of(204, None)
            if kind == "update":
                held.change(found, unwrapped(asked, operation))
            return self._single(asked, operation, found, [])
        return None

    def _single(
        self, asked: AskedRequest, operation: OperationManifest, found: JsonObject, headers: list[tuple[str, str]]
    ) -> HttpResponse:
        vendor = self.document.find(asked.method, asked.path)
        is_silent = vendor is not None and vendor.reply is None and self.document.tells_replies
        if is_silent and asked.method != "GET":
            return reply_of(204, None, headers)
        if not operation.item:
            return reply_of(200, found, headers)
        reply: JsonObject = {}
        put_at(reply, operation.item, found)
        return reply_of(200, reply, headers)

    def _acted(self, asked: AskedRequest, path: str) -> HttpResponse:
        query = self.manifest.query
        if query is not None and matches(query.http.path, path) and query.http.method == asked.method:
            reply: JsonObject = {}
            rows: list[JsonValue] = [["1"]] if query.columns else [{"id": "1"}]
            put_at(reply, query.items, rows)
            if query.columns:
                put_at(reply, query.columns, [{"name": "id"}])
            return reply_of(200, reply if query.items else rows)
        if path.endswith("/$metadata"):
            # Of OData: what is told there is no more than the manifest says.
            return HttpResponse(200, (("Content-Type", "application/xml"),), b"<Edmx/>", False, 0.001)
        vendor = self.document.find(asked.method, asked.path)
        if vendor is None or vendor.reply is None:
            return reply_of(204, None)
        return reply_of(200, sample_of(self.document, vendor.reply))


def _in_statement(listing: ListManifest, given: JsonObject, word: str) -> int:
    """A number within the text of a list, such as `offset 4`; 0 where there is none."""
    filter_ = listing.filter
    found = re.search(rf"\b{word} (\d+)$|\b{word} (\d+) ", str(given.get(filter_.param, "")), re.IGNORECASE)
    return int(found[1] or found[2]) if found and f"{word} {{" in filter_.statement else 0


def reply_of(status: int, value: JsonValue, headers: list[tuple[str, str]] | None = None) -> HttpResponse:
    body = b"" if value is None else json.dumps(value).encode()
    kinds = [("Content-Type", "application/json"), *(headers or [])]
    return HttpResponse(status, tuple(kinds), body, False, 0.001)


def fault(status: int, value: JsonValue = None, **headers: str) -> Callable[[HttpRequest, HttpLimits], HttpResponse]:
    """A reply that comes instead of the system's; `_` in a header's name stands for `-`."""
    told = [(name.replace("_", "-"), text) for name, text in headers.items()]
    return lambda request, limits: reply_of(status, {} if value is None else value, told)


def silence(request: HttpRequest, limits: HttpLimits) -> HttpResponse:
    """No reply: the request was sent, and the time is over."""
    raise TimedOut("the system did not finish", which="total", sent=True)


def oversize(request: HttpRequest, limits: HttpLimits) -> HttpResponse:
    """A reply that was cut at its limit."""
    return HttpResponse(200, (("Content-Type", "application/json"),), b"[" * 10, True, 0.001)
