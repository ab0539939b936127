"""Entity types are what reflection finds in a database, kept for a day."""

from typing import cast

import pytest

from openplaybook.connectors.base import (
    DataType,
    EntityOperation,
    FieldReference,
    SystemCall,
    SystemConnection,
)
from openplaybook.connectors.errors import EntityConflict, OperationUnsupported
from openplaybook.connectors.sql.connection import SqlConnection
from openplaybook.connectors.sql.schema_cache import KEPT_S, SchemaCache
from openplaybook.connectors.sql.systems import open_sql
from tests.integration.connectors.sql.conftest import Opening
from tests.kit.sql_databases import SqlPeer


async def test_check_reaches_the_database(connection: SystemConnection) -> None:
    call = SystemCall()
    await connection.check(call)
    assert call.exchanges[0].method == "SQL"


async def test_entity_types_are_the_tables_and_views(connection: SystemConnection) -> None:
    names = await connection.entity_names(SystemCall())
    assert list(names) == ["active_customer", "customer", "journal", "line", "purchase", "secret"]


async def test_a_table_tells_its_columns(connection: SystemConnection) -> None:
    customer = await connection.entity_type("customer", SystemCall())
    assert customer.key == "id"
    assert {each.name: each.data_type for each in customer.fields} | {"id": DataType.BIGINT} == {
        "id": DataType.BIGINT,
        "name": DataType.STRING,
        "email": DataType.TEXT,
        "status": DataType.STRING,
        "credit": DataType.DECIMAL,
        "rating": DataType.DOUBLE,
        "is_active": DataType.BOOLEAN,
        "born": DataType.DATE,
        "met": DataType.TIMESTAMP,
        "wakes": DataType.TIME,
        "profile": DataType.STRUCT,
        "photo": DataType.BINARY,
        "balance": DataType.BIGINT,
    }
    required = {each.name for each in customer.fields if each.is_required}
    assert required == {"name"}
    defaults = {each.name: each.default for each in customer.fields if each.default is not None}
    assert defaults == {"status": "open", "is_active": True}
    assert customer.operations == frozenset(EntityOperation)


async def test_references_are_told(connection: SystemConnection) -> None:
    purchase = await connection.entity_type("purchase", SystemCall())
    customer_id = purchase.field("customer_id")
    assert customer_id is not None
    assert customer_id.reference == FieldReference("customer", "id")


async def test_references_to_hidden_tables_are_hidden(opening: Opening) -> None:
    connection = await opening(tables="purchase")
    purchase = await connection.entity_type("purchase", SystemCall())
    assert [each.reference for each in purchase.fields] == [None] * 3
    with pytest.raises(EntityConflict) as refused:
        await connection.create("purchase", {"customer_id": 1, "amount": 1}, SystemCall())
    assert str(refused.value).startswith("customer_id: refers to")


async def test_comments_are_descriptions(distant: SqlPeer) -> None:
    described = await open_sql(distant.settings, distant.access)
    customer = await described.entity_type("customer", SystemCall())
    await described.aclose()
    name = customer.field("name")
    assert name is not None
    assert (customer.description, name.description) == ("Whoever buys.", "Full name.")


async def test_schemas_are_kept_until_they_are_refreshed(connection: SystemConnection, peer: SqlPeer) -> None:
    call = SystemCall()
    await connection.entity_type("journal", call)
    count = len(call.exchanges)
    peer.run("CREATE TABLE fresh (id INTEGER PRIMARY KEY)")
    try:
        assert "fresh" not in await connection.entity_names(call)
        await connection.entity_type("journal", call)
        assert len(call.exchanges) == count
        cast("SqlConnection", connection).refresh_schema()
        assert "fresh" in await connection.entity_names(call)
    finally:
        peer.run("DROP TABLE fresh")


async def test_schemas_are_read_again_after_a_day(connection: SystemConnection, peer: SqlPeer) -> None:
    now = 0.0
    sql = cast("SqlConnection", connection)
    cache = SchemaCache(sql.sessions, sql.reflection, lambda: now)
    await cache.names(SystemCall())
    peer.run("CREATE TABLE fresh (id INTEGER PRIMARY KEY)")
    try:
        now = KEPT_S
        assert "fresh" not in await cache.names(SystemCall())
        now = KEPT_S + 1
        assert "fresh" in await cache.names(SystemCall())
    finally:
        peer.run("DROP TABLE fresh")


async def test_views_are_only_listed(connection: SystemConnection) -> None:
    view = await connection.entity_type("active_customer", SystemCall())
    assert view.operations == {EntityOperation.LIST}
    with pytest.raises(OperationUnsupported, match="active_customer has no CREATE; it has: LIST"):
        await connection.create("active_customer", {"name": "x"}, SystemCall())


async def test_tables_without_a_key_have_no_get(connection: SystemConnection) -> None:
    journal = await connection.entity_type("journal", SystemCall())
    assert journal.key == ""
    assert journal.operations == frozenset(EntityOperation) - {EntityOperation.GET}
