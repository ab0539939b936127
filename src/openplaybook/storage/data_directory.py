"""The data directory: one server at a time, and where commands find it.

server.lock     locked by the server that runs; the kernel lets go when the process ends, however it ends
                (and with it every child that it forked and that runs no other program)
server.json     that server's `ServerAddress`, once it takes requests; readable by its user alone
openplaybook.db the store
stores.db       the documents of data stores
indexes/        what they are searched by, made from `stores.db`
deliveries.log  what the store is about to be told (`DeliveryLog`)
"""

import fcntl
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from openplaybook.jsonvalues import as_object, dumps, loads
from openplaybook.storage.delivery_log import FILE_NAME
from openplaybook.storage.errors import StoreUnusable

_TRIES = 20
_PAUSE_S = 0.02
"""A command that looks for a server holds the lock for some microseconds, so a server asks more than once."""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a running server takes requests."""

    pid: int
    http: str
    """Base URL, such as `http://127.0.0.1:8080`."""
    grpc: str
    """`host:port`; empty where gRPC is not served."""
    started: int
    """Seconds since the epoch."""
    certificate: str = ""
    """PEM of the certificate that it shows, the only one to accept from it; empty where it speaks no TLS."""
    key: str = field(default="", repr=False)
    """An API key for commands on this machine; empty where the server asks for none."""


class DataDirectory:
    """A directory that holds all a server keeps."""

    def __init__(self, path: Path) -> None:
        """Name the directory; nothing is touched yet."""
        self.path = path
        self._lock: int | None = None

    @property
    def database(self) -> Path:
        """The store's file."""
        return self.path / "openplaybook.db"

    @property
    def documents(self) -> Path:
        """The file of the documents of data stores."""
        return self.path / "stores.db"

    @property
    def staging(self) -> Path:
        """The folder in which a restoration gets ready; a restoration that was killed leaves it behind."""
        return self.path / ".restoring"

    @property
    def deliveries(self) -> Path:
        """The file of answers that reached their clients and that the store does not know of yet."""
        return self.path / FILE_NAME

    def acquire(self, *, pause: Callable[[float], None] = time.sleep) -> None:
        """Make the directory (mode 0700) and claim it for the server in this process.

        Waits, with `pause` (seconds), at most 0.4 s. Raises `StoreUnusable` when another server has it, or
        it cannot be written.
        """
        lock = self._open_lock()
        for _ in range(_TRIES):
            if _try_lock(lock, fcntl.LOCK_EX):
                break
            pause(_PAUSE_S)
        else:
            os.close(lock)
            raise StoreUnusable(self._who_has_it())
        # A server that was killed leaves its address behind.
        self._address_file.unlink(missing_ok=True)
        self._lock = lock

    def publish(
        self,
        *,
        http: str,
        grpc: str = "",
        certificate: str = "",
        key: str = "",
        clock: Callable[[], float] = time.time,
    ) -> ServerAddress:
        """Tell commands where this server takes requests; `acquire` comes first. Returns what is written."""
        if self._lock is None:
            raise StoreUnusable(f"{self.path} is not acquired")
        address = ServerAddress(os.getpid(), http, grpc, int(clock()), certificate, key)
        written = self._address_file.with_suffix(".tmp")
        written.unlink(missing_ok=True)
        with os.fdopen(os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(dumps(asdict(address)))
        written.replace(self._address_file)
        return address

    def release(self) -> None:
        """Take the address back and let another server in; releasing twice is no fault."""
        if self._lock is None:
            return
        self._address_file.unlink(missing_ok=True)
        os.close(self._lock)
        self._lock = None

    def running_server(self) -> ServerAddress | None:
        """The server that runs on this directory; None when there is none, or it takes no requests yet."""
        try:
            lock = os.open(self._lock_file, os.O_RDONLY)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreUnusable(f"{self._lock_file}: cannot be read: {error.strerror}") from error
        try:
            # Shared, so that two commands which look at once do not take each other for a server.
            return None if _try_lock(lock, fcntl.LOCK_SH) else self._read_address()
        finally:
            os.close(lock)

    @property
    def _lock_file(self) -> Path:
        return self.path / "server.lock"

    @property
    def _address_file(self) -> Path:
        return self.path / "server.json"

    def _open_lock(self) -> int:
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            return os.open(self._lock_file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreUnusable(f"{self.path}: cannot be used as data directory: {error.strerror}") from error

    def _read_address(self) -> ServerAddress | None:
        try:
            document = as_object(loads(self._address_file.read_bytes()))
            where = (int(document["pid"]), str(document["http"]), str(document["grpc"]), int(document["started"]))
            return ServerAddress(*where, str(document.get("certificate", "")), str(document.get("key", "")))
        except FileNotFoundError:
            return None
        except (KeyError, TypeError, ValueError) as error:
            raise StoreUnusable(f"{self._address_file} is damaged; restart the server that runs there") from error

    def _who_has_it(self) -> str:
        address = self._read_address()
        who = f"process {address.pid}, {address.http}" if address else "still starting, or ending"
        return f"{self.path} is in use by another server ({who}); stop it or choose another data directory"


def _try_lock(file: int, operation: int) -> bool:
    """Whether the lock was free. It belongs to the open file, so that two objects in one process exclude each other."""
    try:
        fcntl.flock(file, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
