"""What the HTTP port answers itself."""

from itertools import count
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from openplaybook.jsonvalues import JsonObject
from openplaybook.server.access.api_keys import KeyFile
from openplaybook.server.access.authenticator import CallerAuthenticator
from openplaybook.server.browser_guard import BrowserGuard
from openplaybook.server.http_app import HttpApp
from openplaybook.server.readiness import Readiness
from openplaybook.storage.errors import StoreFault
from openplaybook.telemetry.metrics import Metrics
from tests.kit.looked_at_store import LookedAtStore

KEY = "0123456789abcdef"


async def api(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("the API")(scope, receive, send)


async def issuer(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("the issuer")(scope, receive, send)


async def console(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("the console")(scope, receive, send)


async def asked(app: HttpApp, path: str, query: bytes = b"") -> tuple[int, bytes]:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": query, "headers": []}
    await app(scope, receive, send)
    return sent[0]["status"], sent[1]["body"]


async def details() -> JsonObject:
    return {"code_interpreter": {"ok": True}}


def app_of(keys: Path | None = None, *, draining: bool = False, fault: StoreFault | None = None) -> HttpApp:
    doorkeeper = CallerAuthenticator(KeyFile(keys)) if keys else BrowserGuard(host="127.0.0.1")
    times = count()
    readiness = Readiness(LookedAtStore(fault), lambda: draining, lambda: next(times))
    return HttpApp(
        api, Metrics(), doorkeeper=doorkeeper, readiness=readiness, issuer=issuer, console=console, details=details
    )


async def test_health_is_ok_while_the_server_runs() -> None:
    assert await asked(app_of(), "/healthz") == (200, b'{"status":"ok"}')


async def test_a_draining_server_asks_for_no_more_work() -> None:
    assert await asked(app_of(draining=True), "/healthz") == (503, b'{"status":"draining"}')


async def test_what_it_can_do_besides_is_told_to_those_who_are_let_in(tmp_path: Path) -> None:
    ok = b'{"status":"ok","code_interpreter":{"ok":true}}'
    assert await asked(app_of(), "/healthz", b"verbose") == (200, ok)
    draining = b'{"status":"draining","code_interpreter":{"ok":true}}'
    assert await asked(app_of(draining=True), "/healthz", b"verbose") == (503, draining)
    (tmp_path / "keys").write_text("secret-of-sixteen\n")
    assert (await asked(app_of(tmp_path / "keys"), "/healthz", b"verbose"))[0] == 401
    assert await asked(app_of(tmp_path / "keys"), "/healthz", b"key=secret-of-sixteen") == (200, b'{"status":"ok"}')


async def test_a_server_whose_database_is_damaged_is_alive_and_not_ready() -> None:
    app = app_of(fault=StoreFault.DAMAGED)
    told = (
        b'{"status":"unavailable","database":"damaged",'
        b'"message":"The database cannot be used: it is damaged; restore a backup."}'
    )
    assert [await asked(app, path) for path in ("/healthz", "/readyz")] == [(503, told)] * 2
    assert await asked(app, "/livez") == (200, b'{"status":"ok"}')
    assert await asked(app, "/v3/projects") == (200, b"the API")


async def test_a_draining_server_is_alive() -> None:
    assert await asked(app_of(draining=True), "/livez") == (200, b'{"status":"ok"}')


async def test_a_draining_server_still_answers_the_api() -> None:
    assert await asked(app_of(draining=True), "/v3/projects") == (200, b"the API")


async def test_whoever_comes_without_a_key_is_told_what_this_is(keys: Path) -> None:
    status, body = await asked(app_of(keys), "/")
    assert (status, b"OpenPlaybook" in body) == (200, True)


async def test_what_the_server_does_not_know_is_the_apis() -> None:
    assert await asked(app_of(), "/healthz/more") == (200, b"the API")


async def test_metrics_are_in_prometheus_text_format() -> None:
    status, body = await asked(app_of(), "/metrics")
    assert status == 200
    assert b"# TYPE openplaybook_rpc_total counter" in body


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    (tmp_path / "keys").write_text(KEY)
    return tmp_path / "keys"


async def test_keys_guard_the_api_and_the_metrics_but_not_health(keys: Path) -> None:
    app = app_of(keys)
    statuses = [(await asked(app, path))[0] for path in ("/v3/projects", "/metrics", "/healthz")]
    assert statuses == [401, 401, 200]
    assert await asked(app, "/v3/projects", f"key={KEY}".encode()) == (200, b"the API")


async def test_the_issuers_documents_need_no_key(keys: Path) -> None:
    app = app_of(keys)
    paths = ("/.well-known/openid-configuration", "/.well-known/jwks.json")
    assert [await asked(app, path) for path in paths] == [(200, b"the issuer")] * 2


async def test_the_console_is_shown_before_anybody_is_asked(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("secret-of-sixteen\n")
    for path in ("/console", "/console/", "/console/health"):
        assert await asked(app_of(tmp_path / "keys"), path) == (200, b"the console")
    assert (await asked(app_of(tmp_path / "keys"), "/consoles"))[0] == 401
