"""The HTTP port: the console, health, metrics, and everything else to the API."""

from collections.abc import Awaitable, Callable, Mapping

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from openplaybook.console.site import ROOT as CONSOLE
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.server.access.authenticator import CallerAuthenticator
from openplaybook.server.access.console_sessions import PATH as SESSION_PATH
from openplaybook.server.access.console_sessions import ConsoleSessions
from openplaybook.server.access.principals import Principal, enter
from openplaybook.server.access.proxies import Proxies
from openplaybook.server.access.refusals import Report
from openplaybook.server.access.session_callers import SessionCallers
from openplaybook.server.browser_guard import BrowserGuard
from openplaybook.server.cors import Cors
from openplaybook.server.public_pages import ISSUER_PATHS, front_page
from openplaybook.server.readiness import Readiness
from openplaybook.telemetry.metrics import Metrics
from openplaybook.wire.errors import RpcError, http_status

HEALTH_PATH = "/healthz"
_READY_PATHS = (HEALTH_PATH, "/readyz")
"""Whether the server can do its work."""
_LIVE_PATH = "/livez"
"""Whether the process answers at all."""
METRICS_PATH = "/metrics"
_NO_DETAILS: Mapping[str, JsonValue] = {}
_VERBOSE = b"verbose"
"""As a query of the health path: what the server can do besides, for those who are let in."""


class HttpApp:
    """An ASGI app that answers health and metrics itself; our issuer's documents and the API have apps of their own."""

    def __init__(
        self,
        api: ASGIApp,
        metrics: Metrics,
        *,
        doorkeeper: CallerAuthenticator | BrowserGuard,
        readiness: Readiness,
        issuer: ASGIApp,
        console: ASGIApp,
        sessions: ConsoleSessions | None = None,
        pages: SessionCallers | None = None,
        cors: Cors | None = None,
        proxies: Proxies | None = None,
        report: Report | None = None,
        details: Callable[[], Awaitable[JsonObject]] | None = None,
    ) -> None:
        self._api = api
        self._issuer = issuer
        self._console = console
        self._sessions = sessions
        self._pages = pages
        self._metrics = metrics
        self._doorkeeper = doorkeeper
        self._readiness = readiness
        self._answering: ASGIApp = self._answer if cors is None else cors.around(self._answer)
        self._proxies = proxies or Proxies()
        self._report = report
        self._details = details

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await self._answering(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = await self._app_for(scope)
        await app(scope, receive, send)

    async def _app_for(self, scope: Scope) -> ASGIApp:
        path = scope["path"]
        # Whoever starts or balances servers asks for health without knowing a key.
        if path == _LIVE_PATH:
            return JSONResponse({"status": "ok"})
        # It says what everybody may know: whoever sees it first has no key at hand.
        if path == "/" and scope["method"] in ("GET", "HEAD"):
            return front_page(_headers(scope).get("accept", ""))
        if path == CONSOLE or path.startswith(f"{CONSOLE}/"):
            is_session = path == SESSION_PATH or path.startswith(f"{SESSION_PATH}/")
            return self._sessions if self._sessions is not None and is_session else self._console
        is_health = path in _READY_PATHS
        if is_health and scope["query_string"] != _VERBOSE:
            return await self._health()
        # Who verifies a token of ours has no key either; the documents are public by their nature.
        if path in ISSUER_PATHS:
            return self._issuer
        refusal = await self._refusal(scope)
        if refusal is not None:
            return refusal
        if is_health:
            return await self._health({} if self._details is None else await self._details())
        if path == METRICS_PATH:
            await self._readiness.look()
            body, content_type = await self._metrics.rendered()
            return Response(body, media_type=content_type)
        return self._api

    async def _refusal(self, scope: Scope) -> Response | None:
        """The answer to who is not let in; for others, from here on the caller is known."""
        principal: Principal | None = None
        if isinstance(self._doorkeeper, BrowserGuard):
            refusal = self._doorkeeper.refusal(scope)
            if refusal is not None:
                return refusal
        else:
            try:
                headers = _headers(scope)
                if self._sessions is not None:
                    headers = self._sessions.with_key(headers)
                page = self._pages.principal(headers, scope) if self._pages is not None else None
                principal = page or await self._doorkeeper.principal(headers, scope["query_string"])
            except RpcError as error:
                if self._report is not None:
                    self._report("", error, "rest", None, self._client(scope))
                return JSONResponse(error.to_json(), http_status(error.code), dict(error.headers))
        enter(principal, self._client(scope))
        return None

    def _client(self, scope: Scope) -> str:
        """The address of who sends a request."""
        peer = scope.get("client") or ("", 0)
        if not self._proxies.are_there:
            return peer[0]
        # A proxy may add a line in place of lengthening the one that is there (RFC 9110 §5.3).
        lines = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
        return self._proxies.client(peer[0], ",".join(lines))

    async def _health(self, details: Mapping[str, JsonValue] = _NO_DETAILS) -> Response:
        await self._readiness.look()
        status, body = self._readiness.answer()
        return JSONResponse({**body, **details}, status_code=status)


def _headers(scope: Scope) -> Mapping[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
