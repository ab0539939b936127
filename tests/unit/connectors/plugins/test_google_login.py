"""Google's systems take a service account, its key, a user's consent, and a session's token."""

import asyncio
from dataclasses import dataclass, field
from typing import cast

import pytest

from openplaybook.connectors.catalog.connectors import catalogue
from openplaybook.connectors.definitions import AuthenticationKind, SystemAccess
from openplaybook.connectors.errors import AuthenticationRefused, CredentialAbsent, InvalidConnection
from openplaybook.connectors.plugins.google_login import GoogleLogin
from openplaybook.connectors.settings import (
    AccessToken,
    Authentication,
    ConnectionSettings,
    JwtBearer,
    OAuthRefresh,
    UserPassword,
)
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Resolver
from openplaybook.jsonvalues import dumps
from tests.kit.rsa_keys import rsa_key

SCOPES = ("https://www.googleapis.com/auth/datastore",)
REFRESH = OAuthRefresh("app", "s3cret", "1//refresh")


@dataclass
class TokenEndpoint:
    """Gives another token at each request, or refuses."""

    status: int = 200
    asked: list[HttpRequest] = field(default_factory=list[HttpRequest])

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        self.asked.append(request)
        await asyncio.sleep(0)
        body = {"access_token": f"ya29.{len(self.asked)}", "expires_in": 3_600, "error": "invalid_grant"}
        return HttpResponse(self.status, (), dumps(body), truncated=False, elapsed_s=0.0)

    async def aclose(self) -> None:
        """Nothing is held."""


def login(endpoint: TokenEndpoint, given: Authentication) -> GoogleLogin:
    settings = ConnectionSettings("projects/p/locations/l/connections/c", "firestore", authentication=given)
    return GoogleLogin(settings, SystemAccess(endpoint, cast("Resolver", None)), SCOPES)


async def test_a_users_consent_is_exchanged_once_however_many_ask_and_again_once_it_is_refused() -> None:
    endpoint = TokenEndpoint()
    proof = login(endpoint, REFRESH)
    assert set(await asyncio.gather(*(proof.authorization(5.0) for _ in range(5)))) == {"Bearer ya29.1"}
    assert proof.refused("Bearer ya29.1")
    assert await proof.authorization(5.0) == "Bearer ya29.2"
    assert [each.url for each in endpoint.asked] == ["https://oauth2.googleapis.com/token"] * 2
    assert endpoint.asked[0].body == (
        b"grant_type=refresh_token&refresh_token=1%2F%2Frefresh&client_id=app&client_secret=s3cret"
    )
    assert set(proof.secrets()) == {"s3cret", "1//refresh"}


async def test_a_service_accounts_key_signs_for_a_user() -> None:
    endpoint, key = TokenEndpoint(), rsa_key().as_pem(private=True).decode()
    proof = login(endpoint, JwtBearer("robot@p.iam.gserviceaccount.com", "ann@example.org", key))
    assert await proof.authorization(5.0) == "Bearer ya29.1"
    assert b"grant-type%3Ajwt-bearer&assertion=" in (endpoint.asked[0].body or b"")
    assert list(proof.secrets()) == [key]


async def test_a_sessions_token_is_sent_as_it_is() -> None:
    endpoint = TokenEndpoint()
    proof = login(endpoint, AccessToken("ya29.user"))
    assert await proof.authorization(5.0) == "Bearer ya29.user"
    assert not proof.refused("Bearer ya29.user")
    assert endpoint.asked == []


async def test_a_consent_that_is_withdrawn_is_told_apart() -> None:
    with pytest.raises(AuthenticationRefused, match="invalid_grant"):
        await login(TokenEndpoint(400), REFRESH).authorization(5.0)


def test_what_google_does_not_take_is_named() -> None:
    with pytest.raises(CredentialAbsent):
        login(TokenEndpoint(), None)
    with pytest.raises(InvalidConnection, match="UserPassword"):
        login(TokenEndpoint(), UserPassword("u", "p"))


@pytest.mark.parametrize("connector", ["bigquery", "cloud-spanner", "cloud-storage", "firestore", "gmail"])
def test_all_systems_of_google_take_the_same(connector: str) -> None:
    ways = {each.kind: each for each in catalogue()[connector].authentications}
    assert set(ways) == {
        AuthenticationKind.GOOGLE_AUTHENTICATION,
        AuthenticationKind.OAUTH2_AUTH_CODE_FLOW,
        AuthenticationKind.OAUTH2_JWT_BEARER,
    }
    consent = ways[AuthenticationKind.OAUTH2_AUTH_CODE_FLOW].consent
    assert consent is not None
    assert consent.scopes
    assert consent.token_url == "https://oauth2.googleapis.com/token"
