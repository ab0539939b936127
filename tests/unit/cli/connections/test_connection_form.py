"""From the options of `connections create` to a `Connection`."""

import pytest

from openplaybook.cli.connections.connection_form import (
    changed_json,
    connection_json,
    option_line,
    option_lines,
    value_words,
    values_of,
)
from openplaybook.cli.connections.given_values import GivenValues, given_values, secret_name
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject

NAME = "projects/p/locations/l/connections/crm"
SECRET = "projects/p/secrets/k/versions/3"
KEPT = "projects/p/secrets/crm-{}/versions/latest"
VERSION: JsonObject = {
    "name": "projects/p/locations/global/providers/gcp/connectors/crm/versions/2",
    "configVariableTemplates": [
        {"key": "site", "valueType": "STRING", "required": True},
        {"key": "port", "valueType": "INT"},
        {"key": "read_only", "valueType": "BOOL"},
    ],
    "authConfigTemplates": [
        {
            "authType": "USER_PASSWORD",
            "displayName": "User",
            "configVariableTemplates": [{"key": "username", "valueType": "STRING"}, {"key": "tenant"}],
        },
        {"displayName": "API key", "configVariableTemplates": [{"key": "api_key", "valueType": "SECRET"}]},
        {
            "displayName": "Two keys",
            "configVariableTemplates": [
                {"key": "api_key", "valueType": "SECRET"},
                {"key": "app_key", "valueType": "SECRET"},
            ],
        },
        {"authType": "OAUTH2_CLIENT_CREDENTIALS", "displayName": "Client"},
        {"authType": "OAUTH2_JWT_BEARER", "displayName": "Key"},
    ],
}


def made(*options: str, auth: str = "", override: bool = False) -> JsonObject:
    """From `KEY=VALUE` pairs and secrets, which begin with `!`."""
    pairs = [each for each in options if not each.startswith("!")]
    secrets = [each[1:] for each in options if each.startswith("!")]
    return connection_json(VERSION, given_values(NAME, pairs, secrets), auth, takes_override=override)


def test_variables_are_written_by_their_type() -> None:
    assert made("site=a.b=c", "port=80", "read_only=TRUE") == {
        "connectorVersion": VERSION["name"],
        "configVariables": [
            {"key": "site", "stringValue": "a.b=c"},
            {"key": "port", "intValue": "80"},
            {"key": "read_only", "boolValue": True},
        ],
        "authConfig": {"authType": "USER_PASSWORD", "userPassword": {}},
    }


def test_the_kind_of_authentication_follows_from_what_is_given() -> None:
    user = made("username=u", "tenant=t", "!password")["authConfig"]
    assert user == {
        "authType": "USER_PASSWORD",
        "userPassword": {"username": "u", "password": {"secretVersion": KEPT.format("password")}},
        "additionalVariables": [{"key": "tenant", "stringValue": "t"}],
    }
    assert made("!api_key=projects/p/secrets/k/versions/3")["authConfig"] == {
        "additionalVariables": [{"key": "api_key", "secretValue": {"secretVersion": "projects/p/secrets/k/versions/3"}}]
    }
    both = made("!api_key", "!app_key")["authConfig"]["additionalVariables"]
    assert [each["key"] for each in both] == ["api_key", "app_key"]
    assert made("issuer=i", "subject=s", "!client_key")["authConfig"] == {
        "authType": "OAUTH2_JWT_BEARER",
        "oauth2JwtBearer": {
            "clientKey": {"secretVersion": KEPT.format("client-key")},
            "jwtClaims": {"issuer": "i", "subject": "s"},
        },
    }


def test_the_kind_may_be_named() -> None:
    named = made("site=x", auth="oauth2-client-credentials", override=True)
    assert named["authConfig"] == {"authType": "OAUTH2_CLIENT_CREDENTIALS", "oauth2ClientCredentials": {}}
    assert named["authOverrideEnabled"] is True


def test_secrets_without_a_version_are_asked_for_and_kept_under_the_connections_name() -> None:
    given = given_values(NAME, [], ["client_secret", "api_key=projects/p/secrets/k/versions/3"])
    assert given.asked == ("client_secret",)
    assert given.versions["client_secret"] == f"{secret_name(NAME, 'client_secret')}/versions/latest"
    assert secret_name(NAME, "client_secret") == "projects/p/secrets/crm-client-secret"


