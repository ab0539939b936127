"""Lists, reads and writes of entities over real HTTP: what the system does, what is done here, and what is refused."""

from dataclasses import replace

import pytest

from openplaybook.connectors.base import Entity, EntityOperation, EntityQuery, SortKey, SqlQuery
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import (
    EntityNotFound,
    InvalidValue,
    UnknownName,
    WriteRefused,
)
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.jsonvalues import JsonObject, loads
from tests.integration.connectors.rest.acme import KEY, acme, call
from tests.kit.http_peer import answer

ROWS: list[JsonObject] = [
    {
        "id": f"i{number:03}",
        "name": f"n{number % 7}",
        "size": number,
        "state": "open" if number % 2 else "closed",
        "x": 1,
    }
    for number in range(120)
]


async def all_of(connection: RestConnection, query: EntityQuery) -> list[Entity]:
    found: list[Entity] = []
    while True:
        page = await connection.list(query, call())
        found += page.entities
        if not page.next_page_token:
            return found
        query = replace(query, page_token=page.next_page_token)


async def test_a_page_has_the_fields_that_the_manifest_lists_and_no_others() -> None:
    async with acme(ROWS) as system:
        page = await system.connection().list(EntityQuery("items", page_size=1), call())
        assert page.entities == (Entity("i000", {"id": "i000", "name": "n0", "size": 0, "state": "closed"}),)
        assert page.notes == {}
        assert system.sent() == ["GET /v1/items?limit=1"]


@pytest.mark.parametrize("size", [7, 50, 60, 200])
async def test_pages_of_any_size_give_all_entities_once_and_in_order(size: int) -> None:
    async with acme(ROWS) as system:
        found = await all_of(system.connection(), EntityQuery("items", page_size=size))
        assert [each.key for each in found] == [str(row["id"]) for row in ROWS]
        assert all("limit=50" in each or f"limit={size}" in each for each in system.sent())


@pytest.mark.parametrize("paging", ["{kind: page, param: page, first: 0", "{kind: offset, param: after"])
async def test_pages_may_change_their_size_on_the_way(paging: str) -> None:
    async with acme(ROWS, paging) as system:
        connection, found, token = system.connection(), list[str](), ""
        for size in (7, 30, 3, 50, 1, 200):
            page = await connection.list(EntityQuery("items", page_size=size, page_token=token), call())
            found += [each.key for each in page.entities]
            token = page.next_page_token
        assert found == [str(row["id"]) for row in ROWS]
        assert token == ""


async def test_a_test_that_the_system_can_try_goes_there() -> None:
    async with acme(ROWS) as system:
        query = EntityQuery("items", parsed_condition("state = 'open'"), page_size=50)
        page = await system.connection().list(query, call())
        assert page.notes == {}
        assert system.sent() == ["GET /v1/items?state=open&limit=50"]


@pytest.mark.parametrize("size", [3, 50, 200])
async def test_what_the_system_cannot_try_is_tried_here_and_the_page_tells_it(size: int) -> None:
    async with acme(ROWS) as system:
        condition = parsed_condition("name LIKE 'n3%' AND state = 'open'")
        query = EntityQuery("items", condition, ("id",), page_size=size)
        page = await system.connection().list(query, call())
        assert page.notes["filterPushedDown"] is False
        found = await all_of(system.connection(), query)
        expected = [str(row["id"]) for row in ROWS if row["name"] == "n3" and row["state"] == "open"]
        assert [each.key for each in found] == expected
        assert all(tuple(each.fields) == ("id",) for each in found)


async def test_trying_here_ends_at_the_cap_with_a_token_to_go_on() -> None:
    rows: list[JsonObject] = [{"id": str(number), "size": number} for number in range(1_100)]
    async with acme(rows) as system:
        query = EntityQuery("items", parsed_condition("size >= 1050"), page_size=10)
        page = await system.connection().list(query, call())
        assert (page.entities, page.notes) == ((), {"filterPushedDown": False, "rowsScanned": 1_000, "truncated": True})
        rest = await system.connection().list(replace(query, page_token=page.next_page_token), call())
        assert [each.key for each in rest.entities] == [str(number) for number in range(1_050, 1_060)]


