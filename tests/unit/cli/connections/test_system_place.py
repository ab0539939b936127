"""Where a system is, and how TLS proves both sides, from the options of `connections create`."""

from pathlib import Path

import pytest

from openplaybook.cli.connections.connection_form import changed_json, connection_json
from openplaybook.cli.connections.given_values import GivenValues, given_values
from openplaybook.cli.connections.system_place import place_json, place_lines, place_values
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject

NAME = "projects/p/locations/l/connections/blog"
VERSION: JsonObject = {
    "name": "projects/p/locations/global/providers/gcp/connectors/blog/versions/1",
    "configVariableTemplates": [{"key": "site", "valueType": "STRING"}],
    "destinationConfigTemplates": [{"key": "host", "description": "Where requests go instead."}],
    "sslConfigTemplate": {"sslType": "MTLS"},
}


def placed(**texts: str) -> JsonObject:
    return place_json(VERSION, GivenValues(texts, {}))


def version_of(key: str) -> JsonObject:
    return {"secretVersion": f"projects/p/secrets/blog-{key}/versions/latest"}


@pytest.mark.parametrize(
    ("text", "destination"),
    [
        ("db.example", {"host": "db.example"}),
        ("db.example:81", {"host": "db.example", "port": 81}),
        ("http://127.0.0.1:8080/", {"host": "http://127.0.0.1", "port": 8080}),
        ("[::1]:5432", {"host": "[::1]", "port": 5432}),
    ],
)
def test_a_destination_is_a_host_and_perhaps_a_port(text: str, destination: JsonObject) -> None:
    made = placed(destination=text)
    assert made == {"destinationConfigs": [{"key": "host", "destinations": [destination]}]}
    assert place_json(VERSION, place_values(made)) == made


@pytest.mark.parametrize("text", ["", "ftp://x", "http://x/path", "x:port", "http://"])
def test_what_is_no_destination_is_refused(text: str) -> None:
    with pytest.raises(CommandError, match="destination must be "):
        placed(destination=text)


def test_tls_is_verified_unless_it_is_said_not_to_be() -> None:
    assert placed(tls="verified")["sslConfig"] == {"type": "TLS", "useSsl": True, "trustModel": "PUBLIC"}
    assert placed(tls="unverified")["sslConfig"]["trustModel"] == "INSECURE"
    assert placed(tls="off") == {"sslConfig": {}}
    assert placed() == {}
    with pytest.raises(CommandError, match="tls must be one of verified, unverified, off, not 'on'"):
        placed(tls="on")
    with pytest.raises(CommandError, match="client_certificate is a secret"):
        placed(client_certificate="text", tls="verified")


def test_certificates_are_read_from_files_and_mean_tls(tmp_path: Path) -> None:
    for name in ("ca", "own", "key"):
        (tmp_path / name).write_text(f"{name}\n")
    options = [
        f"server_certificate=@{tmp_path / 'ca'}",
        f"client_certificate=@{tmp_path / 'own'}",
        f"client_private_key=@{tmp_path / 'key'}",
    ]
    given = given_values(NAME, [], options)
    assert given.read == {"server_certificate": "ca\n", "client_certificate": "own\n", "client_private_key": "key\n"}
    assert given.asked == ()
    made = connection_json(VERSION, given, "", takes_override=False)
    assert made["sslConfig"] == {
        "type": "MTLS",
        "useSsl": True,
        "trustModel": "PRIVATE",
        "privateServerCertificate": version_of("server-certificate"),
        "clientCertificate": version_of("client-certificate"),
        "clientPrivateKey": version_of("client-private-key"),
    }


def test_a_file_that_holds_no_secret_is_refused(tmp_path: Path) -> None:
    for name, content in (("empty", b""), ("binary", b"\xff\xfe"), ("large", b"x" * 65_537)):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(CommandError, match="--secret client_certificate: "):
            given_values(NAME, [], [f"client_certificate=@{tmp_path / name}"])


def test_a_change_of_something_else_leaves_the_place_as_it_is() -> None:
    connection: JsonObject = {
        "destinationConfigs": [{"key": "host", "destinations": [{"host": "a"}, {"host": "b"}]}],
        "sslConfig": {"type": "TLS", "trustModel": "INSECURE"},
        "configVariables": [{"key": "site", "stringValue": "x"}],
    }
    changed = changed_json(connection, VERSION, GivenValues({"site": "y"}, {}))
    assert changed == {"configVariables": [{"key": "site", "stringValue": "y"}]}
    assert changed_json(connection, VERSION, GivenValues({"tls": "off"}, {}))["sslConfig"] == {}


def test_a_system_that_is_where_its_vendor_has_it_has_no_such_options() -> None:
    assert place_lines({}) == []
    assert place_json({}, GivenValues({"tls": "verified", "destination": "x"}, {})) == {}
    with pytest.raises(CommandError, match="there is no 'tls' in such a connection"):
        connection_json({"name": "v"}, GivenValues({"tls": "verified"}, {}), "", takes_override=False)