def test_each_kind_shows_its_options_once() -> None:
    user, key, _, client, bearer = map(option_lines, VERSION["authConfigTemplates"])
    assert user == [("--set username", "", True), ("--secret password", "", True), ("--set tenant", "", False)]
    assert key == [("--secret api_key", "", False)]
    assert [line[0] for line in client] == ["--set client_id", "--secret client_secret"]
    assert bearer == [
        ("--secret client_key", "The private key (PEM) that signs.", True),
        ("--set issuer", "Claim iss.", False),
        ("--set subject", "Claim sub.", False),
        ("--set audience", "Claim aud.", False),
    ]
    optional = [line[0] for line in option_lines({"authType": "SSH_PUBLIC_KEY"}) if not line[2]]
    assert optional == ["--secret ssh_client_cert_pass"]


def test_an_option_says_what_it_is_and_what_it_may_be() -> None:
    template: JsonObject = {"key": "mode", "displayName": "Mode", "enumOptions": [{"id": "a"}, {"id": "b"}]}
    assert option_line(template) == ("--set mode", "Mode One of: a, b.", False)
    told: JsonObject = {"key": "site", "displayName": "Site", "description": "Host of the site.", "required": True}
    assert option_line(told) == ("--set site", "Host of the site.", True)


def test_values_are_shown_with_the_names_of_secrets() -> None:
    assert value_words(made("site=a", "username=u", f"!password={SECRET}")) == [
        f"password={SECRET}",
        "site=a",
        "username=u",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("town=x",), "there is no 'town' in such a connection; there are: site, port, read_only, username, password"),
        (("password=hush",), "password is a secret: give it with --secret password"),
        (("api_key=hush",), "api_key is a secret: give it with --secret api_key"),
        (("!password=hush",), "--secret password takes the name of a secret's version, or @FILE, or no value"),
        (("!password=@nowhere.pem",), "--secret password: nowhere.pem cannot be read as text: "),
        (("!",), "--secret  takes the name of a secret's version"),
        (("=hush",), "--set must be KEY=VALUE, not '=…'"),
        (("site",), "--set must be KEY=VALUE, not 'site'"),
        (("password=hush", "!password"), "password is given with --set and with --secret"),
        (("read_only=1",), "read_only must be true or false, not '1'"),
    ],
)
def test_wrong_options_are_refused_without_a_secret_in_the_message(options: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError) as refused:
        made(*options)
    assert str(refused.value).startswith(message)
    assert refused.value.exit_code == 2
    assert "hush" not in str(refused.value)


def test_an_unknown_kind_of_authentication_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(CommandError, match="--auth magic is not among: USER_PASSWORD, AUTH_TYPE_UNSPECIFIED, "):
        made("site=x", auth="magic")


def test_values_come_back_as_they_were_given() -> None:
    for options in (
        ("site=a", "port=80", "read_only=true", "username=u", "tenant=t", f"!password={SECRET}"),
        ("site=a", f"!api_key={SECRET}"),
        ("issuer=i", "subject=s", f"!client_key={SECRET}"),
    ):
        found = values_of(made(*options))
        given = {each.lstrip("!").partition("=")[0]: each.partition("=")[2] for each in options}
        assert {**found.texts, **found.versions} == given


def test_what_is_not_given_stays() -> None:
    connection: JsonObject = {"name": NAME, **made("site=a", "port=80", "username=u", f"!password={SECRET}")}
    changed = changed_json(connection, VERSION, GivenValues({"port": "81"}, {}))
    assert changed["configVariables"] == [{"key": "site", "stringValue": "a"}, {"key": "port", "intValue": "81"}]
    assert changed["authConfig"] == connection["authConfig"]


def test_members_that_the_command_line_does_not_know_stay() -> None:
    connection = made("site=a", f"!client_key={SECRET}", "issuer=i")
    connection["authConfig"]["oauth2JwtBearer"]["more"] = "x"
    changed = changed_json(connection, VERSION, GivenValues({"issuer": "j"}, {}))
    assert changed["authConfig"]["oauth2JwtBearer"] == {
        "clientKey": {"secretVersion": SECRET},
        "jwtClaims": {"issuer": "j"},
        "more": "x",
    }


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(CommandError, match="there is no 'town' in such a connection"):
        changed_json(made("site=a"), VERSION, GivenValues({"town": "x"}, {}))
