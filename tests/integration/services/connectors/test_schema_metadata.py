"""What a connection's system has, as v1 and v2 tell it."""

import json

import pytest

from openplaybook.connectors.errors import SystemUnavailable
from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.errors import Code
from tests.integration.services.connectors.connected import CONNECTION, Connected

METADATA = f"{CONNECTION}/connectionSchemaMetadata"
SERVICE = "ConnectionSchemaMetadataService"


@pytest.fixture(autouse=True)
async def connection(shop: Connected) -> None:
    await shop.create()


async def test_the_metadata_names_entities_and_actions(shop: Connected) -> None:
    metadata = await shop.v1("Connections.GetConnectionSchemaMetadata", {"name": METADATA})

    assert (metadata["state"], metadata["entities"], metadata["actions"]) == (
        "UPDATED",
        ["Customer", "odd/log"],
        ["Ping", "ExecuteCustomQuery"],
    )


async def test_a_refresh_opens_the_system_anew_and_results_in_the_metadata(shop: Connected) -> None:
    await shop.v2("EntityTypes.ListEntityTypes", {"parent": CONNECTION})
    before = len(shop.system.opened)

    operation = await shop.done(f"{SERVICE}.RefreshConnectionSchemaMetadata", {"name": METADATA})

    assert operation["response"]["entities"] == ["Customer", "odd/log"]
    assert len(shop.system.opened) == before + 1


async def test_metadata_of_a_system_that_is_away_says_why(shop: Connected) -> None:
    shop.system.failure = SystemUnavailable("down for the night")

    metadata = await shop.v1("Connections.GetConnectionSchemaMetadata", {"name": METADATA})

    assert (metadata["state"], metadata["errorMessage"]) == ("REFRESH_SCHEMA_METADATA_FAILED", "down for the night")


async def test_an_entity_type_is_the_result_of_an_operation(shop: Connected) -> None:
    operation = await shop.done(f"{SERVICE}.GetEntityType", {"name": METADATA, "entityId": "Customer"})

    assert operation["done"]
    schema = operation["response"]
    assert schema["entity"] == "Customer"
    assert schema["operations"] == ["LIST", "GET", "CREATE", "UPDATE", "DELETE"]
    assert schema["fields"][0] == {
        "field": "id",
        "dataType": "DATA_TYPE_INTEGER",
        "key": True,
        "readonly": True,
        "additionalDetails": {"filterable": True, "readOnly": True, "required": False},
    }
    assert schema["jsonSchema"]["properties"]["name"] == {
        "type": ["string"],
        "description": "Full name",
        "jdbcType": "DATA_TYPE_VARCHAR",
    }
    assert schema["jsonSchema"]["required"] == ["name"]


async def test_an_action_is_the_result_of_an_operation(shop: Connected) -> None:
    operation = await shop.done(f"{SERVICE}.GetAction", {"name": METADATA, "actionId": "Ping"})

    schema = operation["response"]
    assert schema["inputJsonSchema"]["required"] == ["text"]
    assert list(schema["resultJsonSchema"]["properties"]) == ["heard"]


@pytest.mark.parametrize(
    ("rpc", "request_", "code", "words"),
    [
        ("GetEntityType", {"entityId": "Costumer"}, Code.NOT_FOUND, "there are: Customer, odd/log"),
        ("GetEntityType", {}, Code.INVALID_ARGUMENT, "entity_id: is required"),
        ("GetAction", {"actionId": "Pong"}, Code.NOT_FOUND, "there are: Ping, ExecuteCustomQuery"),
        ("GetAction", {}, Code.INVALID_ARGUMENT, "action_id: is required"),
        ("ListEntityTypes", {"filter": "Customer"}, Code.INVALID_ARGUMENT, 'must be empty or entity="NAME"'),
    ],
)
async def test_unknown_names_are_refused_with_those_that_there_are(
    shop: Connected, rpc: str, request_: JsonObject, code: Code, words: str
) -> None:
    refused, sentence = await shop.refusal("v1", f"{SERVICE}.{rpc}", {"name": METADATA, **request_})

    assert refused is code
    assert words in sentence


async def test_names_are_listed_by_pages_and_filters(shop: Connected) -> None:
    first = await shop.v1(f"{SERVICE}.ListEntityTypes", {"name": METADATA, "pageSize": 1})
    token = {"pageToken": first["nextPageToken"]}
    second = await shop.v1(f"{SERVICE}.ListEntityTypes", {"name": METADATA, "pageSize": 1, **token})
    actions = await shop.v1(f"{SERVICE}.ListActions", {"name": METADATA, "filter": 'action="Ping"'})

    assert (first["entityTypes"], second) == ([{"entity": "Customer"}], {"entityTypes": [{"entity": "odd/log"}]})
    assert actions == {"actions": [{"action": "Ping"}]}
    other = {"parent": CONNECTION, **token}
    assert (await shop.refusal("v1", "RuntimeEntitySchemas.ListRuntimeEntitySchemas", other))[0] is (
        Code.INVALID_ARGUMENT
    )


