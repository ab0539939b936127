"""Real servers of files: FTP by pyftpdlib, SFTP by asyncssh, with a folder of their own."""

import threading
import warnings
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import asyncssh

with warnings.catch_warnings():
    # It stands on asyncore, which Python 3.12 has no more; there it brings its own.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pyftpdlib.authorizers import DummyAuthorizer
    from pyftpdlib.handlers import FTPHandler
    from pyftpdlib.ioloop import IOLoop
    from pyftpdlib.servers import FTPServer

USER, PASSWORD = "clerk", "s3cret-w0rd"


class CountedCommands:
    """How many commands have come."""

    def __init__(self) -> None:
        self.count = 0
        self.lines: list[str] = []


@contextmanager
def ftp_server(folder: Path, commands: CountedCommands, *, without_mlsd: bool = False) -> Generator[int]:
    """The port of a server of this folder."""
    authorizer = DummyAuthorizer()
    authorizer.add_user(USER, PASSWORD, str(folder), perm="elradfmwMT")

    class Handler(FTPHandler):
        """Counts."""

        def pre_process_command(self, line: str, cmd: str, arg: str) -> None:
            commands.count += 1
            commands.lines.append(line)
            super().pre_process_command(line, cmd, arg)

    Handler.authorizer = authorizer
    Handler.auth_failed_timeout = 0
    if without_mlsd:
        Handler.proto_cmds = {name: each for name, each in FTPHandler.proto_cmds.items() if name != "MLSD"}
    loop = IOLoop()
    server = FTPServer(("127.0.0.1", 0), Handler, ioloop=loop)
    is_over = threading.Event()

    def serve() -> None:
        while not is_over.is_set():
            server.serve_forever(timeout=0.05, blocking=False)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield server.address[1]
    finally:
        is_over.set()
        thread.join()
        server.close_all()


class _SshUsers(asyncssh.SSHServer):
    def __init__(self, commands: CountedCommands, public_key: asyncssh.SSHKey) -> None:
        self._commands = commands
        self._key = public_key

    def begin_auth(self, username: str) -> bool:
        self._commands.lines.append(f"auth {username}")
        return True

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        self._commands.lines.append(f"password {password}")
        return (username, password) == (USER, PASSWORD)

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        return username == USER and key == self._key


class _SftpHandler(asyncssh.SFTPServer):
    commands: CountedCommands
    folder: Path

    def __init__(self, chan: "asyncssh.SSHServerChannel[bytes]") -> None:
        super().__init__(chan, chroot=None)
        self.commands.count += 1

    def map_path(self, path: bytes) -> bytes:
        return path


HOST_KEY = asyncssh.generate_private_key("ssh-ed25519")
USER_KEY = asyncssh.generate_private_key("ssh-ed25519")


@asynccontextmanager
async def sftp_server(folder: Path, commands: CountedCommands) -> AsyncGenerator[int]:
    """The port of a server of all files, of which a connection is to reach this folder alone."""

    class Handler(_SftpHandler):
        """Of this server."""

    Handler.commands, Handler.folder = commands, folder
    server = await asyncssh.listen(
        "127.0.0.1",
        0,
        server_host_keys=[HOST_KEY],
        server_factory=lambda: _SshUsers(commands, USER_KEY.convert_to_public()),
        sftp_factory=Handler,
    )
    try:
        yield server.get_port()
    finally:
        server.close()
        await server.wait_closed()
