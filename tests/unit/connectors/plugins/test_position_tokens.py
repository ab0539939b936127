"""A token of a position is good for its query, connection and credential, and cannot be made or read by others."""

from base64 import urlsafe_b64decode
from dataclasses import replace

import pytest

from openplaybook.connectors.base import EntityQuery
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.plugins.position_tokens import PositionTokens
from openplaybook.connectors.settings import AccessToken, ConnectionSettings, UserPassword

SETTINGS = ConnectionSettings("projects/p/locations/l/connections/c", "acme", {"site": "a"}, UserPassword("u", "p"))
QUERY = EntityQuery("items")


def test_a_token_is_read_after_a_restart_and_shows_nothing() -> None:
    token = PositionTokens(SETTINGS).token(["hidden value", 7], QUERY)

    assert PositionTokens(SETTINGS).position(replace(QUERY, page_token=token)) == ["hidden value", 7]
    assert b"hidden" not in urlsafe_b64decode(token + "=" * (-len(token) % 4))


@pytest.mark.parametrize(
    "other",
    [
        replace(SETTINGS, name="projects/p/locations/l/connections/d"),
        replace(SETTINGS, config={"site": "b"}),
        replace(SETTINGS, authentication=UserPassword("u", "q")),
        SETTINGS.overridden(AccessToken("of a session")),
        SETTINGS.overridden(None),
    ],
)
def test_a_token_of_another_connection_or_credential_is_refused(other: ConnectionSettings) -> None:
    token = PositionTokens(SETTINGS).token(["a"], QUERY)

    with pytest.raises(InvalidValue):
        PositionTokens(other).position(replace(QUERY, page_token=token))


def test_a_token_of_another_query_is_refused() -> None:
    token = PositionTokens(SETTINGS).token(["a"], QUERY)

    with pytest.raises(InvalidValue):
        PositionTokens(SETTINGS).position(EntityQuery("others", page_token=token))
