"""What an update changes of a connection."""

import pytest

from openplaybook.cli.connections.connection_changes import changed_json, values_of
from openplaybook.cli.connections.connection_form import GivenValues
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject
from tests.unit.cli.connections.test_connection_form import NAME, VERSION, made

SECRET = "projects/p/secrets/k/versions/3"


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