async def test_an_order_that_the_system_has_not_is_made_here() -> None:
    async with acme(ROWS) as system:
        sort = (SortKey("name", is_descending=True), SortKey("size"))
        query = EntityQuery("items", None, ("id",), sort, page_size=50)
        found = await all_of(system.connection(), query)
        expected = sorted(ROWS, key=lambda row: int(row["size"]))
        expected = sorted(expected, key=lambda row: str(row["name"]), reverse=True)
        assert [each.key for each in found] == [str(row["id"]) for row in expected]
        page = await system.connection().list(query, call())
        assert page.notes == {"sortPushedDown": False, "rowsScanned": 120}


@pytest.mark.parametrize(
    ("query", "name"),
    [
        (EntityQuery("nothing"), "nothing"),
        (EntityQuery("items", fields=("id", "x")), "x"),
        (EntityQuery("items", fields=("secret",)), "secret"),
        (EntityQuery("items", parsed_condition("x = 1")), "x"),
        (EntityQuery("items", parsed_condition("secret = 'a'")), "secret"),
        (EntityQuery("items", sort=(SortKey("x"),)), "x"),
    ],
)
async def test_names_that_are_not_there_are_refused_with_those_that_are(query: EntityQuery, name: str) -> None:
    async with acme(ROWS) as system:
        with pytest.raises(UnknownName) as caught:
            await system.connection().list(query, call())
        assert caught.value.name == name
        assert "secret" not in caught.value.known
        assert system.peer.requests == []


async def test_one_entity_is_read_by_its_key() -> None:
    async with acme(ROWS) as system:
        found = await system.connection().get("items", "i001", ("name",), call())
        assert found == Entity("i001", {"name": "n1"})
        with pytest.raises(EntityNotFound):
            await system.connection().get("items", "none", (), call())
        assert system.sent() == ["GET /v1/items/i001", "GET /v1/items/none"]


async def test_a_key_is_one_segment_of_the_address() -> None:
    async with acme(ROWS) as system:
        with pytest.raises(EntityNotFound):
            await system.connection().get("items", "a/me?x=1", (), call())
        assert system.sent() == ["GET /v1/items/a%2Fme%3Fx%3D1"]
        for key in ("..", "../me", "a/..\\me"):
            with pytest.raises(InvalidValue):
                await system.connection().delete("items", key, call())
        assert len(system.sent()) == 1


async def test_a_new_entity_is_given_back_with_its_key_and_without_what_is_never_told() -> None:
    async with acme() as system:
        values: JsonObject = {"name": "a", "secret": "s", "size": None}
        made = await system.connection().create("items", values, call())
        assert made == Entity("new", {"id": "new", "name": "a"})
        assert loads(system.peer.requests[0].body) == {"name": "a", "secret": "s"}


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"x": 1}, UnknownName),
        ({"id": "a"}, InvalidValue),
        ({"state": "lost"}, InvalidValue),
    ],
)
async def test_values_that_cannot_be_written_are_refused_before_anything_is_sent(
    values: JsonObject, error: type[Exception]
) -> None:
    async with acme(ROWS) as system:
        with pytest.raises(error):
            await system.connection().create("items", values, call())
        with pytest.raises(error):
            await system.connection().update("items", "i001", values, call())
        assert system.peer.requests == []


async def test_an_update_sends_the_changed_fields_and_null_where_it_is_given() -> None:
    async with acme(ROWS) as system:
        await system.connection().update("items", "i001", {"name": "b", "size": None}, call())
        assert system.sent() == ["PATCH /v1/items/i001"]
        assert loads(system.peer.requests[0].body) == {"name": "b", "size": None}
        with pytest.raises(InvalidValue, match="nothing to change"):
            await system.connection().update("items", "i001", {}, call())


async def test_an_update_of_the_whole_sends_it_as_it_was_with_the_changes_and_its_tag() -> None:
    async with acme([{"id": "t", "name": "a", "size": 3, "fixed": "f", "made": "m", "other": 1}]) as system:
        await system.connection().update("things", "t", {"name": "b"}, call())
        assert system.sent() == ["GET /v1/things/t", "PUT /v1/things/t"]
        assert loads(system.peer.requests[1].body) == {"name": "b", "size": 3}
        assert system.peer.requests[1].header("If-Match") == '"v1"'


