"""A TLS service with OpenSSL straight on its sockets: unlike asyncio's, it sends the alerts by which it refuses."""

import socket
import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

_WAIT_S = 5.0
_OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@contextmanager
def tls_peer(context: ssl.SSLContext) -> Generator[int]:
    """Its port, as long as the block lasts; answers every request with `ok`, one connection after the other."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=_serve, args=(listening, context))
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


def _serve(listening: socket.socket, context: ssl.SSLContext) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        connection.settimeout(_WAIT_S)
        with suppress(OSError), connection:
            _answer(connection, context)


def _answer(connection: socket.socket, context: ssl.SSLContext) -> None:
    try:
        with context.wrap_socket(connection, server_side=True) as secure:
            while secure.recv(65_536):
                secure.sendall(_OK)
    except ssl.SSLError:
        # The alert is out. A service that reads what is left does not reset the connection over it.
        with suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65_536):
                pass
