"""The process in which code runs. It stays when an execution is over, so that the next one finds its variables.

Over its socket come documents, and descriptors with them.
"""

import contextlib
import json
import math
import os
import resource
import socket
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

SOCKET = "guest.sock"
STATUS = "guest.status"
"""Where the keeper writes how the guest ended: an exit code, or a signal as a negative number."""
LOG = "guest.log"
"""Why a guest could not be started."""
_DATA_BEYOND = 512 * 1024 * 1024
"""What interpreter and libraries map on top of what the code may use; the monitor counts what is really used."""
_HEAD = 4
_MAX_DESCRIPTORS = 4
_KEPT_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "MPLCONFIGDIR")
_VARIABLES = {"TMPDIR": "/tmp", "TZ": "UTC", "LANG": "C.UTF-8", "MPLBACKEND": "Agg", "MPLCONFIGDIR": "/tmp/mpl"}


def start(home: Path) -> None:
    """Start a guest that listens in `home`; it outlives the caller, and holds none of its descriptors."""
    (home / STATUS).unlink(missing_ok=True)
    (home / SOCKET).unlink(missing_ok=True)
    # A path may be longer than an address may be.
    os.chdir(home)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(SOCKET)
    listener.listen(1)
    if os.fork() == 0:
        try:
            _keep(listener, home)
        finally:
            os._exit(1)
    listener.close()


def _keep(listener: socket.socket, home: Path) -> None:
    os.setsid()
    _let_go(listener.fileno(), home / LOG)
    guest = os.fork()
    if guest == 0:
        try:
            os.setsid()
            _serve(listener)
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(1)
    listener.close()
    _, status = os.waitpid(guest, 0)
    written = home / f"{STATUS}.new"
    written.write_text(str(os.waitstatus_to_exitcode(status)))
    written.rename(home / STATUS)
    os._exit(0)


def _let_go(listener: int, log: Path) -> None:
    """Close what was inherited: whoever waits for the end of our caller's output would wait for us."""
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor, new in enumerate((nothing, nothing, written)):
        os.dup2(new, descriptor)
    os.closerange(3, listener)
    os.closerange(listener + 1, 4096)


def _serve(listener: socket.socket) -> None:
    # The monitor has no need of it.
    from ...inside import runtime

    namespace: dict[str, object] = {}
    runs = 0
    while True:
        channel, _ = listener.accept()
        with channel, contextlib.suppress(OSError, EOFError):
            send(channel, {"pid": os.getpid(), "runs": runs})
            job, outputs = receive(channel)
            runs += 1
            names = namespace if job["keep"] else None
            _prepare(job, outputs)
            leave, before = os._exit, _cpu_s()
            code = runtime.run(str(job["code"]), namespace=names, context=job["context"] or None)
            _hush()
            send(channel, {"exit": code, "cpu_s": _cpu_s() - before})
            if names is None:
                leave(code)


def _prepare(job: Mapping[str, object], outputs: Sequence[int]) -> None:
    for descriptor, output in zip((1, 2), outputs, strict=True):
        os.dup2(output, descriptor)
        os.close(output)
    _settle(str(job["workspace"]))
    _limit(cast(Mapping[str, float], job["limits"]), _cpu_s())


def _hush() -> None:
    """Whatever still runs in the background has nobody left to write to."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    os.close(nothing)


def _settle(workspace: str) -> None:
    """The surroundings that code finds everywhere; what the machine's own services were told is not among them."""
    os.chdir(workspace)
    inherited = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    os.environ.clear()
    os.environ.update(_VARIABLES | inherited, HOME=workspace)


def _limit(limits: Mapping[str, float], used_s: float) -> None:
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_CPU, math.ceil(used_s + limits["cpu_s"]))
    _lower(resource.RLIMIT_FSIZE, int(limits["disk_bytes"]))
    _lower(resource.RLIMIT_NOFILE, int(limits["open_files"]))
    _lower(resource.RLIMIT_DATA, int(limits["memory_bytes"]) + _DATA_BEYOND)


def _lower(kind: int, most: int) -> None:
    """Set the soft limit, which the next execution may set anew."""
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _cpu_s() -> float:
    used = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def send(channel: socket.socket, document: Mapping[str, object], descriptors: Sequence[int] = ()) -> None:
    """Send a JSON object; raises `OSError` when the other side is gone."""
    text = json.dumps(document).encode()
    socket.send_fds(channel, [len(text).to_bytes(_HEAD, "big")], descriptors)
    channel.sendall(text)


def receive(channel: socket.socket) -> tuple[dict[str, object], Sequence[int]]:
    """The next JSON object and the descriptors that came with it; raises `EOFError` when the other side is gone."""
    head, descriptors, _, _ = socket.recv_fds(channel, _HEAD, _MAX_DESCRIPTORS)
    if not head:
        raise EOFError
    head += _exactly(channel, _HEAD - len(head))
    return json.loads(_exactly(channel, int.from_bytes(head, "big"))), descriptors


def _exactly(channel: socket.socket, size: int) -> bytes:
    pieces: list[bytes] = []
    while size:
        piece = channel.recv(min(size, 1 << 20))
        if not piece:
            raise EOFError
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)
