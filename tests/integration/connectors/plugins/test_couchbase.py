"""Couchbase: what is asked in SQL++, what is refused, errors of the query service."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import pytest

from openplaybook.connectors.base import CUSTOM_QUERY, EntityQuery, QueryParameter, SqlQuery, SystemConnection
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import (
    CredentialAbsent,
    EntityConflict,
    InvalidConnection,
    InvalidValue,
    OperationUnsupported,
    SystemFault,
    SystemUnavailable,
    UnknownName,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.connectors.settings import TlsSettings
from openplaybook.egress.base import HttpResponse
from openplaybook.egress.errors import BadResponse
from tests.integration.connectors.plugins.conftest import couch_peer
from tests.kit.held_collections import PASSWORD, HeldCollections
from tests.kit.plugin_peers import PluginPeer, call


@pytest.fixture
def held() -> HeldCollections:
    """A scope of collections."""
    return HeldCollections()


@pytest.fixture
async def couch(held: HeldCollections) -> AsyncGenerator[PluginPeer]:
    """A service of which nothing is asked that its manual does not allow."""
    peer = couch_peer(held)
    yield peer
    assert not held.violations


@pytest.fixture
async def connection(couch: PluginPeer) -> SystemConnection:
    """To it."""
    return await couch.opened()


@pytest.mark.parametrize(
    ("condition", "where", "parameters"),
    [
        ("count >= 2 AND city = 'Bern'", "(d.`count` >= $p0 AND d.`city` = $p1)", {"$p0": 2, "$p1": "Bern"}),
        ("NOT city IN ('Bern', 'Chur')", "NOT d.`city` IN $p0", {"$p0": ["Bern", "Chur"]}),
        ("note IS NULL OR active = TRUE", "(d.`note` IS NOT VALUED OR d.`active` = $p0)", {"$p0": True}),
        ("name LIKE 'a\\%\\_%'", "d.`name` LIKE $p0", {"$p0": "a\\%\\_%"}),
        ("name = '`; DELETE FROM x; --'", "d.`name` = $p0", {"$p0": "`; DELETE FROM x; --"}),
    ],
)
async def test_conditions_are_asked_in_sql_with_parameters(
    condition: str,
    where: str,
    parameters: dict[str, Any],
    couch: PluginPeer,
    connection: SystemConnection,
    held: HeldCollections,
) -> None:
    await couch.add(["ada", "bob", "cid", "dan", "eve"])
    query = EntityQuery("guests", parsed_condition(condition), fields=("name",), page_size=2)
    await connection.list(query, call())
    body = held.bodies[-1]
    assert body["statement"].endswith(f"FROM `shop`.`main`.`guests` AS d WHERE {where} ORDER BY META(d).id LIMIT $size")
    assert {name: each for name, each in body.items() if name.startswith("$")} == {**parameters, "$size": 3}
    assert body["readonly"] is True


async def test_names_are_quoted_whatever_they_hold(connection: SystemConnection, held: HeldCollections) -> None:
    held.collections["a`b"] = {"k": {'x`"y': 1}}
    page = await connection.list(EntityQuery("a`b", parsed_condition('`x``"y` = 1')), call())
    assert page.entities[0].fields == {"_id": "k", 'x`"y': 1}
    with pytest.raises(InvalidValue):
        await connection.update("a`b", "k", {"\\": 1}, call())


async def test_a_document_is_made_with_its_own_key_or_one_that_is_made_here(
    connection: SystemConnection, held: HeldCollections
) -> None:
    made = await connection.create("guests", {"_id": "ada", "name": "Ada"}, call())
    assert (made.key, held.collections["guests"]["ada"]) == ("ada", {"name": "Ada"})
    with pytest.raises(EntityConflict):
        await connection.create("guests", {"_id": "ada"}, call())
    assert len((await connection.create("guests", {"name": "Bob"}, call())).key) == 32
    with pytest.raises(InvalidValue):
        await connection.create("guests", {"_id": "x" * 251}, call())


async def test_a_query_has_its_values_as_parameters(connection: SystemConnection, held: HeldCollections) -> None:
    held.answer = lambda text, body: [{"n": 1}, 2, {"n": 3}] if "n > ?" in text else None
    query = SqlQuery("SELECT n FROM guests WHERE n > ?", (QueryParameter("0"),), most_rows=2)
    result = await connection.query(query, call())
    assert (result.rows, result.is_truncated) == (({"n": 1}, {"value": 2}), True)
    assert held.bodies[-1]["args"] == ["0"]
    asked = len(held.requests)
    for text in ("SELECT CURL('http://x')", "SELECT curl /* */ ('x')", "SELECT '\\'' || `curl`('x') || ''"):
        with pytest.raises(InvalidValue, match="CURL"):
            await connection.query(SqlQuery(text), call())
    assert len(held.requests) == asked


async def test_the_service_itself_refuses_writes_of_a_connection_that_only_reads(
    couch: PluginPeer, held: HeldCollections
) -> None:
    connection = await couch.opened(couch.configured(read_only=True))
    with pytest.raises(WriteRefused, match="read-only"):
        await connection.query(SqlQuery("DELETE FROM guests"), call())
    assert [each["readonly"] for each in held.bodies] == [True]


@pytest.mark.parametrize(("count", "ended"), [(2, "COMMIT WORK"), (3, "ROLLBACK WORK")])
async def test_a_query_that_changes_more_than_the_cap_is_undone(
    count: int, ended: str, couch: PluginPeer, held: HeldCollections
) -> None:
    await couch.add(["ada", "bob"])

    def emptied(text: str, body: dict[str, Any]) -> list[Any] | None:
        held.collections["guests"].clear()
        held.mutations = count
        return [1, 2]

    held.answer = emptied
    connection = await couch.opened(couch.configured(write_cap=2, durability="none"))
    query = SqlQuery("DELETE FROM guests WHERE n > ?", (QueryParameter(0),), most_rows=1)
    if count > 2:
        with pytest.raises(WriteRefused, match="changes 3 documents, and a write may change at most 2"):
            await connection.query(query, call())
    else:
        result = await connection.query(query, call())
        assert (result.is_truncated, result.notes) == (True, {"rowsAffected": 2})
    assert (sorted(held.held()), held.ended) == ([] if count == 2 else ["ada", "bob"], [ended])
    assert [each["statement"].split()[0] for each in held.bodies] == ["DELETE", "BEGIN", "DELETE", ended.split()[0]]
    assert (held.bodies[1]["durability_level"], held.bodies[2]["args"]) == ("none", [0])


async def test_a_query_whose_answer_is_lost_before_the_commit_has_changed_nothing(
    couch: PluginPeer, held: HeldCollections
) -> None:
    def lost(text: str, body: dict[str, Any]) -> list[Any] | None:
        raise BadResponse("the connection broke", sent=True)

    held.answer = lost
    with pytest.raises(SystemUnavailable, match="was not committed"):
        await (await couch.opened()).query(SqlQuery("DELETE FROM guests"), call())
    assert held.ended == ["ROLLBACK WORK"]


async def test_chosen_collections_are_the_only_ones(couch: PluginPeer, held: HeldCollections) -> None:
    held.collections["secrets"] = {}
    connection = await couch.opened(couch.configured(collections="guests"))
    with pytest.raises(UnknownName):
        await connection.list(EntityQuery("secrets"), call())
    assert not await connection.actions(call())
    with pytest.raises(OperationUnsupported):
        await connection.query(SqlQuery("SELECT 1 AS one"), call())
    wide = await couch.opened()
    assert await wide.entity_names(call()) == ["guests", "secrets"]
    assert [each.name for each in await wide.actions(call())] == [CUSTOM_QUERY]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b'{"status": "timeout", "errors": [{"code": 1080, "msg": "Timeout"}]}', WriteInDoubt),
        (b'{"status": "errors", "errors": [{"code": 4300, "msg": "No index"}]}', InvalidValue),
        (b'{"status": "fatal"}', SystemFault),
        (b"<html>", WriteInDoubt),
    ],
)
async def test_a_good_status_may_be_a_failure_all_the_same(
    body: bytes, error: type[Exception], connection: SystemConnection, held: HeldCollections
) -> None:
    await connection.entity_type("guests", call())
    held.fault = lambda request: HttpResponse(200, (), body, False, 0.0)
    with pytest.raises(error):
        await connection.create("guests", {"name": "ada"}, call())


async def test_no_secret_is_in_what_is_recorded(connection: SystemConnection) -> None:
    told = call()
    await connection.check(told)
    assert PASSWORD not in str(told.exchanges)
    assert "Basic [" in str(told.exchanges) or "[redacted]" in str(told.exchanges)


async def test_settings_that_cannot_be_used_are_named(couch: PluginPeer) -> None:
    with pytest.raises(CredentialAbsent):
        await couch.opened(couch.with_login(None))
    for wrong in ({"bucket": ""}, {"scope": "a`b"}, {"host": "couch.example/x?"}):
        with pytest.raises(InvalidConnection):
            await couch.opened(couch.configured(**wrong))
    with pytest.raises(InvalidConnection, match="INSECURE"):
        await couch.opened(replace(couch.settings, tls=TlsSettings(skips_verification=True)))
