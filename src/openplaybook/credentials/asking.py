"""Requests that a credential is got with: they trust, and show, what the request does that it is for."""

from urllib.parse import SplitResult, urlsplit

from openplaybook.egress.base import HttpRequest

_USUAL = {"http": 80, "https": 443}


def asking(like: HttpRequest, method: str, url: str, headers: tuple[tuple[str, str], ...], body: bytes) -> HttpRequest:
    """A request to `url` with the certificates of `like`.

    A private endpoint is that of an origin: it holds for `url` when both have the same.
    """
    return HttpRequest(
        method,
        url,
        headers,
        body or None,
        ca_certificates=like.ca_certificates,
        client_certificate=like.client_certificate,
        endpoints=like.endpoints if _origin(url) == _origin(like.url) else (),
        repeatable=True,
    )


def origin(url: str) -> str:
    """Scheme, host and port as browsers write an origin (RFC 6454 §6.2): a port that is usual is left out."""
    scheme, host, port = _origin(url)
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}" + ("" if port == _USUAL.get(scheme) else f":{port}")


def _origin(url: str) -> tuple[str, str, int | None]:
    parts: SplitResult = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or _USUAL.get(parts.scheme)
