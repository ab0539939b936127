"""The command `openplaybook` as tests start it: in a fork of a process that has imported the product already.

Importing is nearly all that a short command costs, and tests start hundreds. Whole runs (`make proof`) start the real
command everywhere, as do tests that take `COMMAND` itself.
"""

import atexit
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, TextIO

from tests.kit.preloaded.stub import INPUT, connected, needs_new, number_of
from tests.kit.thoroughness import IS_WHOLE

COMMAND = Path(sys.executable).with_name("openplaybook")
"""The installed command."""

_ROOT = Path(__file__).parents[3]


class ForkedProcess:
    """A command that runs in a fork, as `subprocess.Popen` would show it."""

    def __init__(self, connection: socket.socket, pid: int, output: TextIO) -> None:
        self.pid = pid
        self.stdout: IO[str] | None = output
        self.returncode: int | None = None
        self._connection = connection

    def poll(self) -> int | None:
        """As `Popen.poll`."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """As `Popen.wait`."""
        if self.returncode is None:
            self._connection.settimeout(timeout)
            try:
                self.returncode = number_of(self._connection)
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired("openplaybook", timeout or 0) from None
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """As `Popen.send_signal`; one that ended since it was asked takes none, as there."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """As `Popen.terminate`."""
        self.send_signal(15)

    def kill(self) -> None:
        """As `Popen.kill`."""
        self.send_signal(9)


def start(
    arguments: Sequence[str], *, module: str = "", cwd: Path, environment: Mapping[str, str], errors: IO[str]
) -> "subprocess.Popen[str] | ForkedProcess":
    """The command, or with `module` that module as `python -m` runs it, with a pipe for its output."""
    if IS_WHOLE or needs_new(environment):
        program = [sys.executable, "-m", module] if module else [COMMAND]
        whole = {**environment, "PYTHONPATH": str(_ROOT)} if module else environment
        return subprocess.Popen(
            [*program, *arguments], stdout=subprocess.PIPE, stderr=errors, text=True, cwd=cwd, env=whole
        )
    reading, writing = os.pipe()
    with open(os.devnull) as nothing:
        files = [nothing.fileno(), writing, errors.fileno()]
        argv = [str(COMMAND), *arguments]
        connection, pid = connected(str(_socket()), argv, module, str(cwd), dict(environment), files)
    os.close(writing)
    return ForkedProcess(connection, pid, open(reading, encoding="utf-8"))


@cache
def quick_command() -> Path:
    """A program that does what the installed command does, sooner; in a whole run that command itself."""
    return COMMAND if IS_WHOLE else _written(COMMAND.name, COMMAND, "")


@cache
def quick_python() -> Path:
    """A program that runs its input as `python -` does, sooner where that imports Google's clients; in a whole run that
    interpreter itself.
    """
    python = Path(sys.executable)
    return python if IS_WHOLE else _written("program-from-input", python, INPUT)


def _written(name: str, real: Path, module: str) -> Path:
    program = _socket().with_name(name)
    call = f"main({str(_socket())!r}, {str(real)!r}, {module!r})\n"
    program.write_text(f"#!{sys.executable} -IS\n{Path(__file__).with_name('stub.py').read_text()}\n\n{call}")
    program.chmod(0o755)
    return program


def searched(path: str) -> str:
    """A PATH on which the quick command comes first, and what is installed beside the real one next."""
    return os.pathsep.join([str(quick_command().parent), str(COMMAND.parent), path])


@cache
def _socket() -> Path:
    """Where this process's fork server listens; it ends with this process."""
    folder = tempfile.TemporaryDirectory(prefix="preloaded-")
    path = Path(folder.name) / "socket"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENPLAYBOOK_")}
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.kit.preloaded.fork_server", path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=_ROOT,
        env=environment,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    server.stdout.close()

    def end() -> None:
        assert server.stdin is not None
        server.stdin.close()
        server.wait()
        folder.cleanup()

    atexit.register(end)
    return path
