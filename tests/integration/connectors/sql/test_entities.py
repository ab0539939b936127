"""Entities of tables: created, read, changed and taken away by key and by condition."""

from collections.abc import Sequence

import pytest

from openplaybook.connectors.base import (
    EntityQuery,
    Rehearsed,
    SortKey,
    SystemCall,
    SystemConnection,
)
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import (
    EntityConflict,
    EntityNotFound,
    InvalidCondition,
    InvalidValue,
    UnknownName,
    WriteRefused,
)
from openplaybook.jsonvalues import JsonObject
from tests.integration.connectors.sql.conftest import Opening
from tests.kit.sql_databases import SqlPeer

WHOLE: JsonObject = {
    "name": "O'Hara; DROP TABLE customer --",
    "email": 'ünï"cödé\\%_@example.com',
    "status": "open",
    "credit": "1234567890.12",
    "rating": 0.1,
    "is_active": False,
    "born": "1999-12-31",
    "met": "2026-11-26T14:30:00.123456",
    "wakes": "06:45:00",
    "profile": {"a": [1, 2.5, "x", None, True], "ü": {}},
    "photo": "AAH/gA==",
    "balance": "9007199254740993",
}


async def created(connection: SystemConnection, *names: str) -> list[str]:
    """Keys of new customers with these names."""
    call = SystemCall()
    return [(await connection.create("customer", {"name": name}, call)).key for name in names]


async def names_of(connection: SystemConnection, condition: str) -> list[object]:
    """Names of the customers that meet a condition, sorted."""
    query = EntityQuery("customer", parsed_condition(condition), ("name",), (SortKey("name"),), 200)
    return [each.fields["name"] for each in (await connection.list(query, SystemCall())).entities]


async def test_an_unknown_entity_is_refused_with_those_there_are(connection: SystemConnection) -> None:
    with pytest.raises(UnknownName, match="there is no entity 'nope'; there are: active_customer, customer"):
        await connection.list(EntityQuery("nope"), SystemCall())


async def test_what_is_created_is_given_back_as_it_was_given(connection: SystemConnection) -> None:
    entity = await connection.create("customer", WHOLE, SystemCall())
    assert entity.key
    assert {name: entity.fields[name] for name in WHOLE} == WHOLE
    assert await connection.get("customer", entity.key, (), SystemCall()) == entity


async def test_defaults_are_filled_in(connection: SystemConnection) -> None:
    entity = await connection.create("customer", {"name": "Ada"}, SystemCall())
    assert (entity.fields["status"], entity.fields["is_active"], entity.fields["email"]) == ("open", True, None)


async def test_only_wanted_fields_are_asked_for(connection: SystemConnection) -> None:
    [key] = await created(connection, "Ada")
    call = SystemCall()
    entity = await connection.get("customer", key, ("email",), call)
    assert list(entity.fields) == ["email"]
    assert "credit" not in call.exchanges[-1].request


async def test_writes_give_back_only_wanted_fields(connection: SystemConnection) -> None:
    call = SystemCall(returned=("name",))
    made = await connection.create("customer", {"name": "Ann", "email": "a@example.com"}, call)
    changed = await connection.update("customer", made.key, {"rating": 2.5}, call)
    assert made.fields == changed.fields == {"name": "Ann"}
    read = [each.request.partition("WHERE")[0] for each in call.exchanges if "SELECT" in each.request]
    assert all("email" not in each for each in read)


async def test_get_of_nothing(connection: SystemConnection) -> None:
    for key in ("1", "x", "", "1 OR 1=1", "9" * 30):
        with pytest.raises(EntityNotFound):
            await connection.get("customer", key, (), SystemCall())


async def test_update_changes_the_named_fields_alone(connection: SystemConnection) -> None:
    entity = await connection.create("customer", WHOLE, SystemCall())
    changed = await connection.update("customer", entity.key, {"email": None, "credit": 5}, SystemCall())
    assert changed.fields == {**entity.fields, "email": None, "credit": changed.fields["credit"]}
    assert changed.fields["credit"] in ("5", "5.00")


