"""Exchanges as traces show them: no secret, bodies cut."""

from collections.abc import Iterable
from urllib.parse import quote

from openplaybook.egress.base import HttpRequest, HttpResponse
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import dumps
from openplaybook.telemetry.redaction import MASK, mask_headers, mask_url
from openplaybook.tools.base import Exchange

TRACE_BUDGET = 8_000
"""Characters of a body that a trace keeps."""

_MAX_HEADER = 1_000
"""Characters of a header's value that a trace keeps."""

_MIN_SECRET = 6
"""Shorter secrets are masked where they were put, but not searched for in bodies, where they would hit words."""


def exchange(request: HttpRequest, secrets: Iterable[str], result: HttpResponse | EgressError) -> Exchange:
    """What was sent, and what came back or why nothing did."""
    hidden = [secret for secret in secrets if secret]
    response = result if isinstance(result, HttpResponse) else None
    return Exchange(
        method=request.method,
        url=without(mask_url(request.url), hidden),
        request_headers=_headers(request.headers, hidden),
        request_body=_body(request.body or b"", hidden),
        status=response.status if response else 0,
        response_headers=_headers(response.headers, hidden) if response else {},
        response_body=_body(response.body, hidden) if response else "",
        elapsed_ms=round(response.elapsed_s * 1000, 3) if response else 0.0,
        error="" if response else str(result),
    )


def without(text: str, secrets: Iterable[str]) -> str:
    """`text` with every secret masked."""
    for secret in secrets:
        text = text.replace(secret, MASK)
    return text


def without_long(body: bytes, secrets: Iterable[str]) -> bytes:
    """A body with every secret masked that is long enough to be told from a word."""
    for secret in secrets:
        if len(secret) >= _MIN_SECRET:
            for spelling in _spellings(secret):
                body = body.replace(spelling.encode(), MASK.encode())
    return body


def _spellings(secret: str) -> set[str]:
    """A secret as it is, and as JSON and URLs write it (PHP escapes slashes in JSON)."""
    escaped = dumps(secret).decode()[1:-1]
    return {secret, escaped, escaped.replace("/", "\\/"), quote(secret, safe="")}


def _headers(headers: Iterable[tuple[str, str]], secrets: list[str]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in headers:
        joined[name] = f"{joined[name]}, {value}" if name in joined else value
    masked = {name: without(value, secrets) for name, value in mask_headers(joined).items()}
    return {name: f"{value[:_MAX_HEADER]}…" if len(value) > _MAX_HEADER else value for name, value in masked.items()}


def _body(body: bytes, secrets: list[str]) -> str:
    # Masked before it is cut: half a secret at the cut would not be found.
    text = without_long(body, secrets) if secrets else body
    shown = text[:TRACE_BUDGET].decode("utf-8", "replace")
    return shown if len(text) <= TRACE_BUDGET else f"{shown}…"
