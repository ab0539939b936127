"""What code in a sandbox must not reach: listeners, a secret, a folder, a process of the same user."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_VICTIM = """
import os, sys, tempfile, time
token = bytearray(os.environ["CANARY"].encode())
held = tempfile.TemporaryFile()
os.dup2(held.fileno(), 7)
os.write(7, token)
print("ready", flush=True)
while True:
    time.sleep(3600)
"""
"""Has the secret in its environment, its memory and, as number 7, in a file without a name."""
_DYING_S = 0.02


class Victim:
    """A process of the user as whom code runs, such as a server is where code runs in a plain child process."""

    def __init__(self, token: str, user: int | None) -> None:
        self._token, self._user = token, user
        self._process = self._start()

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    def harm(self) -> str:
        """What was done to it; empty when nothing was."""
        try:
            self._process.wait(_DYING_S)
        except subprocess.TimeoutExpired:
            return self._harm_alive()
        return "the victim was killed"

    def _harm_alive(self) -> str:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        if fields[0] in "Tt":
            return "the victim was stopped"
        return "the victim's priority was changed" if fields[16] != _own_niceness() else ""

    def renew(self) -> None:
        """Replace it by an unharmed one."""
        self.end()
        self._process = self._start()

    def end(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", _VICTIM],
            env={"CANARY": self._token},
            cwd="/",
            stdout=subprocess.PIPE,
            user=self._user,
            group=self._user,
            extra_groups=None if self._user is None else [],
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        return process


def _own_niceness() -> str:
    return Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[16]


@dataclass(slots=True)
class Canaries:
    """They live as long as a suite runs."""

    token: str
    folder: Path
    """Anybody may write there, nobody should."""
    victim: Victim
    placeholders: Mapping[str, str]
    """What stands in braces in a program → what it becomes."""
    free_port: int
    """Where code may try to listen."""
    touched: list[str] = field(default_factory=list[str])
    """Listeners that were reached."""

    def fill(self, code: str) -> str:
        """A program with its placeholders filled."""
        for name, value in {**self.placeholders, "SERVER_PID": str(self.victim.pid)}.items():
            code = code.replace(f"{{{name}}}", value)
        return code

    def harm(self) -> list[str]:
        """What was touched since the last time; then all is as before."""
        found = [f"listener reached: {name}" for name in self.touched]
        found += [f"written to the machine: {entry.name!r}" for entry in self.folder.iterdir()]
        done = self.victim.harm()
        if done:
            found.append(done)
            self.victim.renew()
        self.touched.clear()
        for entry in self.folder.iterdir():
            entry.unlink()
        return found


@contextmanager
def canaries(user: int | None = None) -> Generator[Canaries]:
    """Set them up, the victim as a process of `user`; the secret is in this process's environment meanwhile."""
    token = f"CANARY-TOKEN-{secrets.token_hex(8)}"
    home = Path(tempfile.mkdtemp(prefix="canary", dir="/var/tmp"))
    home.chmod(0o755)
    secret, folder, path = home / "secret.txt", home / "drop", home / "u.sock"
    secret.write_text(token)
    secret.chmod(0o644)
    folder.mkdir()
    folder.chmod(0o777)
    abstract = f"canary-{secrets.token_hex(4)}"
    sockets = {
        "tcp": socket.create_server(("127.0.0.1", 0)),
        "udp": socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "unix": socket.socket(socket.AF_UNIX),
        "abstract": socket.socket(socket.AF_UNIX),
    }
    sockets["udp"].bind(("127.0.0.1", 0))
    sockets["unix"].bind(str(path))
    sockets["abstract"].bind(f"\0{abstract}")
    path.chmod(0o777)
    victim = Victim(token, user)
    tcp, free = sockets["tcp"].getsockname()[1], _free_port()
    found = Canaries(
        token,
        folder,
        victim,
        {
            "CANARY_TCP_PORT": str(tcp),
            "CANARY_UDP_PORT": str(sockets["udp"].getsockname()[1]),
            "CANARY_UNIX": str(path),
            "CANARY_ABSTRACT": abstract,
            "CANARY_FILE": str(secret),
            "CANARY_DIR": str(folder),
            "FREE_TCP_PORT": str(free),
            "HOST_NAME": socket.gethostname(),
        },
        free,
    )
    # What a server has: a secret in its environment, and a proxy there.
    os.environ.update(CANARY=token, http_proxy=f"http://127.0.0.1:{tcp}")
    watchers = [threading.Thread(target=_watch, args=(each, name, found)) for name, each in sockets.items()]
    for watcher in watchers:
        watcher.start()
    try:
        yield found
    finally:
        for each in sockets.values():
            # Wakes the thread that waits there, which closing alone does not.
            each.shutdown(socket.SHUT_RDWR) if each.type == socket.SOCK_STREAM else _say_goodbye(each)
        for watcher in watchers:
            watcher.join()
        victim.end()
        shutil.rmtree(home)
        del os.environ["CANARY"], os.environ["http_proxy"]


def _watch(listener: socket.socket, name: str, found: Canaries) -> None:
    with listener:
        if listener.type == socket.SOCK_STREAM:
            listener.listen()
        while True:
            try:
                if listener.type == socket.SOCK_DGRAM:
                    if listener.recv(64) == b"goodbye":
                        return
                else:
                    listener.accept()[0].close()
            except OSError:
                return
            found.touched.append(name)


def _say_goodbye(listener: socket.socket) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"goodbye", listener.getsockname())


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]
