"""HTTP for google-auth: what its `google.auth.transport.Request` asks for, on the standard library.

Where it leads is the operator's choice (a key file's `token_uri`, the machine's metadata server), not a tool's, so the
address policy of tools does not apply. Proxies play no part, as everywhere in this server.
"""

import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException

from google.auth.exceptions import TransportError

_TIMEOUT_S = 20.0
_MAX_BYTES = 1_000_000

_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True, slots=True)
class GoogleAuthResponse:
    """An answer, whatever its status."""

    status: int
    headers: Message
    """By name in any case, as google-auth expects."""
    data: bytes = field(repr=False)


class GoogleAuthRequest:
    """Sends one request; `TransportError` when no answer comes."""

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        **_: object,
    ) -> GoogleAuthResponse:
        """The answer; only http and https are spoken."""
        if not url.startswith(("http://", "https://")):
            raise TransportError(f"{url} is not an http or https URL")
        data = body.encode() if isinstance(body, str) else body
        request = urllib.request.Request(url, data, dict(headers or {}), method=method)
        try:
            with _OPENER.open(request, timeout=timeout or _TIMEOUT_S) as answer:
                return GoogleAuthResponse(answer.status, answer.headers, answer.read(_MAX_BYTES))
        except urllib.error.HTTPError as error:
            with error:
                return GoogleAuthResponse(error.code, error.headers, error.read(_MAX_BYTES))
        except (OSError, HTTPException) as error:
            raise TransportError(f"{request.host} cannot be reached: {error}") from error
