"""Requests that a credential is got with: they trust, and show, what the request does that it is for."""

from openplaybook.egress.base import HttpRequest
from openplaybook.egress.web_origin import origin_of


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
        endpoints=like.endpoints if _is_at_the_same(url, like.url) else (),
        repeatable=True,
    )


def origin(url: str) -> str:
    """Scheme, host and port as browsers write an origin (RFC 6454 §6.2); empty for what has none."""
    found = origin_of(url)
    return "" if found is None else str(found)


def _is_at_the_same(url: str, other: str) -> bool:
    found = origin_of(url)
    return found is not None and found == origin_of(other)
