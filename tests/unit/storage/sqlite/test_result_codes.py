"""SQLite's failures in words."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite.result_codes import is_busy, translate

PATH = Path("/data/store.db")


def failure(code: int) -> sqlite3.Error:
    """An error as SQLite reports it."""
    error = sqlite3.OperationalError("said by SQLite")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (sqlite3.SQLITE_FULL, "the disk is full"),
        (sqlite3.SQLITE_IOERR, "the disk refused to read or write"),
        (sqlite3.SQLITE_IOERR_FSYNC, "the disk refused to read or write"),
        (sqlite3.SQLITE_CORRUPT_INDEX, "the file is damaged"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, "read-only"),
        (sqlite3.SQLITE_BUSY, "another process holds the database"),
        (sqlite3.SQLITE_CANTOPEN_ISDIR, "cannot be opened"),
    ],
)
def test_what_the_machine_did_is_said_with_the_file_and_sqlites_own_words(code: int, says: str) -> None:
    translated = translate(failure(code), PATH)
    assert isinstance(translated, StoreUnusable)
    assert str(translated).startswith("/data/store.db: ")
    assert says in str(translated)
    assert str(translated).endswith("(SQLite: said by SQLite)")


@pytest.mark.parametrize(
    ("code", "busy"),
    [(sqlite3.SQLITE_BUSY, True), (sqlite3.SQLITE_BUSY_RECOVERY, True), (sqlite3.SQLITE_LOCKED, True), (1, False)],
)
def test_a_file_that_another_process_holds_is_told_from_one_that_is_unusable(code: int, busy: bool) -> None:
    assert is_busy(failure(code)) is busy


def test_a_fault_of_ours_stays_what_it_is() -> None:
    with closing(sqlite3.connect(":memory:")) as connection, pytest.raises(sqlite3.OperationalError) as raised:
        connection.execute("SELECT nonsense")
    assert translate(raised.value, PATH) is raised.value
