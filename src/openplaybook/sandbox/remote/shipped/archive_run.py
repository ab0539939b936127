"""Runs one execution on the remote machine: `python3 FOLDER/ID.zip` unpacks it, runs it and writes `FOLDER/ID.result`.

The archive has `job.json` and the files of the request below `files/`. The result is a line of JSON and then the bytes
it tells of: stdout, stderr and the files, one after the other.
"""

import json
import os
import selectors
import socket
import sys
import time
import zipfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias, cast

from ...inside.execution_limits import ExecutionLimits
from ...inside.file_transfer import CollectedFiles, collect
from .guest_processes import end, memory_bytes, stop
from .remote_guest import LOG, SOCKET, STATUS, receive, send, start

TWICE = 5
"""Exit status of an archive that has been run before: its code is not run again."""
Job: TypeAlias = dict[str, object]
_LOOK_S = 0.05
_START_S = 20.0
_XCPU = -24
_KILLED = -9
_PIECE = 65_536
_MAX_DRAINED = 64 * 1024 * 1024


@dataclass(slots=True)
class OutputStream:
    """Output of an execution. What fits is kept; the rest is read and counted, so that whoever writes never waits."""

    most: int
    kept: bytearray = field(default_factory=bytearray)
    dropped: int = 0

    def read(self, descriptor: int) -> int:
        """Read a piece; its size, 0 at the end. Raises `BlockingIOError` where there is none yet."""
        piece = os.read(descriptor, _PIECE)
        fits = piece[: self.most - len(self.kept)]
        self.kept += fits
        self.dropped += len(piece) - len(fits)
        return len(piece)

    def drain(self, descriptor: int) -> None:
        """Take what was written; processes in the background may hold the other end for ever."""
        os.set_blocking(descriptor, False)
        drained = 0
        while drained < _MAX_DRAINED:
            try:
                size = self.read(descriptor)
            except BlockingIOError:
                return
            if not size:
                return
            drained += size


@dataclass(slots=True)
class ArchiveRun:
    """An execution under way."""

    guest: int
    fresh: bool
    channel: socket.socket
    streams: dict[int, OutputStream]
    limits: ExecutionLimits
    started: float = field(default_factory=time.monotonic)
    ended: str = "exit"
    exit_code: int | None = None
    cpu_s: float = 0.0


def main() -> None:
    """Run the archive that this module is in."""
    archive = Path(sys.argv[0]).resolve()
    home, workspace = archive.parent, archive.parent.parent / "workspace"
    try:
        archive.with_suffix(".started").touch(exist_ok=False)
    except FileExistsError:
        sys.exit(TWICE)
    workspace.mkdir(exist_ok=True)
    with zipfile.ZipFile(archive) as parts:
        job = cast(Job, json.loads(parts.read("job.json")))
        for name in parts.namelist():
            if name.startswith("files/"):
                _put(workspace, name.removeprefix("files/"), parts.read(name))
    limits = ExecutionLimits(**cast(dict[str, int], job["limits"]))
    known = collect(str(workspace), replace(limits, files=0), {}).known
    run = _executed({**job, "workspace": str(workspace)}, limits, home)
    # Threads that the code has left behind must not change what is being read.
    with stop(run.guest):
        collected = collect(str(workspace), limits, known)
    _write(archive.with_suffix(".result"), run, collected)


def _put(workspace: Path, name: str, data: bytes) -> None:
    path = workspace / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _executed(job: Job, limits: ExecutionLimits, home: Path) -> ArchiveRun:
    channel = _connected(home)
    try:
        hello, _ = receive(channel)
    except (OSError, EOFError) as error:
        raise RuntimeError((home / LOG).read_text(errors="replace")) from error
    outputs, errors = os.pipe(), os.pipe()
    streams = {outputs[0]: OutputStream(limits.stdout_bytes), errors[0]: OutputStream(limits.stderr_bytes)}
    run = ArchiveRun(int(cast(int, hello["pid"])), hello["runs"] == 0, channel, streams, limits)
    send(channel, job, [outputs[1], errors[1]])
    for written in (outputs[1], errors[1]):
        os.close(written)
    _watch(run, home)
    for descriptor, stream in streams.items():
        stream.drain(descriptor)
    return run


def _connected(home: Path) -> socket.socket:
    """A channel to the guest that is there, else to a new one."""
    os.chdir(home)
    channel = _dialled()
    if channel is None:
        start(home)
        channel = _dialled()
    if channel is None:
        raise RuntimeError("no guest could be started")
    return channel


def _dialled() -> socket.socket | None:
    channel = socket.socket(socket.AF_UNIX)
    channel.settimeout(_START_S)
    try:
        channel.connect(SOCKET)
    except (FileNotFoundError, ConnectionRefusedError):
        channel.close()
        return None
    return channel


def _watch(run: ArchiveRun, home: Path) -> None:
    """Wait for the end of the execution, or bring it about."""
    selector = selectors.DefaultSelector()
    for source in (run.channel, *run.streams):
        selector.register(source, selectors.EVENT_READ)
    deadline, looked = run.started + run.limits.wall_s, run.started
    while True:
        for key, _ in selector.select(max(min(_LOOK_S, deadline - time.monotonic()), 0)):
            if key.fileobj is run.channel:
                return _finish(run, home)
            if not run.streams[key.fd].read(key.fd):
                selector.unregister(key.fd)
        now = time.monotonic()
        if now >= deadline:
            return _stop(run, "time")
        if now - looked >= _LOOK_S:
            looked = now
            if memory_bytes(run.guest) > run.limits.memory_bytes:
                return _stop(run, "memory")


def _stop(run: ArchiveRun, limit: str) -> None:
    run.ended = limit
    end(run.guest, warned=limit == "time")


def _finish(run: ArchiveRun, home: Path) -> None:
    """Note what the guest says, or how it died."""
    try:
        answer, _ = receive(run.channel)
    except (EOFError, OSError, ValueError):
        code = _status(home)
        run.ended = {_XCPU: "cpu", _KILLED: "memory"}.get(code, "exit")
        run.exit_code = code if run.ended == "exit" else None
        return
    run.exit_code = int(cast(int, answer["exit"]))
    run.cpu_s = float(cast(float, answer["cpu_s"]))


def _status(home: Path) -> int:
    """How the guest ended, as its keeper writes it; a kill that nobody of us sent is the machine's, for memory."""
    deadline = time.monotonic() + 2.0
    while time.monotonic() < deadline:
        try:
            return int((home / STATUS).read_text())
        except (FileNotFoundError, ValueError):
            time.sleep(0.01)
    return _KILLED


def _write(path: Path, run: ArchiveRun, collected: CollectedFiles) -> None:
    stdout, stderr = run.streams.values()
    head: Job = {
        "ended": run.ended,
        "exit_code": run.exit_code,
        "stdout": len(stdout.kept),
        "stderr": len(stderr.kept),
        "dropped": stdout.dropped + stderr.dropped,
        "fresh": run.fresh,
        "cpu_s": run.cpu_s,
        "wall_s": time.monotonic() - run.started,
        "files": [[name, len(data)] for name, data in collected.files],
        "skipped": collected.skipped,
    }
    new = path.with_suffix(".new")
    with new.open("wb") as file:
        file.write(json.dumps(head).encode() + b"\n")
        for part in (stdout.kept, stderr.kept, *(data for _, data in collected.files)):
            file.write(part)
    new.chmod(0o644)
    new.rename(path)
