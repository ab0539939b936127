"""Neo4j by its own driver: what is asked in Cypher, what is refused, no server but the one meant."""

import gc
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import pytest
import trustme

from openplaybook.connectors.base import CUSTOM_QUERY, DataType, EntityQuery, QueryParameter, SqlQuery, SystemConnection
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import (
    CredentialAbsent,
    InvalidValue,
    OperationUnsupported,
    SystemUnavailable,
    UnknownName,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.connectors.plugins.base import MOST_BYTES
from openplaybook.connectors.settings import AccessToken, TlsSettings
from openplaybook.jsonvalues import JsonObject
from tests.integration.connectors.plugins.conftest import graph_peer
from tests.kit.bolt_server import BoltServer, bolt_server
from tests.kit.certificates import server_tls
from tests.kit.cutting_proxy import cutting_proxy
from tests.kit.plugin_peers import LoopbackNames, PluginPeer, call


@pytest.fixture
async def server() -> AsyncGenerator[BoltServer]:
    """A server."""
    async with bolt_server() as running:
        yield running


@pytest.fixture
async def graph(server: BoltServer) -> AsyncGenerator[PluginPeer]:
    """The same as a peer."""
    peer = graph_peer(server)
    yield peer
    await peer.aclose()


@pytest.fixture
async def connection(graph: PluginPeer) -> SystemConnection:
    """To it."""
    return await graph.opened()


@pytest.mark.parametrize(
    ("condition", "where", "parameters"),
    [
        ("count >= 2 AND city = 'Bern'", "(n.`count` >= $p0 AND n.`city` = $p1)", {"p0": 2, "p1": "Bern"}),
        ("NOT city IN ('Bern', 'Chur')", "NOT n.`city` IN $p0", {"p0": ["Bern", "Chur"]}),
        ("city <> 'Bern'", "n.`city` <> $p0", {"p0": "Bern"}),
        ("note IS NULL OR active = TRUE", "(n.`note` IS NULL OR n.`active` = $p0)", {"p0": True}),
        ("name LIKE 'a%'", "n.`name` STARTS WITH $p0", {"p0": "a"}),
        ("name = '`}) DETACH DELETE n //'", "n.`name` = $p0", {"p0": "`}) DETACH DELETE n //"}),
    ],
)
async def test_conditions_are_asked_in_cypher_with_parameters(
    condition: str,
    where: str,
    parameters: dict[str, Any],
    graph: PluginPeer,
    connection: SystemConnection,
    server: BoltServer,
) -> None:
    await graph.add(["ada", "bob", "cid", "dan", "eve"])
    query = EntityQuery("Guest", parsed_condition(condition), fields=("name",), page_size=2)
    await connection.list(query, call())
    text, values = server.statements[-1]
    assert text.startswith(f"MATCH (n:`Guest`) WHERE {where} WITH n ORDER BY elementId(n) LIMIT $size RETURN")
    assert values == {**parameters, "size": 3}
    assert set(server.modes) == {"r"}


async def test_names_are_quoted_whatever_they_hold(
    graph: PluginPeer, connection: SystemConnection, server: BoltServer
) -> None:
    server.nodes["a`b"] = {}
    key = server.put("a`b", {"x`) DELETE n //": 1})
    page = await connection.list(EntityQuery("a`b", parsed_condition('"x`) DELETE n //" = 1')), call())
    assert [each.key for each in page.entities] == [key]
    assert "n.`x``) DELETE n //` = $p0" in server.statements[-1][0]
    for name in ("\\u0060", "x\0"):
        with pytest.raises(InvalidValue):
            await connection.create("Guest", {name: 1}, call())


@pytest.mark.parametrize("values", [{"a": {"b": 1}}, {"a": [1, "x"]}, {"a": [None]}, {"a": [[1]]}, {"a": 1 << 63}])
async def test_what_no_property_can_hold_is_refused(values: JsonObject, connection: SystemConnection) -> None:
    with pytest.raises(InvalidValue):
        await connection.create("Guest", values, call())


async def test_moments_and_points_are_json(connection: SystemConnection, server: BoltServer) -> None:
    # Structures of Bolt: DateTime in UTC seconds, Date in days, a point of WGS 84.
    native: dict[str, Any] = {
        "at": (0x49, 1_795_687_200, 0, 3_600),
        "on": (0x44, 20_783),
        "where": (0x58, 4326, 7.4, 46.9),
    }
    key = server.put("Guest", native)
    entity = await connection.get("Guest", key, (), call())
    assert entity.fields == {
        "_id": key,
        "at": "2026-11-26T11:00:00.000000000+01:00",
        "on": "2026-11-26",
        "where": {"srid": 4326, "coordinates": [7.4, 46.9]},
    }
    kinds = {each.name: each.data_type for each in (await connection.entity_type("Guest", call())).fields}
    assert (kinds["at"], kinds["on"]) == (DataType.TIMESTAMP_WITH_ZONE, DataType.DATE)
    await connection.update("Guest", key, {"on": "2027-01-01", "at": "2027-01-01T00:00:00+01:00"}, call())
    assert server.nodes["Guest"][key]["on"] == (0x44, 20_819)
    with pytest.raises(InvalidValue, match="DATE"):
        await connection.update("Guest", key, {"on": "soon"}, call())


async def test_a_query_has_its_values_as_parameters(connection: SystemConnection, server: BoltServer) -> None:
    server.answer = lambda text, values: [{"n": number} for number in range(5)] if "UNWIND" in text else None
    text = "UNWIND range(0, ?) AS n // really?\nWITH n WHERE '?' <> ? AND `?` = \"?\" RETURN n /* ? */"
    query = SqlQuery(text, (QueryParameter(4), QueryParameter("x'")), most_rows=3)
    result = await connection.query(query, call())
    assert (result.rows, result.is_truncated) == (({"n": 0}, {"n": 1}, {"n": 2}), True)
    sent, values = server.statements[-1]
    assert sent == text.replace("(0, ?)", "(0, $q0)").replace("<> ?", "<> $q1")
    assert values == {"q0": 4, "q1": "x'"}
    for wrong in (SqlQuery("RETURN ?"), SqlQuery("RETURN 1", (QueryParameter(1),)), SqlQuery("RETURN 'x")):
        with pytest.raises(InvalidValue):
            await connection.query(wrong, call())


@pytest.mark.parametrize(
    "text",
    [
        "LOAD CSV FROM 'http://x' AS r RETURN r",
        "load/**/csv FROM 'x' AS r RETURN r",
        "RETURN '\\u0027 AS x'",
        "CALL apoc.load.json('http://x')",
        "CALL `apoc`.`load`.`json`('http://x')",
        "CALL apoc.bolt.load('bolt://x', 'RETURN 1')",
        "CALL apoc.cypher.runFile('x')",
        "RETURN genai.vector.encode('x', 'OpenAI', {})",
    ],
)
async def test_no_query_has_the_system_read_files_or_addresses(
    text: str, connection: SystemConnection, server: BoltServer
) -> None:
    with pytest.raises(InvalidValue, match="LOAD CSV"):
        await connection.query(SqlQuery(text), call())
    assert not server.statements


async def test_the_server_itself_refuses_writes_of_a_connection_that_only_reads(
    graph: PluginPeer, server: BoltServer
) -> None:
    connection = await graph.opened(graph.configured(read_only=True))
    with pytest.raises(WriteRefused):
        await connection.query(SqlQuery("MATCH (n:`Guest`) DELETE n"), call())
    assert server.modes == ["r"]


@pytest.mark.parametrize(
    ("stats", "said"),
    [
        ({"nodes-created": 2, "labels-added": 2, "properties-set": 2}, ""),
        ({"nodes-created": 1, "nodes-deleted": 2}, "3 nodes"),
        ({"relationships-deleted": 3}, "3 relationships"),
        ({"properties-set": 3}, "3 properties"),
        ({"labels-removed": 3}, "3 labels"),
        ({"constraints-removed": 1}, "constraints"),
        ({"system-updates": 1}, "the system itself"),
    ],
)
async def test_a_query_that_changes_more_than_the_cap_is_undone(
    stats: JsonObject, said: str, graph: PluginPeer, server: BoltServer
) -> None:
    connection = await graph.opened(graph.configured(write_cap=2))
    server.answer = lambda text, values: [{"n": 1}, {"n": 2}] if "MERGE" in text else None
    server.stats = stats
    query = SqlQuery("MERGE (n) RETURN n", most_rows=1)
    if not said:
        result = await connection.query(query, call())
        assert (result.is_truncated, result.notes) == (True, {"rowsAffected": 2})
    else:
        with pytest.raises(WriteRefused, match=f"{said}.*nothing was changed"):
            await connection.query(query, call())
    assert server.commits == (0 if said else 1)


async def test_chosen_labels_are_the_only_ones(graph: PluginPeer, server: BoltServer) -> None:
    server.nodes["Secret"] = {}
    connection = await graph.opened(graph.configured(labels="Guest"))
    assert await connection.entity_names(call()) == ["Guest"]
    with pytest.raises(UnknownName):
        await connection.list(EntityQuery("Secret"), call())
    assert not await connection.actions(call())
    with pytest.raises(OperationUnsupported):
        await connection.query(SqlQuery("RETURN 1 AS one"), call())
    wide = await graph.opened()
    assert [each.name for each in await wide.actions(call())] == [CUSTOM_QUERY]


async def test_rows_above_the_limit_are_not_kept(connection: SystemConnection, server: BoltServer) -> None:
    server.answer = lambda text, values: [{"x": "x" * (MOST_BYTES // 4)}] * 6
    with pytest.raises(Exception, match="bytes together"):
        await connection.query(SqlQuery("RETURN large"), call())


async def test_a_write_whose_answer_is_lost_is_in_doubt_and_one_that_was_not_sent_is_not(server: BoltServer) -> None:
    async with cutting_proxy(server.port) as proxy:
        peer = graph_peer(server)
        connection = await peer.opened(peer.configured(port=proxy.port))
        await connection.entity_type("Guest", call())
        proxy.cut("answer", 1)
        with pytest.raises(WriteInDoubt):
            await connection.create("Guest", {"name": "ada"}, call())
        await peer.aclose()
    connection = await peer.opened(peer.configured(port=proxy.port, labels="Guest"))
    with pytest.raises(SystemUnavailable):
        await connection.create("Guest", {"name": "ada"}, call())
    await peer.aclose()


async def test_only_the_server_that_is_meant_is_dialled(graph: PluginPeer, connection: SystemConnection) -> None:
    await connection.check(call())
    names = graph.access.resolver
    assert isinstance(names, LoopbackNames)
    assert {host for host, _ in names.asked} == {"graph.example"}


async def test_tls_is_held_to() -> None:
    authority = trustme.CA()
    trusted = TlsSettings(is_used=True, ca_certificate=authority.cert_pem.bytes().decode())
    async with bolt_server(server_tls(authority, "graph.example")) as server:
        peer = graph_peer(server)
        connection = await peer.opened(replace(peer.settings, tls=trusted))
        await connection.check(call())
        for settings in (
            replace(peer.settings, tls=TlsSettings(is_used=True)),
            replace(peer.configured(host="other.example"), tls=trusted),
        ):
            wrong = await peer.opened(settings)
            with pytest.raises(SystemUnavailable):
                await wrong.check(call())
        await peer.aclose()
    # What asyncio leaves of a refused handshake is looked at here, and not by another test.
    gc.collect()


async def test_a_token_stands_for_the_password_of_a_user(graph: PluginPeer, server: BoltServer) -> None:
    settings = replace(graph.configured(user=server.user), authentication=AccessToken(server.password))
    await (await graph.opened(settings)).check(call())
    with pytest.raises(CredentialAbsent):
        await graph.opened(graph.with_login(None))
