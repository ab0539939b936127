"""What anybody may read: the front page, and the two documents that others verify our tokens with."""

from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Receive, Scope, Send

from openplaybook import __version__
from openplaybook.credentials.identity.issuer import DISCOVERY_PATH, JWKS_PATH, Issuer

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


_WHAT = "An open runtime for playbook agents and their tools, with the APIs of Dialogflow CX and CX Agent Studio."
_PATHS = {
    "/v3/projects/-/locations/-/agents": "agents of Dialogflow CX",
    "/v1/projects/-/locations/-/apps": "apps of CX Agent Studio",
    "/healthz": "is the server ready?",
    "/livez": "is the server alive?",
    "/metrics": "metrics for Prometheus",
}
_COMMANDS = {
    "openplaybook agents list": "list the agents",
    "openplaybook chat NAME": "talk to an agent in a terminal",
    "openplaybook doctor": "check what works",
    "openplaybook --help": "all commands",
}
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 44rem; padding: 0 1rem; }
dt { font-family: ui-monospace, monospace; } dd { margin: 0 0 .5rem 1.5rem; color: #555; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } dd { color: #999; } a { color: #8bf; } }
"""


def front_page(accept: str) -> Response:
    """The page, for a client that accepts these media types (RFC 9110 §12.5.1). It tells nothing of what is stored."""
    if "text/html" not in accept:
        description = {"name": "OpenPlaybook", "version": __version__, "description": _WHAT, "paths": _PATHS}
        return JSONResponse(description, headers=_HEADERS)
    return HTMLResponse(_PAGE, headers=_HEADERS)


def _list(entries: dict[str, str], *, are_links: bool) -> str:
    return "".join(
        f'<dt>{f"""<a href="{name}">{name}</a>""" if are_links else name}</dt><dd>{text}</dd>'
        for name, text in entries.items()
    )


_PAGE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>OpenPlaybook</title>
<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>
<body><h1>OpenPlaybook {__version__}</h1><p>{_WHAT}</p>
<p>The server runs. Point a client of Google's at this address, or use the command line on this machine:</p>
<dl>{_list(_COMMANDS, are_links=False)}</dl>
<p>Some HTTP paths (add the key if the server requires one):</p>
<dl>{_list(_PATHS, are_links=True)}</dl>
<p>The guides are in the folder <code>docs</code> of the project; the first is <code>README.md</code>.</p>
</body></html>
"""
