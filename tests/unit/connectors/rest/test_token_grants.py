"""Tokens that connections fetch by each kind of grant, and what a refusal says."""

import time
from base64 import urlsafe_b64decode
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

import pytest
from joserfc import jwt

from openplaybook.connectors.base import EntityQuery, SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import AuthenticationRefused, InvalidConnection, SystemUnavailable
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.systems import manifest_of
from openplaybook.connectors.settings import (
    AccessToken,
    Authentication,
    ConnectionSettings,
    GoogleAccount,
    JwtBearer,
    OAuthClient,
    UserPassword,
)
from openplaybook.credentials.base import NoIdentity
from openplaybook.credentials.token_cache import TokenCache
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.egress.errors import ConnectFailed
from openplaybook.jsonvalues import JsonObject, dumps, loads
from tests.kit.egress import Names
from tests.kit.rsa_keys import rsa_key

TOKEN_URL = "https://login.acme.example/token"
KEY = rsa_key()


@dataclass
class Recorded:
    """A transport that answers token requests as told, and all else with an empty object."""

    tokens: list[HttpResponse | ConnectFailed] = field(default_factory=list[HttpResponse | ConnectFailed])
    requests: list[HttpRequest] = field(default_factory=list[HttpRequest])

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        self.requests.append(request)
        if "/token" not in request.url:
            return reply({})
        told = self.tokens.pop(0)
        if isinstance(told, ConnectFailed):
            raise told
        return told

    async def aclose(self) -> None:
        """Nothing is held."""

    def authorizations(self) -> list[str]:
        return [value for each in self.requests for name, value in each.headers if name == "Authorization"]


class Accounts(NoIdentity):
    """A server that may act as service accounts."""

    async def access_token(self, scopes: Sequence[str], audience: str, agent: str) -> str:
        return f"own:{','.join(scopes)}"

    async def account_token(self, scopes: Sequence[str], service_account: str) -> str:
        return f"{service_account}:{','.join(scopes)}"


def reply(members: object, status: int = 200) -> HttpResponse:
    return HttpResponse(status, (("Content-Type", "application/json"),), dumps(members), False, 0.0)


def issued(token: str = "t1", **more: object) -> HttpResponse:
    return reply({"access_token": token, "expires_in": 3600} | more)


def connection(way: JsonObject, given: Authentication, transport: Recorded, **config: str) -> RestConnection:
    text = dumps(
        {
            "id": "acme",
            "title": "Acme",
            "evidence_note": "None.",
            "base_url": "https://api.acme.example",
            "auth": [way],
            "check": "GET /me",
            "config": [{"key": "user"}, {"key": "secret", "type": "secret"}],
        }
    )
    settings = ConnectionSettings("projects/p/locations/l/connections/c", "acme", config, given)
    access = SystemAccess(transport, Names({}), TokenCache(), Accounts())
    return RestConnection(manifest_of(text.decode(), "acme"), settings, access)


def form(request: HttpRequest) -> dict[str, str]:
    return dict(parse_qsl((request.body or b"").decode()))


