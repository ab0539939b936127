"""SFTP (over SSH, RFC 4251 ff.): the server is known by the fingerprint of its key before anything is told it."""

import asyncio
import posixpath
import stat
from base64 import b64encode
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from hashlib import sha256
from typing import cast

import asyncssh

from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    EntityConflict,
    EntityNotFound,
    InvalidConnection,
    InvalidValue,
    OperationUnsupported,
    PermissionRefused,
    SystemFault,
)
from openplaybook.connectors.plugins.dialled_address import dialled
from openplaybook.connectors.plugins.exchange import Asked, unanswered
from openplaybook.connectors.plugins.file_transfer.base import MOST_ENTRIES, FileEntry, ServerPaths, is_plain_name
from openplaybook.connectors.settings import Destination, SshKey, UserPassword

_MOST_KEY = 32_000
"""Characters of a private key."""


class _Client(asyncssh.SSHClient):
    """Decides whether a server is the one that is meant."""

    def __init__(self, fingerprints: Sequence[str]) -> None:
        self._fingerprints = fingerprints

    def validate_host_public_key(self, host: str, addr: str, port: int, key: asyncssh.SSHKey) -> bool:
        """Whether its key is one of those that are known, any without such."""
        return not self._fingerprints or fingerprint(key.public_data) in self._fingerprints


class SftpSession:
    """A login."""

    def __init__(self, client: asyncssh.SFTPClient, paths: ServerPaths) -> None:
        self._client = client
        self._paths = paths
        self._root = ""

    async def welcome(self) -> None:
        """Look at the root folder."""
        self._root = await self._real(self._paths.of(""))

    async def listed(self, folder: str) -> Sequence[FileEntry]:
        """What is in a folder; links are left out."""
        found: list[FileEntry] = []
        async for each in self._client.scandir(await self._within(folder)):
            entry = _entry(str(each.filename), each.attrs)
            if entry is not None:
                found.append(entry)
            if len(found) > MOST_ENTRIES:
                raise SystemFault(f"the folder has more than {MOST_ENTRIES:,} entries")
        return found

    async def entry(self, path: str) -> FileEntry | None:
        """By its attributes."""
        try:
            attributes = await self._client.stat(await self._within(path))
        except (asyncssh.SFTPNoSuchFile, EntityNotFound):
            return None
        return _entry(path.rpartition("/")[2], attributes)

    async def read(self, path: str, most: int) -> bytes:
        """Whole."""
        async with self._client.open(await self._within(path), "rb") as file:
            data = cast(bytes, await file.read(most + 1))
        if len(data) > most:
            raise InvalidValue("", f"{path} is larger than {most:,} bytes, which is the limit")
        return data

    async def write(self, path: str, data: bytes) -> None:
        """Whole."""
        async with self._client.open(await self._new(path), "wb") as file:
            await file.write(data)

    async def move(self, path: str, target: str) -> None:
        """Rename."""
        await self._client.rename(await self._within(path), await self._new(target))

    async def remove(self, path: str, *, is_folder: bool) -> None:
        """A file, or an empty folder."""
        whole = await self._within(path)
        await (self._client.rmdir(whole) if is_folder else self._client.remove(whole))

    async def make_folder(self, path: str) -> None:
        """A new one."""
        await self._client.mkdir(await self._new(path))

    async def _within(self, path: str) -> str:
        """The path without links, which must still lie below the root: a link may lead anywhere."""
        if not self._root:
            await self.welcome()
        real = await self._real(self._paths.of(path))
        if real != self._root and not real.startswith(self._root.rstrip("/") + "/"):
            raise PermissionRefused(f"{path} is a link that leads out of the connection's root folder")
        return real

    async def _new(self, path: str) -> str:
        """The same for what may not be there yet: its folder must lie below the root, and so must what it links to."""
        folder, _, name = path.rpartition("/")
        whole = posixpath.join(await self._within(folder), name)
        if await self._client.islink(whole):
            return await self._within(path)
        return whole

    async def _real(self, path: str) -> str:
        try:
            return str(await self._client.realpath(path))
        except asyncssh.SFTPNoSuchFile:
            raise EntityNotFound(f"there is no {path}") from None


