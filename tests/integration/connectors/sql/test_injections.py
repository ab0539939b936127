"""Hostile texts at every place that takes a text: they are data there, or refused, and nothing else happens."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress

import pytest

from openplaybook.connectors.base import (
    EntityQuery,
    QueryParameter,
    SortKey,
    SqlQuery,
    SystemCall,
    SystemConnection,
)
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.conditions.syntax import ColumnComparison, ComparisonOperator, Likeness, Membership
from openplaybook.connectors.errors import ConnectorError, InvalidValue, UnknownName
from openplaybook.connectors.sql.systems import open_sql
from tests.integration.connectors.sql.conftest import PEERS
from tests.kit.injections import INJECTIONS
from tests.kit.sql_databases import SqlPeer
from tests.kit.thoroughness import sample

pytestmark = pytest.mark.sweep

TEXTS = sample(INJECTIONS, 5)
EQUAL = ComparisonOperator.EQUAL


@pytest.fixture
async def shop(peer: SqlPeer) -> AsyncGenerator[SystemConnection]:
    """A connection that does not see the table of secrets."""
    connection = await open_sql(peer.configured(tables="customer, line, journal"), peer.access)
    for name in ("Ada", "Bob"):
        await connection.create("customer", {"name": name}, SystemCall())
    yield connection
    await connection.aclose()


def unharmed(peer: SqlPeer, customers: int = 2) -> None:
    """Nothing was taken away, added or copied."""
    assert peer.column("SELECT word FROM secret") == ["xyzzy"]
    assert peer.column("SELECT COUNT(*) FROM customer") == [customers]
    assert peer.column("SELECT COUNT(*) FROM customer WHERE email = 'xyzzy'") == [0]


def test_there_are_enough() -> None:
    assert len(INJECTIONS) >= 200
    assert len(PEERS) == 3


async def test_as_values_they_are_stored_as_they_are(shop: SystemConnection, peer: SqlPeer) -> None:
    entity = await shop.create("customer", {"name": "Cy"}, SystemCall())
    for text in TEXTS:
        changed = await shop.update("customer", entity.key, {"email": text, "profile": {text: [text]}}, SystemCall())
        assert (changed.fields["email"], changed.fields["profile"]) == (text, {text: [text]}), text
    unharmed(peer, 3)


async def test_in_conditions_they_are_compared(shop: SystemConnection, peer: SqlPeer) -> None:
    entity = await shop.create("customer", {"name": "Cy"}, SystemCall())
    for text in TEXTS:
        await shop.update("customer", entity.key, {"email": text}, SystemCall())
        quoted = text.replace("'", "''")
        like = quoted.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        for condition in (
            ColumnComparison("email", EQUAL, text),
            Membership("email", ("x", text)),
            Likeness("email", text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")),
            parsed_condition(f"email = '{quoted}' AND email LIKE '{like}'"),
        ):
            page = await shop.list(EntityQuery("customer", condition, ("name",)), SystemCall())
            assert [each.fields["name"] for each in page.entities] == ["Cy"], text
        nothing = await shop.list(EntityQuery("customer", ColumnComparison("name", EQUAL, text)), SystemCall())
        assert nothing.entities == (), text
    unharmed(peer, 3)


async def test_in_writes_by_condition_they_choose_nothing_else(shop: SystemConnection, peer: SqlPeer) -> None:
    for text in TEXTS:
        condition = ColumnComparison("name", EQUAL, text)
        assert (await shop.delete_where("customer", condition, SystemCall())).count == 0, text
        assert (await shop.update_where("customer", condition, {"email": text}, SystemCall())).count == 0, text
    unharmed(peer)


async def test_as_keys_they_find_nothing(shop: SystemConnection, peer: SqlPeer) -> None:
    for text in TEXTS:
        for entity_type in ("customer", "line"):
            for act in (
                shop.get(entity_type, text, (), SystemCall()),
                shop.delete(entity_type, text, SystemCall()),
                shop.update(entity_type, text, {"name" if entity_type == "customer" else "sku": "x"}, SystemCall()),
            ):
                with pytest.raises(ConnectorError, match="has no entity with the key"):
                    await act
    unharmed(peer)


async def test_as_names_they_are_refused_before_anything_is_sent(shop: SystemConnection, peer: SqlPeer) -> None:
    await shop.entity_type("customer", SystemCall())
    call = SystemCall()
    for text in TEXTS:
        acts: tuple[Callable[[], Awaitable[object]], ...] = (
            lambda text=text: shop.list(EntityQuery(text), call),
            lambda text=text: shop.entity_type(text, call),
            lambda text=text: shop.list(EntityQuery("customer", fields=(text,)), call),
            lambda text=text: shop.list(EntityQuery("customer", sort=(SortKey(text),)), call),
            lambda text=text: shop.list(EntityQuery("customer", ColumnComparison(text, EQUAL, 1)), call),
            lambda text=text: shop.create("customer", {"name": "x", text: 1}, call),
            lambda text=text: shop.update("customer", "1", {text: 1}, call),
            lambda text=text: shop.execute(text, {}, call),
        )
        for act in acts:
            with pytest.raises((UnknownName, InvalidValue, ConnectorError)):
                await act()
    assert call.exchanges == []
    unharmed(peer)


async def test_as_page_tokens_they_are_refused(shop: SystemConnection, peer: SqlPeer) -> None:
    call = SystemCall()
    await shop.entity_type("customer", call)
    call.exchanged.clear()
    for text in filter(None, INJECTIONS):
        with pytest.raises(InvalidValue, match="pageToken"):
            await shop.list(EntityQuery("customer", page_token=text), call)
    assert call.exchanges == []
    unharmed(peer)


async def test_as_conditions_they_are_no_more_than_conditions(shop: SystemConnection, peer: SqlPeer) -> None:
    for text in TEXTS:
        with suppress(ConnectorError):
            condition = parsed_condition(f"name = '{text}'")
            page = await shop.list(EntityQuery("customer", condition), SystemCall())
            assert "xyzzy" not in repr(page), text
    unharmed(peer)


async def test_as_parameters_of_queries_they_are_data(shop: SystemConnection, peer: SqlPeer) -> None:
    for text in TEXTS:
        query = SqlQuery("SELECT ? AS a, '%?' AS b, name FROM customer WHERE name <> ?", (QueryParameter(text),) * 2)
        rows = (await shop.query(query, SystemCall())).rows
        assert [(row["a"], row["b"]) for row in rows] == [(text, "%?")] * 2, text
    unharmed(peer)


async def test_within_queries_they_reach_no_hidden_table(shop: SystemConnection, peer: SqlPeer) -> None:
    for text in TEXTS:
        for query in (
            f"SELECT name FROM customer WHERE name = '{text}'",
            f"SELECT name FROM customer WHERE id = {text}",
        ):
            with suppress(ConnectorError):
                result = await shop.query(SqlQuery(query, timeout_s=5), SystemCall())
                assert "xyzzy" not in repr(result.rows), text
    unharmed(peer)
