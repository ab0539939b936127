"""The HTTP port: health, metrics, and everything else to the API."""

from collections.abc import Callable

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from openplaybook.server.browsers import BrowserGuard
from openplaybook.server.issuer_routes import PATHS as ISSUER_PATHS
from openplaybook.server.keys import ApiKeys
from openplaybook.telemetry.metrics import Metrics

HEALTH_PATH = "/healthz"
METRICS_PATH = "/metrics"

NO_KEY = "This server asks for an API key: send it as the x-goog-api-key header, as `key=…`, or as bearer token."
"""What a caller without a key is told, over REST and gRPC."""


class HttpApp:
    """An ASGI app that answers health and metrics itself; our issuer's documents and the API have apps of their own."""

    def __init__(
        self,
        api: ASGIApp,
        metrics: Metrics,
        *,
        doorkeeper: ApiKeys | BrowserGuard,
        is_draining: Callable[[], bool],
        issuer: ASGIApp,
    ) -> None:
        self._api = api
        self._issuer = issuer
        self._metrics = metrics
        self._doorkeeper = doorkeeper
        self._is_draining = is_draining

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await self._app_for(scope)(scope, receive, send)

    def _app_for(self, scope: Scope) -> ASGIApp:
        path = scope["path"]
        # Whoever starts or balances servers asks for health without knowing a key.
        if path == HEALTH_PATH:
            return self._health()
        # Who verifies a token of ours has no key either; the documents are public by their nature.
        if path in ISSUER_PATHS:
            return self._issuer
        refusal = self._refusal(scope)
        if refusal is not None:
            return refusal
        if path == METRICS_PATH:
            body, content_type = self._metrics.render()
            return Response(body, media_type=content_type)
        return self._api

    def _refusal(self, scope: Scope) -> Response | None:
        if isinstance(self._doorkeeper, BrowserGuard):
            return self._doorkeeper.refusal(scope)
        return None if self._doorkeeper.admits(_headers(scope), scope["query_string"]) else _unauthenticated()

    def _health(self) -> Response:
        if self._is_draining():
            return JSONResponse({"status": "draining"}, status_code=503)
        return JSONResponse({"status": "ok"})


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _unauthenticated() -> Response:
    error = {"code": 401, "message": NO_KEY, "status": "UNAUTHENTICATED"}
    return JSONResponse({"error": error}, status_code=401, headers={"WWW-Authenticate": "Bearer"})
