"""OAuth client credentials against a token endpoint and an API on real sockets."""

import asyncio
import ssl
from base64 import b64encode
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import pytest
import trustme

from openplaybook.credentials.base import CredentialSources
from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import Failure, Outcome, Success, Tool, ToolContext
from tests.kit.calling import call, tools
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.oauth_server import OAuthServer
from tests.kit.openapi import Remembering, operation

OK = Success({"200": {}})


@dataclass
class Scene:
    """A tool whose API wants a token, and the token endpoint."""

    tool: Tool
    api: HttpPeer
    oauth: OAuthServer
    endpoint: HttpPeer


def configured(endpoint: str, oauth: OAuthServer, **more: object) -> JsonObject:
    config = {"clientId": oauth.client_id, "clientSecret": oauth.secret, "tokenEndpoint": endpoint}
    return {"oauthConfig": {"oauthGrantType": "CLIENT_CREDENTIAL", **config, **more}}


@asynccontextmanager
async def scene(oauth: OAuthServer, sources: CredentialSources | None = None, **more: object) -> AsyncGenerator[Scene]:
    async with AsyncExitStack() as stack:

        def guarded(received: Received) -> bytes:
            return answer() if oauth.admits(received) else answer(b'{"message":"who?"}', "401 Unauthorized")

        api = await stack.enter_async_context(http_peer(guarded))
        endpoint = await stack.enter_async_context(http_peer(oauth.reply))
        built = await stack.enter_async_context(tools(sources or CredentialSources(Remembering())))
        document = {**operation(), "servers": [{"url": api.url}]}
        tool = built.build(document, authentication=configured(f"{endpoint.url}/token", oauth, **more))
        yield Scene(tool, api, oauth, endpoint)


def failure(outcome: Outcome) -> Failure:
    assert isinstance(outcome, Failure)
    return outcome


@pytest.mark.proves("A4")
async def test_a_token_is_exchanged_once_kept_and_sent() -> None:
    async with scene(OAuthServer(), scopes=["read", "write"]) as it:
        assert [await call(it.tool) for _ in range(3)] == [OK] * 3
        assert [request.header("Authorization") for request in it.api.requests] == ["Bearer access-token-1"] * 3
        assert it.oauth.requests == ["basic"]
        assert it.oauth.tokens == {"access-token-1": {"read", "write"}}


@pytest.mark.proves("A4")
async def test_a_hundred_calls_at_once_ask_for_one_token() -> None:
    async with scene(OAuthServer()) as it:
        assert await asyncio.gather(*(call(it.tool) for _ in range(100))) == [OK] * 100
        assert (len(it.endpoint.requests), len(it.api.requests)) == (1, 100)


async def test_an_endpoint_that_wants_the_secret_in_the_body_is_remembered() -> None:
    oauth = OAuthServer(methods=("post",), grant={"token_type": "bearer", "expires_in": 0})
    async with scene(oauth) as it:
        assert [await call(it.tool) for _ in range(2)] == [OK] * 2
        assert oauth.requests == ["basic", "post", "post"]


@pytest.mark.proves("A4")
async def test_a_token_that_the_api_refuses_is_replaced_once() -> None:
    async with scene(OAuthServer()) as it:
        await call(it.tool)
        it.oauth.tokens.clear()
        assert await call(it.tool) == OK
        sent = [request.header("Authorization") for request in it.api.requests]
        assert sent == ["Bearer access-token-1", "Bearer access-token-1", "Bearer access-token-2"]


async def test_calls_that_are_refused_together_share_the_new_token() -> None:
    async with scene(OAuthServer()) as it:
        await call(it.tool)
        it.oauth.tokens.clear()
        assert await asyncio.gather(*(call(it.tool) for _ in range(20))) == [OK] * 20
        assert len(it.oauth.requests) <= 3


async def test_an_api_that_refuses_every_token_is_asked_twice_and_the_model_is_told_what_was_sent() -> None:
    oauth = OAuthServer()
    async with (
        http_peer(lambda _: answer(b'{"message":"no"}', "401 Unauthorized")) as api,
        http_peer(oauth.reply) as endpoint,
        tools() as built,
    ):
        document = {**operation(), "servers": [{"url": api.url}]}
        context = ToolContext("s")
        outcome = failure(await call(built.build(document, authentication=configured(endpoint.url, oauth)), context))
    assert outcome.message.endswith("(sent was the access token of the OAuth client the client)")
    assert [exchange.status for exchange in context.exchanges] == [401, 401]
    assert (len(api.requests), len(oauth.requests)) == (2, 2)


@pytest.mark.parametrize(
    ("grant", "asked"),
    [
        ({}, 1),
        ({"expires_in": 3600}, 1),
        ({"expires_in": "3600"}, 1),
        ({"expires_in": None}, 1),
        ({"expires_in": "soon"}, 1),
        ({"expires_in": True}, 1),
        ({"expires_in": 10**18}, 1),
        ({"expires_in": 0}, 2),
        ({"expires_in": -5}, 2),
        ({"token_type": "BEARER"}, 1),
    ],
)
async def test_a_token_is_kept_as_long_as_its_answer_says(grant: JsonObject, asked: int) -> None:
    async with scene(OAuthServer(grant=grant)) as it:
        assert [await call(it.tool) for _ in range(2)] == [OK] * 2
        assert len(it.oauth.requests) == asked


