"""A peer on a loopback socket that begins a conversation in TDS 7.4 as SQL Server does (MS-TDS): the pre-login, a TLS
handshake within its packets, and the login, which it refuses. It notes what came so far.
"""

import socket
import ssl
import struct
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

_PRELOGIN, _REPLY, _LOGIN = 0x12, 0x04, 0x10
_HEADER = struct.Struct(">BBHHBB")
_REFUSED = 18456


@dataclass
class TdsPeer:
    """What came."""

    port: int = 0
    connections: int = 0
    handshakes: int = 0
    """TLS handshakes that came to their end."""
    logins: list[bytes] = field(default_factory=list[bytes])
    """LOGIN7 messages: whoever sent one has shown a password."""


class _Wire:
    """Packets of one connection."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link

    def packet(self) -> tuple[int, bytes]:
        """Type and content of the next one. Raises `EOFError`."""
        kind, _, length, *_ = _HEADER.unpack(self._exactly(_HEADER.size))
        return kind, self._exactly(length - _HEADER.size)

    def send(self, kind: int, content: bytes) -> None:
        """One packet."""
        self._link.sendall(_HEADER.pack(kind, 1, len(content) + _HEADER.size, 0, 1, 0) + content)

    def _exactly(self, size: int) -> bytes:
        made = b""
        while len(made) < size:
            piece = self._link.recv(size - len(made))
            if not piece:
                raise EOFError
            made += piece
        return made


def _options() -> bytes:
    """The reply to a pre-login: a version, and that everything is encrypted."""
    version, encryption = b"\x10\x00\x10\x00\x00\x00", b"\x01"
    start = 2 * 5 + 1
    table = struct.pack(">BHH", 0, start, len(version)) + struct.pack(">BHH", 1, start + len(version), 1) + b"\xff"
    return table + version + encryption


def _refusal() -> bytes:
    """The token of an error, and that nothing follows."""
    said, server = "Login failed.".encode("utf-16-le"), "peer".encode("utf-16-le")
    content = struct.pack("<IBB", _REFUSED, 1, 14) + struct.pack("<H", len(said) // 2) + said
    content += bytes([len(server) // 2]) + server + b"\x00" + struct.pack("<I", 1)
    return b"\xaa" + struct.pack("<H", len(content)) + content + b"\xfd" + struct.pack("<HHQ", 2, 0, 0)


def _serve(link: socket.socket, context: ssl.SSLContext, peer: TdsPeer) -> None:
    wire = _Wire(link)
    kind, _ = wire.packet()
    assert kind == _PRELOGIN
    wire.send(_REPLY, _options())
    came, goes = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(came, goes, server_side=True)
    while True:
        try:
            tls.do_handshake()
            break
        except ssl.SSLWantReadError:
            if goes.pending:
                wire.send(_PRELOGIN, goes.read())
            came.write(wire.packet()[1])
    if goes.pending:
        wire.send(_PRELOGIN, goes.read())
    peer.handshakes += 1
    # From here on TLS lies around the packets.
    message = b""
    while len(message) < _HEADER.size or len(message) < _HEADER.unpack(message[: _HEADER.size])[2]:
        try:
            message += tls.read(4_096)
        except ssl.SSLWantReadError:
            piece = link.recv(4_096)
            if not piece:
                raise EOFError from None
            came.write(piece)
    if message[0] == _LOGIN:
        peer.logins.append(message[_HEADER.size :])
    refusal = _refusal()
    tls.write(_HEADER.pack(_REPLY, 1, len(refusal) + _HEADER.size, 0, 1, 0) + refusal)
    link.sendall(goes.read())


@contextmanager
def tds_peer(context: ssl.SSLContext) -> Generator[TdsPeer]:
    """The peer, running while the block does."""
    peer = TdsPeer()
    # The last TLS that is spoken within packets: that of 1.3 sends tickets when nobody expects packets any more.
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    server = socket.create_server(("127.0.0.1", 0))
    peer.port = server.getsockname()[1]

    def run() -> None:
        while True:
            try:
                link, _ = server.accept()
            except OSError:
                return
            peer.connections += 1
            link.settimeout(10)
            with link:
                try:
                    _serve(link, context, peer)
                except (EOFError, OSError):
                    # Who does not trust it goes away.
                    continue

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield peer
    finally:
        # A blocked accept does not notice that its socket is closed.
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join(10)