async def test_an_update_to_the_same_values_finds_the_entity(connection: SystemConnection) -> None:
    [key] = await created(connection, "Ada")
    await connection.update("customer", key, {"name": "Ada"}, SystemCall())
    with pytest.raises(EntityNotFound):
        await connection.update("customer", "999", {"name": "Ada"}, SystemCall())


async def test_an_update_without_values_is_refused(connection: SystemConnection) -> None:
    [key] = await created(connection, "Ada")
    with pytest.raises(InvalidValue, match="no field has a value"):
        await connection.update("customer", key, {}, SystemCall())


async def test_delete_takes_one_away(connection: SystemConnection, peer: SqlPeer) -> None:
    key, _ = await created(connection, "Ada", "Bob")
    await connection.delete("customer", key, SystemCall())
    with pytest.raises(EntityNotFound):
        await connection.delete("customer", key, SystemCall())
    assert peer.column("SELECT name FROM customer") == ["Bob"]


async def test_composite_keys_are_arrays(connection: SystemConnection) -> None:
    call = SystemCall()
    assert (await connection.entity_type("line", call)).key == "purchase_id,number"
    line = await connection.create("line", {"purchase_id": 7, "number": 2, "sku": "a"}, call)
    assert line.key == "[7,2]"
    assert (await connection.get("line", " [7, 2]", (), call)).fields["sku"] == "a"
    moved = await connection.update("line", "[7,2]", {"number": 3}, call)
    assert moved.key == "[7,3]"
    for key in ("[7,2]", "[7]", "7", "[7,null]", '[7,"x"]', "{}"):
        with pytest.raises(EntityNotFound):
            await connection.get("line", key, (), call)
    await connection.delete("line", "[7,3]", call)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("name = 'Ada'", ["Ada"]),
        ("name != 'Ada'", ["Bob", "Cy"]),
        ("credit > 10", ["Ada"]),
        ("credit >= 10.00", ["Ada", "Bob"]),
        ("credit = '10'", ["Bob"]),
        ("credit IS NULL", ["Cy"]),
        ("credit IS NOT NULL AND is_active = TRUE", ["Ada"]),
        ("NOT credit > 10", ["Bob"]),
        ("is_active = FALSE OR name = 'Cy'", ["Bob", "Cy"]),
        ("born BETWEEN '2000-01-01' AND '2001-12-31'", ["Ada", "Bob"]),
        ("born < '2001-01-01'", ["Ada"]),
        ("met >= '2026-01-01T10:00:00Z'", ["Bob"]),
        ("met < '2026-01-01T11:00:00+02:00'", ["Ada"]),
        ("name LIKE '%a'", ["Ada"]),
        ("name LIKE 'a%'", []),
        ("name LIKE '_o_'", ["Bob"]),
        ("email LIKE '100\\%%'", ["Ada"]),
        ("email LIKE '%[x]*?!%'", ["Bob"]),
        ("name IN ('Ada', 'Cy', 'x')", ["Ada", "Cy"]),
        ("name NOT IN ('Ada')", ["Bob", "Cy"]),
        ("balance = 9007199254740993", ["Ada"]),
        ("balance = '9007199254740992'", []),
        ("balance > 0.5", ["Ada", "Bob"]),
        ("balance < 99999999999999999999999", ["Ada", "Bob"]),
        ("rating = 0.1", ["Ada"]),
        ("wakes > '06:00:00'", ["Ada"]),
        ("\"name\" = 'Bob' AND (rating IS NULL)", ["Bob"]),
        ("NAME = 'Bob'", None),
    ],
)
async def test_conditions_choose(connection: SystemConnection, condition: str, expected: Sequence[str] | None) -> None:
    call = SystemCall()
    rows: list[JsonObject] = [
        {"name": "Ada", "email": "100% sure", "credit": "10.01", "rating": 0.1, "born": "2000-02-29",
         "met": "2026-01-01T08:59:59", "wakes": "06:30:00", "balance": "9007199254740993"},
        {"name": "Bob", "email": "1000 [x]*?! sure", "credit": "10", "is_active": False, "born": "2001-01-01",
         "met": "2026-01-01T10:00:00", "balance": 1},
        {"name": "Cy"},
    ]  # fmt: skip
    for row in rows:
        await connection.create("customer", row, call)
    if expected is None:
        with pytest.raises(InvalidCondition, match="there is no column 'NAME'; there are: id, name"):
            await names_of(connection, condition)
    else:
        assert await names_of(connection, condition) == expected


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("credit > 'much'", "credit: must be a number, not 'much'"),
        ("born = 'yesterday'", "born: must be a date such as 2026-11-26, not 'yesterday'"),
        ("is_active = 'perhaps'", "is_active: must be true or false, not 'perhaps'"),
        ("wakes = 5", "wakes: must be a time"),
        ("profile = 'x'", "profile can only be tested with IS NULL"),
        ("nope = 1", "there is no column 'nope'"),
    ],
)
async def test_wrong_conditions_name_the_column(connection: SystemConnection, condition: str, message: str) -> None:
    with pytest.raises((InvalidCondition, InvalidValue), match=message):
        await names_of(connection, condition)