async def test_a_write_by_condition_finds_the_keys_first_and_changes_each() -> None:
    async with acme(ROWS[:10]) as system:
        report = await system.connection().update_where("items", parsed_condition("size < 3"), {"name": "z"}, call())
        assert (report.count, report.keys, dict(report.failures)) == (3, ("i000", "i001", "i002"), {})
        assert system.sent()[0].startswith("GET /v1/items?")
        assert system.sent()[1:] == [f"PATCH /v1/items/i00{number}" for number in range(3)]


async def test_a_write_by_condition_above_the_cap_changes_nothing() -> None:
    async with acme(ROWS) as system:
        connection = system.connection(config={"api_key": KEY, "write_cap": "5"})
        with pytest.raises(WriteRefused, match="more than 5 entities"):
            await connection.delete_where("items", parsed_condition("state = 'open'"), call())
        assert {each.method for each in system.peer.requests} == {"GET"}


async def test_a_write_by_condition_that_cannot_be_tried_to_its_end_changes_nothing() -> None:
    rows: list[JsonObject] = [{"id": str(number), "size": number} for number in range(1_100)]
    async with acme(rows) as system:
        with pytest.raises(WriteRefused, match="without coming to an end"):
            await system.connection().delete_where("items", parsed_condition("size = 3"), call())
        assert {each.method for each in system.peer.requests} == {"GET"}


async def test_a_write_by_condition_reports_each_entity_that_could_not_be_changed() -> None:
    async with acme() as system:
        rows = answer(b'{"data": [{"id": "a", "size": 1}, {"id": "b", "size": 1}, {"id": "c", "size": 1}]}')
        locked = answer(b'{"error": {"message": "locked"}}', "409 Conflict")
        system.replies = [rows, locked, answer(b"{}", "404 Not Found"), answer(b"")]
        report = await system.connection().delete_where("items", parsed_condition("size = 1"), call())
        assert (report.count, report.keys) == (1, ("c",))
        assert dict(report.failures) == {"a": "the system answered 409: locked", "b": "it is not there any more"}


async def test_after_a_refused_credential_the_other_entities_are_not_tried() -> None:
    async with acme(ROWS[:4]) as system:
        connection = system.connection()
        keys = answer(b'{"data": [{"id": "a", "size": 1}, {"id": "b", "size": 1}, {"id": "c", "size": 1}]}')
        system.replies = [keys, answer(b""), answer(b"{}", "401 Unauthorized")]
        report = await connection.delete_where("items", parsed_condition("size = 1"), call())
        assert (report.count, report.keys) == (1, ("a",))
        assert list(report.failures) == ["b", "c"]
        assert report.failures["c"].startswith("not tried: ")
        assert len(system.peer.requests) == 3


async def test_an_action_puts_its_parameters_where_they_belong() -> None:
    async with acme() as system:
        connection = system.connection()
        system.replies = [answer(b"")]
        await connection.execute("Close", {"id": "a b", "note": "done"}, call())
        await connection.execute("Ping", {"tags": ["x", "y"]}, call())
        assert system.sent() == ["POST /v1/items/a%20b/close", "GET /v1/ping?tags=x&tags=y"]
        assert loads(system.peer.requests[0].body) == {"note": "done"}
        with pytest.raises(InvalidValue, match="id: is required"):
            await connection.execute("Close", {}, call())
        with pytest.raises(UnknownName):
            await connection.execute("Close", {"id": "a", "other": 1}, call())
        with pytest.raises(UnknownName, match="Close, Ping"):
            await connection.execute("Open", {}, call())
        with pytest.raises(InvalidValue, match="query: must be one SELECT statement"):
            await connection.query(SqlQuery("x"), call())


async def test_what_there_is_is_told_without_asking_the_system() -> None:
    async with acme() as system:
        connection = system.connection()
        assert await connection.entity_names(call()) == ["items", "things"]
        entity_type = await connection.entity_type("items", call())
        assert (entity_type.key, len(entity_type.fields)) == ("id", 5)
        assert entity_type.operations == frozenset(EntityOperation)
        assert [each.name for each in await connection.actions(call())] == ["Close", "Ping", "ExecuteCustomQuery"]
        assert system.peer.requests == []
