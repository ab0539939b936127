"""Certificates and keys as files, for drivers that read them from nowhere else: seen by this user, gone in the end."""

import shutil
import ssl
import tempfile
from pathlib import Path

from openplaybook.connectors.errors import InvalidConnection
from openplaybook.connectors.settings import TlsSettings

_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/cert.pem",
    "/etc/ssl/ca-bundle.pem",
)
"""Where systems keep the certificates that they trust."""


class TlsFiles:
    """A private folder with what one connection's TLS settings hold."""

    def __init__(self, settings: TlsSettings) -> None:
        self._settings = settings
        self._folder: Path | None = None

    @property
    def authority(self) -> Path:
        """Certificates that are trusted: the connection's own, else the machine's. Raises `InvalidConnection`."""
        if self._settings.ca_certificate:
            return self._file("ca.pem", self._settings.ca_certificate)
        known = [ssl.get_default_verify_paths().cafile or "", *_BUNDLES]
        found = next((Path(each) for each in known if each and Path(each).is_file()), None)
        if found is None:
            raise InvalidConnection("sslConfig", "the machine has no trusted certificates; give a server certificate")
        return found

    @property
    def certificate(self) -> Path | None:
        """Ours; None where there is none."""
        text = self._settings.client_certificate
        return self._file("client.pem", text) if text else None

    @property
    def key(self) -> Path | None:
        """Its key; None where there is none."""
        text = self._settings.client_key
        return self._file("client.key", text) if text else None

    def close(self) -> None:
        """Remove them."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _file(self, name: str, text: str) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="openplaybook-tls-"))
        path = self._folder / name
        if not path.exists():
            path.touch(mode=0o600)
            path.write_text(text)
        return path


def tls_context(settings: TlsSettings, files: TlsFiles) -> ssl.SSLContext:
    """For drivers that take a context; the name is checked unless verification is skipped. Raises
    `InvalidConnection`."""
    try:
        context = ssl.create_default_context(cadata=settings.ca_certificate or None)
    except (ssl.SSLError, ValueError):
        raise InvalidConnection("sslConfig", "the server certificate is no PEM") from None
    if settings.skips_verification:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    certificate, key = files.certificate, files.key
    if certificate is not None:
        try:
            context.load_cert_chain(certificate, key, settings.client_key_passphrase or None)
        except (ssl.SSLError, OSError):
            raise InvalidConnection("sslConfig", "the client certificate and its key do not fit") from None
    return context
