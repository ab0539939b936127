"""From a connection that failed to the reason, with a second handshake where the first one did not tell."""

import asyncio
import ssl
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING

from yarl import URL

from openplaybook.egress.base import HttpRequest, Resolver
from openplaybook.egress.http_connection import ConnectionBroken
from openplaybook.egress.http_pool import Unreachable
from openplaybook.egress.tls_contexts import Trust
from openplaybook.egress.tls_failures import (
    ASKS_FOR_CERTIFICATE,
    NOTHING_SHOWN,
    CertificateFacts,
    refused_by_service,
    refused_certificate,
)

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

_PROBE_S = 1.0
_MAX_NAMES = 5
_MAX_CHARACTERS = 500


async def tls_words(error: Exception, request: HttpRequest, url: URL, trust: Trust, resolver: Resolver) -> str | None:
    """What is wrong with TLS between us and the host of `url`; None when `error` is about something else.

    A host that has answered before is not looked at again when a connection breaks. Raises `AddressRefused` when it
    leads elsewhere meanwhile.
    """
    host, cause = url.raw_host or "", _cause(error)
    if isinstance(cause, ssl.SSLCertVerificationError):
        peer = await _dialled(request, url, resolver)
        facts = await _certificate_of(*peer, host) if peer else NOTHING_SHOWN
        return refused_certificate(cause, facts, host, own_trust=bool(request.ca_certificates))
    words = refused_by_service(cause)
    if words is None and (url.raw_host, url.port) not in trust.answered and _broke_without_a_word(error):
        peer = await _dialled(request, url, resolver)
        words = await _refusal(*peer, host, trust.context) if peer else None
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


async def _certificate_of(address: str, port: int, host: str) -> CertificateFacts:
    """What the certificate of the service at `address` says, whether or not it is to be trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(_PROBE_S):
            _, writer = await asyncio.open_connection(address, port, ssl=context, server_hostname=host)
            certificate = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
            writer.transport.abort()
            return await asyncio.to_thread(_read, certificate)
    return NOTHING_SHOWN


async def _refusal(address: str, port: int, host: str, context: ssl.SSLContext) -> str | None:
    """Why the service ends connections that are made with `context`; None when it waits for a request, as it should.

    The reason is lost when it breaks the connection with our request unread; so nothing is sent here.
    """
    try:
        async with asyncio.timeout(_PROBE_S):
            reader, writer = await asyncio.open_connection(address, port, ssl=context, server_hostname=host)
            try:
                ended = not await reader.read(1)
            finally:
                writer.transport.abort()
    except TimeoutError:
        return None
    except ConnectionResetError:
        ended = True
    except OSError as error:
        return refused_by_service(error)
    return f"it ends every connection after the handshake; perhaps {ASKS_FOR_CERTIFICATE}" if ended else None


def _read(certificate: bytes) -> CertificateFacts:
    from cryptography import x509

    try:
        return _facts(x509.load_der_x509_certificate(certificate))
    except (ValueError, TypeError, x509.DuplicateExtension, x509.UnsupportedGeneralNameType, x509.InvalidVersion):
        # OpenSSL reads what this library does not.
        return NOTHING_SHOWN


def _facts(parsed: "Certificate") -> CertificateFacts:
    from cryptography import x509

    try:
        extension = parsed.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        names = [*extension.get_values_for_type(x509.DNSName)]
        names.extend(str(address) for address in extension.get_values_for_type(x509.IPAddress))
    except x509.ExtensionNotFound:
        names = [parsed.subject.rfc4514_string()]
    more = " …" if len(names) > _MAX_NAMES else ""
    return CertificateFacts(
        names=_line(", ".join(names[:_MAX_NAMES]) + more),
        issuer=_line(parsed.issuer.rfc4514_string()),
        valid_from=f"{parsed.not_valid_before_utc:%Y-%m-%d %H:%M} UTC",
        valid_until=f"{parsed.not_valid_after_utc:%Y-%m-%d %H:%M} UTC",
    )


def _line(text: str) -> str:
    """Some of a text that anybody may have written, without line breaks or anything else that cannot be seen."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text[:_MAX_CHARACTERS])
