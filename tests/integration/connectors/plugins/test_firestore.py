"""Firestore: values of all its types, what is asked of it, keys that lead nowhere else."""

from collections.abc import AsyncGenerator

import pytest

from openplaybook.connectors.base import DataType, EntityQuery, SystemConnection
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import EntityConflict, InvalidConnection, InvalidValue, SystemFault, UnknownName
from openplaybook.jsonvalues import JsonObject
from tests.integration.connectors.plugins.conftest import document_peer
from tests.kit.held_documents import HeldDocuments
from tests.kit.plugin_peers import PluginPeer, call


@pytest.fixture
def held() -> HeldDocuments:
    """Collections."""
    return HeldDocuments()


@pytest.fixture
async def firestore(held: HeldDocuments) -> AsyncGenerator[PluginPeer]:
    """A system of which nothing is asked that its document does not allow."""
    peer, api = document_peer(held)
    yield peer
    assert not api.violations


@pytest.fixture
async def connection(firestore: PluginPeer) -> SystemConnection:
    """To it."""
    return await firestore.opened()


NATIVE: JsonObject = {
    "small": {"integerValue": "-7"},
    "large": {"integerValue": "9223372036854775807"},
    "ratio": {"doubleValue": 0.25},
    "when": {"timestampValue": "2026-11-26T10:00:00.123456Z"},
    "raw": {"bytesValue": "AAEC"},
    "where": {"geoPointValue": {"latitude": 46.9, "longitude": 7.4}},
    "who": {"referenceValue": "projects/p-1/databases/(default)/documents/guests/ada"},
    "nothing": {"nullValue": None},
    "odd name.with`sign": {"stringValue": "x"},
    "list": {
        "arrayValue": {"values": [{"integerValue": "1"}, {"mapValue": {"fields": {"a": {"booleanValue": True}}}}]}
    },
    "empty": {"arrayValue": {}},
}


async def test_values_of_all_types_are_json(connection: SystemConnection, held: HeldDocuments) -> None:
    held.collections["guests"]["ada"] = NATIVE
    entity = await connection.get("guests", "ada", (), call())
    assert entity.fields == {
        "id": "ada",
        "small": -7,
        "large": "9223372036854775807",
        "ratio": 0.25,
        "when": "2026-11-26T10:00:00.123456Z",
        "raw": "AAEC",
        "where": {"latitude": 46.9, "longitude": 7.4},
        "who": "projects/p-1/databases/(default)/documents/guests/ada",
        "nothing": None,
        "odd name.with`sign": "x",
        "list": [1, {"a": True}],
        "empty": [],
    }
    kinds = {each.name: each.data_type for each in (await connection.entity_type("guests", call())).fields}
    assert (kinds["large"], kinds["when"], kinds["raw"]) == (
        DataType.BIGINT,
        DataType.TIMESTAMP_WITH_ZONE,
        DataType.BINARY,
    )


async def test_a_field_keeps_its_type_when_it_is_set(connection: SystemConnection, held: HeldDocuments) -> None:
    held.collections["guests"]["ada"] = dict(NATIVE)
    values: JsonObject = {"large": "-9223372036854775808", "when": "2027-01-01T00:00:00Z", "raw": "AQ==", "ratio": 2}
    await connection.update("guests", "ada", values, call())
    kept = held.collections["guests"]["ada"]
    assert kept["large"] == {"integerValue": "-9223372036854775808"}
    assert kept["when"] == {"timestampValue": "2027-01-01T00:00:00Z"}
    assert kept["raw"] == {"bytesValue": "AQ=="}
    assert kept["ratio"] == {"doubleValue": 2}
    for wrong in ({"raw": "?"}, {"fresh": 1 << 63}, {"__name__": 1}):
        with pytest.raises(InvalidValue):
            await connection.update("guests", "ada", wrong, call())


