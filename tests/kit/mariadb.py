"""A real MariaDB for tests: a server of its own on a loopback port, which tests may stop, kill and start again."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pymysql
import pytest
from pymysql.cursors import Cursor

from tests.kit.ports import free_ports

MISSING = "MariaDB is not installed here (apt-get install mariadb-server)"
_START_S = 60.0
_OWNER = "owner"
_PASSWORD = "p@ss/w:rd%41"
_OPTIONS = (
    *("--bind-address=127.0.0.1", "--skip-name-resolve", "--max-connections=200", "--innodb-buffer-pool-size=64M"),
    *("--innodb-flush-log-at-trx-commit=2", "--skip-log-bin", "--character-set-server=utf8mb4"),
    *("--innodb-log-file-size=16M", "--performance-schema=OFF"),
)


def program(name: str) -> Path | None:
    """One of MariaDB's programs; None where it is not installed."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    return Path(found) if found else None


@dataclass(slots=True)
class MariadbServer:
    """A MariaDB server and its data."""

    folder: Path
    port: int
    server: Path
    options: Sequence[str] = ()
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        """Run the server; returns when it takes connections."""
        user = ["--user=mysql"] if os.getuid() == 0 else []
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    self.server,
                    "--no-defaults",
                    f"--datadir={self.folder / 'data'}",
                    f"--socket={self.folder / 'socket'}",
                    f"--pid-file={self.folder / 'pid'}",
                    f"--port={self.port}",
                    *_OPTIONS,
                    *self.options,
                    *user,
                ],
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )
        give_up = time.monotonic() + _START_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > give_up:
                raise RuntimeError((self.folder / "log").read_text()[-2000:])
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """SIGTERM: close all connections and end; SIGKILL: end at once, as after a crash."""
        if self._process is None:
            return
        self._process.send_signal(how)
        self._process.wait(_START_S)
        self._process = None

    def sql(self, *statements: str, database: str | None = None) -> Sequence[Sequence[object]]:
        """Run statements as the owner of everything; what the last one gives."""
        link = self.link(database)
        link.autocommit(True)
        with link, link.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            return cursor.fetchall()

    def link(self, database: str | None = None) -> "pymysql.Connection[Cursor]":
        """A connection of the owner of everything."""
        return pymysql.connect(
            unix_socket=str(self.folder / "socket"),
            user=_OWNER,
            password=_PASSWORD,
            database=database,
            charset="utf8mb4",
        )

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as door:
            door.connect(str(self.folder / "socket"))
            self.sql("SELECT 1")
            return True
        return False


@contextlib.contextmanager
def running_mariadb(*options: str) -> Generator[MariadbServer]:
    """A server of its own; skips where MariaDB is not installed."""
    server, maker = program("mariadbd"), program("mariadb-install-db")
    if server is None or maker is None:
        pytest.skip(MISSING)
    folder = Path(tempfile.mkdtemp(prefix="openplaybook-maria-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    if os.getuid() == 0:
        shutil.chown(folder, "mysql")
    try:
        _make(maker, folder)
        [port] = free_ports(1)
        running = MariadbServer(folder, port, server, options)
        running.start()
        try:
            yield running
        finally:
            running.stop(signal.SIGKILL)
    finally:
        shutil.rmtree(folder)


def _make(maker: Path, folder: Path) -> None:
    start = folder / "start.sql"
    start.write_text(
        "FLUSH PRIVILEGES;\n"
        f"CREATE USER {_OWNER}@localhost IDENTIFIED BY '{_PASSWORD}';\n"
        f"GRANT ALL ON *.* TO {_OWNER}@localhost WITH GRANT OPTION;\n"
    )
    user = ["--user=mysql"] if os.getuid() == 0 else []
    made = subprocess.run(
        [
            maker,
            "--no-defaults",
            f"--datadir={folder / 'data'}",
            "--skip-test-db",
            "--auth-root-authentication-method=socket",
            f"--extra-file={start}",
            *user,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stdout + made.stderr
