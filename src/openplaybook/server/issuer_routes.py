"""What others verify our tokens with: two documents that anyone may read."""

from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from openplaybook.credentials.identity.issuer import DISCOVERY_PATH, JWKS_PATH, Issuer

PATHS = frozenset({DISCOVERY_PATH, JWKS_PATH})

_CACHED = {"Cache-Control": "public, max-age=300"}
"""Shorter than a replaced key stays published; who finds an unknown `kid` asks again anyway."""


class IssuerRoutes:
    """An ASGI app for `PATHS`."""

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
