"""A running server's own identity: what an API that a tool calls can find out, starting from the token alone."""

from pathlib import Path

import aiohttp
import pytest
from google.auth import jwt as google_jwt
from joserfc.jwk import RSAKey

from openplaybook.jsonvalues import JsonObject
from openplaybook.server.errors import SettingsError
from tests.integration.server.conftest import Start
from tests.kit.executing import Rest
from tests.kit.http_peer import Received, answer, http_peer
from tests.kit.openapi import operation

KEY = "0123456789abcdef"


async def claims_of(token: str) -> JsonObject:
    """What an API that knows no more than the token's issuer does: discover, fetch the keys, verify."""
    unverified = google_jwt.decode(token, verify=False)
    async with aiohttp.ClientSession() as http:
        async with http.get(f"{unverified['iss']}/.well-known/openid-configuration") as answered:
            document = await answered.json()
        assert document["issuer"] == unverified["iss"]
        async with http.get(document["jwks_uri"]) as answered:
            keys = (await answered.json())["keys"]
    certificates = {key["kid"]: RSAKey.import_key(key).as_pem(private=False) for key in keys}
    return dict(google_jwt.decode(token, certs=certificates, audience=unverified["aud"]))


@pytest.mark.proves("A1")
@pytest.mark.parametrize("kind", ["ID_TOKEN", "ACCESS_TOKEN", None])
async def test_an_api_verifies_the_service_agent_from_the_token_alone(start: Start, tmp_path: Path, kind: str) -> None:
    seen: list[JsonObject] = []

    async def verifying(received: Received) -> bytes:
        scheme, _, token = (received.header("Authorization") or "").partition(" ")
        assert scheme == "Bearer"
        seen.append(await claims_of(token))
        return answer()

    running = await start(egress_allow="127.0.0.1")
    async with http_peer(verifying) as api, aiohttp.ClientSession(running.http) as http:
        server = Rest(http)
        agent = await server.agent()
        config = {"serviceAgentAuth": kind} if kind else {}
        document = {**operation(), "servers": [{"url": api.url}]}
        tool = await server.tool(agent, document, authentication={"serviceAgentAuthConfig": config})
        executed = [await server.execute(tool) for _ in range(2)]
    assert ["error" in each or not each["outputParameters"] for each in executed] == [False] * 2
    assert len(seen) == 2
    assert (seen[0]["iss"], seen[0]["aud"], seen[0]["agent"]) == (running.http, api.url, agent)
    assert seen[0]["sub"] == "service-p@127.0.0.1"


async def test_the_documents_are_public_and_name_the_public_url(start: Start, tmp_path: Path) -> None:
    (tmp_path / "keys").write_text(KEY)
    running = await start(api_key_file=tmp_path / "keys", public_url="https://play.example/book")
    async with aiohttp.ClientSession(running.http) as http:
        async with http.get("/.well-known/openid-configuration") as answered:
            document = await answered.json()
        assert document["issuer"] == "https://play.example/book"
        assert document["jwks_uri"] == "https://play.example/book/.well-known/jwks.json"
        async with http.post("/.well-known/jwks.json") as answered:
            assert (answered.status, answered.headers["Allow"]) == (405, "GET, HEAD")
        async with http.head("/.well-known/jwks.json") as answered:
            assert (answered.status, await answered.read()) == (200, b"")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("service_accounts", "nobody", "service_accounts: 'nobody' must have the form EMAIL=KEY_FILE"),
        ("service_directory", "projects/p=1.2.3.4:5", "service_directory: 'projects/p=1.2.3.4:5' must have the form"),
        ("service_directory", "consul", "service_directory: 'consul' must be SERVICE=ADDRESS:PORT, google or google:"),
        ("service_directory", "google,google", "service_directory: 'google' must be"),
        ("service_directory", "google:ftp://x", "service_directory: 'google:ftp://x' must be"),
    ],
)
async def test_settings_that_are_not_understood_keep_the_server_from_starting(
    start: Start, name: str, value: str, message: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        await start(**{name: value})
    assert str(caught.value).startswith(message)