async def test_long_conditions_are_taken(connection: SystemConnection) -> None:
    await created(connection, "Ada", "Bob")
    many = " OR ".join(f"id = -{number}" for number in range(1, 1_200))
    assert await names_of(connection, f"{many} OR name = 'Bob'") == ["Bob"]
    assert await names_of(connection, " AND ".join(["name > 'A'"] * 1_200)) == ["Ada", "Bob"]
    listed = ", ".join(f"'{number}'" for number in range(999))
    assert await names_of(connection, f"name IN ({listed}, 'Ada')") == ["Ada"]
    assert await names_of(connection, f"NOT name IN ({listed}, 'Ada')") == ["Bob"]


async def test_update_by_condition_counts(connection: SystemConnection) -> None:
    keys = await created(connection, "Ada", "Bob", "Cy")
    report = await connection.update_where("customer", parsed_condition("name < 'C'"), {"status": "done"}, SystemCall())
    assert (report.count, sorted(report.keys)) == (2, sorted(keys[:2]))
    assert await names_of(connection, "status = 'done'") == ["Ada", "Bob"]


async def test_delete_by_condition_counts(connection: SystemConnection) -> None:
    await created(connection, "Ada", "Bob", "Cy")
    report = await connection.delete_where("customer", parsed_condition("name != 'Bob'"), SystemCall())
    assert report.count == 2
    assert await names_of(connection, "id > 0") == ["Bob"]
    nothing = await connection.delete_where("customer", parsed_condition("name = 'x'"), SystemCall())
    assert (nothing.count, nothing.keys) == (0, ())


