"""TLS settings: whom we trust, and what we show when we are asked who we are."""

import asyncio
import os
import re
import ssl
import tempfile
from collections import OrderedDict
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from openplaybook.egress.base import ClientCertificate
from openplaybook.egress.encrypted_keys import is_costly
from openplaybook.egress.errors import TlsFailed

_PEM_KEY = re.compile(rb"-----BEGIN [^-]*KEY-----[^-]*")
_MOST_KEY = 4_000
"""Bytes of a private key in PEM: RSA keys of 4,096 bits have fewer, and checking longer ones takes seconds, for which
the whole process waits."""
_KEPT = 64
_KEPT_PEERS = 256
_PEM_CERTIFICATE = re.compile(rb"-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----")
_Key: TypeAlias = tuple[tuple[bytes, ...], ClientCertificate | None]


@dataclass(frozen=True, slots=True)
class Trust:
    """Whom we trust and what we show, ready for use."""

    context: ssl.SSLContext
    answered: set[tuple[str | None, int | None]] = field(default_factory=set[tuple[str | None, int | None]])
    """Hosts and ports that have answered over it: a connection that breaks there is no refused handshake."""

    def remember(self, host: str | None, port: int | None) -> None:
        """Note that this host has answered."""
        if len(self.answered) >= _KEPT_PEERS:
            self.answered.clear()
        self.answered.add((host, port))


class TlsContexts:
    """One context per set of trusted certificates and client certificate; the last ones used are kept.

    Connections are kept by context, so nothing is sent over a connection that was made with another one.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, Trust] = OrderedDict()
        self._making = asyncio.Lock()

    async def trust(self, authorities: tuple[bytes, ...], client: ClientCertificate | None) -> Trust:
        """What trusts `authorities` (the system's when there are none) and shows `client`.

        Raises `TlsFailed` naming what cannot be read.
        """
        key = (authorities, client)
        trust = self._kept.get(key)
        if trust is None:
            # Reading the system's certificates or opening a key takes up to a tenth of a second.
            async with self._making:
                trust = self._kept.get(key) or Trust(await asyncio.to_thread(_made, authorities, client))
            self._kept[key] = trust
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return trust


def _made(authorities: tuple[bytes, ...], client: ClientCertificate | None) -> ssl.SSLContext:
    context = trusting(authorities) if authorities else ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    if client is not None:
        check_client_certificate(client)
        _show(client, context)
    return context


def trusting(certificates: Sequence[bytes]) -> ssl.SSLContext:
    """A context that trusts only `certificates`, each PEM or DER of one or more; raises `TlsFailed`.

    A certificate in the middle of a chain may be given as well as a root: what is listed is trusted.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    for position, certificate in enumerate(certificates, start=1):
        # What stands between the blocks of a bundle is comment, in any encoding.
        blocks = b"\n".join(_PEM_CERTIFICATE.findall(certificate))
        try:
            context.load_verify_locations(cadata=blocks.decode("ascii") if blocks else certificate)
        except (ssl.SSLError, ValueError) as error:
            raise TlsFailed(f"CA certificate {position} cannot be read; PEM and DER are accepted") from error
    return context


def check_client_certificate(client: ClientCertificate) -> None:
    """Raises `TlsFailed` saying what is wrong: certificate, private key, passphrase, their fit, or the time."""
    # Imported here since few agents have a client certificate and the library takes a while to load.
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    # OpenSSL takes the key from wherever it stands.
    if is_costly(client.certificate) or is_costly(client.private_key):
        raise TlsFailed(
            "the private key of the client certificate is encrypted in a way that takes too long to open; encrypt it "
            "with at most 2,000,000 rounds (openssl pkcs8 -topk8 -iter 600000)"
        )
    if any(len(block) > _MOST_KEY for block in _PEM_KEY.findall(client.private_key)):
        raise TlsFailed("the private key of the client certificate is longer than RSA keys of 4,096 bits are")
    try:
        certificate = x509.load_pem_x509_certificates(client.certificate)[0]
    except ValueError as error:
        raise TlsFailed("the client certificate cannot be read; PEM is accepted") from error
    is_encrypted = b"ENCRYPTED" in client.private_key
    if is_encrypted and not client.passphrase:
        raise TlsFailed("the private key of the client certificate is encrypted, but there is no passphrase")
    try:
        key = load_pem_private_key(client.private_key, client.passphrase if is_encrypted else None)
    except (ValueError, UnsupportedAlgorithm) as error:
        if is_encrypted:
            raise TlsFailed(
                "the private key of the client certificate cannot be opened: the passphrase is wrong or the key damaged"
            ) from error
        raise TlsFailed("the private key of the client certificate cannot be read; PEM is accepted") from error
    if key.public_key() != certificate.public_key():
        raise TlsFailed("the private key does not belong to the client certificate")
    if certificate.not_valid_after_utc < datetime.now(UTC):
        raise TlsFailed(f"the client certificate expired on {certificate.not_valid_after_utc:%Y-%m-%d %H:%M} UTC")


def _show(client: ClientCertificate, context: ssl.SSLContext) -> None:
    try:
        with _as_file(client.certificate + b"\n" + client.private_key) as path:
            # An empty passphrase must be given too: without any, OpenSSL asks for one on the terminal.
            context.load_cert_chain(path, password=client.passphrase)
    except (ssl.SSLError, ValueError) as error:
        reason = getattr(error, "reason", "") or "no reason given"
        raise TlsFailed(f"the client certificate and its private key cannot be used: {reason}") from error


@contextmanager
def _as_file(content: bytes) -> Generator[str]:
    """A path to read `content` from, for a library that reads nothing else; gone after the block.

    In memory where the system can (Linux), else in a folder that only we can enter.
    """
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("certificate", os.MFD_CLOEXEC)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            yield f"/proc/self/fd/{descriptor}"
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "certificate.pem")
            path.touch(0o600)
            path.write_bytes(content)
            yield str(path)
