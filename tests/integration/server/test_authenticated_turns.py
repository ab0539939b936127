"""Credentials in a conversation: each way to authenticate, asked for by an API that the model's call reaches."""

from base64 import b64encode
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import pytest
import trustme
from google.auth import jwt as google_jwt

from openplaybook.jsonvalues import JsonObject
from tests.integration.server.conftest import Start
from tests.kit.certificates import client_certificate, server_tls
from tests.kit.executing import Rest
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.oauth_server import OAuthServer
from tests.kit.openapi import operation

SCRIPT = """
rules:
  - when: {after: act, error: true}
    reply: {text: 'It failed: {{result.error.message}}'}
  - when: {after: act}
    reply: {text: 'It is done.'}
  - reply: {calls: [{name: act}]}
"""


Say = Callable[..., Awaitable[str]]
"""Says something, with session parameters, and gives the agent's words."""


@pytest.fixture
def script(tmp_path: Path) -> str:
    (tmp_path / "script.yaml").write_text(SCRIPT)
    return f"scripted:{tmp_path / 'script.yaml'}"


async def conversation(server: Rest, document: JsonObject, agent: JsonObject, **spec: object) -> Say:
    """With a new agent whose playbook has the tool."""
    name = await server.agent(**agent)
    tool = await server.tool(name, document, **spec)
    playbook = {"displayName": "p", "goal": "g", "instruction": {"steps": [{"text": "Use ${TOOL: t}"}]}}
    made = await server.ask("POST", f"/v3beta1/{name}/playbooks", playbook | {"referencedTools": [tool]})
    await server.ask("PATCH", f"/v3beta1/{name}?updateMask=startPlaybook", {"startPlaybook": made["name"]})

    async def say(session: str = "s1", **parameters: str) -> str:
        body = {
            "queryInput": {"text": {"text": "do it"}, "languageCode": "en"},
            "queryParams": {"parameters": parameters},
        }
        answered = await server.ask("POST", f"/v3beta1/{name}/sessions/{session}:detectIntent", body)
        return str(answered["queryResult"]["responseMessages"][0]["text"]["text"][0])

    return say


def guarded(admits: Callable[[Received], bool]) -> Callable[[Received], bytes]:
    return lambda received: answer() if admits(received) else answer(b"{}", "401 Unauthorized")


def at(peer: HttpPeer, scheme: str = "http") -> JsonObject:
    return operation() | {"servers": [{"url": peer.url.replace("http:", f"{scheme}:")}]}


@pytest.mark.proves("A5", "A6")
async def test_the_clients_token_is_sent_for_as_long_as_the_session_holds_it(start: Start, script: str) -> None:
    running = await start(egress_allow="127.0.0.1", model=script)
    admits = guarded(lambda received: received.header("Authorization") == "Bearer users-token-1")
    async with http_peer(admits) as api, aiohttp.ClientSession(running.http) as http:
        server = Rest(http)
        config = {"bearerTokenConfig": {"token": "$session.params.token"}}
        say = await conversation(server, at(api), {}, authentication=config)
        assert await say() == (
            "It failed: the session parameter token contains no token; send it as a string in "
            "queryParams.parameters.token"
        )
        assert api.requests == []
        assert [await say(token="users-token-1"), await say()] == ["It is done."] * 2
        assert "(sent was the token of the session parameter token)" in await say(token="users-token-2")
        assert b"users-token" not in server.heard


@pytest.mark.proves("A4")
async def test_turns_share_the_token_of_an_oauth_client(start: Start, script: str) -> None:
    oauth = OAuthServer()
    running = await start(egress_allow="127.0.0.1", model=script)
    async with (
        http_peer(guarded(oauth.admits)) as api,
        http_peer(oauth.reply) as endpoint,
        aiohttp.ClientSession(running.http) as http,
    ):
        config = {"clientId": oauth.client_id, "clientSecret": oauth.secret, "tokenEndpoint": endpoint.url}
        server = Rest(http)
        say = await conversation(server, at(api), {}, authentication={"oauthConfig": config})
        assert [await say("s1"), await say("s2")] == ["It is done."] * 2
        assert oauth.requests == ["basic"]
        oauth.tokens.clear()
        assert await say("s1") == "It is done."
        assert b"access-token" not in server.heard


@pytest.mark.proves("A1")
async def test_the_service_agent_of_a_turn_is_that_of_its_agents_project(start: Start, script: str) -> None:
    seen: list[JsonObject] = []

    def admits(received: Received) -> bool:
        token = (received.header("Authorization") or "").removeprefix("Bearer ")
        seen.append(dict(google_jwt.decode(token, verify=False)))
        return True

    running = await start(egress_allow="127.0.0.1", model=script, public_url="https://play.example")
    async with http_peer(guarded(admits)) as api, aiohttp.ClientSession(running.http) as http:
        say = await conversation(Rest(http), at(api), {}, authentication={"serviceAgentAuthConfig": {}})
        assert await say() == "It is done."
    assert (seen[0]["iss"], seen[0]["sub"]) == ("https://play.example", "service-p@play.example")


@pytest.mark.proves("A7", "A8")
async def test_a_turns_tools_show_the_agents_certificate(
    start: Start, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, clients = trustme.CA(), trustme.CA()
    certificate = client_certificate(clients, "EC")
    monkeypatch.setenv("OPENPLAYBOOK_SECRET_CLIENT_KEY", certificate.private_key.decode())
    running = await start(egress_allow="127.0.0.1", model=script, secret_backends="environment")
    settings = {
        "sslCertificate": certificate.certificate.decode(),
        "privateKey": "projects/p/secrets/client-key/versions/1",
    }
    trusted = {"caCerts": [{"displayName": "ours", "cert": b64encode(ours.cert_pem.bytes()).decode()}]}
    tls = server_tls(ours, "127.0.0.1", clients_of=clients)
    async with http_peer(lambda _: answer(), tls=tls) as api, aiohttp.ClientSession(running.http) as http:
        agent: JsonObject = {"clientCertificateSettings": settings}
        say = await conversation(Rest(http), at(api, "https"), agent, tlsConfig=trusted)
        assert await say() == "It is done."