async def test_a_signed_assertion_is_exchanged_for_a_token() -> None:
    transport = Recorded([issued()])
    given = JwtBearer("issuer", "ann@example.org", KEY.as_pem(private=True).decode())
    way: JsonObject = {"kind": "jwt_bearer", "token_url": TOKEN_URL, "scopes": ["a", "b"]}
    way["audience"] = "https://{config.user}"
    await connection(way, given, transport, user="aud").check(SystemCall())
    sent = form(transport.requests[0])
    assert sent["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer"
    claims = jwt.decode(sent["assertion"], KEY, algorithms=["RS256"]).claims
    assert (claims["iss"], claims["sub"], claims["aud"], claims["scope"]) == (
        "issuer",
        "ann@example.org",
        "https://aud",
        "a b",
    )
    assert 0 < claims["exp"] - time.time() <= 180
    assert transport.authorizations() == ["Bearer t1"]


async def test_a_key_that_is_none_is_refused_without_showing_it() -> None:
    transport = Recorded()
    given = JwtBearer("issuer", "ann", "not a key at all")
    with pytest.raises(AuthenticationRefused, match="no RSA key in PEM") as caught:
        await connection({"kind": "jwt_bearer", "token_url": TOKEN_URL}, given, transport).check(SystemCall())
    assert "not a key" not in str(caught.value)
    assert transport.requests == []


async def test_a_client_may_be_named_in_the_header() -> None:
    transport = Recorded([issued()])
    way: JsonObject = {"kind": "oauth2_client_credentials", "token_url": TOKEN_URL, "client_in": "basic"}
    await connection(way, OAuthClient("id", "se:cret"), transport).check(SystemCall())
    assert form(transport.requests[0]) == {"grant_type": "client_credentials"}
    assert transport.authorizations() == ["Basic aWQ6c2UlM0FjcmV0", "Bearer t1"]


async def test_a_token_of_two_steps_is_asked_for_with_the_config_variables() -> None:
    transport = Recorded([reply("t1")])
    way: JsonObject = {
        "kind": "two_step",
        "token_url": TOKEN_URL,
        "token_json": {"username": "{config.user}", "password": "{config.secret}"},
        "token_path": "",
    }
    connected = connection(way, None, transport, user="ann", secret="s3cret")
    await connected.check(SystemCall())
    await connected.check(SystemCall())
    assert loads(transport.requests[0].body or b"") == {"username": "ann", "password": "s3cret"}
    assert len(transport.requests) == 3
    assert transport.authorizations() == ["Bearer t1", "Bearer t1"]


async def test_a_token_may_go_into_a_header_of_its_own() -> None:
    transport = Recorded([issued()])
    way: JsonObject = {
        "kind": "oauth2_client_credentials",
        "token_url": TOKEN_URL,
        "name": "X-Token",
        "value": "{auth.token}",
    }
    await connection(way, OAuthClient("id", "secret"), transport).check(SystemCall())
    assert ("X-Token", "t1") in transport.requests[1].headers


async def test_the_server_acts_as_a_service_account() -> None:
    way: JsonObject = {"kind": "google", "scopes": ["https://scope"]}
    for account, expected in (("", "own:https://scope"), ("robot@example.org", "robot@example.org:https://scope")):
        transport = Recorded()
        await connection(way, GoogleAccount(account), transport).check(SystemCall())
        assert transport.authorizations() == [f"Bearer {expected}"]


async def test_a_session_s_token_stands_for_the_config_variable_that_the_manifest_names() -> None:
    transport = Recorded()
    way: JsonObject = {
        "kind": "api_key",
        "in": "query",
        "name": "key",
        "value": "{config.user}",
        "override": "secret",
        "also": [{"in": "query", "name": "token", "value": "{config.secret}"}],
    }
    settings = ConnectionSettings("c", "acme", {"user": "app", "secret": "own-secret"}).overridden(
        AccessToken("theirs")
    )
    overridden = connection(way, settings.authentication, transport, user="app")
    await overridden.check(SystemCall())
    assert transport.requests[0].url == "https://api.acme.example/me?key=app&token=theirs"


@pytest.mark.parametrize(
    ("answered", "error", "reason"),
    [
        (
            reply({"error": "invalid_client", "error_description": "no secret-123 here"}, 401),
            AuthenticationRefused,
            "invalid_client",
        ),
        (reply({}, 503), SystemUnavailable, "answered 503; try again later"),
        (reply({"access_token": "a b"}), SystemUnavailable, "without a token that a header can carry"),
        (reply([]), SystemUnavailable, "without a token"),
        (ConnectFailed("nobody listens"), SystemUnavailable, "did not respond"),
    ],
)
async def test_without_a_token_nothing_is_asked_and_the_reason_is_told(
    answered: HttpResponse | ConnectFailed, error: type[Exception], reason: str
) -> None:
    transport = Recorded([answered])
    way: JsonObject = {"kind": "oauth2_client_credentials", "token_url": TOKEN_URL}
    with pytest.raises(error, match=reason) as caught:
        await connection(way, OAuthClient("id", "secret-123"), transport).check(SystemCall())
    assert "secret-123" not in str(caught.value)
    assert len(transport.requests) == 1


async def test_an_authentication_that_the_system_does_not_take_is_refused_with_those_that_it_takes() -> None:
    with pytest.raises(InvalidConnection, match="does not suit Acme; it takes: GOOGLE_AUTHENTICATION"):
        connection({"kind": "google"}, UserPassword("u", "p"), Recorded())


async def test_a_page_token_holds_no_credential_that_a_system_puts_into_its_next_link() -> None:
    class Paged(Recorded):
        async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
            self.requests.append(request)
            return reply({"data": [{"id": "1"}], "next": request.url + "&after=2&access_token=own-secret"})

    transport = Paged()
    text = dumps(
        {
            "id": "acme",
            "title": "Acme",
            "evidence_note": "None.",
            "base_url": "https://api.acme.example",
            "auth": [{"kind": "api_key", "in": "query", "name": "key", "value": "{config.secret}"}],
            "config": [{"key": "secret", "type": "secret"}],
            "entities": {
                "a": {
                    "fields": {"id": "key"},
                    "list": "GET /a",
                    "items": "data",
                    "paging": {"kind": "next_url", "next": "next", "size": {"param": "limit"}},
                }
            },
        }
    )
    settings = ConnectionSettings("projects/p/locations/l/connections/c", "acme", {"secret": "own-secret"})
    access = SystemAccess(transport, Names({}), TokenCache())
    connected = RestConnection(manifest_of(text.decode(), "acme"), settings, access)
    page = await connected.list(EntityQuery("a", page_size=1), SystemCall())
    token = page.next_page_token
    assert b"own-secret" not in urlsafe_b64decode(token + "=" * (-len(token) % 4))
    await connected.list(EntityQuery("a", page_size=1, page_token=token), SystemCall())
    assert transport.requests[1].url == "https://api.acme.example/a?limit=1&after=2&key=own-secret"
