"""The listening socket for HTTP, and who may be let near it."""

import errno
import socket
from ipaddress import ip_address

from openplaybook.egress.web_origin import canonical_host
from openplaybook.server.errors import CannotBind, Unprotected

_BACKLOG = 2048


def bind(host: str, port: int, *, option: str = "--port") -> socket.socket:
    """A socket that listens on `host` (a name or address) and `port` (0: a free one).

    Raises `CannotBind`, which names the command line's `option` for another port.

    The protocol is named: asyncio sets TCP_NODELAY only on sockets that say they are TCP, and without it
    every answer on a kept connection waits 40 ms for a delayed acknowledgement.
    """
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
            0
        ]
    except socket.gaierror as error:
        raise CannotBind(f"{host!r} is not an address of this machine: {error.strerror}") from error
    listener = socket.socket(family, kind, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise CannotBind(f"cannot listen on {authority(host, port)}: {_reason(error, option)}") from error
    listener.setblocking(False)
    return listener


def port_of(listener: socket.socket) -> int:
    """The port a socket listens on."""
    return int(listener.getsockname()[1])


def authority(host: str, port: int) -> str:
    """`host:port`, an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def reachable_host(host: str) -> str:
    """The host by which this machine reaches a server that listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)


def check_exposure(host: str, *, is_authenticated: bool, insecure: bool) -> None:
    """Refuse to serve other machines without authentication; raises `Unprotected`."""
    if is_authenticated or insecure or is_loopback(host):
        return
    raise Unprotected(
        f"{host or 'every address'} can be reached from other machines: set API keys with --api-key-file or an "
        "identity provider with --oidc-issuer, or say --insecure if something else protects the server"
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server that listens on `host`."""
    name = canonical_host(host)
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def _reason(error: OSError, option: str) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"the port is taken; choose another {option}, or 0 for a free one"
    if error.errno == errno.EACCES:
        return "this user may not use the port; ports from 1024 up are free to use"
    return error.strerror or str(error)