async def test_a_secret_that_is_rotated_is_used_without_a_restart() -> None:
    @dataclass
    class Kept:
        value: str

        async def access(self, version: str) -> str:
            assert version == "projects/p/secrets/s/versions/latest"
            return self.value

    kept, oauth = Kept("old secret"), OAuthServer(secret="old secret")
    sources = CredentialSources(Remembering(), secrets=kept)
    name = "projects/p/secrets/s/versions/latest"
    async with scene(oauth, sources, secretVersionForClientSecret=name) as it:
        assert await call(it.tool) == OK
        oauth.secret = kept.value = "new secret"
        oauth.tokens.clear()
        assert await call(it.tool) == OK
        assert oauth.requests == ["basic", "basic"]


@pytest.mark.parametrize(
    ("oauth", "more", "code", "told"),
    [
        (
            OAuthServer(),
            {"clientSecret": "wrong secret"},
            "CREDENTIAL_REFUSED",
            "answered 401, invalid_client: no such",
        ),
        (OAuthServer(), {"scopes": ["admin"]}, "CREDENTIAL_REFUSED", "answered 400, invalid_scope: allowed are read"),
        (OAuthServer(grant={"token_type": "mac"}), {}, "CREDENTIAL_UNAVAILABLE", "gave a token of type 'mac'"),
        (OAuthServer(grant={"access_token": "a\nb"}), {}, "CREDENTIAL_UNAVAILABLE", "answered 200 without an"),
        (OAuthServer(grant={"access_token": ""}), {}, "CREDENTIAL_UNAVAILABLE", "answered 200 without an"),
    ],
)
async def test_what_the_token_endpoint_refuses_is_told_without_the_secret(
    oauth: OAuthServer, more: JsonObject, code: str, told: str
) -> None:
    async with scene(oauth, **more) as it:
        outcome = failure(await call(it.tool))
        assert outcome.code == code
        assert f"the token endpoint {it.endpoint.url}/token {told}" in outcome.message
        assert "secret" not in outcome.message.replace("the client secret", "").replace("clientSecret", "")
        assert it.api.requests == []


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (answer(b"<html>busy</html>", "503 Service Unavailable", "text/html"), "answered 503; try again later"),
        (answer(b"<html>hello</html>", content_type="text/html"), "answered 200 without an access_token"),
        (answer(b"[]"), "answered 200 without an access_token"),
        (answer(b'{"error":"bad_code"}'), "without an access_token that a header can carry: bad_code"),
        (answer(b"x" * 2_000_000), "answered 200 without an access_token"),
        (None, "did not respond: "),
    ],
)
async def test_an_endpoint_that_gives_nothing_to_use_is_told(reply: bytes | None, told: str) -> None:
    oauth = OAuthServer()
    async with http_peer(lambda _: reply) as endpoint, tools() as built:
        tool = built.build(operation(), authentication=configured(endpoint.url, oauth))
        outcome = failure(await call(tool))
    assert (outcome.code, told in outcome.message) == ("CREDENTIAL_UNAVAILABLE", True), outcome.message


@pytest.mark.proves("A11")
async def test_the_address_policy_holds_for_token_endpoints() -> None:
    oauth = OAuthServer()
    async with http_peer(oauth.reply) as endpoint, tools(allow="") as built:
        outcome = failure(await call(built.build(operation(), authentication=configured(endpoint.url, oauth))))
        assert (outcome.code, endpoint.connections) == ("CREDENTIAL_UNAVAILABLE", 0)
        assert "may not be reached" in outcome.message


async def test_a_call_waits_for_a_token_no_longer_than_it_may_take() -> None:
    oauth = OAuthServer(pause=asyncio.Event())
    async with scene(oauth) as it:
        outcome = failure(await call(it.tool, ToolContext("s", timeout_s=0.05)))
        assert outcome == Failure("CREDENTIAL_UNAVAILABLE", "no access token arrived within 0.05 s")


@pytest.mark.proves("A8")
async def test_a_token_endpoint_is_checked_with_the_tools_own_authorities() -> None:
    authority, oauth = trustme.CA(), OAuthServer()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    trusted = {"caCerts": [{"displayName": "ours", "cert": b64encode(authority.cert_pem.bytes()).decode()}]}
    async with http_peer(oauth.reply, tls=context) as endpoint, tools() as built:
        url = endpoint.url.replace("http:", "https:")
        authentication = configured(url, oauth)
        document = {**operation(), "servers": [{"url": url}]}
        strange = failure(await call(built.build(document, authentication=authentication)))
        assert (strange.code, oauth.requests) == ("CREDENTIAL_UNAVAILABLE", [])
        await call(built.build(document, authentication=authentication, tlsConfig=trusted))
        assert oauth.requests == ["basic"]
