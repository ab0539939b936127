"""Whether the database file is there and sound, found by looking at it anew."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from openplaybook.storage.errors import StoreFault, StoreUnusable
from openplaybook.storage.sqlite.file_connections import connect_reader
from openplaybook.storage.sqlite.result_codes import translate

LONGEST_S = 0.5
"""For a look at all pages; in a larger database those that come first are looked at."""

_SHARE = 100
"""A look at all pages comes so many times its own duration after the one before: a hundredth of a processor."""
_SHARE_DAMAGED = 4
"""The same for a file that was found damaged, and may have been mended."""

_STEPS = 1000
"""Of SQLite's machine, between two looks at the clock."""


class SqliteSoundness:
    """The file as it was opened, and when its pages were looked at last."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing is looked at yet."""
        self._path = path
        self._clock = clock
        self._identity: tuple[int, int] | None = None
        self._due = 0.0
        self._damage: StoreUnusable | None = None

    def opened(self) -> None:
        """The file that is there now is the one. Raises `StoreUnusable`."""
        self._identity = _identity(self._path)

    def translated(self, error: sqlite3.Error) -> Exception:
        """As `result_codes.translate`. Damage that a statement met is remembered until a look at all pages finds
        none."""
        failure = translate(error, self._path)
        if isinstance(failure, StoreUnusable) and failure.fault is StoreFault.DAMAGED:
            self._damage, self._due = failure, 0.0
        return failure

    async def check(self) -> None:
        """Raises `StoreUnusable`: the file is not the one that was opened, or is damaged."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # A thread of its own that nothing waits for: a disk that hangs must not hold up the server's end.
        threading.Thread(target=self._look_for, args=(done,), name="openplaybook-soundness", daemon=True).start()
        await done

    def _look_for(self, done: "asyncio.Future[None]") -> None:
        error: Exception | None = None
        try:
            self._look()
        except (sqlite3.Error, StoreUnusable) as found:
            error = found
        loop = done.get_loop()
        if not loop.is_closed():
            loop.call_soon_threadsafe(_settle, done, error)

    def _look(self) -> None:
        if _identity(self._path) != self._identity:
            raise StoreUnusable(f"{self._path}: the file was moved away or replaced; start again", StoreFault.GONE)
        # A connection of its own, since what others have read they do not read again.
        with closing(connect_reader(self._path)) as connection:
            try:
                connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
                if self._clock() >= self._due:
                    self._look_at_pages(connection)
            except sqlite3.Error as error:
                raise translate(error, self._path) from error
        if self._damage is not None:
            raise self._damage

    def _look_at_pages(self, connection: sqlite3.Connection) -> None:
        begun = self._clock()
        connection.set_progress_handler(lambda: self._clock() - begun > LONGEST_S, _STEPS)
        try:
            faults = [str(row[0]) for row in connection.execute("PRAGMA quick_check(1)")]
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
            # As far as it went there was no fault; what a statement met elsewhere may be there still.
            return
        finally:
            took = self._clock() - begun
            self._due = self._clock() + (_SHARE * took if self._damage is None else _SHARE_DAMAGED * took)
        damage = StoreUnusable(f"{self._path}: the file is damaged: {'; '.join(faults)}", StoreFault.DAMAGED)
        if faults == ["ok"]:
            self._damage = None
        elif self._damage is None:
            self._damage, self._due = damage, 0.0


def touch(connection: sqlite3.Connection) -> None:
    """A write that changes nothing, inside a transaction of the caller's."""
    [(number,)] = connection.execute("PRAGMA user_version").fetchall()
    # SQLite writes the page whether or not the number is another.
    connection.execute(f"PRAGMA user_version = {int(number)}")


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError as error:
        raise StoreUnusable(f"{path}: {error.strerror}", StoreFault.GONE) from error
    return status.st_dev, status.st_ino


def _settle(done: "asyncio.Future[None]", error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
