"""SQLite's failures in words that say what to do."""

import sqlite3
from pathlib import Path

from openplaybook.storage.errors import StoreFault, StoreUnusable

_REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space and try again",
    sqlite3.SQLITE_IOERR: "the disk refused to read or write; check the disk and the limits on file sizes",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; put a backup in its place",
    sqlite3.SQLITE_NOTADB: "the file is not an SQLite database; move it away or choose another data directory",
    sqlite3.SQLITE_READONLY: "the file or its directory is read-only; make both writable for this user",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened; its directory must exist and be writable for this user",
    sqlite3.SQLITE_PERM: "access is denied; make the file writable for this user",
    sqlite3.SQLITE_BUSY: "another process holds the database; stop it and try again",
    sqlite3.SQLITE_LOCKED: "another process holds the database; stop it and try again",
    sqlite3.SQLITE_PROTOCOL: "its locks do not work; keep it on a local disk, not on a network share",
    sqlite3.SQLITE_NOLFS: "the file is larger than its file system allows",
}

_FAULTS = {
    sqlite3.SQLITE_FULL: StoreFault.FULL,
    sqlite3.SQLITE_IOERR: StoreFault.FAILING,
    sqlite3.SQLITE_CORRUPT: StoreFault.DAMAGED,
    sqlite3.SQLITE_NOTADB: StoreFault.DAMAGED,
    sqlite3.SQLITE_READONLY: StoreFault.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: StoreFault.FAILING,
    sqlite3.SQLITE_PERM: StoreFault.READ_ONLY,
    sqlite3.SQLITE_BUSY: StoreFault.BUSY,
    sqlite3.SQLITE_LOCKED: StoreFault.BUSY,
    sqlite3.SQLITE_PROTOCOL: StoreFault.FAILING,
    sqlite3.SQLITE_NOLFS: StoreFault.FULL,
}

_PRIMARY_CODE = 0xFF
"""Extended result codes keep the primary one in their low byte (sqlite.org/rescode.html)."""


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process held the file just then."""
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def translate(error: sqlite3.Error, path: Path) -> Exception:
    """`StoreUnusable` for what the machine did; any other error (a fault of ours) comes back as it is."""
    reason = _REASONS.get(_code(error))
    if reason is None:
        return error
    is_moved = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY_DBMOVED
    fault = StoreFault.GONE if is_moved else _FAULTS[_code(error)]
    return StoreUnusable(f"{path}: {reason} (SQLite: {error})", fault)


def _code(error: sqlite3.Error) -> int:
    """Primary result code; 0 where the error is not SQLite's own."""
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE
