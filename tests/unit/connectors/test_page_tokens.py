"""A page token is good for its query, connection and credential, and cannot be made, read or changed by others."""

from base64 import urlsafe_b64decode
from dataclasses import replace

import pytest

from openplaybook.connectors.base import EntityQuery, SortKey
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.page_tokens import PageTokens
from openplaybook.connectors.settings import AccessToken, ConnectionSettings, UserPassword
from openplaybook.jsonvalues import JsonValue

SETTINGS = ConnectionSettings("projects/p/locations/l/connections/c", "acme", {"site": "a"}, UserPassword("u", "p"))
SESSION = SETTINGS.overridden(AccessToken("of a session"))
QUERY = EntityQuery("items", parsed_condition("a = 1"), ("id",), (SortKey("id"),))


def asked_again(token: str, query: EntityQuery = QUERY, settings: ConnectionSettings = SETTINGS) -> JsonValue:
    return PageTokens(settings).position(replace(query, page_token=token))


@pytest.mark.parametrize("settings", [SETTINGS, SESSION])
@pytest.mark.parametrize("position", [["hidden value", 7], {"cursor": {"after": "hidden value"}}])
def test_a_token_is_read_after_a_restart_and_shows_nothing(position: JsonValue, settings: ConnectionSettings) -> None:
    token = PageTokens(settings).token(position, QUERY)

    assert asked_again(token, settings=settings) == position
    assert b"hidden" not in urlsafe_b64decode(token + "=" * (-len(token) % 4))


def test_without_a_token_there_is_no_position() -> None:
    assert asked_again("") is None


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
    with pytest.raises(InvalidValue, match="not one that this query gave"):
        asked_again(PageTokens(SETTINGS).token(["a"], QUERY), other)


def test_fields_may_change_where_a_position_does_not_depend_on_them() -> None:
    tokens = PageTokens(SETTINGS, binds_fields=False)
    token = tokens.token(["a"], QUERY)

    assert tokens.position(replace(QUERY, fields=("id", "name"), page_token=token)) == ["a"]


@pytest.mark.parametrize(
    "other",
    [
        replace(SETTINGS, name="projects/p/locations/l/connections/d"),
        replace(SETTINGS, connector="other"),
        replace(SETTINGS, config={"site": "b"}),
        replace(SETTINGS, authentication=UserPassword("u", "q")),
        SESSION,
        SETTINGS.overridden(AccessToken("of another session")),
        SETTINGS.overridden(None),
    ],
)
def test_a_token_of_another_connection_or_credential_is_refused(other: ConnectionSettings) -> None:
    for mine in (SETTINGS, SETTINGS.overridden(AccessToken("mine"))):
        with pytest.raises(InvalidValue, match="not one that this query gave"):
            asked_again(PageTokens(mine).token(["a"], QUERY), settings=other)


@pytest.mark.parametrize("token", ["x", "äöü", "A" * 30_000, "AAAA", "%%%"])
def test_what_is_no_token_is_refused(token: str) -> None:
    with pytest.raises(InvalidValue, match="not one that this query gave"):
        asked_again(token)


def test_a_token_that_was_changed_is_refused() -> None:
    token = PageTokens(SETTINGS).token(["a"], QUERY)
    for place in range(0, len(token) - 1, 5):
        changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        with pytest.raises(InvalidValue):
            asked_again(changed)


def test_no_token_is_given_that_would_not_be_taken() -> None:
    token = PageTokens(SETTINGS).token(["x" * 14_000], QUERY)
    assert asked_again(token) == ["x" * 14_000]
    with pytest.raises(InvalidValue, match="order it otherwise"):
        PageTokens(SETTINGS).token(["x" * 15_000], QUERY)
