"""What each role may do, over REST and gRPC, with API keys and with tokens."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import grpc
import grpc.aio
import pytest

from openplaybook.server.errors import SettingsError
from openplaybook.server.lifecycle import RunningServer
from tests.integration.server.conftest import Start
from tests.kit.identity_provider import AUDIENCE, IdentityProvider, identity_provider

LOCATION = "projects/p/locations/global"
SESSION = f"{LOCATION}/agents/none/sessions/1"
PARENT = b"\x0a\x1b" + LOCATION.encode()
CX = "google.cloud.dialogflow.cx.v3"
KEYS = {role: f"key-of-the-{role}-here" for role in ("admin", "editor", "runtime")}
CALLS = [
    ("GET", f"/v3/{LOCATION}/agents", f"/{CX}.Agents/ListAgents", "editor"),
    ("POST", f"/v3/{SESSION}:detectIntent", f"/{CX}.Sessions/DetectIntent", "runtime"),
    ("GET", "/v1/openplaybook:doctor", "/openplaybook.v1.OpenPlaybook/Doctor", "admin"),
]
ALLOWED = {"admin": {"admin", "editor", "runtime"}, "editor": {"editor", "runtime"}, "runtime": {"runtime"}}


@pytest.fixture
async def provider() -> AsyncIterator[IdentityProvider]:
    async with identity_provider() as provider:
        yield provider


@pytest.fixture
async def server(start: Start, tmp_path: Path, provider: IdentityProvider) -> RunningServer:
    (tmp_path / "keys").write_text("".join(f"{role} the-{role} {key}\n" for role, key in KEYS.items()))
    return await start(
        api_key_file=tmp_path / "keys",
        oidc_issuer=provider.issuer,
        oidc_audience=AUDIENCE,
        oidc_role_map="admins=admin,editors=editor,shops=runtime",
    )


def credential(provider: IdentityProvider, kind: str, role: str) -> str:
    groups = {"admin": "admins", "editor": "editors", "runtime": "shops"}
    return KEYS[role] if kind == "key" else provider.token(roles=[groups[role]])


async def rest(server: RunningServer, method: str, path: str, credential: str) -> tuple[int, dict[str, str], str]:
    headers = {"Authorization": f"Bearer {credential}"} if credential else {}
    async with (
        aiohttp.ClientSession(server.http) as session,
        session.request(method, path, headers=headers, data=b"{}" if method == "POST" else None) as answer,
    ):
        error = (await answer.json()).get("error", {})
        return answer.status, dict(answer.headers), error.get("message", "")


async def over_grpc(server: RunningServer, path: str, credential: str) -> tuple[grpc.StatusCode, str]:
    metadata = (("authorization", f"Bearer {credential}"),) if credential else ()
    async with grpc.aio.insecure_channel(server.grpc) as channel:
        try:
            await channel.unary_unary(path)(PARENT if path.endswith("ListAgents") else b"", metadata=metadata)
        except grpc.aio.AioRpcError as error:
            return error.code(), str(error.details())
        return grpc.StatusCode.OK, ""


@pytest.mark.parametrize("kind", ["key", "token"])
@pytest.mark.parametrize("role", ["admin", "editor", "runtime"])
async def test_a_role_may_what_the_table_says_over_both_ports(
    server: RunningServer, provider: IdentityProvider, kind: str, role: str
) -> None:
    for method, path, grpc_path, needed in CALLS:
        given = credential(provider, kind, role)
        status, headers, message = await rest(server, method, path, given)
        code, details = await over_grpc(server, grpc_path, given)
        is_denied = needed not in ALLOWED[role]
        assert ((status == 403), (code is grpc.StatusCode.PERMISSION_DENIED)) == (is_denied, is_denied), path
        if is_denied:
            assert message == details
            assert message.endswith(f"requires the role {needed}; this caller has the role {role}.")
            assert headers["WWW-Authenticate"] == 'Bearer error="insufficient_scope"'


async def test_a_token_that_is_not_accepted_is_challenged(server: RunningServer, provider: IdentityProvider) -> None:
    old = provider.token(exp=1, roles=["admins"])
    status, headers, message = await rest(server, "GET", f"/v3/{LOCATION}/agents", old)
    assert (status, message) == (401, "The token is not accepted: it has expired.")
    assert headers["WWW-Authenticate"] == 'Bearer error="invalid_token", error_description="it has expired"'
    assert await over_grpc(server, f"/{CX}.Agents/ListAgents", old) == (
        grpc.StatusCode.UNAUTHENTICATED,
        "The token is not accepted: it has expired.",
    )


async def test_without_a_credential_the_challenge_says_how(server: RunningServer) -> None:
    status, headers, _ = await rest(server, "GET", f"/v3/{LOCATION}/agents", "")
    assert (status, headers["WWW-Authenticate"]) == (401, "Bearer")


async def test_with_a_provider_alone_callers_are_asked_for_its_tokens(start: Start, provider: IdentityProvider) -> None:
    server = await start(oidc_issuer=provider.issuer, oidc_audience=AUDIENCE, host="0.0.0.0")
    status, _, message = await rest(server, "GET", f"/v3/{LOCATION}/agents", "no-token-at-all")
    assert (status, message.partition(":")[0]) == (401, "This server requires a token of its identity provider")
    assert (await rest(server, "GET", f"/v3/{LOCATION}/agents", provider.token(roles=["editor"])))[0] == 200


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"oidc_issuer": "https://id.example"}, "oidc_issuer requires oidc_audience"),
        ({"oidc_issuer": "http://id.example", "oidc_audience": "a"}, "must start with https://"),
        ({"oidc_audience": "a"}, "oidc_audience and oidc_role_map require oidc_issuer"),
        ({"oidc_issuer": "https://id.example", "oidc_audience": "a", "oidc_role_map": "x"}, "oidc_role_map: entry 1"),
        ({"oidc_client_id": "c"}, "login in the browser requires both oidc_issuer and oidc_client_id"),
        (
            {"oidc_issuer": "https://id.example", "oidc_audience": "a", "oidc_client_id": "c", "oidc_scopes": "email"},
            "oidc_scopes must contain openid",
        ),
        ({"rate_limit": "often"}, "rate_limit: 'often' is not a rate"),
        ({"rate_limit_turns": "1/day"}, "rate_limit_turns: '1/day' is not a rate"),
        ({"trusted_proxies": "proxy"}, "trusted_proxies: entry 1"),
        ({"cors_origins": "shop.example"}, "cors_origins: 'shop.example' must be"),
        ({"cors_origins": "*"}, r"cors_origins \* lets every web page use a server without authentication"),
    ],
)
async def test_settings_that_cannot_be_used_keep_the_server_from_starting(
    start: Start, settings: dict[str, str], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        await start(**settings)


async def test_refusals_are_counted_and_logged_by_name_and_nobody_makes_up_labels(
    server: RunningServer, provider: IdentityProvider, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        await rest(server, "GET", f"/v3/{LOCATION}/agents", "no-such-key-in-the-file")
        await rest(server, "GET", f"/v3/{LOCATION}/agents", KEYS["runtime"])
        await over_grpc(server, f"/{CX}.Agents/ListAgents", KEYS["runtime"])
        await over_grpc(server, f"/{CX}.Agents/ListAgents", "no-such-key-in-the-file")
        await over_grpc(server, "/made.up/Label", "")
        await over_grpc(server, f"/{CX}.Agents/ListAgents", provider.token(roles=["editors"]))
    logged = [vars(record) for record in caplog.records if record.name == "openplaybook.access"]
    shown = ("rpc", "code", "transport", "principal_kind", "principal", "client")
    assert [tuple(line.get(name) for name in shown) for line in logged] == [
        ("unknown", "UNAUTHENTICATED", "rest", None, None, "127.0.0.1"),
        (f"{CX}.Agents.ListAgents", "PERMISSION_DENIED", "rest", "key", "the-runtime", "127.0.0.1"),
        (f"{CX}.Agents.ListAgents", "PERMISSION_DENIED", "grpc", "key", "the-runtime", None),
        (f"{CX}.Agents.ListAgents", "UNAUTHENTICATED", "grpc", None, None, None),
        ("unknown", "UNAUTHENTICATED", "grpc", None, None, None),
        (f"{CX}.Agents.ListAgents", "OK", "grpc", "token", "ann", None),
    ]
    async with (
        aiohttp.ClientSession(server.http) as session,
        session.get("/metrics", headers={"x-goog-api-key": KEYS["runtime"]}) as answer,
    ):
        text = await answer.text()
    assert 'code="UNAUTHENTICATED",method="unknown"} 2.0' in text
    assert f'code="PERMISSION_DENIED",method="{CX}.Agents.ListAgents"}} 2.0' in text
    assert "made.up" not in text


@pytest.mark.parametrize(
    ("settings", "is_warned"),
    [({"host": "0.0.0.0"}, True), ({"host": "0.0.0.0", "trusted_proxies": "10.0.0.0/8"}, False), ({}, False)],
)
async def test_keys_that_travel_in_the_open_are_warned_of(
    start: Start, tmp_path: Path, caplog: pytest.LogCaptureFixture, settings: dict[str, str], is_warned: bool
) -> None:
    (tmp_path / "keys").write_text(KEYS["admin"])
    with caplog.at_level(logging.WARNING):
        await start(api_key_file=tmp_path / "keys", **settings)
    assert ("without TLS, others on the network can read keys and conversations" in caplog.text) is is_warned
