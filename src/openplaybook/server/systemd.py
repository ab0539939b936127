"""Telling the service manager how far the server is (sd_notify(3)); nothing happens where there is none."""

import logging
import os
import socket
from collections.abc import Mapping

_LOG = logging.getLogger("openplaybook.server")

READY = "READY=1"
STOPPING = "STOPPING=1"


def notify(state: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send a state to the socket that `NOTIFY_SOCKET` names. Raises nothing: the server serves without it, too."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sending:
        try:
            # `@` stands for the zero byte of an abstract address.
            sending.sendto(state.encode(), f"\0{address[1:]}" if address.startswith("@") else address)
        except OSError:
            _LOG.warning("the service manager at %s does not listen", address)
