"""FTP (RFC 959, 3659) and FTP over TLS (RFC 4217): passive data connections to the control connection's own address."""

import ftplib
import re
import socket
import ssl
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import TypeVar

from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    EntityConflict,
    EntityNotFound,
    InvalidValue,
    OperationUnsupported,
    PermissionRefused,
    SystemFault,
    SystemUnavailable,
)
from openplaybook.connectors.plugins.dialled_address import dialled, tls_context
from openplaybook.connectors.plugins.exchange import Asked, unanswered
from openplaybook.connectors.plugins.file_transfer.base import (
    MOST_ENTRIES,
    MOST_LISTING_BYTES,
    FileEntry,
    ServerPaths,
    is_plain_name,
)
from openplaybook.connectors.settings import Destination, TlsSettings, UserPassword
from openplaybook.workers.errors import WorkError, WorkersBusy, WorkTimedOut
from openplaybook.workers.lanes import Lane

_CHUNK = 65_536
_MOST_DIGITS = 18
"""Of a size."""
_LINE = re.compile(r"([-dl])[-rwxsStTl+@.]{8,11}\s+\d+\s+\S+\s+\S+\s+(\d+)\s+\w{3}\s+\d{1,2}\s+[\d:]{4,5}\s(.+)")
"""Of LIST, as servers of Unix write it; there is no standard."""
_SERVERS = Lane("servers of files", threads=16, waiting=64, seconds=600)

T = TypeVar("T")


class _Control(ftplib.FTP_TLS):
    """A control connection over a socket that was dialled before."""

    trust_server_pasv_ipv4_address = False
    """Data connections go to the control connection's address, whatever PASV says."""

    def __init__(self, dialled_socket: socket.socket, host: str, context: ssl.SSLContext | None) -> None:
        super().__init__(context=context or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), encoding="utf-8")
        self.host = host
        self.sock = dialled_socket
        self.af = dialled_socket.family
        self._is_secure = context is not None
        self._dialled = dialled_socket
        self._data: socket.socket | None = None

    def begin(self, user: str, password: str, timeout: float) -> None:
        """Log in, over TLS where there is a context."""
        self.timeout = timeout
        self._dialled.settimeout(timeout)
        self._read_from(self._dialled)
        self.welcome = self.getresp()
        if self._is_secure:
            self.auth()
            # Replies are read with `file`, which `auth` has made anew, and strictly.
            self._read_from(self.sock or self._dialled)
        ftplib.FTP.login(self, user, password)
        if self._is_secure:
            self.prot_p()

    def data_connection(self, command: str) -> socket.socket:
        """For a transfer; over TLS in the control connection's own session, without which many servers refuse it."""
        self._data = connection = ftplib.FTP.ntransfercmd(self, command)[0]
        if not self._is_secure:
            return connection
        control = self.sock
        session = control.session if isinstance(control, ssl.SSLSocket) else None
        self._data = secure = self.context.wrap_socket(
            connection, server_hostname=self.host, session=session, do_handshake_on_connect=False
        )
        secure.do_handshake()
        return secure

    def hang_up(self) -> None:
        """End all connections. A thread that waits for the server is told so first: closing waits for it."""
        for each in (self._data, self.sock, self._dialled):
            if each is not None:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
        self.close()
        for each in (self._data, self._dialled):
            if each is not None:
                each.close()

    def _read_from(self, control: socket.socket) -> None:
        self.file = control.makefile("r", encoding=self.encoding, errors="replace")


class FtpSession:
    """A login; each command runs in a thread."""

    def __init__(self, control: _Control, paths: ServerPaths, timeout: float) -> None:
        self._control = control
        self._paths = paths
        self._timeout = timeout
        self._is_machine_readable = True

    async def welcome(self) -> None:
        """Look at the root folder."""
        await self.listed("")

    async def listed(self, folder: str) -> Sequence[FileEntry]:
        """By MLSD, else by LIST."""
        return await self._run(lambda: self._listed(self._paths.of(folder)))

    async def entry(self, path: str) -> FileEntry | None:
        """As its folder lists it."""
        folder, _, name = path.rpartition("/")
        try:
            found = await self.listed(folder)
        except EntityNotFound:
            return None
        return next((each for each in found if each.name == name), None)

    async def read(self, path: str, most: int) -> bytes:
        """By RETR."""
        return await self._run(lambda: self._retrieved(f"RETR {self._paths.of(path)}", most, path))

    async def write(self, path: str, data: bytes) -> None:
        """By STOR."""
        await self._run(lambda: self._stored(self._paths.of(path), data))

    async def move(self, path: str, target: str) -> None:
        """By RNFR and RNTO."""
        await self._run(lambda: self._control.rename(self._paths.of(path), self._paths.of(target)))

    async def remove(self, path: str, *, is_folder: bool) -> None:
        """By DELE or RMD."""
        control, whole = self._control, self._paths.of(path)
        await self._run(lambda: control.rmd(whole) if is_folder else control.delete(whole))

    async def make_folder(self, path: str) -> None:
        """By MKD."""
        await self._run(lambda: self._control.mkd(self._paths.of(path)))

    async def _run(self, work: Callable[[], T]) -> T:
        try:
            return await _SERVERS.run(work, seconds=self._timeout)
        except ftplib.error_perm as error:
            if str(error).startswith("550") and _says_absent(str(error)):
                raise EntityNotFound(f"the server says: {str(error)[:200]}") from error
            raise

    def _listed(self, folder: str) -> Sequence[FileEntry]:
        if self._is_machine_readable:
            try:
                lines = self._lines(f"MLSD {folder}")
            except ftplib.error_perm as error:
                if not str(error).startswith(("500", "501", "502", "504")):
                    raise
                self._is_machine_readable = False
            else:
                return [entry for line in lines if (entry := _machine_entry(line)) is not None]
        found = [entry for line in self._lines(f"LIST {folder}") if (entry := _human_entry(line)) is not None]
        return [each for each in found if is_plain_name(each.name)]

    def _lines(self, command: str) -> list[str]:
        # Names in other encodings are listed with marks in place of what cannot be read.
        text = self._retrieved(command, MOST_LISTING_BYTES, "the listing").decode("utf-8", "replace")
        lines = text.splitlines()
        if len(lines) > MOST_ENTRIES:
            raise SystemFault(f"the folder has more than {MOST_ENTRIES:,} entries")
        return lines

    def _retrieved(self, command: str, most: int, name: str) -> bytes:
        self._control.voidcmd("TYPE I")
        data = bytearray()
        with self._control.data_connection(command) as connection:
            while chunk := connection.recv(_CHUNK):
                data += chunk
                if len(data) > most:
                    raise InvalidValue("", f"{name} is larger than {most:,} bytes, which is the limit")
        self._control.voidresp()
        return bytes(data)

    def _stored(self, path: str, data: bytes) -> None:
        self._control.voidcmd("TYPE I")
        with self._control.data_connection(f"STOR {path}") as connection:
            connection.sendall(data)
            if isinstance(connection, ssl.SSLSocket):
                # Without TLS's own end, a server takes the file for cut.
                with suppress(OSError):
                    connection.unwrap()
        self._control.voidresp()


