"""What stands in for the command `openplaybook` where programs of tests type it: a fork of a preloaded process runs it.

`commands` writes this text out as a program, with a call of `main` behind it.
"""

import json
import os
import signal
import socket
import sys
from collections.abc import Mapping

INPUT = "-"
"""Stands for a module whose text is the standard input."""
_READ_ONCE = ("LD_", "PYTHON", "_TYPER", "_OPENPLAYBOOK_COMPLETE")
_HEEDED = ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE")
_FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1)


def needs_new(environment: Mapping[str, str]) -> bool:
    """Whether variables are there that an interpreter, or a library as it is imported, reads once."""
    return any(name.startswith(_READ_ONCE) and name not in _HEEDED for name in environment)


def connected(
    path: str, argv: "list[str]", module: str, cwd: str, environment: "dict[str, str]", files: "list[int]"
) -> "tuple[socket.socket, int]":
    """A connection on which the status of the started command arrives, and its pid."""
    request = {"argv": argv, "module": module, "cwd": cwd, "environment": environment}
    body = json.dumps(request).encode()
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    socket.send_fds(connection, [len(body).to_bytes(4, "big")], files)
    connection.sendall(body)
    return connection, number_of(connection)


def number_of(connection: socket.socket) -> int:
    """The next number that a fork server tells; EOFError when it has gone."""
    if len(told := connection.recv(4)) < 4:
        raise EOFError
    return int.from_bytes(told, "big", signed=True)


def main(path: str, command: str, module: str = "") -> None:
    """Run what was typed, by the fork server at a path, and end as it does; `module` as `connected` takes it.

    The real command runs where the environment has something that only a new interpreter heeds.
    """
    argv = [command, *sys.argv[1:]]
    if needs_new(os.environ):
        os.execv(command, argv)
    connection, pid = connected(path, argv, module, os.getcwd(), dict(os.environ), [0, 1, 2])
    for number in _FORWARDED:
        signal.signal(number, lambda number, _: os.kill(pid, number))
    status = number_of(connection)
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)
