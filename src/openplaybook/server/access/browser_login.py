"""A login at the identity provider: how long it may take, and the page for whom it did not let in."""

from html import escape

from starlette.responses import HTMLResponse

from openplaybook.wire.errors import Code, RpcError, http_status

LOGIN_S = 600
"""Seconds within which somebody logs in there."""

NO_LOGIN = RpcError(Code.NOT_FOUND, "The console has no client id at an identity provider; see oidc_client_id.")

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 4rem auto; max-width: 40rem; padding: 0 1rem; }
@media (prefers-color-scheme: dark) { body { background: #141412; color: #edeae4; } a { color: #70cbb3; } }
"""


def login_failure(error: RpcError) -> HTMLResponse:
    """Says why, and where to begin again."""
    return HTMLResponse(
        f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Not signed in · OpenPlaybook</title>
<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>
<body><h1>You are not signed in</h1><p>{escape(error.message)}</p>
<p><a href="/console/">Begin again</a></p></body></html>
""",
        status_code=http_status(error.code),
        headers=_HEADERS,
    )
