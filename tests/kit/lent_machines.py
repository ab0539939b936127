"""Machines that fakes of remote services lend: a folder each, in which commands are really run."""

import asyncio
import contextlib
import os
import select
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from dataclasses import dataclass
from email.parser import BytesParser
from email.policy import HTTP
from pathlib import Path

from tests.kit.http_peer import Received


@dataclass
class LentMachine:
    """A folder, and the processes that were started in it."""

    folder: Path

    def inside(self, name: str) -> Path:
        """A path below the folder, as the services check it."""
        path = Path(os.path.realpath(self.folder / name.lstrip("/")))
        assert path.is_relative_to(self.folder), name
        return path

    def write(self, name: str, data: bytes) -> None:
        """Write a file; its folders are made."""
        path = self.inside(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    async def run(self, arguments: Sequence[str], seconds: float | None = None) -> tuple[int, bytes, bytes]:
        """Run a command in the folder: exit status, stdout, stderr. `python3` is this interpreter."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable if each == "python3" else each for each in arguments),
            cwd=self.folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,
            env={"PATH": os.environ["PATH"], "KUBERNETES_SERVICE_HOST": "10.0.0.1"},
        )
        try:
            async with asyncio.timeout(seconds):
                stdout, stderr = await process.communicate()
        except (TimeoutError, asyncio.CancelledError):
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
            raise
        assert process.returncode is not None
        return process.returncode, stdout, stderr

    def processes(self) -> list[int]:
        """What runs in the folder."""
        found: list[int] = []
        for process in filter(str.isdecimal, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                if Path(os.readlink(f"/proc/{process}/cwd")).is_relative_to(self.folder):
                    found.append(int(process))
        return found

    def end(self) -> None:
        """End everything that runs in the folder, as the end of a machine does; it is gone afterwards."""
        for process in self.processes():
            with contextlib.suppress(ProcessLookupError):
                gone = os.pidfd_open(process)
                signal.pidfd_send_signal(gone, signal.SIGKILL)
                select.select([gone], [], [], 5)
                os.close(gone)


def uploaded(received: Received) -> tuple[str, bytes]:
    """The file in a form's field `file`: its name and content (RFC 7578)."""
    content_type = received.header("Content-Type") or ""
    assert content_type.startswith("multipart/form-data; boundary="), content_type
    message = BytesParser(policy=HTTP).parsebytes(
        b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + received.body
    )
    (part,) = message.iter_parts()
    assert part.get_param("name", header="Content-Disposition") == "file"
    name, data = part.get_filename(), part.get_payload(decode=True)
    assert isinstance(name, str)
    assert isinstance(data, bytes)
    return name, data
