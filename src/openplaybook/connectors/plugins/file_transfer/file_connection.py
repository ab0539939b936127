"""A connection to a server of files, from its settings."""

import re
from dataclasses import replace
from importlib import import_module

from openplaybook.connectors.definitions import ConnectorDefinition, SystemAccess
from openplaybook.connectors.errors import DriverAbsent, InvalidConnection
from openplaybook.connectors.plugins.exchange import SystemDesk
from openplaybook.connectors.plugins.file_transfer.base import FileServer, ServerPaths, checked_path
from openplaybook.connectors.plugins.file_transfer.file_source import FileServerSource
from openplaybook.connectors.plugins.file_transfer.ftp_server import FtpServer
from openplaybook.connectors.settings import ConnectionSettings, Destination, SshKey, UserPassword

_SFTP_PORT = 22
_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")


def opened_source(
    definition: ConnectorDefinition, settings: ConnectionSettings, access: SystemAccess
) -> FileServerSource:
    """Nothing is sent yet. Raises `InvalidConnection`, `CredentialAbsent` and `DriverAbsent`."""
    protocol = settings.text("protocol", "ftps") or "ftps"
    if protocol not in ("ftp", "ftps", "sftp"):
        raise InvalidConnection("configVariables.protocol", f"must be ftp, ftps or sftp, not {protocol!r}")
    destination = settings.destination(_SFTP_PORT if protocol == "sftp" else definition.default_port)
    root = settings.text("root")
    paths = ServerPaths(f"/{checked_path(root, 'root')}" if root.startswith("/") else checked_path(root, "root"))
    login = _login(settings)
    if protocol == "sftp":
        server = _sftp_server(settings, access, destination, login, paths)
    elif isinstance(login, SshKey):
        raise InvalidConnection("authConfig.authType", "SSH_PUBLIC_KEY is for the protocol sftp")
    else:
        is_secure = protocol == "ftps" or settings.tls.is_used
        server = FtpServer(access, destination, login, paths, replace(settings.tls, is_used=is_secure))
    secrets = [login.password] if isinstance(login, UserPassword) else [login.private_key, login.passphrase]
    address = f"{protocol}://{destination.host}:{destination.port}/{paths.root.strip('/')}"
    desk = SystemDesk(settings, address, server.failure, [secret for secret in secrets if secret])
    return FileServerSource(definition.title, server, desk)


def _sftp_server(
    settings: ConnectionSettings,
    access: SystemAccess,
    destination: Destination,
    login: UserPassword | SshKey,
    paths: ServerPaths,
) -> FileServer:
    given = [each.strip().rstrip("=") for each in settings.text("host_key").split(",") if each.strip()]
    wrong = next((each for each in given if not _FINGERPRINT.fullmatch(each)), None)
    if wrong is not None:
        raise InvalidConnection("configVariables.host_key", f"{wrong[:60]!r} is no fingerprint such as SHA256:…")
    if not given and not settings.flag("trust_any_host_key"):
        raise InvalidConnection(
            "configVariables.host_key",
            "is required for SFTP: without it any server could take the place of the one that is meant and read the "
            "password (ssh-keyscan HOST | ssh-keygen -lf - shows it; or set trust_any_host_key)",
        )
    try:
        # With a driver of its own, which FTP does without.
        module = import_module("openplaybook.connectors.plugins.file_transfer.sftp_server")
    except ModuleNotFoundError as error:
        raise DriverAbsent("asyncssh", "connectors") from error
    return module.SftpServer(access, destination, login, paths, given)


def _login(settings: ConnectionSettings) -> UserPassword | SshKey:
    given = settings.authentication
    return given if isinstance(given, SshKey) else _plain(settings.login())


def _plain(login: UserPassword) -> UserPassword:
    """Each is one line of FTP."""
    if any(ord(char) < 0x20 or char == "\x7f" for char in login.user + login.password):
        raise InvalidConnection("authConfig.userPassword", "holds a line break or a control character")
    return login
