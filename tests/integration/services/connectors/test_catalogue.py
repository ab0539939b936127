"""Providers, connectors and their versions."""

import pytest

from openplaybook.connectors.catalog.connectors import catalogue
from openplaybook.services.connectors.connector_catalogue import ConnectorCatalogue
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code
from openplaybook.wire.messages import ApiMessage
from tests.integration.services.connectors.connected import LOCATION, VERSION, Connected
from tests.kit.discovery_documents import faults

PROVIDER = f"{LOCATION}/providers/gcp"
CONNECTOR = f"{PROVIDER}/connectors/shop-system"


async def test_one_provider_has_all_connectors(shop: Connected) -> None:
    listed = await shop.v1("Providers.ListProviders", {"parent": LOCATION})

    assert [each["name"] for each in listed["providers"]] == [PROVIDER]
    assert await shop.v1("Providers.GetProvider", {"name": PROVIDER}) == listed["providers"][0]
    elsewhere = await shop.v1("Providers.ListProviders", {"parent": "projects/p/locations/europe-west1"})
    assert elsewhere == {}


async def test_a_connector_says_what_it_is_and_how_it_was_tested(shop: Connected) -> None:
    listed = await shop.v1("Connectors.ListConnectors", {"parent": PROVIDER})

    assert listed == {
        "connectors": [
            {
                "name": CONNECTOR,
                "displayName": "Shop",
                "description": "Keeps customers. Tested against: the system itself.",
                "category": "Testing",
                "documentationUri": "https://example.com/shop",
                "launchStage": "GA",
                "labels": {
                    "engine": "sql",
                    "evidence": "real product",
                    "operations": "LIST GET CREATE UPDATE DELETE ACTIONS QUERIES",
                },
                "tags": ["Testing"],
            }
        ]
    }
    assert await shop.v1("Connectors.GetConnector", {"name": CONNECTOR}) == listed["connectors"][0]
    assert await shop.v1("Connectors.ListConnectors", {"parent": PROVIDER, "filter": 'displayName="Fax"'}) == {}


async def test_a_version_has_the_templates_of_what_a_connection_is_made_of(shop: Connected) -> None:
    version = await shop.v1("Versions.GetConnectorVersion", {"name": VERSION})

    assert version["configVariableTemplates"][0] == {
        "key": "host",
        "displayName": "Host",
        "description": "where it listens",
        "valueType": "STRING",
        "required": True,
        "validationRegex": "[a-z.]+",
        "state": "ACTIVE",
    }
    assert version["configVariableTemplates"][3]["enumOptions"] == [
        {"id": "eu", "displayName": "eu"},
        {"id": "us", "displayName": "us"},
    ]
    assert [each.get("authType", "none") for each in version["authConfigTemplates"]] == [
        "USER_PASSWORD",
        "none",
        "OAUTH2_AUTH_CODE_FLOW",
    ]
    assert version["authConfigTemplates"][0]["isDefault"]
    assert version["supportedRuntimeFeatures"] == {"entityApis": True, "actionApis": True, "sqlQuery": True}
    assert version["destinationConfigTemplates"][0]["defaultPort"] == 4711
    assert version["sslConfigTemplate"]["sslType"] == "MTLS"
    listed = await shop.v1("Versions.ListConnectorVersions", {"parent": CONNECTOR})
    assert listed == {"connectorVersions": [version]}


async def test_what_each_kind_of_authentication_takes_is_given_as_fields_and_as_a_schema(shop: Connected) -> None:
    basic = await shop.v1("Versions.FetchAuthSchema", {"name": VERSION})
    schema = await shop.v1("Versions.FetchAuthSchema", {"name": VERSION, "view": "JSON_SCHEMA"})

    assert basic["authSchemas"][0]["authFields"] == [
        {"key": "username", "dataType": "STRING"},
        {"key": "password", "dataType": "SECRET"},
    ]
    assert basic["authSchemas"][1]["authFields"] == [{"key": "api_key", "dataType": "SECRET"}]
    assert "jsonSchema" not in basic
    assert list(schema["jsonSchema"]["oneOf"][0]["properties"]) == ["password", "username"]


@pytest.mark.parametrize(
    ("rpc", "name"),
    [
        ("Providers.GetProvider", f"{LOCATION}/providers/acme"),
        ("Providers.GetProvider", "projects/p/locations/europe-west1/providers/gcp"),
        ("Connectors.GetConnector", f"{PROVIDER}/connectors/fax"),
        ("Connectors.GetConnector", f"{LOCATION}/providers/acme/connectors/shop-system"),
        ("Versions.GetConnectorVersion", f"{CONNECTOR}/versions/2"),
        ("Versions.FetchAuthSchema", f"{PROVIDER}/connectors/fax/versions/1"),
    ],
)
async def test_what_is_not_in_the_catalogue_is_not_found(shop: Connected, rpc: str, name: str) -> None:
    assert (await shop.refusal("v1", rpc, {"name": name}))[0] is Code.NOT_FOUND


async def test_everything_in_the_catalogue_can_be_said_in_the_api(shop: Connected) -> None:
    everything = ConnectorCatalogue(shop.caller.parts, catalogue)
    codec, context = shop.caller.parts.api.codec, RpcContext("", "v1", "grpc")

    def request(message: str, **fields: object) -> ApiMessage:
        return shop.caller.parts.api.message(f"google.cloud.connectors.v1.{message}")(**fields)

    listed = await everything.list_connectors(request("ListConnectorsRequest", parent=PROVIDER), context)
    assert faults("connectors.v1", codec.to_json(listed), "ListConnectorsResponse") == []
    assert [each.name.rpartition("/")[2] for each in listed.connectors] == [*catalogue()]
    for connector in listed.connectors:
        definition = catalogue()[connector.name.rpartition("/")[2]]
        name = f"{connector.name}/versions/{definition.version}"
        version = await everything.get_version(request("GetConnectorVersionRequest", name=name), context)
        schema = await everything.fetch_auth_schema(request("FetchAuthSchemaRequest", name=name), context)
        assert faults("connectors.v1", codec.to_json(version), "ConnectorVersion") == []
        assert faults("connectors.v1", codec.to_json(schema), "FetchAuthSchemaResponse") == []
        assert [each.key for each in version.config_variable_templates] == [each.key for each in definition.config]
        assert len(version.auth_config_templates) == len(definition.authentications)
