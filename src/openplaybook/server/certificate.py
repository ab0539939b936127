"""The server's own certificate and key, read from files and checked before anybody connects."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from openplaybook.server.errors import SettingsError

PASSPHRASE_VARIABLE = "OPENPLAYBOOK_TLS_PASSPHRASE"

_NO_KEY = "is not a private key in PEM form"


@dataclass(frozen=True, slots=True)
class CertificateFiles:
    """Where the certificate is, and what opens its key."""

    certificate: Path
    key: Path
    passphrase_file: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)

    def passphrase(self) -> bytes:
        """What opens the key; empty for none. Raises `SettingsError`."""
        variable = self.environment.get(PASSPHRASE_VARIABLE, "")
        if variable and self.passphrase_file is not None:
            raise SettingsError(f"both {PASSPHRASE_VARIABLE} and tls_passphrase_file are set; set only one of them")
        if self.passphrase_file is None:
            return variable.encode()
        return _read(self.passphrase_file, "tls_passphrase_file").rstrip(b"\r\n")


@dataclass(frozen=True, slots=True)
class ServerCertificate:
    """A certificate that a server can show, with its key."""

    chain: bytes
    """PEM: the server's own, and those between it and an authority."""
    key: bytes = field(repr=False)
    """PEM, not encrypted."""
    leaf: str
    """PEM of the server's own."""
    expires: datetime


def read_certificate(files: CertificateFiles, now: datetime | None = None) -> ServerCertificate:
    """The certificate and its key.

    Raises `SettingsError` when a file cannot be read, is something else, does not belong to the other, or the
    certificate is not valid now.
    """
    chain = _read(files.certificate, "tls_cert")
    try:
        certificates = x509.load_pem_x509_certificates(chain)
    except ValueError as error:
        raise SettingsError(f"tls_cert {files.certificate} contains no certificate in PEM form") from error
    own = certificates[0]
    key = _key(_read(files.key, "tls_key"), files)
    _check_time(own, files.certificate, now or datetime.now(UTC))
    return ServerCertificate(chain, _plain(key, own, files), own.public_bytes(Encoding.PEM).decode(), _expiry(own))


def _check_time(certificate: x509.Certificate, path: Path, now: datetime) -> None:
    if _expiry(certificate) < now:
        raise SettingsError(
            f"tls_cert {path} has expired: it was valid until {_expiry(certificate):%Y-%m-%d %H:%M} UTC"
        )
    if certificate.not_valid_before_utc > now:
        begins = certificate.not_valid_before_utc
        raise SettingsError(f"tls_cert {path} is not valid yet: it begins at {begins:%Y-%m-%d %H:%M} UTC")


def _expiry(certificate: x509.Certificate) -> datetime:
    return certificate.not_valid_after_utc


def _key(pem: bytes, files: CertificateFiles) -> PrivateKeyTypes:
    passphrase = files.passphrase()
    try:
        return load_pem_private_key(pem, passphrase or None)
    except TypeError as error:
        # So cryptography says that there is a passphrase too many, or one missing.
        if passphrase:
            raise SettingsError(f"tls_key {files.key} is not encrypted, but a passphrase is set") from error
        sentence = f"tls_key {files.key} is encrypted: set tls_passphrase_file or {PASSPHRASE_VARIABLE}"
        raise SettingsError(sentence) from error
    except (ValueError, UnsupportedAlgorithm) as error:
        what = "is not a private key in PEM form, or the passphrase is wrong" if passphrase else _NO_KEY
        raise SettingsError(f"tls_key {files.key} {what}") from error


def _plain(key: PrivateKeyTypes, own: x509.Certificate, files: CertificateFiles) -> bytes:
    """The key's PEM, once it is known to be the certificate's."""
    form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if key.public_key().public_bytes(*form) != own.public_key().public_bytes(*form):
        raise SettingsError(f"tls_key {files.key} is not the key of the first certificate in {files.certificate}")
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _read(path: Path, setting: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError(f"{setting} {path} cannot be read: {error.strerror}") from error
