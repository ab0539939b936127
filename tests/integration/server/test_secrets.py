"""Secrets of a real server: over both transports, changed while it runs, and with the wrong master key."""

from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import aiohttp
import grpc
import grpc.aio
import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.server.errors import SettingsError
from openplaybook.server.lifecycle import RunningServer
from openplaybook.server.settings import Settings
from openplaybook.wire.api import load_api
from openplaybook.wire.messages import ApiMessage
from tests.integration.server.conftest import Start
from tests.integration.server.conftest import running as running_server
from tests.kit.google_peer import GooglePeer
from tests.kit.http_peer import HttpPeer, answer, http_peer
from tests.kit.secret_peers import SecretManagerPeer, VaultPeer

NAME = "projects/p/secrets/key"
AGENT = {"displayName": "Shop", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
SCHEMA = """
openapi: 3.0.0
info: {title: Orders, version: '1'}
servers: [{url: '%s'}]
paths: {/orders: {get: {operationId: list, responses: {'200': {description: The orders}}}}}
"""


async def post(running: RunningServer, path: str, body: JsonObject) -> tuple[JsonObject, list[str]]:
    """The answer, which has to be a good one, and its warnings."""
    async with aiohttp.ClientSession() as session, session.post(f"{running.http}/{path}", json=body) as response:
        assert response.status == 200, await response.text()
        return await response.json(), response.headers.getall("x-openplaybook-warning", [])


async def keep(running: RunningServer, value: bytes) -> list[str]:
    """Add a version; the warnings."""
    _, warnings = await post(running, f"v1/{NAME}:addVersion", {"payload": {"data": b64encode(value).decode()}})
    return warnings


async def called(channel: grpc.aio.Channel, method: str, request: ApiMessage) -> tuple[JsonObject, list[str]]:
    """The answer over gRPC as JSON, and its warnings."""
    api, name = load_api(), f"openplaybook.v1.OpenPlaybook.{method}"
    response_class = api.message(api.methods[name].output.full_name)
    call = channel.unary_unary(
        f"/openplaybook.v1.OpenPlaybook/{method}",
        request_serializer=type(request).SerializeToString,
        response_deserializer=response_class.FromString,
    )(request)
    answered, trailing = await call, await call.trailing_metadata()
    return api.codec.to_json(answered), [str(text) for key, text in trailing if key == "x-openplaybook-warning"]


@pytest.mark.proves("A9")
async def test_secrets_are_kept_over_rest_and_grpc_and_a_line_break_is_warned_of(start: Start) -> None:
    running, api = await start(), load_api()
    warning = "the line break at the end of the secret was removed"
    assert (await keep(running, b"one"), await keep(running, b"two\n")) == ([], [warning])
    async with grpc.aio.insecure_channel(running.grpc) as channel:
        adding = api.message("openplaybook.v1.AddSecretVersionRequest")(parent=NAME, payload={"data": b"three\n"})
        added, warnings = await called(channel, "AddSecretVersion", adding)
        assert (added["name"], warnings) == (f"{NAME}/versions/3", [warning])
        listing = api.message("openplaybook.v1.ListSecretsRequest")(parent="projects/p")
        listed, _ = await called(channel, "ListSecrets", listing)
        names = [version["name"] for version in listed["secrets"][0]["versions"]]
        assert names == [f"{NAME}/versions/{number}" for number in (1, 2, 3)]
        deleting = api.message("openplaybook.v1.DeleteSecretRequest")(name=NAME)
        assert await called(channel, "DeleteSecret", deleting) == ({}, [])


async def tool_using(running: RunningServer, url: str, version: str) -> str:
    """A tool that sends a secret version as its token."""
    agent, _ = await post(running, "v3/projects/p/locations/l/agents", AGENT)
    token = {"bearerTokenConfig": {"secretVersionForToken": f"{NAME}/versions/{version}"}}
    spec = {"textSchema": SCHEMA % url, "authentication": token}
    tool = {"displayName": f"orders {version}", "description": "d", "openApiSpec": spec}
    return (await post(running, f"v3/{agent['name']}/tools", tool))[0]["name"]


async def sent(running: RunningServer, peer: HttpPeer, tool: str) -> str | None:
    """The credential that a call came with."""
    told, _ = await post(running, f"v3/{tool}:execute", {"action": "list"})
    assert "error" not in told, told
    return peer.requests[-1].header("Authorization")


@pytest.mark.proves("A9")
async def test_a_new_version_is_used_without_a_restart(start: Start) -> None:
    running = await start(egress_allow="127.0.0.1")
    async with http_peer(lambda received: answer()) as peer:
        await keep(running, b"one")
        latest, first = await tool_using(running, peer.url, "latest"), await tool_using(running, peer.url, "1")
        assert [await sent(running, peer, tool) for tool in (latest, first)] == ["Bearer one"] * 2
        await keep(running, b"two")
        assert [await sent(running, peer, tool) for tool in (latest, first)] == ["Bearer two", "Bearer one"]


@pytest.mark.proves("A9")
async def test_the_operators_vault_is_reached_where_tools_may_not_go(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_TOKEN", "hvs.root")
    monkeypatch.setenv("OPENPLAYBOOK_SECRET_OTHER", "unused")
    async with http_peer(VaultPeer(secrets={"key": [{"value": "of the vault"}]})) as vault:
        running = await start(secret_backends=f"environment,vault:{vault.url},local", egress_allow="127.0.0.2")
        async with http_peer(lambda received: answer(), host="127.0.0.2") as peer:
            tool = await tool_using(running, f"http://127.0.0.2:{peer.port}", "latest")
            assert await sent(running, peer, tool) == "Bearer of the vault"


async def test_a_server_with_another_master_key_does_not_start_and_destroys_nothing(tmp_path: Path) -> None:
    own = Settings(port=0, grpc_port=0, data_dir=tmp_path / "data")
    async with running_server(own) as server:
        await keep(server, b"one")
    (tmp_path / "other.key").write_bytes(b64encode(bytes(32)))
    with pytest.raises(SettingsError, match="does not fit the data"):
        async with running_server(replace(own, master_key_file=tmp_path / "other.key")):
            pass
    async with running_server(own) as server:
        await keep(server, b"two")
        async with aiohttp.ClientSession() as session, session.get(f"{server.http}/v1/projects/-/secrets") as response:
            [secret] = (await response.json())["secrets"]
    assert [version["name"] for version in secret["versions"]] == [f"{NAME}/versions/1", f"{NAME}/versions/2"]


@pytest.mark.proves("A9")
async def test_secret_manager_is_asked_with_the_servers_own_google_credentials(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    google, manager = GooglePeer(), SecretManagerPeer({NAME: [b"of google"]}, token="access-1")
    async with (
        http_peer(google.reply) as tokens,
        http_peer(manager) as secrets,
        http_peer(lambda received: answer()) as peer,
    ):
        google.url = tokens.url
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(google.key_file(tmp_path)))
        running = await start(secret_backends=f"local,google:{secrets.url}", egress_allow="127.0.0.1")
        tool = await tool_using(running, peer.url, "latest")
        assert [await sent(running, peer, tool) for _ in range(2)] == ["Bearer of google"] * 2
    assert [claims["scope"] for claims in google.assertions] == ["https://www.googleapis.com/auth/cloud-platform"]
    assert len(secrets.requests) == 1
