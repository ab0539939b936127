"""A small system on a loopback socket, its manifest, and connections to it over real HTTP."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from openplaybook.connectors.base import SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.systems import manifest_of
from openplaybook.connectors.settings import Authentication, ConnectionSettings, Destination, UserPassword
from openplaybook.credentials.token_cache import TokenCache
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.egress.resilient_transport import ResilientTransport
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from tests.kit.egress import Names
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer

MANIFEST = """
id: acme
title: Acme
evidence: compiled only
evidence_note: It is made for tests.
base_url: https://api.acme.example/v1
config: [{key: region, default: eu}, {key: app, type: secret}]
auth:
  - {kind: bearer, token: "{config.api_key}", variables: [{key: api_key, type: secret, required: true}]}
  - {kind: basic}
  - {kind: oauth2_client_credentials, token_url: "http://127.0.0.1:PORT/token", scopes: [all]}
  - {kind: oauth2_auth_code, token_url: "http://127.0.0.1:PORT/token", authorize_url: "https://acme.example/a"}
  - {kind: jwt_bearer, token_url: "http://127.0.0.1:PORT/token"}
headers: {X-Region: "{config.region}", X-App: "{config.app}"}
idempotency: Idempotency-Key
errors: {message: error.message, code: error.code, field: error.field, ok: ok,
  codes: {limited: slow_down, not_found: gone}}
check: GET /me
defaults:
  list: GET /{entity}
  get: GET /{entity}/{id}
  create: POST /{entity}
  update: PATCH /{entity}/{id}
  delete: DELETE /{entity}/{id}
  items: data
  paging: {kind: cursor, param: after, next: next, size: {param: limit, max: 50}}
entities:
  items:
    fields: {id: key, name: string, size: integer, state: open|closed, secret: string wo}
    filter: {params: [state]}
  things:
    fields: {id: key, name: string, size: integer, fixed: string create, made: string ro}
    update: {http: "PUT /things/{id}", kind: put_merge, etag: header}
actions:
  Close: {description: Close an item., http: "POST /items/{id}/close", parameters: {id: string, note: string}}
  Ping: {description: Is it there., http: GET /ping, parameters: {tags: "string[]"}}
"""

KEY = "sk_live_0123456789"
Reply = Callable[[Received], "bytes | None"]


@dataclass
class Acme:
    """What tests see of it."""

    peer: HttpPeer
    access: SystemAccess
    replies: list[bytes | None] = field(default_factory=list[bytes | None])
    """What comes instead of the usual reply, one after the other; None closes the connection."""
    rows: list[JsonObject] = field(default_factory=list[JsonObject])
    paging: str = ""
    """Beginning of another paging than that of the manifest."""

    def settings(self, **more: object) -> ConnectionSettings:
        """Of a connection to it, with an API key."""
        given: dict[str, object] = {
            "config": {"api_key": KEY},
            "destinations": {"host": Destination("http://127.0.0.1", self.peer.port)},
        }
        return ConnectionSettings("projects/p/locations/l/connections/c", "acme", **(given | more))  # pyright: ignore[reportArgumentType]

    def connection(self, authentication: Authentication = None, **more: object) -> RestConnection:
        """A connection to it."""
        settings = self.settings(authentication=authentication, **more)
        text = MANIFEST.replace("PORT", str(self.peer.port))
        if self.paging:
            text = text.replace("{kind: cursor, param: after, next: next", self.paging)
        return RestConnection(manifest_of(text, "acme"), settings, self.access)

    def sent(self) -> list[str]:
        """Methods and targets of what came, tokens left out."""
        return [f"{each.method} {each.target}" for each in self.peer.requests if each.target != "/token"]


@asynccontextmanager
async def acme(rows: list[JsonObject] | None = None, paging: str = "") -> AsyncGenerator[Acme]:
    """The system, running while the block does."""
    system: list[Acme] = []

    def reply(received: Received) -> bytes | None:
        return _answered(system[0], received)

    transport = ResilientTransport(HttpTransport(AddressPolicy(parse_allow("127.0.0.1")), Names({})))
    async with http_peer(reply) as peer:
        system.append(
            Acme(peer, SystemAccess(transport, Names({}), TokenCache()), rows=list(rows or []), paging=paging)
        )
        try:
            yield system[0]
        finally:
            await transport.aclose()


def _answered(system: Acme, received: Received) -> bytes | None:
    if system.replies:
        return system.replies.pop(0)
    parts = urlsplit(received.target)
    if parts.path == "/token":
        return answer(dumps({"access_token": f"token{len(system.peer.requests)}", "expires_in": 3600}))
    kind, _, key = parts.path.removeprefix("/v1/").partition("/")
    if kind not in ("items", "things"):
        return answer(b'{"ok": true}')
    if received.method == "GET" and not key:
        return _page(system, parse_qs(parts.query))
    found = next((row for row in system.rows if row["id"] == key), None)
    if key and found is None:
        return answer(b"{}", "404 Not Found")
    return answer(dumps(found or {"id": "new"}), ETag='"v1"')


def _page(system: Acme, query: dict[str, list[str]]) -> bytes:
    size = int(query["limit"][0])
    start = int(query["page"][0]) * size if "page" in query else int(query.get("after", ["0"])[0])
    rows = [row for row in system.rows if query.get("state", [row.get("state")])[0] == row.get("state")]
    following: JsonValue = str(start + size) if start + size < len(rows) else None
    return answer(dumps({"data": rows[start : start + size], "next": following}))


def call(**more: object) -> SystemCall:
    """A call with a second's time."""
    return SystemCall(**({"timeout_s": 5.0} | more))  # pyright: ignore[reportArgumentType]


BASIC = UserPassword("ann", "s3cret-password")
