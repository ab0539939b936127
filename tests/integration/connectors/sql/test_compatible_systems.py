"""Each system that the server of another stands for in these tests does there all that it declares."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from openplaybook.connectors.base import (
    CUSTOM_QUERY,
    EntityOperation,
    EntityQuery,
    QueryParameter,
    SqlQuery,
    SystemCall,
    SystemConnection,
)
from openplaybook.connectors.catalog.connectors import catalogue, open_connection
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.definitions import Engine, Evidence
from openplaybook.connectors.errors import EntityNotFound
from tests.kit.sql_databases import SqlPeer, mariadb_peer, postgresql_peer

STAND_INS = {
    "alloydb": "postgresql",
    "cloudsql-mysql": "mariadb",
    "cloudsql-postgresql": "postgresql",
    "greenplum": "postgresql",
}


def test_these_are_the_databases_that_another_stands_for() -> None:
    labelled = {each.id for each in catalogue().values() if each.evidence is Evidence.WIRE_COMPATIBLE}
    assert {each for each in labelled if catalogue()[each].engine is Engine.SQL} == STAND_INS.keys()


@pytest.fixture(params=STAND_INS)
async def system(request: pytest.FixtureRequest) -> AsyncIterator[SystemConnection]:
    if STAND_INS[request.param] == "mariadb":
        peer: SqlPeer = mariadb_peer(request.getfixturevalue("mariadb"))
    else:
        peer = postgresql_peer(request.getfixturevalue("cluster"))
    opened = await open_connection(replace(peer.settings, connector=request.param), peer.access)
    yield opened
    await opened.aclose()


async def test_all_that_is_declared_is_done(system: SystemConnection) -> None:
    call = SystemCall()
    await system.check(call)
    assert "customer" in await system.entity_names(call)
    assert (await system.entity_type("customer", call)).operations == frozenset(EntityOperation)
    assert [each.name for each in await system.actions(call)] == [CUSTOM_QUERY]

    made = await system.create("customer", {"name": "Ann", "credit": "2.50"}, call)
    assert (await system.get("customer", made.key, ("name", "credit"), call)).fields == {
        "name": "Ann",
        "credit": "2.50",
    }
    changed = await system.update("customer", made.key, {"status": "closed"}, call)
    assert changed.fields["status"] == "closed"
    named = parsed_condition("name = 'Ann' AND status = 'closed'")
    assert [each.key for each in (await system.list(EntityQuery("customer", named), call)).entities] == [made.key]
    assert (await system.update_where("customer", named, {"email": "a@b.c"}, call)).count == 1
    query = SqlQuery("SELECT email FROM customer WHERE name = ?", (QueryParameter("Ann"),))
    assert [*(await system.query(query, call)).rows] == [{"email": "a@b.c"}]
    assert (await system.delete_where("customer", parsed_condition("email = 'a@b.c'"), call)).count == 1
    with pytest.raises(EntityNotFound):
        await system.delete("customer", made.key, call)
