"""Every system of the catalogue can be created as a connection, with each way to log in, by what the catalogue says."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import Phase, find, settings
from hypothesis import strategies as st

from openplaybook.connectors.catalog.connectors import catalogue
from openplaybook.connectors.definitions import AuthenticationKind
from openplaybook.jsonvalues import JsonObject, as_list, as_object
from tests.integration.services.connectors.connected import LOCATION, PASSWORD, connected

SECRET: JsonObject = {"secretVersion": PASSWORD}
SECTIONS: dict[str, JsonObject] = {
    AuthenticationKind.USER_PASSWORD.value: {"userPassword": {"username": "kim", "password": SECRET}},
    AuthenticationKind.OAUTH2_CLIENT_CREDENTIALS.value: {
        "oauth2ClientCredentials": {"clientId": "app", "clientSecret": SECRET}
    },
    AuthenticationKind.OAUTH2_AUTH_CODE_FLOW.value: {"oauth2AuthCodeFlow": {"clientId": "app", "clientSecret": SECRET}},
    AuthenticationKind.OAUTH2_JWT_BEARER.value: {
        "oauth2JwtBearer": {"clientKey": SECRET, "jwtClaims": {"issuer": "i", "subject": "s"}}
    },
    AuthenticationKind.SSH_PUBLIC_KEY.value: {"sshPublicKey": {"username": "kim", "sshClientCert": SECRET}},
}
"""What each kind of login has besides its variables."""


def variable(template: JsonObject) -> JsonObject:
    """A value that a template takes."""
    key = str(template["key"])
    match template["valueType"]:
        case "SECRET":
            return {"key": key, "secretValue": SECRET}
        case "INT":
            return {"key": key, "intValue": "5"}
        case "BOOL":
            return {"key": key, "boolValue": True}
        case "ENUM":
            return {"key": key, "stringValue": as_object(as_list(template["enumOptions"])[0])["id"]}
        case _:
            return {"key": key, "stringValue": fitting(str(template.get("validationRegex") or "[a-z]{3}"))}


@cache
def fitting(pattern: str) -> str:
    """A text that a pattern takes, not the simplest: looking for that takes seconds."""
    at_once = settings(phases=[Phase.generate], derandomize=True, database=None)
    return find(st.from_regex(pattern, fullmatch=True), lambda text: text != "", settings=at_once)


def variables(templates: object, *, needed_alone: bool) -> list[JsonObject]:
    given = [as_object(each) for each in as_list(templates)]
    settable = [each for each in given if each["valueType"] != "AUTHORIZATION_CODE"]
    return [variable(each) for each in settable if each.get("required") or not needed_alone]


@pytest.mark.parametrize("needed_alone", [True, False], ids=["needed", "all"])
async def test_each_system_takes_what_its_templates_ask_for(tmp_path: Path, needed_alone: bool) -> None:
    async with connected(tmp_path, definitions=catalogue) as server:
        for connector in catalogue():
            name = f"{LOCATION}/providers/gcp/connectors/{connector}/versions/{catalogue()[connector].version}"
            version = await server.v1("Versions.GetConnectorVersion", {"name": name})
            config = variables(version.get("configVariableTemplates"), needed_alone=needed_alone)
            for number, kind in enumerate(map(as_object, as_list(version["authConfigTemplates"]))):
                auth_type = str(kind.get("authType", AuthenticationKind.NONE.value))
                own = variables(kind.get("configVariableTemplates"), needed_alone=needed_alone)
                auth = {"authType": auth_type, **SECTIONS.get(auth_type, {}), "additionalVariables": own}
                body = {"connectorVersion": name, "configVariables": config, "authConfig": auth}
                connection_id = f"{connector}-{number}"
                request: JsonObject = {"parent": LOCATION, "connectionId": connection_id, "connection": body}
                created = await server.done("Connections.CreateConnection", request)
                assert created["response"]["name"].endswith(connection_id)
        assert {each.connector for each in server.system.opened} >= {*catalogue()} - _consented()


def _consented() -> set[str]:
    """Systems that are opened only once a user has consented."""
    kind = AuthenticationKind.OAUTH2_AUTH_CODE_FLOW
    return {id for id, each in catalogue().items() if {one.kind for one in each.authentications} == {kind}}
