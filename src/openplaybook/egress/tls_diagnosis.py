"""From a connection that failed to the reason, with a second handshake where the first one did not tell."""

import ssl
from ipaddress import ip_address

from yarl import URL

from openplaybook.egress.base import HttpRequest, Resolver
from openplaybook.egress.http_connection import ConnectionBroken
from openplaybook.egress.http_pool import Unreachable
from openplaybook.egress.tls_contexts import Trust
from openplaybook.egress.tls_failures import NOTHING_SHOWN, refused_by_service, refused_certificate
from openplaybook.egress.tls_probe import certificate_shown, refusal


async def tls_words(error: Exception, request: HttpRequest, url: URL, trust: Trust, resolver: Resolver) -> str | None:
    """What is wrong with TLS between us and the host of `url`; None when `error` is about something else.

    A host that has answered before is not looked at again when a connection breaks. Raises `AddressRefused` when it
    leads elsewhere meanwhile.
    """
    host, cause = url.raw_host or "", _cause(error)
    if isinstance(cause, ssl.SSLCertVerificationError):
        peer = await _dialled(request, url, resolver)
        shown = await certificate_shown(*peer, host) if peer else NOTHING_SHOWN
        return refused_certificate(cause, shown, host, own_trust=bool(request.ca_certificates))
    words = refused_by_service(cause)
    if words is None and (url.raw_host, url.port) not in trust.answered and _broke_without_a_word(error):
        peer = await _dialled(request, url, resolver)
        words = await refusal(*peer, host, trust.context) if peer else None
    return words


def _cause(error: BaseException) -> BaseException:
    """What a connection ended with, or did not come about by."""
    return (
        error.__cause__ if isinstance(error, ConnectionBroken | Unreachable) and error.__cause__ is not None else error
    )


def _broke_without_a_word(error: Exception) -> bool:
    cause = error.__cause__
    return isinstance(error, ConnectionBroken) or (
        isinstance(error, Unreachable) and isinstance(cause, OSError) and not cause.errno
    )


async def _dialled(request: HttpRequest, url: URL, resolver: Resolver) -> tuple[str, int] | None:
    """Address and port of where `request` goes; None when its host has no address any more."""
    if request.endpoints:
        return request.endpoints[0].address, request.endpoints[0].port
    host, port = url.raw_host or "", url.port or 0
    try:
        return str(ip_address(host)), port
    except ValueError:
        pass
    try:
        return (await resolver.resolve(host, port))[0], port
    except (OSError, IndexError):
        return None