class SftpServer:
    """A server of SFTP."""

    def __init__(
        self,
        access: SystemAccess,
        destination: Destination,
        login: UserPassword | SshKey,
        paths: ServerPaths,
        fingerprints: Sequence[str],
    ) -> None:
        """Without fingerprints any server is taken for the one that is meant."""
        self._access = access
        self._destination = destination
        self._login = login
        self._paths = paths
        self._fingerprints = fingerprints

    @asynccontextmanager
    async def session(self, timeout_s: float) -> AsyncGenerator[SftpSession]:
        """A session."""
        login = self._login
        # Opening a key that is encrypted takes a while.
        keys = [await asyncio.to_thread(_private_key, login)] if isinstance(login, SshKey) else None
        dialled_socket = await dialled(self._access, self._destination.host, self._destination.port)
        try:
            connection = await asyncssh.connect(
                self._destination.host,
                self._destination.port,
                sock=dialled_socket,
                client_factory=lambda: _Client(self._fingerprints),
                # No keys are known from files: `_Client` decides.
                known_hosts=([], [], []),
                # Nothing of this machine's user is used: neither his configuration nor his keys nor his agent.
                config=None,
                agent_path=None,
                client_keys=keys,
                x509_trusted_certs=None,
                gss_kex=False,
                gss_auth=False,
                username=login.user,
                password=login.password if isinstance(login, UserPassword) else None,
                preferred_auth=("password", "keyboard-interactive") if keys is None else ("publickey",),
                login_timeout=timeout_s,
            )
        except BaseException:
            dialled_socket.close()
            raise
        try:
            yield SftpSession(await connection.start_sftp_client(), self._paths)
        finally:
            # Taking leave would wait for the server, however long it is silent.
            connection.abort()

    def failure(self, error: Exception, said: str, asked: Asked) -> ConnectorError | None:
        """By the driver's classes."""
        if isinstance(error, asyncssh.PermissionDenied):
            return AuthenticationRefused(f"the server does not take the login: {said}")
        if isinstance(error, asyncssh.HostKeyNotVerifiable):
            return PermissionRefused("the server's key has none of the fingerprints of the config variable host_key")
        if isinstance(error, asyncssh.SFTPConnectionLost | asyncssh.SFTPNoConnection):
            return unanswered(asked, said or "the connection ended")
        for kind, made in _FAILURES:
            if isinstance(error, kind):
                return made(f"the server says: {said}")
        if isinstance(error, asyncssh.Error | OSError):
            return unanswered(asked, said or "the connection ended")
        return None


_FAILURES: tuple[tuple[tuple[type[Exception], ...], type[ConnectorError]], ...] = (
    ((asyncssh.SFTPNoSuchFile, asyncssh.SFTPNoSuchPath), EntityNotFound),
    ((asyncssh.SFTPPermissionDenied, asyncssh.SFTPWriteProtect), PermissionRefused),
    ((asyncssh.SFTPOpUnsupported,), OperationUnsupported),
    ((asyncssh.SFTPError,), EntityConflict),
)


def fingerprint(public_data: bytes) -> str:
    """Of a key, as `ssh-keygen -l` shows it."""
    return "SHA256:" + b64encode(sha256(public_data).digest()).decode().rstrip("=")


def _private_key(login: SshKey) -> asyncssh.SSHKey:
    try:
        if len(login.private_key) > _MOST_KEY:
            raise InvalidConnection("authConfig.sshPublicKey", f"a key has at most {_MOST_KEY} characters")
        return asyncssh.import_private_key(login.private_key, login.passphrase or None)
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError):
        raise InvalidConnection("authConfig.sshPublicKey", "is no private key that its passphrase opens") from None


def _entry(name: str, attributes: asyncssh.SFTPAttrs) -> FileEntry | None:
    mode = attributes.permissions or 0
    is_folder = stat.S_ISDIR(mode)
    if not is_plain_name(name) or not (is_folder or stat.S_ISREG(mode)):
        return None
    at = attributes.mtime
    moment = datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z") if at is not None else ""
    return FileEntry(name, is_folder, None if is_folder else attributes.size, moment)
