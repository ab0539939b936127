"""Where a driver may connect to: the addresses that the resolver has checked, and no other."""

import asyncio
import os
import socket
import ssl
import tempfile
from collections.abc import Sequence
from pathlib import Path

from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import InvalidConnection, PermissionRefused, SystemUnavailable
from openplaybook.connectors.settings import TlsSettings
from openplaybook.egress.errors import AddressRefused, TlsFailed
from openplaybook.egress.tls_contexts import trusting

CONNECT_S = 10.0
"""Seconds for one address."""


async def checked_addresses(access: SystemAccess, host: str, port: int) -> Sequence[str]:
    """The addresses of a host, at least one. Raises `PermissionRefused` and `SystemUnavailable`."""
    try:
        async with asyncio.timeout(CONNECT_S):
            addresses = await access.resolver.resolve(host, port)
    except AddressRefused as error:
        raise PermissionRefused(f"this server may not reach the system: {error}") from error
    except TimeoutError:
        raise SystemUnavailable(f"the name {host} was not resolved in time") from None
    except OSError:
        addresses = ()
    if not addresses:
        raise SystemUnavailable(f"the host {host} has no address")
    return addresses


async def dialled(access: SystemAccess, host: str, port: int) -> socket.socket:
    """A connected socket to the first address that answers. Raises `PermissionRefused` and `SystemUnavailable`."""
    said = ""
    for address in await checked_addresses(access, host, port):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        connecting = socket.socket(family, socket.SOCK_STREAM)
        connecting.setblocking(False)
        try:
            async with asyncio.timeout(CONNECT_S):
                await asyncio.get_running_loop().sock_connect(connecting, (address, port))
        except OSError as error:
            connecting.close()
            said = os.strerror(error.errno) if error.errno else "it does not answer in time"
        except BaseException:
            connecting.close()
            raise
        else:
            connecting.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connecting
    raise SystemUnavailable(f"the system at {host}:{port} cannot be reached: {said}")


def tls_context(settings: TlsSettings, kind: type[ssl.SSLContext] = ssl.SSLContext) -> ssl.SSLContext:
    """By a connection's TLS settings; the name is checked unless verification is skipped. Raises
    `InvalidConnection`."""
    try:
        if settings.ca_certificate:
            trusted = trusting([settings.ca_certificate.encode()])
        else:
            trusted = ssl.create_default_context()
    except TlsFailed as error:
        raise InvalidConnection("sslConfig", str(error)) from error
    context = trusted if kind is ssl.SSLContext else _of_kind(kind, settings)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if settings.skips_verification:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if settings.client_certificate:
        _show(settings, context)
    return context


def _of_kind(kind: type[ssl.SSLContext], settings: TlsSettings) -> ssl.SSLContext:
    context = kind(ssl.PROTOCOL_TLS_CLIENT)
    if settings.ca_certificate:
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        context.load_verify_locations(cadata=settings.ca_certificate)
    else:
        context.load_default_certs(ssl.Purpose.SERVER_AUTH)
    return context


def _show(settings: TlsSettings, context: ssl.SSLContext) -> None:
    """OpenSSL reads certificates from files alone; they are there as long as it reads."""
    with tempfile.TemporaryDirectory(prefix="openplaybook-tls-") as folder:
        certificate, key = Path(folder, "client.pem"), Path(folder, "client.key")
        for path, text in ((certificate, settings.client_certificate), (key, settings.client_key)):
            path.touch(mode=0o600)
            path.write_text(text)
        try:
            # A function, since a passphrase that is absent would be asked for at the terminal.
            context.load_cert_chain(certificate, key, lambda: settings.client_key_passphrase)
        except (ssl.SSLError, OSError):
            raise InvalidConnection("sslConfig", "the client certificate and its key do not fit") from None
