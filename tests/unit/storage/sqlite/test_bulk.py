"""Many changes at once do what they do one after the other."""

import sqlite3
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.storage.base import Change, Delete, Put
from openplaybook.storage.errors import RecordExists, RecordNotFound, VersionMismatch
from openplaybook.storage.sqlite import bulk, migrations, records

_NAMES = st.sampled_from([f"agents/a/tools/{number}" for number in range(6)] + ["agents/a", "agents/b/tools/1"])
_KEYS = st.one_of(st.none(), st.sampled_from(["one", "two", "nul\0", "\U0001f600"]))
_PUTS = st.builds(
    Put,
    _NAMES,
    st.sampled_from(["tool", "agent"]),
    st.sampled_from(["agents/a", "agents/b"]),
    st.sampled_from(["agents/a", "agents/b"]),
    st.binary(max_size=3),
    _KEYS,
    st.sampled_from([None, None, 0, 1]),
)
_DELETES = st.builds(Delete, _NAMES, st.booleans(), st.sampled_from([None, None, 1, 2]))


def _database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrations.migrate(connection)
    return connection


def _outcome(connection: sqlite3.Connection, changes: Sequence[Change], now_us: int) -> object:
    """What the changes gave, or how they failed; a failed list leaves nothing."""
    connection.execute("BEGIN")
    try:
        changed = records.apply(connection, changes, now_us)
    except (RecordExists, RecordNotFound, VersionMismatch) as error:
        connection.execute("ROLLBACK")
        return type(error), str(error)
    connection.execute("COMMIT")
    return list(changed)


def _state(connection: sqlite3.Connection) -> object:
    return [
        connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
        for table in ("record", "revision", "session")
    ]


@given(st.lists(st.one_of(st.lists(_PUTS, max_size=8), st.lists(_DELETES, max_size=5)), max_size=5))
def test_a_bulk_does_what_its_changes_do_one_after_the_other(lists: list[list[Change]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        ways: list[object] = []
        for fewest in (2, 1_000):
            patch.setattr(bulk, "_FEWEST", fewest)
            connection = _database()
            ways.append([(_outcome(connection, each, at), _state(connection)) for at, each in enumerate(lists)])
            connection.close()

    assert ways[0] == ways[1]


def test_an_import_takes_few_statements() -> None:
    connection = _database()
    said: list[str] = []
    connection.set_trace_callback(said.append)
    puts = [Put(f"agents/a/tools/{n}", "tool", "agents/a", "agents/a", b"{}", f"t{n}", 0) for n in range(1_000)]

    written = records.apply(connection, puts, 1)
    records.apply(connection, [Delete(put.name) for put in puts], 2)

    assert [(record.name, record.position) for record in written] == [
        (put.name, at) for at, put in enumerate(puts, start=1)
    ]
    # Of either kind two bulks, and the revision.
    assert sum("INSERT INTO record " in each or "DELETE FROM record " in each for each in said) == 4
    connection.close()
