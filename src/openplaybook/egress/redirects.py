"""What a redirect turns a request into (RFC 9110 §15.4, and the Fetch standard where that leaves a choice)."""

from dataclasses import replace

from yarl import URL

from openplaybook.egress.base import HttpRequest
from openplaybook.egress.errors import AddressRefused, BadResponse
from openplaybook.egress.web_origin import WebOrigin, origin_of

MAX_REDIRECTS = 5

STATUSES = frozenset({301, 302, 303, 307, 308})

_KEPT_ACROSS_ORIGINS = frozenset({"accept", "accept-language", "content-type", "content-language", "user-agent"})


def redirected(request: HttpRequest, url: URL, status: int, location: str) -> HttpRequest:
    """The request that follows `request` (sent to `url`) after an answer with `status` and `location`.

    Another origin gets none of the headers that may hold a credential, and no client certificate; a body goes with 307
    and 308 only within the origin. Endpoints in a private network stay with their host and port: elsewhere redirects
    lead to public addresses only. Raises `BadResponse` for a location that is no URL, `AddressRefused` for a step from
    https to http or for a body that would go to another origin.
    """
    try:
        # Kept byte for byte, since signed URLs depend on it; only what no URL may hold is encoded.
        target = url.join(URL(location, encoded=location.isascii() and " " not in location))
        here, there = _origin(url), _origin(target)
    except ValueError as error:
        raise BadResponse(f"{url.raw_host} redirects to something that is not a URL", sent=True) from error
    if url.scheme == "https" and target.scheme != "https":
        raise AddressRefused(f"{url.raw_host} redirects from https to {target.scheme}", rule="downgrade", sent=True)
    becomes_get = status == 303 or (status in (301, 302) and request.method == "POST")
    if becomes_get and request.method != "HEAD":
        headers = tuple(header for header in request.headers if not header[0].lower().startswith("content-"))
        request = replace(request, method="GET", headers=headers, body=None)
    if here is None or here != there:
        if request.body is not None:
            raise AddressRefused(
                f"{url.raw_host} redirects the body of a {request.method} to another origin, {target.raw_host}",
                rule="body_to_other_origin",
                sent=True,
            )
        headers = tuple(header for header in request.headers if header[0].lower() in _KEPT_ACROSS_ORIGINS)
        is_same_place = here and there and (here.host, here.port) == (there.host, there.port)
        endpoints = request.endpoints if is_same_place else ()
        request = replace(request, headers=headers, client_certificate=None, endpoints=endpoints)
    return replace(request, url=str(target))


def _origin(url: URL) -> WebOrigin | None:
    """None for what no request goes to. Raises `ValueError` for a port that is none."""
    return origin_of(str(url)) if url.port is not None else None
