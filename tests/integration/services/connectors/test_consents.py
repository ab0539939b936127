"""Consent of users: a code becomes a refresh token of the connection, sealed; access tokens are had with it."""

from base64 import b64encode
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from openplaybook.connectors.definitions import AuthenticationKind, AuthenticationTemplate, ConsentEndpoints
from openplaybook.connectors.settings import OAuthRefresh
from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.wire.errors import Code
from tests.integration.services.connectors.connected import (
    BODY,
    CONNECTION,
    LOCATION,
    PASSWORD,
    VERSION,
    Connected,
    connected,
)
from tests.kit.http_peer import Received, answer, http_peer

AUTH: JsonObject = {
    "authType": "OAUTH2_AUTH_CODE_FLOW",
    "oauth2AuthCodeFlow": {
        "clientId": "app",
        "clientSecret": {"secretVersion": PASSWORD},
        "redirectUri": "http://localhost:1/done",
    },
}
EXCHANGE, REFRESH = "Connections.ExchangeAuthCode", "Connections.RefreshAccessToken"


@dataclass
class TokenEndpoint:
    """Exchanges the code `good` once, and each refresh token that it gave, for another one."""

    forms: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    authorizations: list[str | None] = field(default_factory=list["str | None"])
    refresh_tokens: list[str] = field(default_factory=list[str])
    status: str = "200 OK"

    def __call__(self, received: Received) -> bytes:
        assert received.target == "/db.example.com/token"
        form = dict(parse_qsl(received.body.decode()))
        self.forms.append(form)
        self.authorizations.append(received.header("Authorization"))
        is_good = form.get("code") == "good" or form.get("refresh_token") in self.refresh_tokens
        if self.status != "200 OK" or not is_good:
            refusal = {"error": "invalid_grant", "error_description": f"{form.get('code')} is not good"}
            return answer(dumps(refusal), "400 Bad Request" if self.status == "200 OK" else self.status)
        self.refresh_tokens.append(f"refresh-{len(self.forms)}")
        tokens = {"access_token": f"access-{len(self.forms)}", "expires_in": 3600, "token_type": "bearer"}
        return answer(dumps({**tokens, "refresh_token": self.refresh_tokens[-1]}))


@pytest.fixture
def endpoint() -> TokenEndpoint:
    return TokenEndpoint()


@pytest.fixture(params=["body", "basic"])
async def consenting(
    request: pytest.FixtureRequest, tmp_path: Path, endpoint: TokenEndpoint
) -> AsyncIterator[Connected]:
    """A server whose shop takes the consent of users; it is told of the client in either of two ways."""
    async with http_peer(endpoint) as peer:
        token_url = f"{peer.url}/{{config.host}}/token"
        urls = ConsentEndpoints("https://shop.example/consent", token_url, ("read",), request.param)
        template = AuthenticationTemplate(AuthenticationKind.OAUTH2_AUTH_CODE_FLOW, "Consent", consent=urls)
        async with connected(tmp_path, template) as server:
            yield server


async def test_a_code_becomes_the_refresh_token_of_the_connection(
    consenting: Connected, endpoint: TokenEndpoint
) -> None:
    created = await consenting.create(authConfig=AUTH)
    code: JsonObject = {"authCode": "good", "pkceVerifier": "v"}

    given = await consenting.v2(EXCHANGE, {"name": CONNECTION, "authCodeData": code})

    assert created["status"]["state"] == "AUTHORIZATION_REQUIRED"
    assert given == {
        "accessCredentials": {"accessToken": "access-1", "expiresIn": "3600s", "refreshToken": "refresh-1"}
    }
    [form] = endpoint.forms
    assert (form["grant_type"], form["code_verifier"]) == ("authorization_code", "v")
    assert form["redirect_uri"] == "http://localhost:1/done"
    named = {"client_id": form.get("client_id"), "client_secret": form.get("client_secret")}
    pair = b64encode(b"app:hunter2").decode()
    assert (named, endpoint.authorizations) in (
        ({"client_id": "app", "client_secret": "hunter2"}, [None]),
        ({"client_id": None, "client_secret": None}, [f"Basic {pair}"]),
    )
    settings = await consenting.stored.settings(CONNECTION)
    assert settings is not None
    assert settings.authentication == OAuthRefresh("app", "hunter2", "refresh-1")
    connection = await consenting.v1("Connections.GetConnection", {"name": CONNECTION})
    assert connection["status"] == {"state": "ACTIVE"}


