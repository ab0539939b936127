"""Warm child processes for work on foreign input, which may crash, hang, or take memory without end.

A child imports its task once and works off one job at a time. One that dies, or takes too long, takes nothing with it
but its job, and another takes its place. Children end with the process that started them.
"""

import atexit
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias
from weakref import WeakSet

from openplaybook.workers.child_main import ANSWER, DONE, JOB, OUT_OF_MEMORY, PROGRAM, READY
from openplaybook.workers.errors import ExitReason, WorkEnded, WorkersBusy, WorkTimedOut

_MIB = 1024 * 1024
_PIECE = _MIB
_START_S = 20.0
"""For a child to import its task, on a machine with much to do."""
_REAP_S = 2.0
_RETRY_AFTER_S = 1.0
_GROWN = 128 * _MIB

_KNOWN: WeakSet["ChildProcesses"] = WeakSet()

Pieces: TypeAlias = Sequence[bytes | bytearray | memoryview]


class ChildProcesses:
    """Processes of one task, started when they are first needed. Threads may share them."""

    def __init__(
        self, task: str, *, most: int, memory: int, waiting: int = 32, grown: int = _GROWN, max_answer: int = 256 * _MIB
    ) -> None:
        """`task` is a function, `package.module:function`, from the bytes of a job to those of its answer.

        At most `most` children do it at the same time, each within `memory` bytes (of address space), while `waiting`
        jobs may wait. A child that has come to hold `grown` bytes ends after its job. An answer has `max_answer` bytes.
        """
        self._task = task
        self._most = most
        self._memory = memory
        self._most_waiting = waiting
        self._grown = grown
        self._max_answer = max_answer
        self._free: list[_Child] = []
        self._all: set[_Child] = set()
        self._taken = 0
        self._waiting = 0
        self._changed = threading.Condition()
        _KNOWN.add(self)

    def run(
        self,
        data: bytes | Pieces,
        *,
        seconds: float,
        patience: float | None = None,
        processor_seconds: float | None = None,
    ) -> bytes:
        """The task's answer to a job, which may be given in pieces. Blocks: for a thread of a lane, or a command.

        The job may take `seconds` on the clock, and as many on a processor, or `processor_seconds`: on a machine with
        much to do the clock goes faster. Waiting for a child counts, unless `patience` says how many seconds it may
        take besides. Raises `WorkersBusy`, `WorkTimedOut` and `WorkEnded`.
        """
        begun = time.monotonic()
        child = self._take(seconds if patience is None else patience)
        until = (begun if patience is None else time.monotonic()) + seconds
        pieces = (data,) if isinstance(data, bytes) else data
        is_usable = False
        try:
            if child is None:
                started = time.monotonic()
                child = self._started()
                until += time.monotonic() - started
            answer, is_usable = child.answer(pieces, (seconds, processor_seconds or seconds), until, self._max_answer)
            return answer
        finally:
            self._give_back(child, is_usable=is_usable)

    def warm(self) -> None:
        """Have one child ready, so that the first job need not wait for its start. Raises `WorkEnded`."""
        with self._changed:
            if self._all or self._taken >= self._most:
                return
            self._taken += 1
        child: _Child | None = None
        try:
            child = self._started()
        finally:
            self._give_back(child, is_usable=child is not None)

    def close(self) -> None:
        """End all children, also those at work, whose jobs raise `WorkEnded`. Later jobs start new ones."""
        with self._changed:
            free = set(self._free)
            at_work = self._all - free
            self._free.clear()
            self._all -= free
        for child in at_work:
            # Whoever waits for its answer sees it end, and closes the socket.
            child.process.kill()
        for child in free:
            child.kill()

    def _take(self, patience: float) -> "_Child | None":
        """A free child, or None for the right to start one."""
        until = time.monotonic() + patience
        with self._changed:
            if self._taken >= self._most:
                if self._waiting >= self._most_waiting:
                    message = f"too many jobs are waiting; try again in {_RETRY_AFTER_S:g} s"
                    raise WorkersBusy(message, _RETRY_AFTER_S)
                self._waiting += 1
                try:
                    while self._taken >= self._most:
                        left = until - time.monotonic()
                        if left <= 0:
                            raise WorkTimedOut(
                                f"the job waited for more than {patience:g} s", patience, was_begun=False
                            )
                        self._changed.wait(left)
                finally:
                    self._waiting -= 1
            self._taken += 1
            while self._free:
                child = self._free.pop()
                if child.is_alive():
                    return child
                self._all.discard(child)
                child.kill()
            return None

    def _started(self) -> "_Child":
        arguments = (self._task, str(self._memory), str(self._grown))
        child = _Child.start(arguments)
        with self._changed:
            self._all.add(child)
        try:
            child.greet(time.monotonic() + _START_S)
        except BaseException:
            self._forget(child)
            raise
        return child

    def _give_back(self, child: "_Child | None", *, is_usable: bool) -> None:
        if child is not None and not is_usable:
            self._forget(child)
        with self._changed:
            self._taken -= 1
            if child is not None and is_usable:
                self._free.append(child)
            self._changed.notify()

    def _forget(self, child: "_Child") -> None:
        with self._changed:
            self._all.discard(child)
        child.kill()


