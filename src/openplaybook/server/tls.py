"""TLS on both ports, with one certificate that can be exchanged while the server runs."""

import os
import ssl
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from openplaybook.server.certificate import CertificateFiles, ServerCertificate, read_certificate
from openplaybook.server.errors import SettingsError
from openplaybook.server.settings import Settings

if TYPE_CHECKING:
    import grpc


class ServerTls:
    """What handshakes show; those after `reload` show what the files hold then, open connections stay."""

    def __init__(self, files: CertificateFiles) -> None:
        """Reads the files; raises `SettingsError` when they cannot be used."""
        self._files = files
        self.certificate, self._current = _loaded(files)
        self.context = _context(files)
        """For the HTTP port."""
        self.context.sni_callback = self._choose

    def reload(self) -> None:
        """Read the files again. Raises `SettingsError`, and goes on with what there was."""
        self.certificate, self._current = _loaded(self._files)

    def grpc_credentials(self) -> "grpc.ServerCredentials":
        """For the gRPC port; its core speaks TLS 1.2 and 1.3."""
        import grpc

        def configuration(certificate: ServerCertificate) -> "grpc.ServerCertificateConfiguration":
            return grpc.ssl_server_certificate_configuration([(certificate.key, certificate.chain)])

        current = self.certificate

        def changed() -> "grpc.ServerCertificateConfiguration | None":
            nonlocal current
            if current is self.certificate:
                return None
            current = self.certificate
            return configuration(current)

        # None, which says that nothing changed, is missing in the types alone.
        fetch = cast("Callable[[], grpc.ServerCertificateConfiguration]", changed)
        return grpc.dynamic_ssl_server_credentials(configuration(current), fetch)

    def _choose(self, connection: "ssl.SSLObject | ssl.SSLSocket", name: str | None, first: ssl.SSLContext) -> None:
        # Called in every handshake, also by clients that name no server. A context whose certificate is replaced by
        # one with another kind of key would go on showing the old one to some.
        connection.context = self._current


def tls_of(settings: Settings) -> ServerTls | None:
    """TLS as the settings say; None without. Raises `SettingsError`."""
    if settings.tls_cert is None and settings.tls_key is None:
        if settings.tls_passphrase_file is not None:
            raise SettingsError("tls_passphrase_file needs tls_cert and tls_key")
        return None
    if settings.tls_cert is None or settings.tls_key is None:
        raise SettingsError("tls_cert and tls_key go together: the certificate, and its private key")
    return ServerTls(CertificateFiles(settings.tls_cert, settings.tls_key, settings.tls_passphrase_file, os.environ))


def _loaded(files: CertificateFiles) -> tuple[ServerCertificate, ssl.SSLContext]:
    return read_certificate(files), _context(files)


def _context(files: CertificateFiles) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(files.certificate, files.key, files.passphrase())
    except (OSError, ssl.SSLError) as error:
        raise SettingsError(f"tls_cert {files.certificate} cannot be used with tls_key {files.key}: {error}") from error
    return context
