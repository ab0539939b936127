"""What settings say of writes, and what is left of them under a session's credential."""

import pytest

from openplaybook.connectors.errors import CredentialAbsent, InvalidConnection
from openplaybook.connectors.settings import (
    AccessToken,
    ConfigValue,
    ConnectionSettings,
    GoogleAccount,
    TlsSettings,
    UserPassword,
)


@pytest.mark.parametrize(("given", "cap"), [({}, 50), ({"write_cap": 3}, 3), ({"write_cap": "7"}, 7)])
def test_the_cap_of_writes_is_that_of_the_config_variable(given: dict[str, ConfigValue], cap: int) -> None:
    assert ConnectionSettings("c", "acme", given).write_cap == cap


@pytest.mark.parametrize("given", [0, -1, "many"])
def test_a_cap_that_is_none_is_refused(given: ConfigValue) -> None:
    with pytest.raises(InvalidConnection, match=r"configVariables\.write_cap"):
        _ = ConnectionSettings("c", "acme", {"write_cap": given}).write_cap


def test_a_sessions_credential_comes_without_the_connections_client_certificate() -> None:
    own = TlsSettings(True, "ca", client_certificate="cert", client_key="key", client_key_passphrase="words")
    given = ConnectionSettings("c", "acme", tls=own).overridden(AccessToken("t"))
    assert given.tls == TlsSettings(True, "ca")


def test_a_sessions_token_stands_for_the_password_of_the_user_that_the_connection_names() -> None:
    own = ConnectionSettings("c", "acme", {"user": "kim"}, UserPassword("desk", "s3cret"))
    assert own.login() == UserPassword("desk", "s3cret")
    assert own.overridden(AccessToken("t0ken")).login() == UserPassword("kim", "t0ken")
    with pytest.raises(InvalidConnection, match=r"configVariables\.user: is required"):
        ConnectionSettings("c", "acme", authentication=AccessToken("t")).login()
    with pytest.raises(InvalidConnection, match="GoogleAccount is no credential"):
        ConnectionSettings("c", "acme", authentication=GoogleAccount()).login()
    with pytest.raises(CredentialAbsent):
        ConnectionSettings("c", "acme").login()