async def test_equality_is_asked_of_firestore_and_all_else_is_not(
    connection: SystemConnection, firestore: PluginPeer, held: HeldDocuments
) -> None:
    await firestore.add(["ada", "bob", "cid"])
    condition = parsed_condition("city = 'Bern' AND count IN (0, 3) AND price > 1 AND name LIKE 'a%'")
    page = await connection.list(EntityQuery("guests", condition, fields=("name",)), call())
    assert page.notes == {"filterPushedDown": False, "rowsScanned": 1}
    asked = held.queries[-1]
    parts = asked["where"]["compositeFilter"]["filters"]
    assert [each["fieldFilter"]["op"] for each in parts] == ["EQUAL", "IN"]
    assert [each["fieldPath"] for each in asked["select"]["fields"]] == ["name", "city", "count", "price"]
    whole = await connection.list(EntityQuery("guests", parsed_condition("city = 'Bern'")), call())
    assert not whole.notes


async def test_a_document_is_made_with_its_own_id_or_one_of_firestore(
    connection: SystemConnection, held: HeldDocuments
) -> None:
    made = await connection.create("guests", {"id": "x y", "new field": 1}, call())
    assert (made.key, made.fields) == ("x y", {"id": "x y", "new field": 1})
    with pytest.raises(EntityConflict):
        await connection.create("guests", {"id": "x y"}, call())
    assert (await connection.create("guests", {"a": None}, call())).key == "made3"
    assert held.collections["guests"]["made3"] == {"a": {"nullValue": "NULL_VALUE"}}


async def test_the_type_of_a_collection_tells_of_what_was_written(connection: SystemConnection) -> None:
    assert [each.name for each in (await connection.entity_type("guests", call())).fields] == ["id"]
    await connection.create("guests", {"fresh": 1}, call())
    assert [each.name for each in (await connection.entity_type("guests", call())).fields] == ["id", "fresh"]


@pytest.mark.parametrize("key", ["a/b", "..", "__x__", "x" * 1_501])
async def test_no_key_leads_elsewhere(key: str, connection: SystemConnection) -> None:
    with pytest.raises(InvalidValue):
        await connection.get("guests", key, (), call())


async def test_collections_that_are_not_named_are_not_there(
    firestore: PluginPeer, connection: SystemConnection, held: HeldDocuments
) -> None:
    held.collections["secrets"] = {}
    with pytest.raises(UnknownName):
        await connection.list(EntityQuery("secrets"), call())
    for selector in ({"collectionId": "secrets"}, {"collectionId": "guests", "allDescendants": True}):
        query: JsonObject = {"from": [selector]}
        with pytest.raises(InvalidValue, match="guests"):
            await connection.execute("RunStructuredQuery", {"structuredQuery": query}, call())
    wide = await firestore.opened(firestore.configured(collections=""))
    assert await wide.entity_names(call()) == ["guests", "secrets"]
    for wrong in ({"collections": "a/b"}, {"project": "a/b"}, {"database": "x/y"}):
        with pytest.raises(InvalidConnection):
            await firestore.opened(firestore.configured(**wrong))


async def test_a_structured_query_gives_documents(connection: SystemConnection, firestore: PluginPeer) -> None:
    await firestore.add(["ada", "bob"])
    field = {"field": {"fieldPath": "name"}, "op": "EQUAL", "value": {"stringValue": "bob"}}
    query: JsonObject = {"from": [{"collectionId": "guests"}], "where": {"fieldFilter": field}}
    result = await connection.execute("RunStructuredQuery", {"structuredQuery": query}, call())
    assert [row["name"] for row in result.rows] == ["bob"]
    with pytest.raises(InvalidValue, match="findNearest"):
        await connection.execute("RunStructuredQuery", {"structuredQuery": {**query, "findNearest": {}}}, call())


async def test_a_reply_above_the_limit_is_not_read(connection: SystemConnection, held: HeldDocuments) -> None:
    for number in range(9):
        held.put("guests", f"g{number}", {"x": "x" * 1_000_000})
    with pytest.raises(SystemFault, match="longer than"):
        await connection.list(EntityQuery("guests"), call())
