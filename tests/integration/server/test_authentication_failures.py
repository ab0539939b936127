"""Every way an authentication can fail: what is said helps, and none of it holds the secret."""

import asyncio
import logging
from base64 import b64encode
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import quote, quote_plus

import aiohttp
import pytest
import trustme

from openplaybook.jsonvalues import JsonObject, dumps
from tests.integration.server.conftest import Start
from tests.kit.certificates import server_tls
from tests.kit.executing import Refused, Rest
from tests.kit.http_peer import Answer, Received, answer, http_peer
from tests.kit.openapi import operation

SECRET = "Pl4nted/s3cret&+ü="
PLAIN = "Pl4nted-s3cret-0123456789"
"""For places that carry visible ASCII only."""
KEPT = "projects/p/secrets/kept/versions/latest"
GONE = "projects/p/secrets/gone/versions/3"
SPELLINGS = {
    spelling.encode()
    for secret in (SECRET, PLAIN)
    for spelling in (
        secret,
        quote(secret, safe=""),
        quote_plus(secret),
        b64encode(f"user:{secret}".encode()).decode(),
        b64encode(f"client:{quote_plus(secret)}".encode()).decode(),
    )
}


def echoing(status: str) -> Answer:
    """A service that says back all it was sent."""

    def reply(received: Received) -> bytes:
        said = f"no: {received.target} {received.headers} {received.body.decode()}"
        return answer(said.encode(), status, "text/plain", X_Debug=said.replace("\r", "").replace("\n", ""))

    return reply


async def never() -> bytes:
    await asyncio.Event().wait()
    return b""


@dataclass
class Case:
    """A tool whose call fails."""

    code: str
    told: str
    """A part of what the model and the trace are told."""
    authentication: Callable[[str], JsonObject] = lambda _: {}
    """Given the URL of the token endpoint."""
    api: Answer = field(default_factory=lambda: echoing("401 Unauthorized"))
    oauth: Answer = field(default_factory=lambda: echoing("400 Bad Request"))
    session: JsonObject = field(default_factory=dict[str, object])
    spec: JsonObject = field(default_factory=dict[str, object])


def key(**more: object) -> Callable[[str], JsonObject]:
    return lambda _: {"apiKeyConfig": {"keyName": "X-Key", "apiKey": PLAIN, "requestLocation": "HEADER", **more}}


def bearer(**more: object) -> Callable[[str], JsonObject]:
    return lambda _: {"bearerTokenConfig": more}


def oauth(**more: object) -> Callable[[str], JsonObject]:
    return lambda url: {
        "oauthConfig": {"clientId": "client", "clientSecret": SECRET, "tokenEndpoint": f"{url}/token", **more}
    }


def gives(body: bytes, status: str = "200 OK") -> Answer:
    return lambda _: answer(body, status)


CASES = {
    "a wrong key in a header": Case("HTTP_ERROR", "(sent was the API key in the header X-Key)", key()),
    "a wrong key in the query": Case(
        "HTTP_ERROR",
        "(sent was the API key as the query parameter X-Key)",
        key(requestLocation="QUERY_STRING", apiKey=SECRET),
    ),
    "a wrong key in a cookie": Case(
        "HTTP_ERROR", "(sent was the API key in the cookie X-Key)", key(inCookie=True, apiKey=PLAIN)
    ),
    "a wrong password": Case(
        "HTTP_ERROR",
        "(sent was the user name user with its password)",
        lambda _: {"basicAuthConfig": {"username": "user", "password": SECRET}},
    ),
    "a token that has expired": Case("HTTP_ERROR", "(sent was the token of bearerTokenConfig)", bearer(token=PLAIN)),
    "a session's token that has expired": Case(
        "HTTP_ERROR",
        "(sent was the token of the session parameter t)",
        bearer(token="$session.params.t"),
        session={"t": PLAIN},
    ),
    "a session without a token": Case(
        "CREDENTIAL_MISSING",
        "the session parameter t contains no token; send it as a string in queryParams.parameters.t",
        bearer(token="$session.params.t"),
    ),
    "a session's token with a line break": Case(
        "CREDENTIAL_ERROR",
        "the bearer token is empty or contains what a header cannot carry",
        bearer(token="$session.params.t"),
        session={"t": f"{PLAIN}\nx"},
    ),
    "a key of a secret that is wrong": Case(
        "HTTP_ERROR", "(sent was the API key in the header X-Key)", key(secretVersionForApiKey=KEPT)
    ),
    "a secret that is not there": Case("SECRET_NOT_FOUND", GONE, key(secretVersionForApiKey=GONE)),
    "a key that a cookie cannot carry": Case(
        "CREDENTIAL_ERROR", "the API key contains what a cookie cannot carry", key(inCookie=True, apiKey=f"{PLAIN};")
    ),
    "a token endpoint that refuses": Case(
        "CREDENTIAL_REFUSED",
        "/token answered 400: check clientId, the client secret and scopes of oauthConfig",
        oauth(),
    ),
    "a token endpoint that says why, and the secret": Case(
        "CREDENTIAL_REFUSED",
        "answered 403, unauthorized_client: [redacted] may not",
        oauth(),
        oauth=gives(f'{{"error":"unauthorized_client","error_description":"{SECRET} may not"}}'.encode(), "403 No"),
    ),
    "a token endpoint that says back what it got": Case(
        "CREDENTIAL_REFUSED",
        "answered 400, no: Basic [redacted]",
        oauth(),
        oauth=lambda it: answer(
            dumps({"error": "no", "error_description": f"{it.header('Authorization')} {it.body.decode()}"}), "400 No"
        ),
    ),
    "a token endpoint that is somewhere else": Case(
        "CREDENTIAL_REFUSED",
        "/token answered 404: check tokenEndpoint of oauthConfig",
        oauth(),
        oauth=echoing("404 Not Found"),
    ),
    "a token endpoint that is ill": Case(
        "CREDENTIAL_UNAVAILABLE", "answered 500; try again later", oauth(), oauth=echoing("500 Oh")
    ),
    "a token endpoint that gives no token": Case(
        "CREDENTIAL_UNAVAILABLE", "answered 200 without an access_token", oauth(), oauth=echoing("200 OK")
    ),
    "a token endpoint that is gone": Case(
        "CREDENTIAL_UNAVAILABLE",
        "the token endpoint http://127.0.0.1:1/ did not respond: 127.0.0.1:1 cannot be reached",
        oauth(tokenEndpoint="http://127.0.0.1:1/"),
    ),
    "a token endpoint in a private network": Case(
        "CREDENTIAL_UNAVAILABLE", "10.0.0.1 may not be reached", oauth(tokenEndpoint="http://10.0.0.1/")
    ),
    "a token endpoint that does not answer": Case(
        "CREDENTIAL_UNAVAILABLE",
        "no access token arrived within 0.2 s",
        oauth(),
        oauth=lambda _: never(),
        spec={"settings": {"totalTimeout": "0.2s"}},
    ),
    "a token that the API does not take": Case(
        "HTTP_ERROR",
        "(sent was the access token of the OAuth client client)",
        oauth(),
        oauth=gives(f'{{"access_token":"{PLAIN}"}}'.encode()),
    ),
    "a service agent that the API does not know": Case(
        "HTTP_ERROR", "(sent was the service agent's ID token)", lambda _: {"serviceAgentAuthConfig": {}}
    ),
    "no credential at all": Case("HTTP_ERROR", "the request carried no credential: set the tool's authentication"),
    "an operation that asks for more": Case(
        "CREDENTIAL_MISSING",
        "act requires one (apiKeyConfig) and other (basicAuthConfig); securitySchemeAuthentications has only one",
        spec={
            "securitySchemeAuthentications": [{"scheme": "one", "authentication": {"apiKeyConfig": {"apiKey": PLAIN}}}]
        },
    ),
    "a private service that nobody knows": Case(
        "CREDENTIAL_UNSUPPORTED",
        "no service directory is configured for it; the operator of this server has to set service_directory",
        key(),
        spec={"serviceDirectoryConfig": {"service": "projects/p/locations/l/namespaces/n/services/s"}},
    ),
}

