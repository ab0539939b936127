"""`python -m tests.kit.preloaded.fork_server SOCKET`: has imported the product, and forks for each command.

A connection brings the three standard files and one request; it is told the pid of the child, and its status when it
ends. A child whose connection is closed before is killed, and all are when the standard input of this process ends.
"""

import atexit
import gc
import importlib
import importlib.util
import json
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TextIO, cast

import openplaybook
from tests.kit.preloaded.stub import INPUT

_NUMBER = 4
"""Bytes of each number on a connection: lengths, pids, statuses."""
_MAIN = "openplaybook.cli.main"
_FOREIGN = "inside"
"""Rooms of this name are what runs in sandboxes: it is never imported by the product itself."""
_IMPORTED_LATER = (
    "openplaybook.connectors.plugins.neo4j_graph.",
    "openplaybook.encoders.",
    "openplaybook.models.pydantic_ai.",
    "openplaybook.retrieval.crawl.crawl_child",
    "openplaybook.retrieval.crawl.page_links",
    "openplaybook.retrieval.extraction.",
    "openplaybook.retrieval.vectors.",
)
"""Beginnings of modules that the product imports in child processes, or when asked: their libraries start threads, or
take longer to import than all others together and are wanted by few commands."""
_LIBRARIES = ("google.cloud.ces_v1beta", "google.cloud.dialogflowcx_v3", "google.cloud.dialogflowcx_v3beta1")
"""What commands that speak to Google, and programs of pages, import when asked: a second of each."""
_READ_ONCE = (
    ("openplaybook.connectors.catalog.connectors", "catalogue"),
    ("openplaybook.models.offline.learned.weights", "learned_weights"),
    ("openplaybook.wire.api", "load_api"),
)
"""Functions that read what is shipped and keep it: every server would, a third of a second of each start."""


@dataclass(frozen=True)
class ForkRequest:
    """A command to be run."""

    argv: Sequence[str]
    module: str
    """What is run as `__main__`, `INPUT` for what the input says; empty for the command `openplaybook`."""
    cwd: str
    environment: dict[str, str]
    files: Sequence[int]
    """Descriptors of its standard input, output and error."""


@dataclass
class _Child:
    pid: int
    pidfd: int
    connection: socket.socket
    is_abandoned: bool = False


def preload() -> None:
    """Import the product, and keep the collector from touching what all children share."""
    for found in pkgutil.walk_packages(openplaybook.__path__, "openplaybook."):
        is_own = _FOREIGN not in found.name.split(".") and not found.name.startswith(_IMPORTED_LATER)
        if is_own and not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    for library in filter(_is_installed, _LIBRARIES):
        importlib.import_module(library)
    for module, function in _READ_ONCE:
        getattr(importlib.import_module(module), function)()
    tasks = os.listdir("/proc/self/task")
    assert len(tasks) == 1, "a process with threads cannot be forked"
    gc.collect()
    gc.freeze()


def _is_installed(library: str) -> bool:
    try:
        return importlib.util.find_spec(library) is not None
    except ModuleNotFoundError:
        return False


