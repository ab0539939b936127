"""The warm interpreter: imports libraries once and forks a monitor for each execution, some of them ahead of time.

It never reads a request. What it is sent for each is one end of a socket, which it hands on; code, files and answers go
through that socket between the client and the monitor, so memory shared by executions holds libraries and nothing else.
"""

import gc
import json
import os
import select
import signal
import socket
from collections import deque
from collections.abc import Sequence

from . import kernel, library_warmup, monitor, seccomp
from .frames import receive_descriptor
from .wall_messages import Warmth

READY = b"{}"
"""The message when all stands."""
_ATTEMPTS = 3


def main(control_descriptor: int) -> None:
    """Never returns."""
    kernel.set_option(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    control = socket.socket(fileno=control_descriptor)
    control.set_inheritable(False)
    try:
        warmth = Warmth(**json.loads(control.recv(65536)))
        _warm_up(warmth.preload)
        zygote = Zygote(warmth, control)
        zygote.prove()
    except Exception as error:  # noqa: BLE001 (told to the client, and the end)
        control.send(json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode()[:60000])
        os._exit(1)
    control.send(READY)
    zygote.serve()
    os._exit(0)


def _warm_up(names: Sequence[str]) -> None:
    library_warmup.warm(names)
    threads = os.listdir("/proc/self/task")
    if len(threads) != 1:
        raise RuntimeError(f"a library started {len(threads) - 1} threads; a process with threads cannot be forked")
    # What stands now is never looked at again, so its pages stay shared.
    gc.collect()
    gc.freeze()
    gc.disable()


class Zygote:
    """Forks monitors and hands them sockets."""

    def __init__(self, warmth: Warmth, control: socket.socket) -> None:
        self._warmth = warmth
        self._control = control
        self._waiting: deque[socket.socket] = deque()
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        machine = os.uname().machine
        self._filters = {each: seccomp.program(machine, processes=each) for each in (False, True)}
        # Nobody waits for monitors: they leave nothing behind.
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)

    def prove(self) -> None:
        """Make a first monitor and see that all its walls stand. `RuntimeError` with what it says."""
        first = self._born()
        first.send(b"\0")
        answer = first.recv(4096)
        if answer != monitor.STANDING:
            raise RuntimeError(answer.decode(errors="replace") or "a monitor ended before its walls stood")
        self._waiting.append(first)

    def serve(self) -> None:
        """Until the client is gone."""
        while True:
            self._refill()
            try:
                descriptor = receive_descriptor(self._control)
            except EOFError:
                return
            self._hand_on(descriptor)
            os.close(descriptor)

    def _refill(self) -> None:
        """While nobody asks."""
        requests = select.poll()
        requests.register(self._control, select.POLLIN)
        while len(self._waiting) < self._warmth.ready and not requests.poll(0):
            try:
                self._waiting.append(self._born())
            except OSError:
                # No memory or no processes for one more: the next request tries again, and says so if it must.
                return

    def _hand_on(self, descriptor: int) -> None:
        for _ in range(_ATTEMPTS):
            try:
                lead = self._waiting.popleft() if self._waiting else self._born()
                with lead:
                    socket.send_fds(lead, [b"\0"], [descriptor])
            except OSError:
                # A monitor that died while it waited; without one, the client reads the end of its socket.
                continue
            return

    def _born(self) -> socket.socket:
        ours, lead = socket.socketpair()
        # The next child is pid 1 of a new pid namespace, and all in it ends with it.
        kernel.unshare(kernel.NEW_PIDS)
        try:
            child = os.fork()
        except OSError:
            # No memory or no processes now. Left where it is, no other namespace could be made from here, ever.
            kernel.enter(self._own, kernel.NEW_PIDS)
            raise
        if child == 0:
            # Whatever happens, a child never comes back into the loop of the zygote.
            try:
                monitor.main(lead.fileno(), self._filters, self._warmth.readable)
            finally:
                os._exit(1)
        kernel.enter(self._own, kernel.NEW_PIDS)
        lead.close()
        return ours
