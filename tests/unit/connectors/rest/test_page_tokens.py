"""A page token is good for the query and the connection that gave it, and cannot be made by others."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import replace

import pytest

from openplaybook.connectors.base import EntityQuery, SortKey
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.rest.page_tokens import ListPosition, SystemPageTokens
from openplaybook.connectors.settings import AccessToken, ConnectionSettings, UserPassword

SETTINGS = ConnectionSettings("projects/p/locations/l/connections/c", "acme", {"site": "a"}, UserPassword("u", "p"))
QUERY = EntityQuery("items", parsed_condition("a = 1"), ("id",), (SortKey("id"),))
POSITION = ListPosition({"after": "abc"}, 7, "search")


def asked_again(token: str, query: EntityQuery = QUERY, settings: ConnectionSettings = SETTINGS) -> ListPosition:
    return SystemPageTokens(settings).read(replace(query, page_token=token))


def test_a_token_says_where_the_listing_goes_on_also_after_a_restart() -> None:
    assert asked_again(SystemPageTokens(SETTINGS).made(POSITION, QUERY)) == POSITION
    assert asked_again("") == ListPosition()


@pytest.mark.parametrize(
    "other",
    [
        replace(QUERY, entity_type="others"),
        replace(QUERY, condition=parsed_condition("a = 2")),
        replace(QUERY, fields=("id", "name")),
        replace(QUERY, sort=(SortKey("id", is_descending=True),)),
    ],
)
def test_a_token_of_another_query_is_refused(other: EntityQuery) -> None:
    token = SystemPageTokens(SETTINGS).made(POSITION, QUERY)
    with pytest.raises(InvalidValue, match="not one that this query gave"):
        asked_again(token, other)


@pytest.mark.parametrize(
    "other",
    [
        replace(SETTINGS, config={"site": "b"}),
        replace(SETTINGS, name="projects/p/locations/l/connections/d"),
        replace(SETTINGS, authentication=UserPassword("u", "q")),
    ],
)
def test_a_token_of_another_connection_is_refused(other: ConnectionSettings) -> None:
    token = SystemPageTokens(SETTINGS).made(POSITION, QUERY)
    with pytest.raises(InvalidValue):
        asked_again(token, QUERY, other)


def test_only_who_knows_the_credential_of_a_session_can_make_its_tokens() -> None:
    token = SystemPageTokens(SETTINGS.overridden(AccessToken("first"))).made(POSITION, QUERY)

    assert asked_again(token, settings=SETTINGS.overridden(AccessToken("first"))) == POSITION
    for other in (AccessToken("second"), None):
        with pytest.raises(InvalidValue, match="not one that this query gave"):
            asked_again(token, settings=SETTINGS.overridden(other))


@pytest.mark.parametrize("token", ["x", "äöü", "A" * 9_000, "AAAA", "%%%"])
def test_what_is_no_token_is_refused(token: str) -> None:
    with pytest.raises(InvalidValue):
        asked_again(token)


def test_a_token_that_was_changed_is_refused() -> None:
    token = SystemPageTokens(SETTINGS).made(POSITION, QUERY)
    data = urlsafe_b64decode(token + "=" * (-len(token) % 4)).replace(b"abc", b"abd")
    with pytest.raises(InvalidValue):
        asked_again(urlsafe_b64encode(data).decode().rstrip("="))