class ForkServer:
    """Takes connections and forks; returns the request in each child."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._selector = selectors.DefaultSelector()
        self._children: list[_Child] = []

    def serve(self) -> ForkRequest | None:
        """The request in a child; None in this process, at the end of its standard input."""
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(sys.stdin, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is sys.stdin:
                    self._end()
                    return None
                if key.fileobj is self._listener:
                    if (request := self._accept()) is not None:
                        return request
                else:
                    self._attend(cast(_Child, key.data), key.fd)

    def _accept(self) -> ForkRequest | None:
        connection, _ = self._listener.accept()
        try:
            request = _read(connection)
        except EOFError:
            connection.close()
            return None
        if (pid := os.fork()) == 0:
            self._forget(connection)
            return request
        for file in request.files:
            os.close(file)
        child = _Child(pid, os.pidfd_open(pid), connection)
        self._children.append(child)
        self._selector.register(child.pidfd, selectors.EVENT_READ, child)
        self._selector.register(connection, selectors.EVENT_READ, child)
        _tell(connection, pid)
        return None

    def _attend(self, child: _Child, ready: int) -> None:
        if ready != child.pidfd:
            # Nobody waits for it any more.
            self._selector.unregister(child.connection)
            child.is_abandoned = True
            os.kill(child.pid, signal.SIGKILL)
            return
        _, status = os.waitpid(child.pid, 0)
        self._selector.unregister(child.pidfd)
        os.close(child.pidfd)
        self._children.remove(child)
        if not child.is_abandoned:
            self._selector.unregister(child.connection)
            _tell(child.connection, os.waitstatus_to_exitcode(status))
        child.connection.close()

    def _forget(self, connection: socket.socket) -> None:
        self._selector.close()
        self._listener.close()
        connection.close()
        for child in self._children:
            os.close(child.pidfd)
            child.connection.close()

    def _end(self) -> None:
        for child in self._children:
            os.kill(child.pid, signal.SIGKILL)
            os.waitpid(child.pid, 0)


def become(request: ForkRequest) -> None:
    """Take over the request's files, folder, environment and words, as a started program has them."""
    for number, file in enumerate(request.files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(request.cwd)
    os.environ.clear()
    os.environ.update(request.environment)
    time.tzset()
    sys.argv = list(request.argv)
    # Else usage lines would name this module and not the command.
    sys.modules["__main__"].__package__ = None
    sys.stdin = sys.__stdin__ = _text(0, "r")
    sys.stdout = sys.__stdout__ = _text(1, "w")
    sys.stderr = sys.__stderr__ = _text(2, "w", errors="backslashreplace")


def _text(file: int, mode: str, errors: str = "strict") -> TextIO:
    is_lined = file == 2 or os.isatty(file) or bool(os.environ.get("PYTHONUNBUFFERED"))
    buffering = 1 if is_lined and mode == "w" else -1
    return cast(TextIO, os.fdopen(file, mode, buffering, encoding="utf-8", errors=errors, closefd=False))


def _read(connection: socket.socket) -> ForkRequest:
    head, files, _, _ = socket.recv_fds(connection, _NUMBER, 3)
    if len(head) < _NUMBER:
        raise EOFError
    body = bytearray()
    length = int.from_bytes(head, "big")
    while len(body) < length:
        if not (part := connection.recv(length - len(body))):
            raise EOFError
        body += part
    fields = json.loads(body)
    return ForkRequest(fields["argv"], fields["module"], fields["cwd"], fields["environment"], list(files))


def _tell(connection: socket.socket, number: int) -> None:
    try:
        connection.sendall(number.to_bytes(_NUMBER, "big", signed=True))
    except OSError:
        # Who asked has gone; the end of the connection says so, too.
        return


def _status_of(request: ForkRequest) -> int:
    """Run what is asked, and end as an interpreter does, but for the memory: giving that back takes half a second."""
    status = 0
    try:
        if request.module == INPUT:
            _run_input()
        elif request.module:
            runpy.run_module(request.module, run_name="__main__")
        else:
            importlib.import_module(_MAIN).main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    # As `Py_FinalizeEx` begins.
    threading._shutdown()  # pyright: ignore[reportAttributeAccessIssue]
    atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage]
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def _run_input() -> None:
    main = sys.modules["__main__"] = ModuleType("__main__")
    sys.argv = [INPUT]
    sys.path[0] = ""
    exec(compile(sys.stdin.read(), "<stdin>", "exec"), main.__dict__)


def _main() -> None:
    preload()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen(64)
    os.write(1, b"ready\n")
    if (request := ForkServer(listener).serve()) is None:
        return
    become(request)
    os._exit(_status_of(request))


if __name__ == "__main__":
    _main()
