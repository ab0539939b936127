"""A second handshake after one that failed, to say why: without a request, and without telling it anything new."""

import asyncio
import ssl
from contextlib import suppress
from typing import TYPE_CHECKING

from openplaybook.egress.tls_failures import ASKS_FOR_CERTIFICATE, NOTHING_SHOWN, CertificateFacts, refused_by_service

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

_PROBE_S = 1.0
_MAX_NAMES = 5
_MAX_CHARACTERS = 500


async def certificate_shown(address: str, port: int, host: str) -> CertificateFacts:
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


async def refusal(address: str, port: int, host: str, context: ssl.SSLContext) -> str | None:
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
        return _told(x509.load_der_x509_certificate(certificate))
    except (ValueError, TypeError, x509.DuplicateExtension, x509.UnsupportedGeneralNameType, x509.InvalidVersion):
        # OpenSSL reads what this library does not.
        return NOTHING_SHOWN


def _told(parsed: "Certificate") -> CertificateFacts:
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