async def test_more_rows_than_the_cap_are_not_touched(opening: Opening, peer: SqlPeer) -> None:
    connection = await opening(write_cap=2)
    await created(connection, "Ada", "Bob", "Cy")
    call = SystemCall()
    for condition in ("id > 0", "name != 'x'"):
        with pytest.raises(WriteRefused, match="3 entities of customer meet the condition, and a write may change"):
            await connection.delete_where("customer", parsed_condition(condition), call)
        with pytest.raises(WriteRefused, match="at most 2; nothing was changed"):
            await connection.update_where("customer", parsed_condition(condition), {"status": "x"}, call)
    assert peer.column("SELECT count(*) FROM customer WHERE status = 'open'") == [3]
    for number in range(3):
        await connection.create("journal", {"happened": "x", "weight": number}, call)
    with pytest.raises(WriteRefused, match="3 entities of journal"):
        await connection.delete_where("journal", parsed_condition("weight >= 0"), call)
    assert (await connection.delete_where("journal", parsed_condition("weight > 0"), call)).count == 2


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "name: is required"),
        ({"name": None}, "name: must not be null"),
        ({"name": 5}, "name: must be a text, not 5"),
        ({"name": "x", "credit": "1.5 EUR"}, "credit: must be a number, not '1.5 EUR'"),
        ({"name": "x", "credit": True}, "credit: must be a number, not True"),
        ({"name": "x", "rating": "high"}, "rating: must be a number"),
        ({"name": "x", "is_active": "maybe"}, "is_active: must be true or false"),
        ({"name": "x", "born": "31.12.1999"}, "born: must be a date such as"),
        ({"name": "x", "met": "noon"}, "met: must be a date and time such as"),
        ({"name": "x", "wakes": "25:00"}, "wakes: must be a time such as"),
        ({"name": "x", "photo": "%%%"}, "photo: must be base64"),
        ({"name": "x", "balance": 1.5}, "balance: must be a whole number, not 1.5"),
        ({"name": "x", "balance": 2**63}, "balance: must be a whole number from"),
        ({"name": "\ud800"}, "name: must be a text without half of a surrogate pair"),
    ],
)
async def test_wrong_values_name_the_column(connection: SystemConnection, values: JsonObject, message: str) -> None:
    with pytest.raises(InvalidValue, match=message):
        await connection.create("customer", values, SystemCall())


async def test_unknown_fields_are_refused(connection: SystemConnection) -> None:
    with pytest.raises(UnknownName, match="there is no field of customer 'nope'; there are: id, name"):
        await connection.create("customer", {"name": "x", "nope": 1}, SystemCall())
    with pytest.raises(UnknownName, match="nope"):
        await connection.list(EntityQuery("customer", fields=("nope",)), SystemCall())
    with pytest.raises(UnknownName, match="nope"):
        await connection.list(EntityQuery("customer", sort=(SortKey("nope"),)), SystemCall())


async def test_constraints_name_the_column_and_no_values(connection: SystemConnection) -> None:
    call = SystemCall()
    [key] = await created(connection, "Ada")
    with pytest.raises(EntityConflict) as unique:
        await connection.create("customer", {"name": "Ada"}, call)
    assert str(unique.value) == "name: another entity has the same value"
    with pytest.raises(EntityConflict) as absent:
        await connection.create("purchase", {"customer_id": 999, "amount": 1}, call)
    assert str(absent.value).startswith("customer_id: refers to an entity that is not there")
    with pytest.raises(EntityConflict) as checked:
        await connection.update("customer", key, {"balance": -1000}, call)
    assert str(checked.value) == "balance: breaks a rule of the database"
    await connection.create("purchase", {"customer_id": int(key), "amount": 1}, call)
    with pytest.raises(EntityConflict, match="still referred to"):
        await connection.delete("customer", key, call)
    shown = "".join(each.error for each in call.exchanges)
    assert "Ada" not in shown


async def test_a_rehearsal_shows_the_statement_and_sends_nothing(connection: SystemConnection, peer: SqlPeer) -> None:
    [key] = await created(connection, "Ada")
    call = SystemCall(is_rehearsal=True)
    condition = parsed_condition("name = 'Ada'")
    for rehearsed in (
        connection.list(EntityQuery("customer", condition), call),
        connection.get("customer", key, (), call),
        connection.create("customer", {"name": "Bob"}, call),
        connection.update("customer", key, {"name": "Bob"}, call),
        connection.delete("customer", key, call),
        connection.update_where("customer", condition, {"name": "Bob"}, call),
        connection.delete_where("customer", condition, call),
    ):
        with pytest.raises(Rehearsed):
            await rehearsed
    begun = [each.request.split()[0] for each in call.exchanges]
    assert begun == ["SELECT", "SELECT", "INSERT", "UPDATE", "DELETE", "UPDATE", "DELETE"]
    assert all("Ada" in each.request or "Bob" in each.request or key in each.request for each in call.exchanges)
    assert peer.column("SELECT name FROM customer") == ["Ada"]
