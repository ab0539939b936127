"""Providers, connectors and their versions."""

import pytest

from openplaybook.wire.errors import Code
from tests.integration.services.connectors.connected import LOCATION, VERSION, Connected

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
                    "engine": "plugin",
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
