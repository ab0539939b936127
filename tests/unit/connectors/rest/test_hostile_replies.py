"""Whatever JSON a system answers, a call ends with a result of the right form or with one of our errors."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openplaybook.connectors.base import Entity, EntityPage, EntityQuery, QueryResult, SortKey, SqlQuery, SystemCall
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import ConnectorError
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.systems import manifest_of
from openplaybook.connectors.settings import AccessToken, ConnectionSettings
from openplaybook.credentials.token_cache import TokenCache
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.jsonvalues import JsonValue, dumps
from tests.kit.egress import Names
from tests.kit.thoroughness import examples

PAGINGS = {
    "cursor": "{kind: cursor, param: after, next: meta.next, more: more}",
    "last": "{kind: cursor, param: after, next: last_item.id}",
    "offset": "{kind: offset, param: start, total: total}",
    "page": "{kind: page, param: page, pages: meta.pages, size: {param: size}}",
    "url": "{kind: next_url, next: next}",
    "continue": '{kind: continue, param: cursor, next: next, http: "POST /more"}',
}
MANIFEST = """
id: acme
title: Acme
evidence_note: None.
base_url: https://acme.example
auth: [{kind: bearer}]
errors: {message: [error.message, error], code: code, field: field, fields: fields, ok: ok, failed: failed,
  codes: {limited: slow}}
entities:
  items:
    fields: {id: integer key ro, at: epoch, text: adf, tags: {type: "string[]", path: "tags[*].name", sent_as: tags},
      list: csv, size: decimal, deep: {type: string, path: a.b.c}, state: open|closed, big: int64, ref: segment}
    flatten: inner
    items: data
    item: data
    paging: PAGING
    list: GET /items
    get: GET /items/{id}
    create: {http: POST /items, key: header.Location}
    update: {http: "PUT /items/{id}", kind: put_merge, etag: at, increments: size}
    delete: DELETE /items/{id}
    schema: {describe: {http: GET /fields, items: fields, types: {"*": string}, values: values, value: value,
      reference: "ref[0]", required: must, label: label}}
  "*": {fields: {id: key}, list: "GET /x/{entity}", items: data}
discover: {http: GET /types, items: types, label: label, when: [usable]}
actions:
  Do: {description: Do it., http: POST /do, items: data, results: {id: integer, at: {type: epoch, path: a.at}}}
query: {language: JQL, http: GET /query, param: q, items: data, paging: PAGING}
"""
# fmt: off
NAMES = st.sampled_from([
    "data", "meta", "next", "more", "total", "pages", "id", "inner", "error", "message", "code", "field",
    "fields", "ok", "failed", "a", "b", "c", "at", "tags", "name", "type", "types", "usable", "values", "value",
    "ref", "label", "size",
])
# fmt: on
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(
        ["", "slow", "x", "../..", "https://evil.example/x", "/next?a=1", "1e999", "9" * 30, "\u0000", "text"]
    )
)
REPLIES: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=6), max_leaves=25
)


@dataclass
class Answering:
    """A transport that gives the same reply to everything."""

    body: bytes
    status: int

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        headers = (
            ("Content-Type", "application/json"),
            ("Location", "/items/7"),
            ("ETag", '"1"'),
            ("Link", "<a>; rel=next"),
        )
        return HttpResponse(self.status, headers, self.body, False, 0.0)

    async def aclose(self) -> None:
        """Nothing is held."""


Step = Callable[[RestConnection], Awaitable[object]]
LIST = EntityQuery("items", parsed_condition("size > 3 AND deep LIKE '%x'"), page_size=3)
STEPS: dict[str, Step] = {
    "check": lambda it: it.check(SystemCall()),
    "names": lambda it: it.entity_names(SystemCall()),
    "list": lambda it: it.list(EntityQuery("items", page_size=3), SystemCall()),
    "tried": lambda it: it.list(LIST, SystemCall()),
    "ordered": lambda it: it.list(EntityQuery("items", sort=(SortKey("size"), SortKey("at"))), SystemCall()),
    "get": lambda it: it.get("items", "7", (), SystemCall()),
    "create": lambda it: it.create("items", {"deep": "x", "tags": ["a"]}, SystemCall()),
    "update": lambda it: it.update("items", "7", {"deep": "x"}, SystemCall()),
    "delete": lambda it: it.delete("items", "7", SystemCall()),
    "delete_where": lambda it: it.delete_where("items", parsed_condition("deep = 'x'"), SystemCall()),
    "do": lambda it: it.execute("Do", {}, SystemCall()),
    "query": lambda it: it.query(SqlQuery("project = ?", ()), SystemCall()),
    "rows": lambda it: it.query(SqlQuery("project = A"), SystemCall()),
}


@pytest.mark.parametrize("paging", list(PAGINGS))
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(REPLIES, st.sampled_from(list(STEPS)), st.sampled_from([200, 200, 200, 201, 400, 404, 429, 500]))
def test_any_reply_ends_in_a_result_or_an_error_of_ours(paging: str, reply: JsonValue, step: str, status: int) -> None:
    manifest = manifest_of(MANIFEST.replace("PAGING", PAGINGS[paging]), "acme")
    access = SystemAccess(Answering(dumps(reply), status), Names({}), TokenCache())
    given_settings = ConnectionSettings("c", "acme", authentication=AccessToken("t"))
    try:
        result = asyncio.run(_done(RestConnection(manifest, given_settings, access), step))
    except ConnectorError:
        return
    if isinstance(result, EntityPage | QueryResult | Entity):
        dumps(result.fields if isinstance(result, Entity) else result.notes)


async def _done(connection: RestConnection, step: str) -> object:
    return await STEPS[step](connection)