class FtpServer:
    """A server of FTP, over TLS where the connection says so."""

    def __init__(
        self, access: SystemAccess, destination: Destination, login: UserPassword, paths: ServerPaths, tls: TlsSettings
    ) -> None:
        """`tls.is_used` says whether nothing, not even the user's name, is sent without TLS. Raises
        `InvalidConnection`."""
        self._access = access
        self._destination = destination
        self._login = login
        self._paths = paths
        self._context = tls_context(tls) if tls.is_used else None

    @asynccontextmanager
    async def session(self, timeout_s: float) -> AsyncGenerator[FtpSession]:
        """A session."""
        dialled_socket = await dialled(self._access, self._destination.host, self._destination.port)
        control = _Control(dialled_socket, self._destination.host, self._context)
        try:
            login = self._login
            await _SERVERS.run(lambda: control.begin(login.user, login.password, timeout_s), seconds=timeout_s)
            yield FtpSession(control, self._paths, timeout_s)
            with suppress(OSError, EOFError, ftplib.Error, WorkError):
                await _SERVERS.run(lambda: control.sendcmd("QUIT"), seconds=1.0)
        finally:
            control.hang_up()

    def failure(self, error: Exception, said: str, asked: Asked) -> ConnectorError | None:
        """By the reply's code (RFC 959 §4.2)."""
        if isinstance(error, ftplib.error_perm):
            return _refusal(said)
        if isinstance(error, ftplib.error_temp):
            return SystemUnavailable(f"the server says: {said}")
        if isinstance(error, ssl.SSLError):
            return SystemUnavailable(f"there is no trusted TLS with the server: {said}")
        if isinstance(error, WorkersBusy) or (isinstance(error, WorkTimedOut) and not error.was_begun):
            return SystemUnavailable(f"nothing was sent: {said}")
        if isinstance(error, EOFError | OSError | WorkError):
            return unanswered(asked, said or "the connection ended")
        if isinstance(error, ftplib.Error):
            return SystemFault(f"the server's reply cannot be read: {said}")
        return None


def _refusal(said: str) -> ConnectorError:
    code = said[:3]
    if code in ("530", "332", "532"):
        return AuthenticationRefused(f"the server does not take the login: {said}")
    if code in ("500", "502", "504", "534", "536"):
        return OperationUnsupported(f"the server cannot do this: {said}")
    if any(words in said.lower() for words in ("permission", "privilege", "denied", "not allowed")):
        return PermissionRefused(f"the login may not do this: {said}")
    return EntityConflict(f"the server refuses: {said}")


def _says_absent(said: str) -> bool:
    lower = said.lower()
    return any(words in lower for words in ("no such", "not found", "does not exist", "not exist", "can't find"))


def _machine_entry(line: str) -> FileEntry | None:
    """Of a line of MLSD (RFC 3659 §7.2); None for what is no file or folder below."""
    facts, _, name = line.partition(" ")
    known = {key.lower(): value for key, _, value in (fact.partition("=") for fact in facts.split(";"))}
    kind = known.get("type", "").lower()
    if kind not in ("file", "dir") or not is_plain_name(name):
        return None
    size = known.get("size", "")
    is_folder = kind == "dir"
    return FileEntry(name, is_folder, _size(size) if not is_folder else None, _moment(known))


def _human_entry(line: str) -> FileEntry | None:
    found = _LINE.fullmatch(line)
    if found is None or found[1] == "l":
        return None
    is_folder = found[1] == "d"
    return FileEntry(found[3], is_folder, None if is_folder else _size(found[2]))


def _size(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else None


def _moment(facts: dict[str, str]) -> str:
    try:
        found = datetime.strptime(facts.get("modify", "")[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return ""
    return found.isoformat().replace("+00:00", "Z")
