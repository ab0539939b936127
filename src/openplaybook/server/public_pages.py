"""What anybody may read: the front page, and the two documents that others verify our tokens with."""

from collections.abc import Mapping

from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from openplaybook import __version__
from openplaybook.console.site import ROOT as CONSOLE
from openplaybook.credentials.identity.issuer import DISCOVERY_PATH, JWKS_PATH, Issuer
from openplaybook.jsonvalues import JsonValue

ISSUER_PATHS = frozenset({DISCOVERY_PATH, JWKS_PATH})

_CACHED = {"Cache-Control": "public, max-age=300"}
"""Shorter than a replaced key stays published; who finds an unknown `kid` asks again anyway."""


class IssuerRoutes:
    """An ASGI app for `ISSUER_PATHS`."""

    def __init__(self, issuer: Issuer) -> None:
        self._issuer = issuer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        response = await self._response(scope)
        await response(scope, receive, send)

    async def _response(self, scope: Scope) -> Response:
        if scope["method"] not in ("GET", "HEAD"):
            return Response(status_code=405, headers={"Allow": "GET, HEAD"})
        if scope["path"] == JWKS_PATH:
            return JSONResponse(await self._issuer.jwks(), headers=_CACHED)
        return JSONResponse(self._issuer.discovery(), headers=_CACHED)


_DESCRIPTION: Mapping[str, JsonValue] = {
    "name": "OpenPlaybook",
    "version": __version__,
    "description": (
        "An open runtime for playbook agents and their tools, with the APIs of Dialogflow CX and CX Agent Studio."
    ),
    "paths": {
        f"{CONSOLE}/": "the console, for browsers",
        "/v3/projects/-/locations/-/agents": "agents of Dialogflow CX",
        "/v1/projects/-/locations/-/apps": "apps of CX Agent Studio",
        "/healthz": "is the server ready?",
        "/livez": "is the server alive?",
        "/metrics": "metrics for Prometheus",
    },
}


def front_page(accept: str) -> Response:
    """The way to the console, for a client that accepts these media types (RFC 9110 §12.5.1); to programs a
    description, which tells nothing of what is stored."""
    if "text/html" in accept:
        return RedirectResponse(f"{CONSOLE}/", status_code=302, headers={"Cache-Control": "no-store"})
    return JSONResponse(_DESCRIPTION, headers={"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"})
