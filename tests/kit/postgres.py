"""A real PostgreSQL for tests: a cluster of its own on a loopback port, which tests may stop, kill and start again."""

import contextlib
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict
from urllib.parse import quote

import psycopg
import pytest

from tests.kit.ports import free_ports

USER = "openplaybook"
PASSWORD = "p@ss/w:rd%41"
"""With every character that has a meaning in a URL."""
MISSING = "PostgreSQL is not installed here (apt-get install postgresql)"
_START_S = 60.0
_MAKING = ["--auth=scram-sha-256", "--encoding=UTF8", "--no-locale", "--no-sync"]
_OPTIONS = {"listen_addresses": "127.0.0.1", "max_connections": "200", "shared_buffers": "64MB"}


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, the newest version first; None where it is not installed."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(re.sub(r"\D", "", path.parts[4]) or 0)
    )
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb else None


@dataclass(slots=True)
class Cluster:
    """A PostgreSQL server and its data."""

    folder: Path
    port: int
    bin: Path
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    """Of its environment, besides those that are there."""
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def url(self, database: str = "postgres", password: str = PASSWORD, user: str = USER) -> str:
        """How to connect over TCP."""
        return f"postgresql://{user}:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"

    def socket_url(self, database: str = "postgres") -> str:
        """How to connect over the socket in the file system."""
        folder = quote(str(self.folder), safe="")
        return f"postgresql://{USER}:{quote(PASSWORD, safe='')}@/{database}?host={folder}&port={self.port}"

    def start(self) -> None:
        """Run the server; returns when it takes connections."""
        options = {**_OPTIONS, "port": str(self.port), "unix_socket_directories": str(self.folder)}
        flags = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self.bin / "postgres", "-D", self.folder / "data", *flags],
                cwd=self.folder,
                env={**os.environ, **self.variables},
                stdout=log,
                stderr=log,
                **as_another_user(),
            )
        give_up = time.monotonic() + _START_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > give_up:
                raise RuntimeError((self.folder / "log").read_text()[-2000:])
            time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT: close all connections and end; SIGQUIT: end at once, as after a crash."""
        if self._process is None:
            return
        self._process.send_signal(how)
        self._process.wait(_START_S)
        self._process = None

    def restart(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop, and start again."""
        self.stop(how)
        self.start()

    def sql(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run a statement as the owner of everything."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def give(self, name: str, *, mode: int) -> None:
        """Make a file in its folder the server's own."""
        path = self.folder / name
        path.chmod(mode)
        if os.getuid() == 0:
            shutil.chown(path, _user())

    def _answers(self) -> bool:
        with contextlib.suppress(psycopg.OperationalError):
            psycopg.connect(self.url(), connect_timeout=2).close()
            return True
        return False


class AnotherUser(TypedDict, total=False):
    """What makes a child process another user's."""

    user: int
    group: int
    extra_groups: list[int]


def as_another_user() -> AnotherUser:
    """PostgreSQL refuses to run as root."""
    if os.getuid() != 0:
        return {}
    entry = pwd.getpwnam(_user())
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def _user() -> str:
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


@contextlib.contextmanager
def running_cluster(**variables: str) -> Generator[Cluster]:
    """A cluster of its own, with these variables in its environment; skips where PostgreSQL is not installed."""
    found = programs()
    if found is None:
        pytest.skip(MISSING)
    folder = Path(tempfile.mkdtemp(prefix="openplaybook-pg-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    if os.getuid() == 0:
        shutil.chown(folder, _user())
    try:
        _make(found, folder)
        [port] = free_ports(1)
        cluster = Cluster(folder, port, found, variables)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop(signal.SIGQUIT)
    finally:
        shutil.rmtree(folder)


def _make(found: Path, folder: Path) -> None:
    (folder / "password").write_text(PASSWORD)
    made = subprocess.run(
        [found / "initdb", "-D", folder / "data", "-U", USER, "--pwfile", folder / "password", *_MAKING],
        cwd=folder,
        capture_output=True,
        text=True,
        **as_another_user(),
    )
    assert made.returncode == 0, made.stderr