async def test_runtime_schemas_are_those_of_the_filter(shop: Connected) -> None:
    request = {"parent": CONNECTION, "filter": 'entity="Customer"'}
    entities = await shop.v1("RuntimeEntitySchemas.ListRuntimeEntitySchemas", request)
    actions = await shop.v1(
        "RuntimeActionSchemas.ListRuntimeActionSchemas", {"parent": CONNECTION, "schemaAsString": True}
    )

    assert [each["entity"] for each in entities["runtimeEntitySchemas"]] == ["Customer"]
    ping = actions["runtimeActionSchemas"][0]
    assert json.loads(ping["inputSchemaAsString"]) == ping["inputJsonSchema"]


async def test_v2_lists_types_with_their_fields_or_names_alone(shop: Connected) -> None:
    full = await shop.v2("EntityTypes.ListEntityTypes", {"parent": CONNECTION})
    basic = await shop.v2("EntityTypes.ListEntityTypes", {"parent": CONNECTION, "view": "ENTITY_TYPE_VIEW_BASIC"})

    assert basic == {"types": [{"name": "Customer"}, {"name": "odd/log"}]}
    customer = full["types"][0]
    assert [(each["name"], each["dataType"]) for each in customer["fields"]][2:4] == [
        ("balance", "DECIMAL"),
        ("kind", "VARCHAR"),
    ]
    assert customer["fields"][2]["defaultValue"] == "0.00"
    assert customer["fields"][3]["additionalDetails"]["values"] == ["person", "company"]
    assert customer["fields"][4]["jsonSchema"] == {
        "type": ["object"],
        "properties": {"city": {"type": ["string"]}},
    }
    assert customer["fields"][5]["reference"] == {"name": "id", "type": "Seller"}
    assert customer["defaultSortBy"] == "id"


async def test_v2_finds_a_type_by_a_name_with_a_slash_in_either_spelling(shop: Connected) -> None:
    parent = f"{CONNECTION}/entityTypes"
    for segment in ("odd%2Flog", "odd%2flog", "~b2RkL2xvZw"):
        found = await shop.v2("EntityTypes.GetEntityType", {"name": f"{parent}/{segment}"})
        assert found["name"] == "odd/log"
    listed = await shop.v2("Entities.ListEntities", {"parent": f"{parent}/~b2RkL2xvZw"})
    assert listed["metadata"]["rowsScanned"]["value"] == 0


async def test_v2_lists_and_gives_actions(shop: Connected) -> None:
    basic = await shop.v2("Actions.ListActions", {"parent": CONNECTION, "view": "ACTION_VIEW_BASIC"})
    ping = await shop.v2("Actions.GetAction", {"name": f"{CONNECTION}/actions/Ping"})

    assert basic == {"actions": [{"name": "Ping"}, {"name": "ExecuteCustomQuery"}]}
    assert ping["description"] == "Says what it hears"
    assert ping["inputParameters"][0]["dataType"] == "VARCHAR"


async def test_what_the_credential_may_not_see_is_told_apart_from_what_it_may(shop: Connected) -> None:
    shop.system.hidden = frozenset({"Customer"})

    listed = await shop.v2("EntityTypes.ListEntityTypes", {"parent": CONNECTION})
    schemas = await shop.v1("RuntimeEntitySchemas.ListRuntimeEntitySchemas", {"parent": CONNECTION})
    tools = await shop.v2("Tools.ListTools", {"parent": CONNECTION})

    assert [each["name"] for each in listed["types"]] == ["odd/log"]
    assert listed["unsupportedTypeNames"] == ["Customer"]
    assert [each["entity"] for each in schemas["runtimeEntitySchemas"]] == ["odd/log"]
    assert [each["name"] for each in tools["tools"]] == ["list_odd/log", "Ping", "ExecuteCustomQuery"]


async def test_a_system_that_is_away_is_no_list_of_nothing(shop: Connected) -> None:
    shop.system.failure = SystemUnavailable("down")

    for rpc in ("EntityTypes.ListEntityTypes", "Tools.ListTools"):
        assert await shop.refusal("v2", rpc, {"parent": CONNECTION}) == (Code.UNAVAILABLE, "down")
