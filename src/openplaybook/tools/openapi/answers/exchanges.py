"""Exchanges as traces show them: bodies cut, and without secrets."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from openplaybook.egress.base import HttpRequest, HttpResponse
from openplaybook.egress.errors import EgressError
from openplaybook.telemetry.redaction import mask_headers, mask_url, without, without_long, without_rest
from openplaybook.tools.base import Exchange

TRACE_BUDGET = 8_000
"""Characters of a body that a trace keeps."""
_MAX_HEADER = 1_000
"""Characters of a header's value that a trace keeps."""
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]+")
"""What a person cannot read: of a picture or an archive most of it."""


@dataclass(slots=True)
class SentRequest:
    """A request as it went out, with its credential, and what came of it.

    Only `shown` tells of it: nothing of it stands in its repr.
    """

    request: HttpRequest = field(repr=False)
    secrets: Sequence[str] = field(repr=False)
    """What the request's credential holds; more may be added later."""
    result: HttpResponse | EgressError = field(repr=False)
    """An answer that echoes the credential has it masked in its body."""
    response_file: str = ""
    """Handle of the file that the whole body is kept as."""

    @property
    def has_credential(self) -> bool:
        """Whether the request says who we are; a secret that is known need not be in it."""
        request = self.request
        if request.client_certificate is not None:
            return True
        texts = [request.url, *(value for _, value in request.headers)]
        return any(secret in text for secret in self.secrets if secret for text in texts)

    def shown(self) -> Exchange:
        """What traces show: no secret, bodies cut."""
        request, result = self.request, self.result
        hidden = [secret for secret in self.secrets if secret]
        is_answer = isinstance(result, HttpResponse)
        return Exchange(
            method=request.method,
            url=without(mask_url(request.url), hidden),
            request_headers=_headers(request.headers, hidden),
            request_body=_body(request.body or b"", hidden),
            status=result.status if is_answer else 0,
            response_headers=_headers(result.headers, hidden) if is_answer else {},
            response_body=_body(result.body, hidden) if is_answer else "",
            elapsed_ms=round(result.elapsed_s * 1000, 3),
            error="" if is_answer else without(str(result), hidden),
            response_file=self.response_file,
            attempts=result.attempts,
        )


def exchange(request: HttpRequest, secrets: Sequence[str], result: HttpResponse | EgressError) -> SentRequest:
    """What was sent, and what came back or why nothing did; rendered when somebody reads it."""
    if secrets and isinstance(result, HttpResponse):
        # A service that echoes the request must not carry our credential to the model, nor to a file.
        body = without_long(result.body, secrets)
        result = replace(result, body=without_rest(body, secrets) if result.truncated else body)
    return SentRequest(request, secrets, result)


def _headers(headers: Iterable[tuple[str, str]], secrets: list[str]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in headers:
        joined[name] = f"{joined[name]}, {value}" if name in joined else value
    masked = mask_headers(joined)
    if secrets:
        masked = {name: without(value, secrets) for name, value in masked.items()}
    return {name: f"{value[:_MAX_HEADER]}…" if len(value) > _MAX_HEADER else value for name, value in masked.items()}


def _body(body: bytes, secrets: list[str]) -> str:
    if not body:
        return ""
    # Masked before it is cut: half a secret at the cut would not be found.
    text = without_long(body, secrets) if secrets else body
    readable = _NO_TEXT.sub("…", text[:TRACE_BUDGET].decode("utf-8", "replace"))
    return readable if len(text) <= TRACE_BUDGET else f"{readable}…"
