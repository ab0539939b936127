"""MongoDB by its own driver: values of all types, what is asked, what is refused, no server but the one meant."""

import gc
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
import trustme
from bson import Binary, Decimal128, Int64, ObjectId

from openplaybook.connectors.base import DataType, EntityQuery, SystemConnection
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import (
    ConnectorError,
    CredentialAbsent,
    EntityConflict,
    EntityNotFound,
    InvalidValue,
    SystemFault,
    SystemUnavailable,
    UnknownName,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.connectors.settings import AccessToken, TlsSettings
from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.integration.connectors.plugins.conftest import mongo_peer
from tests.kit.certificates import server_tls
from tests.kit.cutting_proxy import cutting_proxy
from tests.kit.mongo_wire import MongoWire, mongo_wire
from tests.kit.plugin_peers import LoopbackNames, PluginPeer, call


@pytest.fixture
async def server() -> AsyncGenerator[MongoWire]:
    """A server."""
    async with mongo_wire() as running:
        yield running


@pytest.fixture
async def mongo(server: MongoWire) -> AsyncGenerator[PluginPeer]:
    """The same as a peer."""
    peer = mongo_peer(server)
    yield peer
    await peer.aclose()


@pytest.fixture
async def connection(mongo: PluginPeer) -> SystemConnection:
    """To it."""
    return await mongo.opened()


IDENTIFIER = ObjectId("64b7f0c2a1d2e3f405162738")
NATIVE: dict[str, Any] = {
    "_id": IDENTIFIER,
    "small": 7,
    "large": Int64(9_223_372_036_854_775_807),
    "ratio": 0.25,
    "price": Decimal128("12.340"),
    "when": datetime(2026, 11, 26, 10, 0, 0, 123_000, tzinfo=UTC),
    "raw": b"\x00\x01",
    "token": UUID("12345678-1234-5678-1234-567812345678"),
    "who": ObjectId("64b7f0c2a1d2e3f405162739"),
    "list": [1, {"a": None}],
    "nothing": None,
}


async def test_values_of_all_types_are_json_and_keep_their_types_when_set(
    connection: SystemConnection, server: MongoWire
) -> None:
    native = {**NATIVE, "token": Binary.from_uuid(NATIVE["token"])}
    server.put("guests", native)
    key = str(IDENTIFIER)
    entity = await connection.get("guests", key, (), call())
    assert entity.fields == {
        "_id": key,
        "small": 7,
        "large": "9223372036854775807",
        "ratio": 0.25,
        "price": "12.340",
        "when": "2026-11-26T10:00:00.123000Z",
        "raw": "AAE=",
        "token": "12345678-1234-5678-1234-567812345678",
        "who": "64b7f0c2a1d2e3f405162739",
        "list": [1, {"a": None}],
        "nothing": None,
    }
    kinds = {each.name: each.data_type for each in (await connection.entity_type("guests", call())).fields}
    assert (kinds["price"], kinds["when"], kinds["token"]) == (
        DataType.DECIMAL,
        DataType.TIMESTAMP_WITH_ZONE,
        DataType.UUID,
    )
    values: JsonObject = {name: each for name, each in entity.fields.items() if name not in ("_id", "nothing")}
    await connection.update("guests", key, values, call())
    sent = server.commands[-2]["updates"][0]["u"]["$set"]
    assert sent == {name: each for name, each in native.items() if name not in ("_id", "nothing")}
    assert {name: type(each) for name, each in sent.items()} == {
        **{name: type(native[name]) for name in sent},
        "raw": bytes,
    }


@pytest.mark.parametrize("identifier", ["plain", "64b7f0c2a1d2e3f405162738", "12", 12, 'a "b"', "{}", True])
async def test_a_document_is_found_by_the_key_of_its_identifier(
    identifier: JsonValue, connection: SystemConnection, server: MongoWire
) -> None:
    server.put("guests", {"_id": identifier, "name": "ada"})
    [entity] = (await connection.list(EntityQuery("guests"), call())).entities
    assert (await connection.get("guests", entity.key, ("name",), call())).fields == {"name": "ada"}
    await connection.delete("guests", entity.key, call())
    assert not server.count("guests")


@pytest.mark.parametrize("key", ['{"$gt": ""}', '{"$ne": null}', '{"$regex": ".*"}', '["x"]', "null", '{"$oid": 1}'])
async def test_no_key_is_read_as_operators(key: str, connection: SystemConnection, server: MongoWire) -> None:
    server.put("guests", {"_id": "a", "name": "ada"})
    with pytest.raises(EntityNotFound):
        await connection.get("guests", key, (), call())
    with pytest.raises(EntityNotFound):
        await connection.delete("guests", key, call())
    assert server.count("guests") == 1


@pytest.mark.parametrize("values", [{"$set": {"a": 1}}, {"a.b": 1}, {"a": {"$x": 1}}, {"a": [{"b\0": 1}]}, {"": 1}])
async def test_no_name_of_a_field_is_read_as_something_else(values: JsonObject, connection: SystemConnection) -> None:
    with pytest.raises(InvalidValue):
        await connection.create("guests", values, call())


@pytest.mark.parametrize(
    ("condition", "query"),
    [
        ("count >= 2 AND city = 'Bern'", {"$and": [{"count": {"$gte": 2}}, {"city": {"$eq": "Bern"}}]}),
        ("NOT city IN ('Bern', 'Chur')", {"city": {"$nin": ["Bern", "Chur", None]}}),
        ("city != 'Bern'", {"city": {"$nin": ["Bern", None]}}),
        ("note IS NULL OR active = TRUE", {"$or": [{"note": None}, {"active": {"$eq": True}}]}),
        ("name LIKE 'a.%'", {"name": {"$regex": "^a\\."}}),
        ("count = 'Bern'", {}),
        ("name LIKE '%a%' AND price BETWEEN 1 AND 2.5", {"$and": [{"price": {"$gte": 1}}, {"price": {"$lte": 2.5}}]}),
    ],
)
async def test_conditions_are_asked_as_query_documents(
    condition: str, query: dict[str, Any], mongo: PluginPeer, connection: SystemConnection, server: MongoWire
) -> None:
    await mongo.add(["ada", "bob", "cid", "dan", "eve"])
    await connection.list(EntityQuery("guests", parsed_condition(condition), fields=("name",)), call())
    sent = server.commands[-1]
    assert sent.get("filter", {}) == query
    assert {"_id", "name"} <= set(sent["projection"])
    assert 0 < sent["maxTimeMS"] <= 20_000


async def test_queries_of_others_only_read(mongo: PluginPeer, connection: SystemConnection, server: MongoWire) -> None:
    await mongo.add(["ada", "bob", "cid"])
    server.put("secrets", {"word": "xyzzy"})
    find: JsonObject = {"collection": "guests", "filter": {"count": {"$gt": 0}}, "sort": {"count": -1}, "limit": 1}
    found = await connection.execute("FindDocuments", find, call())
    assert ([row["name"] for row in found.rows], found.is_truncated) == (["cid"], True)
    pipeline: JsonValue = [{"$group": {"_id": "$city", "n": {"$sum": 1}}}, {"$sort": {"_id": 1}}]
    grouped = await connection.execute("Aggregate", {"collection": "guests", "pipeline": pipeline}, call())
    assert [row["n"] for row in grouped.rows] == [1, 1, 1]
    asked = len(server.commands)
    for stages, error in (
        ([{"$out": "guests"}], WriteRefused),
        ([{"$facet": {"a": [{"$merge": "guests"}]}}], WriteRefused),
        ([{"$lookup": {"from": "secrets", "as": "x"}}], UnknownName),
        ([{"$unionWith": "secrets"}], UnknownName),
        ([{"$unionWith": {"coll": "guests", "pipeline": [{"$unionWith": {"coll": "secrets"}}]}}], UnknownName),
        ([{"$match": {"$expr": {"$function": {"body": "x", "args": [], "lang": "js"}}}}], InvalidValue),
        ([{"$group": {"_id": 1, "x": {"$accumulator": {}}}}], InvalidValue),
        ([{"$currentOp": {}}], InvalidValue),
        ([{"$match": {}, "$out": "x"}], InvalidValue),
        ("x", InvalidValue),
    ):
        with pytest.raises(error):
            await connection.execute("Aggregate", {"collection": "guests", "pipeline": stages}, call())
    for filter in ({"$where": "1"}, {"$or": [{"a": 1}, {"$where": "sleep(9)"}]}):
        with pytest.raises(InvalidValue, match="program"):
            await connection.execute("FindDocuments", {"collection": "guests", "filter": filter}, call())
    with pytest.raises(UnknownName):
        await connection.execute("FindDocuments", {"collection": "secrets"}, call())
    assert len(server.commands) == asked


async def test_a_key_that_is_taken_is_a_conflict(connection: SystemConnection) -> None:
    await connection.create("guests", {"_id": "ada"}, call())
    with pytest.raises(EntityConflict):
        await connection.create("guests", {"_id": "ada"}, call())


async def test_only_the_server_that_is_meant_is_dialled(mongo: PluginPeer, connection: SystemConnection) -> None:
    await connection.check(call())
    names = mongo.access.resolver
    assert isinstance(names, LoopbackNames)
    assert {host for host, _ in names.asked} == {"mongo.example"}


async def test_a_reply_above_the_limit_is_not_read(
    mongo: PluginPeer, connection: SystemConnection, server: MongoWire
) -> None:
    await mongo.add(["ada"])
    await connection.check(call())
    server.oversize = 500_000_000
    with pytest.raises(SystemFault, match="longer than"):
        await connection.list(EntityQuery("guests"), call())


async def test_a_write_whose_answer_is_lost_is_in_doubt(server: MongoWire) -> None:
    async with cutting_proxy(server.port) as proxy:
        peer = mongo_peer(server)
        connection = await peer.opened(peer.configured(port=proxy.port))
        await connection.entity_type("guests", call())
        proxy.cut("answer", 0)
        with pytest.raises(WriteInDoubt):
            await connection.create("guests", {"name": "ada"}, call())
        assert server.count("guests") == 1
        await peer.aclose()


async def test_tls_is_held_to(authority: trustme.CA) -> None:
    trusted = TlsSettings(is_used=True, ca_certificate=authority.cert_pem.bytes().decode())
    async with mongo_wire(server_tls(authority, "mongo.example")) as server:
        peer = mongo_peer(server)
        connection = await peer.opened(replace(peer.settings, tls=trusted))
        await connection.check(call())
        for settings in (
            replace(peer.settings, tls=TlsSettings(is_used=True)),
            replace(peer.configured(host="other.example"), tls=trusted),
        ):
            wrong = await peer.opened(settings)
            with pytest.raises(SystemUnavailable, match="certificate"):
                await wrong.check(call())
        await peer.aclose()
    # What asyncio leaves of a refused handshake is looked at here, and not by another test.
    gc.collect()


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """Whom both sides trust."""
    return trustme.CA()


async def test_a_token_stands_for_the_password_of_a_user(mongo: PluginPeer, server: MongoWire) -> None:
    settings = replace(mongo.configured(user=server.user), authentication=AccessToken(server.password))
    await (await mongo.opened(settings)).check(call())
    with pytest.raises(CredentialAbsent):
        await mongo.opened(mongo.with_login(None))
    with pytest.raises(ConnectorError):
        await (await mongo.opened(replace(mongo.configured(without_login=True), authentication=None))).check(call())
