"""A look at a database tells what a connection names and the database does not have; and names as odd as they come."""

import pytest

from openplaybook.connectors.base import EntityQuery, SystemCall
from openplaybook.connectors.conditions.syntax import ColumnComparison, ComparisonOperator
from openplaybook.connectors.errors import ConnectorError, InvalidConnection
from tests.integration.connectors.sql.conftest import Opening
from tests.kit.sql_databases import SqlPeer


async def test_a_table_that_is_not_there_is_named_with_those_that_are(opening: Opening) -> None:
    connection = await opening(tables="customer, custommer")
    with pytest.raises(
        InvalidConnection, match=r"tables: there is no table or view 'custommer'; there are: .*customer"
    ):
        await connection.check(SystemCall())
    await (await opening(tables="customer, active_customer")).check(SystemCall())


async def test_a_schema_that_is_not_there_is_refused(opening: Opening, peer: SqlPeer) -> None:
    if peer.name == "sqlite":
        return
    # MariaDB does not say which schemas there are to a user who may not see one.
    told = {
        "postgresql": r"schema: there is no schema 'od'; there are: .*odd",
        "mariadb": "does not permit this to the connection's user",
    }
    with pytest.raises(ConnectorError, match=told[peer.name]):
        await (await opening(schema="od")).check(SystemCall())
    await (await opening(schema="odd", tables="kinds")).check(SystemCall())


async def test_a_column_may_have_its_databases_own_quotes_in_its_name(opening: Opening, peer: SqlPeer) -> None:
    odd = "a`b" if peer.name == "mariadb" else 'a"b'
    quoted = "`a``b`" if peer.name == "mariadb" else '"a""b"'
    peer.run(f"CREATE TABLE quoting (id INTEGER PRIMARY KEY, {quoted} VARCHAR(9))")
    if peer.name == "postgresql":
        peer.run("GRANT ALL ON quoting TO shop")
    try:
        connection = await opening()
        made = await connection.create("quoting", {"id": 1, odd: "x"}, SystemCall())
        assert made.fields == {"id": 1, odd: "x"}
        found = await connection.list(
            EntityQuery("quoting", ColumnComparison(odd, ComparisonOperator.EQUAL, "x")), SystemCall()
        )
        assert [each.key for each in found.entities] == ["1"]
    finally:
        peer.run("DROP TABLE quoting")
