"""Certificates of an authority of the test's own, for both ends of a TLS connection."""

import ssl
from datetime import datetime
from typing import Literal

import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from openplaybook.egress.base import ClientCertificate

KeyForm = Literal["PKCS#1", "PKCS#8", "EC"]
_FORMATS = {"PKCS#1": PrivateFormat.TraditionalOpenSSL, "EC": PrivateFormat.TraditionalOpenSSL}


def server_tls(
    authority: trustme.CA,
    name: str,
    *,
    clients_of: trustme.CA | None = None,
    newest: ssl.TLSVersion = ssl.TLSVersion.MAXIMUM_SUPPORTED,
    not_before: datetime | None = None,
    not_after: datetime | None = None,
) -> ssl.SSLContext:
    """A service called `name`; with `clients_of` it wants a client certificate of that authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name, not_before=not_before, not_after=not_after).configure_cert(context)
    context.maximum_version = newest
    if clients_of is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        clients_of.configure_trust(context)
    return context


def client_certificate(
    authority: trustme.CA,
    form: KeyForm = "PKCS#8",
    passphrase: bytes = b"",
    *,
    not_before: datetime | None = None,
    not_after: datetime | None = None,
) -> ClientCertificate:
    """A certificate for a client, its private key in that form, encrypted when there is a passphrase."""
    key_type = trustme.KeyType.ECDSA if form == "EC" else trustme.KeyType.RSA
    issued = authority.issue_cert("agent@client.example", key_type=key_type, not_before=not_before, not_after=not_after)
    chain = b"".join(blob.bytes() for blob in issued.cert_chain_pems)
    key = load_pem_private_key(issued.private_key_pem.bytes(), None)
    encryption = BestAvailableEncryption(passphrase) if passphrase else NoEncryption()
    pem = key.private_bytes(Encoding.PEM, _FORMATS.get(form, PrivateFormat.PKCS8), encryption)
    return ClientCertificate(chain, pem, passphrase)