async def test_a_code_that_comes_with_the_connection_is_exchanged_and_not_stored(
    consenting: Connected, endpoint: TokenEndpoint
) -> None:
    flow = {**AUTH["oauth2AuthCodeFlow"], "authCode": "good", "pkceVerifier": "v"}
    created = await consenting.create(authConfig={**AUTH, "oauth2AuthCodeFlow": flow})

    assert created["status"] == {"state": "ACTIVE"}
    assert created["authConfig"] == AUTH
    record = await consenting.caller.parts.store.get(CONNECTION)
    assert record is not None
    assert b"good" not in record.body


async def test_a_code_that_is_refused_is_the_status_of_the_connection(
    consenting: Connected, endpoint: TokenEndpoint
) -> None:
    flow = {**AUTH["oauth2AuthCodeFlow"], "authCode": "stale-code"}
    request: JsonObject = {
        "parent": LOCATION,
        "connectionId": "shop",
        "connection": {**BODY, "authConfig": {**AUTH, "oauth2AuthCodeFlow": flow}},
    }
    created = (await consenting.done("Connections.CreateConnection", request))["response"]

    status = created["status"]
    assert status["state"] == "AUTHORIZATION_REQUIRED"
    assert "/token answered 400, invalid_grant: " in status["description"]
    assert "stale-code" not in status["description"]


async def test_a_refresh_token_that_is_changed_at_its_use_is_kept(
    consenting: Connected, endpoint: TokenEndpoint
) -> None:
    await consenting.create(authConfig=AUTH)
    await consenting.v2(EXCHANGE, {"name": CONNECTION, "authCodeData": {"authCode": "good"}})

    before = await consenting.stored.settings(CONNECTION)
    given = await consenting.v2(REFRESH, {"name": CONNECTION})

    assert await consenting.stored.settings(CONNECTION) == before
    assert endpoint.forms[-1]["refresh_token"] == "refresh-1"
    assert given["accessCredentials"]["accessToken"] == "access-2"
    assert await consenting.stored.current(CONNECTION) == "refresh-2"


async def test_a_refresh_token_of_the_request_is_not_kept(consenting: Connected, endpoint: TokenEndpoint) -> None:
    await consenting.create(authConfig=AUTH)
    endpoint.refresh_tokens.append("mine")

    await consenting.v2(REFRESH, {"name": CONNECTION, "refreshToken": "mine"})

    assert await consenting.stored.current(CONNECTION) == ""


@pytest.mark.parametrize(
    ("rpc", "request_", "code", "words"),
    [
        (EXCHANGE, {}, Code.INVALID_ARGUMENT, "auth_code_data.auth_code: is required"),
        (EXCHANGE, {"authCodeData": {"authCode": "bad"}}, Code.FAILED_PRECONDITION, "answered 400, invalid_grant"),
        (
            EXCHANGE,
            {"authCodeData": {"authCode": "good"}, "oauth2Config": {"clientId": "x"}},
            Code.INVALID_ARGUMENT,
            "oauth2_config: has clientId and clientSecret, or neither",
        ),
        (
            EXCHANGE,
            {"authCodeData": {"authCode": "good"}, "oauth2Config": {"authUri": "https://elsewhere.example"}},
            Code.UNIMPLEMENTED,
            "oauth2_config.auth_uri is not served",
        ),
        (REFRESH, {}, Code.FAILED_PRECONDITION, "No user has consented"),
    ],
)
async def test_what_cannot_be_exchanged_is_refused(
    consenting: Connected, rpc: str, request_: JsonObject, code: Code, words: str
) -> None:
    await consenting.create(authConfig=AUTH)

    refused, sentence = await consenting.refusal("v2", rpc, {"name": CONNECTION, **request_})

    assert refused is code
    assert words in sentence
    assert "hunter2" not in sentence


async def test_the_catalogue_says_where_a_user_consents(consenting: Connected) -> None:
    version = await consenting.v1("Versions.GetConnectorVersion", {"name": VERSION})

    [link] = version["authConfigTemplates"][2]["configVariableTemplates"]
    assert (link["key"], link["valueType"]) == ("auth_code", "AUTHORIZATION_CODE")
    assert link["authorizationCodeLink"] == {
        "uri": "https://shop.example/consent",
        "scopes": ["read"],
        "enablePkce": True,
    }


async def test_nobody_consents_to_a_connection_of_another_kind(consenting: Connected) -> None:
    await consenting.create()

    refused = await consenting.refusal("v2", EXCHANGE, {"name": CONNECTION, "authCodeData": {"authCode": "good"}})

    assert refused[0] is Code.FAILED_PRECONDITION
    assert "has no OAUTH2_AUTH_CODE_FLOW" in refused[1]
