"""What a connection must look like for its connector."""

from dataclasses import replace

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.services.connectors.connection_rules import connection_violations
from openplaybook.wire.errors import Code
from tests.integration.services.connectors.connected import BODY, LOCATION, PASSWORD, VERSION, Connected
from tests.kit.shop_system import SHOP

CREATE = "Connections.CreateConnection"


def creation(**more: object) -> JsonObject:
    return {"parent": LOCATION, "connectionId": "shop", "connection": {**BODY, **more}}


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        ({"connectorVersion": ""}, "connection.connector_version", "is required"),
        ({"connectorVersion": "shop"}, "connection.connector_version", "providers/{provider}/connectors"),
        (
            {"connectorVersion": VERSION.replace("shop-system", "fax")},
            "connection.connector_version",
            "there is no connector gcp/fax; there are, at gcp: shop-system",
        ),
        ({"connectorVersion": VERSION.replace("/1", "/9")}, "connection.connector_version", "there is: 1"),
        (
            {"configVariables": [{"key": "hots", "stringValue": "a"}, {"key": "host", "stringValue": "a"}]},
            "connection.config_variables[0].key",
            "'hots' is no config variable of Shop; there are: host, port, read_only, region",
        ),
        ({"configVariables": []}, "connection.config_variables", "host is required: where it listens"),
        (
            {"configVariables": [{"key": "host", "stringValue": "a"}, {"key": "port", "stringValue": "1"}]},
            "connection.config_variables[1]",
            "port takes intValue, not stringValue",
        ),
        (
            {"configVariables": [{"key": "host", "stringValue": "a b"}]},
            "connection.config_variables[0].string_value",
            "host is 'a b', which does not fit [a-z.]+: where it listens",
        ),
        (
            {"configVariables": [{"key": "host", "stringValue": "a"}, {"key": "region", "stringValue": "mars"}]},
            "connection.config_variables[1].string_value",
            "region is 'mars', none of eu, us",
        ),
        (
            {"configVariables": [{"key": "host", "stringValue": "a"}, {"key": "host", "stringValue": "b"}]},
            "connection.config_variables[1].key",
            "'host' is given twice",
        ),
        (
            {"authConfig": {"authType": "SSH_PUBLIC_KEY"}},
            "connection.auth_config.auth_type",
            "Shop does not take SSH_PUBLIC_KEY; it takes: USER_PASSWORD, AUTH_TYPE_UNSPECIFIED",
        ),
        (
            {"authConfig": {"authType": "USER_PASSWORD", "userPassword": {"username": "kim"}}},
            "connection.auth_config.user_password.password",
            "is required",
        ),
        (
            {
                "authConfig": {
                    "authType": "USER_PASSWORD",
                    "userPassword": {"username": "kim", "password": {"secretVersion": "hunter2"}},
                }
            },
            "connection.auth_config.user_password.password.secret_version",
            "projects/{project}/secrets/{secret}/versions/{version}",
        ),
        (
            {"authConfig": {"additionalVariables": [{"key": "api_key", "stringValue": "sk-1"}]}},
            "connection.auth_config.additional_variables[0]",
            "api_key takes secretValue, not stringValue",
        ),
        (
            {"destinationConfigs": [{"key": "host", "destinations": [{"host": "a"}, {"host": "b"}]}]},
            "connection.destination_configs",
            "must have one destination",
        ),
        (
            {"destinationConfigs": [{"key": "host", "destinations": [{"host": "a", "port": 70000}]}]},
            "connection.destination_configs[0].destinations[0].port",
            "must be 1 to 65535",
        ),
        (
            {"destinationConfigs": [{"key": "host", "destinations": [{"port": 1}]}]},
            "connection.destination_configs[0].destinations[0].host",
            "is required",
        ),
    ],
)
async def test_what_does_not_fit_the_connector_is_refused_with_its_field(
    shop: Connected, body: JsonObject, field: str, words: str
) -> None:
    violations = await shop.violations(CREATE, creation(**body))

    assert list(violations) == [field]
    assert words in violations[field]
    assert (await shop.v1("Connections.ListConnections", {"parent": LOCATION})) == {}


def test_a_system_without_a_port_has_no_destination() -> None:
    config = {"key": "host", "destinations": [{"host": "elsewhere.example"}]}
    connection = {**BODY, "destinationConfigs": [config]}

    violations = dict(connection_violations(connection, replace(SHOP, default_port=0)))

    assert violations == {"connection.destination_configs": "Shop is found by its config variables alone"}


def test_a_system_on_a_host_of_its_own_has_a_destination_and_certificates_but_keeps_its_config_variables() -> None:
    own = {
        "destinationConfigs": [{"key": "host", "destinations": [{"host": "http://shop.test", "port": 8080}]}],
        "sslConfig": {"type": "TLS", "trustModel": "PRIVATE", "privateServerCertificate": {"secretVersion": PASSWORD}},
    }
    at_home = replace(SHOP, default_port=0, has_own_host=True)

    assert list(connection_violations({**BODY, **own}, at_home)) == []
    without = dict(connection_violations({**BODY, **own, "configVariables": []}, at_home))
    assert without == {"connection.config_variables": "host is required: where it listens"}


@pytest.mark.parametrize(
    ("tls", "fields"),
    [
        ({"type": "TLS"}, []),
        ({"useSsl": True}, []),
        ({"type": "MTLS"}, ["connection.ssl_config"]),
        ({"type": "TLS", "trustModel": "INSECURE"}, ["connection.ssl_config"]),
    ],
)
def test_a_system_where_its_vendor_has_it_has_tls_as_http_has_it(tls: JsonObject, fields: list[str]) -> None:
    connection = {**BODY, "sslConfig": tls}

    violations = dict(connection_violations(connection, replace(SHOP, default_port=0)))

    assert list(violations) == fields
    assert list(connection_violations(connection, SHOP)) == []


async def test_everything_that_is_wrong_is_said_at_once(shop: Connected) -> None:
    violations = await shop.violations(CREATE, creation(configVariables=[], authConfig={"authType": "USER_PASSWORD"}))

    assert list(violations) == [
        "connection.auth_config.user_password.username",
        "connection.auth_config.user_password.password",
        "connection.config_variables",
    ]


@pytest.mark.parametrize(
    "member",
    [
        {"fallbackOnAdminCredentials": True},
        {"asyncOperationsEnabled": True},
        {"eventingEnablementType": "ONLY_EVENTING"},
        {"trafficShapingConfigs": [{"quotaLimit": "5", "duration": "60s"}]},
    ],
)
async def test_what_would_be_promised_and_not_done_is_refused(shop: Connected, member: JsonObject) -> None:
    code, sentence = await shop.refusal("v1", CREATE, creation(**member))

    assert code is Code.UNIMPLEMENTED
    assert f"connection.{next(iter(member))} is not served" in sentence
