"""What a child process does: it takes a job from its socket, does it, and answers, until the other end is closed.

It imports the standard library, and the module of its task.
"""

import fcntl
import os
import resource
import socket
import struct
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final, NoReturn, TypeAlias

JOB = struct.Struct("!dQ")
"""Before a job: seconds of the processor that it may take, and its bytes."""

ANSWER = struct.Struct("!BQ")
"""Before an answer: one of the words below, and its bytes."""

READY: Final = 0
"""The task is imported; a job may come."""

DONE: Final = 1
"""The job is done; the next one may come."""

DONE_AND_GONE: Final = 2
"""The job is done; the child has grown and ends."""

OUT_OF_MEMORY: Final = 3
"""Exit code when a job takes more memory than there is."""

Task: TypeAlias = Callable[[bytearray], bytes]
"""What is done with a job."""

_PIECE = 1024 * 1024
_PAGE = os.sysconf("SC_PAGE_SIZE")
_NICE = 5
"""Jobs give way to turns."""


def main(arguments: Sequence[str]) -> NoReturn:
    """Work off jobs that come through the socket that is the standard input.

    The arguments: the task as `module:function`, bytes of memory that the process may take, and bytes from which on it
    is too large for another job.
    """
    task_name, memory, grown = arguments[0], int(arguments[1]), int(arguments[2])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    os.nice(_NICE)
    module, _, function = task_name.partition(":")
    task: Task = getattr(import_module(module), function)
    with socket.socket(fileno=os.dup(0)) as connection:
        connection.sendall(ANSWER.pack(READY, 0))
        try:
            while (job := _received(connection)) is not None:
                _do(task, job, connection, grown)
                del job
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
    os._exit(0)


def _do(task: Task, job: bytearray, connection: socket.socket, grown: int) -> None:
    answer = task(job)
    word = DONE if _size() < grown else DONE_AND_GONE
    _end_with_the_other_side(connection, is_working=False)
    connection.sendall(ANSWER.pack(word, len(answer)))
    connection.sendall(answer)
    if word != DONE:
        # The values need not be taken apart one by one.
        os._exit(0)


def _received(connection: socket.socket) -> bytearray | None:
    """The next job, its time on the processor begun; None when the other end is closed."""
    head = _exactly(connection, JOB.size)
    if head is None:
        return None
    seconds, size = JOB.unpack(head)
    job = _exactly(connection, size)
    if job is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + seconds) + 1, hard))
        _end_with_the_other_side(connection, is_working=True)
    return job


def _exactly(connection: socket.socket, size: int) -> bytearray | None:
    """The next `size` bytes; None when the other end is closed before they came."""
    content = bytearray(size)
    view, at = memoryview(content), 0
    while at < size:
        count = connection.recv_into(view[at : at + _PIECE])
        if not count:
            return None
        at += count
    return content


def _end_with_the_other_side(connection: socket.socket, *, is_working: bool) -> None:
    """Whether the kernel ends this process when the other end is closed: a job may not look up for seconds.

    Nothing comes through the socket during a job, so the signal (SIGIO, whose default is to end) says one thing only.
    """
    number = connection.fileno()
    flags = fcntl.fcntl(number, fcntl.F_GETFL)
    fcntl.fcntl(number, fcntl.F_SETOWN, os.getpid() if is_working else 0)
    fcntl.fcntl(number, fcntl.F_SETFL, flags | os.O_ASYNC if is_working else flags & ~os.O_ASYNC)
    if is_working and _is_closed(connection):
        os._exit(0)


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False


def _size() -> int:
    """Bytes of memory in use."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * _PAGE


PROGRAM = f"import sys; sys.path = sys.argv[4:]; from {__name__} import main; main(sys.argv[1:4])"
"""What `python -c` is given; behind the arguments of `main` come the folders that modules are imported from."""
