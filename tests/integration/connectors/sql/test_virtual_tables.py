"""Full-text indexes in a SQLite file, and what no module here can read."""

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.connectors.base import EntityQuery, QueryParameter, SqlQuery, SystemCall, SystemConnection
from openplaybook.connectors.errors import SystemFault
from openplaybook.connectors.sql.systems import open_sql
from tests.kit.sql_databases import SqlPeer, sqlite_peer

LOST = """
PRAGMA writable_schema = ON;
INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql)
VALUES ('table', 'lost', 'lost', 0, 'CREATE VIRTUAL TABLE lost USING nothing_here(a)');
"""


@pytest.fixture
def indexed(tmp_path: Path) -> SqlPeer:
    made = sqlite_peer(tmp_path)
    [file] = made.access.files.values()
    with sqlite3.connect(file) as database:
        database.executescript("CREATE VIRTUAL TABLE note USING fts5(line); INSERT INTO note VALUES ('a b'), ('b c');")
        database.executescript(LOST)
    return made


@pytest.fixture
async def notes(indexed: SqlPeer) -> AsyncIterator[SystemConnection]:
    opened = await open_sql(indexed.settings, indexed.access)
    yield opened
    await opened.aclose()


async def test_a_full_text_index_is_an_entity_type_and_its_own_tables_are_none(notes: SystemConnection) -> None:
    names = await notes.entity_names(SystemCall())
    assert [each for each in names if each.startswith("note")] == ["note"]
    page = await notes.list(EntityQuery("note"), SystemCall())
    assert [each.fields["line"] for each in page.entities] == ["a b", "b c"]
    matching = SqlQuery("SELECT line FROM note WHERE note MATCH ?", (QueryParameter("c"),))
    assert (await notes.query(matching, SystemCall())).rows == ({"line": "b c"},)
    await notes.create("note", {"line": "c d"}, SystemCall())
    assert len((await notes.query(matching, SystemCall())).rows) == 2


async def test_a_table_that_cannot_be_read_is_a_fault_of_itself_alone(notes: SystemConnection) -> None:
    assert "lost" in await notes.entity_names(SystemCall())
    with pytest.raises(SystemFault, match=r"lost cannot be described: .*nothing_here"):
        await notes.entity_type("lost", SystemCall())
    assert (await notes.entity_type("customer", SystemCall())).key == "id"
