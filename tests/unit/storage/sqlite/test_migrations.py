"""Migrations."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.sqlite.migrations import APPLICATION_ID, MIGRATIONS, check_file, migrate

PATH = Path("store.db")


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        yield connection


def tables(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return sorted(name for (name,) in rows)


def version(connection: sqlite3.Connection) -> tuple[int, int]:
    return (
        connection.execute("PRAGMA application_id").fetchone()[0],
        connection.execute("PRAGMA user_version").fetchone()[0],
    )


def test_an_empty_database_gets_every_table_and_our_mark(connection: sqlite3.Connection) -> None:
    check_file(connection, PATH)
    migrate(connection)
    assert tables(connection) == ["blob", "record", "revision", "session", "step", "turn"]
    assert version(connection) == (APPLICATION_ID, len(MIGRATIONS))


def test_migrating_again_changes_nothing(connection: sqlite3.Connection) -> None:
    migrate(connection)
    changes = connection.total_changes
    check_file(connection, PATH)
    migrate(connection)
    assert connection.total_changes == changes


def test_only_what_is_missing_is_applied_in_order(connection: sqlite3.Connection) -> None:
    one, two, three = ["CREATE TABLE one (x)"], ["CREATE TABLE two (x)"], ["ALTER TABLE two RENAME TO three"]
    migrate(connection, [one])
    migrate(connection, [one, two, three])
    assert tables(connection) == ["one", "three"]
    assert version(connection) == (APPLICATION_ID, 3)


def test_a_migration_that_fails_takes_back_all_of_this_run(connection: sqlite3.Connection) -> None:
    good, bad = ["CREATE TABLE one (x)"], ["CREATE TABLE two (x)", "CREATE TABLE one (x)"]
    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        migrate(connection, [good, bad])
    assert tables(connection) == []
    assert version(connection) == (0, 0)
    assert not connection.in_transaction


def test_a_newer_database_is_refused(connection: sqlite3.Connection) -> None:
    migrate(connection, [*MIGRATIONS, ["CREATE TABLE later (x)"]])
    with pytest.raises(StoreUnusable) as refused:
        check_file(connection, PATH)
    assert str(refused.value) == (
        f"store.db: written by a newer version of OpenPlaybook (schema {len(MIGRATIONS) + 1}, this version knows "
        f"{len(MIGRATIONS)}); run that version or choose another data directory"
    )


@pytest.mark.parametrize(
    "statement", ["CREATE TABLE theirs (x)", "PRAGMA user_version = 1", "PRAGMA application_id = 7"]
)
def test_a_database_with_anything_of_another_program_is_refused(connection: sqlite3.Connection, statement: str) -> None:
    connection.execute(statement)
    with pytest.raises(StoreUnusable, match=r"^store\.db: the database of another program"):
        check_file(connection, PATH)


def test_the_database_itself_keeps_a_session_to_one_running_turn(connection: sqlite3.Connection) -> None:
    migrate(connection)
    connection.execute("INSERT INTO session (id, name, root, turns, fence, expires_us) VALUES (1, 's', 'a', 2, 2, 0)")
    turn = (
        "INSERT INTO turn (id, session, number, turn_id, request_key, state, owner, fence, lease_until_us)"
        " VALUES (?, 1, ?, 't', ?, 'RUNNING', 'o', 1, 0)"
    )
    connection.execute(turn, (1, 1, "key-1"))
    with pytest.raises(sqlite3.IntegrityError, match=r"UNIQUE constraint failed: turn\.session"):
        connection.execute(turn, (2, 2, "key-2"))
