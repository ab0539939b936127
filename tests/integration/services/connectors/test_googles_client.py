"""Google's client of the discovery documents, unpatched, against connections over HTTP; answers fit the documents."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator

import pytest
import uvicorn
from googleapiclient.errors import HttpError

from openplaybook.wire.rest import RestApp
from tests.integration.services.connectors.connected import BODY, CONNECTION, CUSTOMERS, LOCATION, VERSION, Connected
from tests.kit.discovery_clients import Client, ConnectorsClients


@pytest.fixture
async def google(shop: Connected) -> AsyncIterator[ConnectorsClients]:
    listening = socket.create_server(("127.0.0.1", 0))
    app = RestApp(shop.caller.registry, max_body_bytes=1_000_000)
    server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="error", ws="none"))
    serving = asyncio.create_task(server.serve([listening]))
    yield ConnectorsClients(f"http://127.0.0.1:{listening.getsockname()[1]}")
    server.should_exit = True
    await serving


async def test_a_connection_from_the_catalogue_to_its_end(google: ConnectorsClients, shop: Connected) -> None:
    providers = await google.v1("ListProvidersResponse", lambda at: at.providers().list(parent=LOCATION))
    provider = providers["providers"][0]["name"]
    connectors = await google.v1("ListConnectorsResponse", lambda at: at.providers().connectors().list(parent=provider))
    connector = connectors["connectors"][0]["name"]
    versions = await google.v1(
        "ListConnectorVersionsResponse", lambda at: at.providers().connectors().versions().list(parent=connector)
    )
    assert versions["connectorVersions"][0]["name"] == VERSION

    created = await google.done(lambda at: at.connections().create(parent=LOCATION, connectionId="shop", body=BODY))
    patched = await google.done(
        lambda at: at.connections().patch(name=CONNECTION, updateMask="description", body={"description": "New"})
    )
    listed = await google.v1("ListConnectionsResponse", lambda at: at.connections().list(parent=LOCATION))
    schema = await google.done(
        lambda at: (
            at.connections()
            .connectionSchemaMetadata()
            .getEntityType(name=f"{CONNECTION}/connectionSchemaMetadata", entityId="Customer")
        )
    )
    await google.done(lambda at: at.connections().delete(name=CONNECTION))

    assert created["status"] == {"state": "ACTIVE"}
    assert [each["description"] for each in listed["connections"]] == [patched["description"]] == ["New"]
    assert schema["entity"] == "Customer"
    assert await google.v1("ListConnectionsResponse", lambda at: at.connections().list(parent=LOCATION)) == {}


async def test_entities_actions_queries_and_tools(google: ConnectorsClients, shop: Connected) -> None:
    await shop.create()

    def entities(at: Client) -> Client:
        return at.connections().entityTypes().entities()

    for name in ("Ada", "Bob Bø & Söhne", "Cyd"):
        made = await google.v2(
            "Entity", lambda at, name=name: entities(at).create(parent=CUSTOMERS, body={"fields": {"name": name}})
        )
    first = await google.v2(
        "ListEntitiesResponse",
        lambda at: entities(at).list(parent=CUSTOMERS, pageSize=1, sortBy=["name"], sortOrder=["DESC"]),
    )
    found = await google.v2(
        "ListEntitiesResponse",
        lambda at: entities(at).list(
            parent=CUSTOMERS,
            conditions="name = 'Bob Bø & Söhne' OR name LIKE 'A%'",
            executionConfig_headers='{"x-team": "pets"}',
        ),
    )
    await google.v2("Entity", lambda at: entities(at).patch(name=made["name"], body={"fields": {"balance": "1.10"}}))
    read = await google.v2("Entity", lambda at: entities(at).get(name=made["name"]))
    updated = await google.v2(
        "UpdateEntitiesWithConditionsResponse",
        lambda at: entities(at).updateEntitiesWithConditions(
            entityType=CUSTOMERS, conditions="id = 1", body={"fields": {"kind": "person"}}
        ),
    )
    deleted = await google.v2(
        "Empty", lambda at: entities(at).deleteEntitiesWithConditions(entityType=CUSTOMERS, conditions="id >= 2")
    )
    action = await google.v2(
        "ExecuteActionResponse",
        lambda at: (
            at.connections().actions().execute(name=f"{CONNECTION}/actions/Ping", body={"parameters": {"text": "x"}})
        ),
    )
    query = {"query": "select 1", "maxRows": "1", "queryParameters": [{"dataType": "INT", "value": 5}]}
    rows = await google.v2(
        "ExecuteSqlQueryResponse",
        lambda at: at.connections().executeSqlQuery(connection=CONNECTION, body={"query": query}),
    )
    tools = await google.v2(
        "ListToolsResponse", lambda at: at.connections().tools().list(parent=CONNECTION, toolNames=["Ping"])
    )
    checked = await google.v2("CheckStatusResponse", lambda at: at.connections().checkStatus(name=CONNECTION))

    assert [each["fields"]["name"] for each in first["entities"]] == ["Cyd"]
    assert [each["fields"]["id"] for each in found["entities"]] == [1, 2]
    assert read["fields"] == {"id": 3, "name": "Cyd", "balance": "1.10"}
    assert (updated["response"]["count"], deleted, [*shop.system.rows]) == (1, {}, ["1"])
    assert action["results"] == [{"heard": "x"}]
    assert len(rows["results"]) == 1
    assert [each["name"] for each in tools["tools"]] == ["Ping"]
    assert checked == {"state": "ACTIVE"}


@pytest.mark.parametrize("key", ["a/b", "a b", "50%", "ö", "a:checkStatus", "?x#y"])
async def test_a_name_as_it_was_given_finds_its_entity_whatever_its_key(
    google: ConnectorsClients, shop: Connected, key: str
) -> None:
    await shop.create()
    shop.system.rows[key] = {"name": "odd"}

    listed = await google.v2(
        "ListEntitiesResponse", lambda at: at.connections().entityTypes().entities().list(parent=CUSTOMERS)
    )
    name = listed["entities"][0]["name"]
    found = await google.v2("Entity", lambda at: at.connections().entityTypes().entities().get(name=name))

    assert found["fields"] == {"name": "odd"}


async def test_refusals_have_googles_form(google: ConnectorsClients, shop: Connected) -> None:
    await shop.create()

    with pytest.raises(HttpError) as caught:
        await google.v2(
            "ListEntitiesResponse",
            lambda at: at.connections().entityTypes().entities().list(parent=CUSTOMERS, conditions="name = "),
        )

    error = json.loads(caught.value.content)["error"]
    assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT")
    assert error["details"][0]["reason"] == "INVALID_CONDITION"