SCHEMES: JsonObject = {
    "one": {"type": "apiKey", "in": "header", "name": "X-One"},
    "other": {"type": "http", "scheme": "basic"},
}


def nothing_of_it(what: bytes) -> None:
    assert {spelling for spelling in SPELLINGS if spelling in what} == set()


@asynccontextmanager
async def rest(start: Start, monkeypatch: pytest.MonkeyPatch, **settings: object) -> AsyncGenerator[Rest]:
    monkeypatch.setenv("OPENPLAYBOOK_SECRET_KEPT", PLAIN)
    running = await start(egress_allow="127.0.0.1", secret_backends="environment", **settings)
    async with aiohttp.ClientSession(running.http) as http:
        yield Rest(http)


@pytest.mark.proves("A3", "A4", "A6", "A9")
@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
async def test_a_failure_says_what_to_fix_and_holds_no_secret(
    case: Case, start: Start, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with AsyncExitStack() as stack:
        api = await stack.enter_async_context(http_peer(case.api))
        endpoint = await stack.enter_async_context(http_peer(case.oauth))
        server = await stack.enter_async_context(rest(start, monkeypatch))
        document = operation(security=[{"one": [], "other": []}], parameters=())
        document |= {"servers": [{"url": api.url}], "components": {"securitySchemes": SCHEMES}}
        authentication = {"authentication": made} if (made := case.authentication(endpoint.url)) else {}
        tool = await server.tool(await server.agent(), document, **authentication, **case.spec)
        executed = await server.execute(tool, sessionParameters=case.session)
        await server.ask("GET", f"/v3beta1/{tool}")
    assert executed["error"]["code"] == case.code, executed
    assert case.told in executed["error"]["message"]
    nothing_of_it(server.heard)
    nothing_of_it(caplog.text.encode() + str([record.__dict__ for record in caplog.records]).encode())


async def test_an_authority_that_is_not_trusted_is_told(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    tls = server_tls(trustme.CA(), "127.0.0.1")
    async with http_peer(lambda _: answer(), tls=tls) as api, rest(start, monkeypatch) as server:
        document = operation() | {"servers": [{"url": api.url.replace("http:", "https:")}]}
        tool = await server.tool(await server.agent(), document, authentication=key()(""))
        executed = await server.execute(tool)
        assert executed["error"]["code"] == "TLS_FAILED"
        assert "tlsConfig.caCerts" in executed["error"]["message"]
        assert api.requests == []
        nothing_of_it(server.heard)


@pytest.mark.proves("A2")
async def test_an_account_that_the_operator_does_not_allow_is_refused_when_the_tool_is_saved(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    config: JsonObject = {"serviceAccountAuthConfig": {"serviceAccount": "a@p.example"}}
    async with rest(start, monkeypatch, service_accounts="b@p.example=impersonated") as server:
        with pytest.raises(Refused) as caught:
            await server.tool(await server.agent(), operation(), authentication=config)
    assert "tools may not act as a@p.example: the operator of this server has to allow it" in str(caught.value)
    assert "openApiSpec.authentication.serviceAccountAuthConfig.serviceAccount" in str(caught.value)
