"""A server of FTP over TLS (RFC 4217) that may lie about where data connections go, with files in memory."""

import socket
import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

_WAIT_S = 10.0


@dataclass(slots=True)
class SecureFtp:
    """What it holds, and what it saw."""

    tls: ssl.SSLContext | None
    """None for one without TLS."""
    pasv_address: str = "127.0.0.1"
    """What PASV says."""
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    commands: list[str] = field(default_factory=list[str])
    plain_commands: list[str] = field(default_factory=list[str])
    """Those that came before TLS."""
    resumed: list[bool] = field(default_factory=list[bool])
    """Of each data connection, whether it went on in the control connection's TLS session."""
    port: int = 0
    listing: bytes = b""
    """What MLSD gives in place of the files."""


@contextmanager
def secure_ftp(server: SecureFtp) -> Generator[SecureFtp]:
    """Runs it; one connection after the other."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server.port = listening.getsockname()[1]
        thread = threading.Thread(target=_serve, args=(listening, server))
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


def _serve(listening: socket.socket, server: SecureFtp) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        connection.settimeout(_WAIT_S)
        conversation = _Conversation(server, connection)
        with suppress(OSError):
            conversation.run()
        conversation.close()


class _Conversation:
    def __init__(self, server: SecureFtp, control: socket.socket) -> None:
        self._server = server
        self._control = control
        self._data: socket.socket | None = None

    def close(self) -> None:
        """Hang up."""
        self._control.close()
        if self._data is not None:
            self._data.close()

    def run(self) -> None:
        """Answer until it ends."""
        self._say("220 ready")
        while (line := self._line()) is not None:
            self._server.commands.append(line)
            if not isinstance(self._control, ssl.SSLSocket):
                self._server.plain_commands.append(line)
            command, _, rest = line.partition(" ")
            if not self._answered(command.upper(), rest):
                return

    def _answered(self, command: str, rest: str) -> bool:
        if command == "AUTH" and self._server.tls is not None:
            self._say("234 go")
            self._control = self._server.tls.wrap_socket(self._control, server_side=True, do_handshake_on_connect=False)
            self._control.do_handshake()
        elif command == "USER":
            self._say("331 password")
        elif command == "PASV":
            self._listen()
        elif command in ("MLSD", "RETR"):
            self._send(command, rest)
        elif command == "STOR":
            self._receive(rest)
        else:
            self._say({"AUTH": "502 no", "PASS": "230 in", "QUIT": "221 bye"}.get(command, "200 ok"))
        return command != "QUIT"

    def _listen(self) -> None:
        self._data = socket.create_server(("127.0.0.1", 0))
        self._data.settimeout(_WAIT_S)
        port = self._data.getsockname()[1]
        self._say(f"227 at ({self._server.pasv_address.replace('.', ',')},{port // 256},{port % 256})")

    def _opened(self) -> socket.socket:
        assert self._data is not None
        self._say("150 here")
        connection, _ = self._data.accept()
        self._data.close()
        connection.settimeout(_WAIT_S)
        if self._server.tls is None:
            return connection
        secure = self._server.tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        secure.do_handshake()
        self._server.resumed.append(bool(secure.session_reused))
        return secure

    def _send(self, command: str, path: str) -> None:
        name = path.rpartition("/")[2]
        names = [f"type=file;size={len(data)}; {each}\r\n" for each, data in self._server.files.items()]
        with self._opened() as connection:
            listing = self._server.listing or "".join(names).encode()
            connection.sendall(listing if command == "MLSD" else self._server.files[name])
        self._say("226 done")

    def _receive(self, path: str) -> None:
        data = b""
        with self._opened() as connection:
            while chunk := connection.recv(65_536):
                data += chunk
        self._server.files[path.rpartition("/")[2]] = data
        self._say("226 done")

    def _line(self) -> str | None:
        line = b""
        while not line.endswith(b"\r\n"):
            byte = self._control.recv(1)
            if not byte:
                return None
            line += byte
        return line.decode()[:-2]

    def _say(self, text: str) -> None:
        self._control.sendall(f"{text}\r\n".encode())
