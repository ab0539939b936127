"""Ports that nobody listens on."""

import socket
from contextlib import ExitStack


def free_ports(count: int = 2) -> list[int]:
    """So many ports of the loopback interface, all different."""
    with ExitStack() as stack:
        taken = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [int(each.getsockname()[1]) for each in taken]
