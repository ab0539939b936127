"""One request over HTTP and what it got, kept for traces as they were: masking costs more than reading a reply, and
most records are shown to nobody.
"""

from collections.abc import Collection, Sequence

from openplaybook.connectors.base import SystemExchange
from openplaybook.egress.base import HttpRequest, HttpResponse
from openplaybook.egress.errors import EgressError
from openplaybook.telemetry.redaction import excerpt, mask_headers, mask_url, without

_MOST_SHOWN = 4_000
"""Characters of a body that are shown."""
_MOST_KEPT = 16_000
"""Bytes of a body that are looked at for it."""


class RecordedExchange:
    """Holds secrets: only `shown` tells of it."""

    __slots__ = ("_asked", "_body", "_failure", "_hidden", "_outcome", "_response_headers", "_secrets", "_status")

    def __init__(
        self,
        asked: HttpRequest,
        outcome: HttpResponse | EgressError | None,
        secrets: Collection[str],
        hidden: Sequence[str] = (),
    ) -> None:
        """`outcome`: None for a request that was not sent; `hidden` names headers and parameters of the query that hold
        the credential."""
        self._asked = asked
        self._secrets = secrets
        self._hidden = hidden
        self._failure = ""
        self._outcome = None if outcome is None else (outcome.elapsed_s, outcome.attempts)
        self._status, self._body = 0, b""
        self._response_headers: tuple[tuple[str, str], ...] = ()
        if isinstance(outcome, HttpResponse):
            self._status, self._response_headers = outcome.status, outcome.headers
            self._body = outcome.body[:_MOST_KEPT]
        elif outcome is not None:
            self._failure = without(str(outcome), secrets)

    def fail(self, told: str) -> None:
        """Note what the reply was taken for; `told` has no secrets."""
        self._failure = told

    def shown(self) -> SystemExchange:
        """What traces show: no secret is in it, wherever the system echoed it."""
        elapsed_s, attempts = self._outcome or (0.0, 1)
        return SystemExchange(
            method=self._asked.method,
            address=without(mask_url(self._asked.url, self._hidden), self._secrets),
            request=self._excerpt((self._asked.body or b"")[:_MOST_KEPT]),
            status=self._status,
            response=self._excerpt(self._body),
            elapsed_ms=elapsed_s * 1_000,
            error=self._failure,
            request_headers=self._headers(self._asked.headers, self._hidden),
            response_headers=self._headers(self._response_headers),
            attempts=attempts,
        )

    def _excerpt(self, body: bytes) -> str:
        return excerpt(body.decode("utf-8", "replace"), _MOST_SHOWN, self._secrets, masks_pairs=True) if body else ""

    def _headers(self, headers: Sequence[tuple[str, str]], hidden: Sequence[str] = ()) -> dict[str, str]:
        masked = mask_headers(dict(headers), hidden)
        return {name: without(value, self._secrets) for name, value in masked.items()}
