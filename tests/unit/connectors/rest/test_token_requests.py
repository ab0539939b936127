"""Access tokens of connections are fetched once, and a refresh token that a system replaces is kept."""

from dataclasses import replace
from typing import cast

import pytest

from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.rest.manifest.authentication_model import AuthenticationManifest, TokenRequest
from openplaybook.connectors.rest.token_requests import TokenSource, token_source
from openplaybook.connectors.settings import ConnectionSettings, OAuthRefresh
from openplaybook.credentials.token_answers import UNKNOWN_LIFE_S
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Resolver
from openplaybook.jsonvalues import JsonObject, dumps

SETTINGS = ConnectionSettings("connections/c", "system", authentication=OAuthRefresh("id", "secret", "first"))


class TokenEndpoint:
    """Answers every request with the same."""

    def __init__(self, **answer: object) -> None:
        self.answer: JsonObject = {"access_token": "token", "expires_in": 60, **answer}
        self.asked: list[HttpRequest] = []

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        self.asked.append(request)
        return HttpResponse(200, (), dumps(self.answer), truncated=False, elapsed_s=0.0)

    async def aclose(self) -> None:
        return None


class KeptTokens:
    """Refresh tokens of connections."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.kept: list[tuple[str, str]] = []

    async def current(self, connection: str) -> str:
        return self.token

    async def replaced(self, connection: str, token: str) -> None:
        self.token = token
        self.kept.append((connection, token))


def source(endpoint: TokenEndpoint, settings: ConnectionSettings, tokens: KeptTokens | None) -> TokenSource:
    way = AuthenticationManifest("oauth2_auth_code", (), request=TokenRequest("https://system.example/token"))
    return token_source(way, settings, SystemAccess(endpoint, cast("Resolver", None), refresh_tokens=tokens), {})


async def fetched(endpoint: TokenEndpoint, settings: ConnectionSettings) -> list[tuple[str, str]]:
    """The refresh tokens that are to be kept."""
    tokens = KeptTokens("first")
    issued = await source(endpoint, settings, tokens).fetch()
    assert issued.value == "token"
    return tokens.kept


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ({"refresh_token": "second"}, [("connections/c", "second")]),
        ({"refresh_token": "first"}, []),
        ({}, []),
        ({"refresh_token": 7}, []),
    ],
)
async def test_a_refresh_token_that_was_replaced_is_kept(answer: JsonObject, kept: list[tuple[str, str]]) -> None:
    endpoint = TokenEndpoint(**answer)
    assert await fetched(endpoint, SETTINGS) == kept
    (asked,) = endpoint.asked
    assert not asked.repeatable
    assert b"refresh_token=first" in (asked.body or b"")


async def test_the_refresh_token_of_a_session_is_not_kept() -> None:
    assert await fetched(TokenEndpoint(refresh_token="second"), replace(SETTINGS, is_overridden=True)) == []


async def test_the_token_of_now_is_used_and_the_access_token_stays_the_connections() -> None:
    endpoint, tokens = TokenEndpoint(refresh_token="third"), KeptTokens("second")

    before = source(endpoint, SETTINGS, tokens)
    await before.fetch()
    await source(endpoint, SETTINGS, tokens).fetch()

    bodies = [(asked.body or b"").decode() for asked in endpoint.asked]
    assert ["refresh_token=second" in bodies[0], "refresh_token=third" in bodies[1]] == [True, True]
    assert source(endpoint, SETTINGS, tokens).key == before.key


async def test_settings_alone_are_enough_where_nobody_keeps_tokens() -> None:
    endpoint = TokenEndpoint(refresh_token="second")

    await source(endpoint, SETTINGS, None).fetch()

    assert b"refresh_token=first" in (endpoint.asked[0].body or b"")


@pytest.mark.parametrize(
    ("said", "life_s"), [("90", 90.0), (1.5, 1.5), ("²", UNKNOWN_LIFE_S), ("9" * 30, UNKNOWN_LIFE_S)]
)
async def test_a_life_that_is_no_number_is_not_known(said: object, life_s: float) -> None:
    issued = await source(TokenEndpoint(expires_in=said), SETTINGS, None).fetch()
    assert issued.life_s == life_s