@dataclass(frozen=True, slots=True, eq=False)
class _Child:
    """One process, and our end of its socket."""

    process: subprocess.Popen[bytes]
    connection: socket.socket

    @classmethod
    def start(cls, arguments: Sequence[str]) -> "_Child":
        """Start a process. Isolated and without site-packages' start-up files, it sees nothing of our surroundings."""
        command = [sys.executable, "-I", "-S", "-c", PROGRAM, *arguments, *filter(None, sys.path)]
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                process = subprocess.Popen(
                    command,
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env={},
                    # Else an interrupt at the terminal, which begins our drain, would end it at once.
                    process_group=0,
                )
            except OSError as error:
                ours.close()
                raise WorkEnded("a child process cannot be started", ExitReason.CRASH) from error
        return cls(process, ours)

    def is_alive(self) -> bool:
        """Whether it may take a job: it has not died since the last one."""
        return self.process.poll() is None

    def greet(self, until: float) -> None:
        """Wait until it takes jobs. Raises `WorkEnded` and `WorkTimedOut`."""
        try:
            word, _ = self._head(until)
        except TimeoutError as error:
            message = f"a child process takes more than {_START_S:g} s to start"
            raise WorkTimedOut(message, _START_S, was_begun=False) from error
        except OSError as error:
            raise self._ended() from error
        if word != READY:
            raise self._ended()

    def answer(self, pieces: Pieces, limits: tuple[float, float], until: float, max_answer: int) -> tuple[bytes, bool]:
        """Its answer, and whether it takes another job. Raises `WorkEnded` and `WorkTimedOut`.

        The limits are seconds on the clock, which end at `until`, and seconds on a processor.
        """
        seconds, processor_seconds = limits
        try:
            self._send(JOB.pack(processor_seconds, sum(len(piece) for piece in pieces)), until)
            for piece in pieces:
                self._send(piece, until)
            word, size = self._head(until)
            if size > max_answer:
                raise WorkEnded(f"the answer has more than {max_answer:,} bytes", ExitReason.MEMORY)
            return self._exactly(size, until), word == DONE
        except TimeoutError as error:
            raise WorkTimedOut(f"the job takes more than {seconds:g} s", seconds) from error
        except OSError as error:
            raise self._ended() from error

    def kill(self) -> None:
        """End it. Waits for the kernel to take it apart, but no longer than `_REAP_S`."""
        self.process.kill()
        try:
            self.process.wait(_REAP_S)
        except subprocess.TimeoutExpired:
            # The interpreter asks for it again when the next process is started.
            return
        finally:
            self.connection.close()

    def _send(self, data: bytes | bytearray | memoryview, until: float) -> None:
        self._limit(until)
        self.connection.sendall(data)

    def _head(self, until: float) -> tuple[int, int]:
        word, size = ANSWER.unpack(self._exactly(ANSWER.size, until))
        return word, size

    def _exactly(self, size: int, until: float) -> bytes:
        pieces: list[bytes] = []
        while size:
            self._limit(until)
            piece = self.connection.recv(min(size, _PIECE))
            if not piece:
                raise ConnectionResetError
            pieces.append(piece)
            size -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _limit(self, until: float) -> None:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.connection.settimeout(left)

    def _ended(self) -> WorkEnded:
        """What it died of."""
        try:
            code = self.process.wait(_REAP_S)
        except subprocess.TimeoutExpired:
            return WorkEnded("the child process has closed its socket", ExitReason.CRASH)
        if code == OUT_OF_MEMORY:
            return WorkEnded("the job takes more memory than it may", ExitReason.MEMORY)
        if code == -signal.SIGXCPU:
            return WorkEnded("the job takes more of the processor than it may", ExitReason.PROCESSOR_TIME)
        cause = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return WorkEnded(f"the job ended the child process ({cause})", ExitReason.CRASH)


def _end_all() -> None:
    """End what still works for a process that ends: it waits for none of it."""
    for children in list(_KNOWN):
        children.close()


atexit.register(_end_all)
