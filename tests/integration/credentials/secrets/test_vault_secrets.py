"""Secrets in a Vault that asks of its clients what the real one asks."""

import ssl
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trustme

from openplaybook.credentials.errors import CredentialError, CredentialMissing, CredentialRefused, CredentialUnavailable
from openplaybook.credentials.secrets.vault_secrets import VaultSecrets
from openplaybook.credentials.secrets.vault_settings import parse_vault
from openplaybook.credentials.secrets.vault_tokens import VaultTokens
from openplaybook.resources.secret_names import SecretName
from tests.kit.egress import on_loopback
from tests.kit.http_peer import HttpPeer, http_peer
from tests.kit.secret_peers import VaultPeer

NAME = SecretName("p", "api-key")
TOKEN = {"VAULT_TOKEN": "hvs.root"}


@asynccontextmanager
async def opened(
    vault: VaultPeer, options: str = "", environment: Mapping[str, str] = TOKEN
) -> AsyncGenerator[tuple[VaultSecrets, HttpPeer]]:
    transport = on_loopback()
    async with http_peer(vault) as peer:
        settings = parse_vault(f"{peer.url}{options}", environment)
        yield VaultSecrets(settings, VaultTokens(settings, environment, transport), transport), peer
        await transport.aclose()


async def values(secrets: VaultSecrets, *versions: str) -> list[str | None]:
    return [await secrets.access(NAME.version(version)) for version in versions]


async def told(vault: VaultPeer, options: str = "", environment: Mapping[str, str] = TOKEN) -> CredentialError:
    async with opened(vault, options, environment) as (secrets, _):
        with pytest.raises(CredentialError) as caught:
            await values(secrets, "latest")
        return caught.value


@pytest.mark.proves("A9")
async def test_versions_are_read_by_number_and_latest_is_the_newest() -> None:
    vault = VaultPeer(secrets={"api-key": [{"value": "v1"}, {"value": "v2"}]})
    async with opened(vault) as (secrets, peer):
        assert await values(secrets, "1", "2", "latest", "3") == ["v1", "v2", "v2", None]
        vault.secrets["api-key"].append({"value": "v3"})
        assert await values(secrets, "latest") == ["v3"]
    assert [request.target for request in peer.requests[:3]] == [
        "/v1/secret/data/api-key?version=1",
        "/v1/secret/data/api-key?version=2",
        "/v1/secret/data/api-key",
    ]


async def test_what_is_not_there_or_deleted_is_not_here() -> None:
    async with opened(VaultPeer(secrets={"api-key": [{"value": "v1"}, None]})) as (secrets, _):
        assert await values(secrets, "latest", "2", "1") == [None, None, "v1"]
        assert await secrets.access(SecretName("p", "other").version("latest")) is None


async def test_mount_prefix_field_and_namespace_are_the_operators() -> None:
    data = {"key": "planted", "user": "u"}
    vault = VaultPeer(mount="kv/team", secrets={"agents/a/api-key": [data]}, namespace="ns1")
    async with opened(vault, "/kv/team?prefix=agents/a&field=key&namespace=ns1") as (secrets, _):
        assert await values(secrets, "latest") == ["planted"]


async def test_the_only_field_of_a_secret_is_its_value() -> None:
    async with opened(VaultPeer(secrets={"api-key": [{"password": "planted"}]})) as (secrets, _):
        assert await values(secrets, "latest") == ["planted"]


@pytest.mark.parametrize("data", [{"a": "planted", "b": "planted"}, {"value": {"deep": "planted"}}, {}])
async def test_a_secret_without_the_field_says_which_fields_there_are(data: dict[str, object]) -> None:
    error = await told(VaultPeer(secrets={"api-key": [data]}))
    assert f"has no text in a field 'value' (fields: {', '.join(data) or 'none'})" in str(error)
    assert "planted" not in str(error)


async def test_a_token_file_is_read_anew_each_time(tmp_path: Path) -> None:
    file, vault = tmp_path / "token", VaultPeer(secrets={"api-key": [{"value": "v"}]}, tokens={"hvs.1"})
    file.write_text("hvs.1\n")
    async with opened(vault, f"?token_file={file}", {}) as (secrets, _):
        assert await values(secrets, "latest") == ["v"]
        vault.tokens = {"hvs.2"}
        file.write_text("hvs.2\n")
        assert await values(secrets, "latest") == ["v"]


def role(tmp_path: Path, secret_id: str = "s1") -> str:
    (tmp_path / "role").write_text("r1")
    (tmp_path / "secret").write_text(secret_id)
    return f"?role_id_file={tmp_path / 'role'}&secret_id_file={tmp_path / 'secret'}"


async def test_approle_logs_in_once_and_again_when_its_token_is_refused(tmp_path: Path) -> None:
    vault = VaultPeer(secrets={"api-key": [{"value": "v"}]}, roles={"r1": "s1"})
    async with opened(vault, role(tmp_path), {}) as (secrets, _):
        assert await values(secrets, "latest", "1", "latest") == ["v"] * 3
        assert vault.logins == 1
        vault.tokens = set()
        assert await values(secrets, "latest") == ["v"]
        assert vault.logins == 2


async def test_a_refused_login_says_so_without_the_secret_id(tmp_path: Path) -> None:
    error = await told(VaultPeer(roles={"r1": "other"}), role(tmp_path, "planted"), {})
    assert isinstance(error, CredentialRefused)
    assert str(error) == "Vault, asked to log us in with AppRole, answered 400: invalid role or secret ID"


async def test_a_refused_token_says_so_without_the_token() -> None:
    error = await told(VaultPeer(), environment={"VAULT_TOKEN": "hvs.planted"})
    assert isinstance(error, CredentialRefused)
    assert str(error) == "Vault, asked for api-key, answered 403: permission denied"


async def test_without_a_token_it_says_what_to_set() -> None:
    error = await told(VaultPeer(), environment={})
    assert isinstance(error, CredentialMissing)
    assert "set VAULT_TOKEN, token_file or role_id_file" in str(error)


@pytest.mark.parametrize(
    ("content", "message"), [(None, "cannot be read"), (b"\xff", "is not ASCII"), (b"a\nb", "more than one line")]
)
async def test_a_token_file_that_holds_no_token_is_named(tmp_path: Path, content: bytes | None, message: str) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_bytes(content)
    error = await told(VaultPeer(), f"?token_file={file}", {})
    assert "the token file token" in str(error)
    assert str(tmp_path) not in str(error), "callers of tools read it"
    assert message in str(error)


@pytest.mark.parametrize("status", ["503 Service Unavailable", "500 Internal Server Error", "429 Too Many Requests"])
async def test_a_sealed_or_busy_vault_is_a_disturbance(status: str) -> None:
    assert isinstance(await told(VaultPeer(status=status)), CredentialUnavailable)


async def test_a_vault_that_is_not_there_is_a_disturbance() -> None:
    async with opened(VaultPeer()) as (secrets, peer):
        pass
    transport = on_loopback()
    settings = parse_vault(peer.url, TOKEN)
    secrets = VaultSecrets(settings, VaultTokens(settings, TOKEN, transport), transport)
    with pytest.raises(CredentialUnavailable, match="Vault failed"):
        await values(secrets, "latest")
    await transport.aclose()


async def test_its_own_authority_is_trusted_instead_of_the_systems(tmp_path: Path) -> None:
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("vault.example").configure_cert(context)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    transport = on_loopback("vault.example")
    async with http_peer(VaultPeer(secrets={"api-key": [{"value": "v"}]}), context) as peer:
        trusting = parse_vault(f"https://vault.example:{peer.port}?ca_file={tmp_path / 'ca.pem'}", TOKEN)
        other = parse_vault(f"https://vault.example:{peer.port}", TOKEN)
        assert await values(VaultSecrets(trusting, VaultTokens(trusting, TOKEN, transport), transport), "1") == ["v"]
        with pytest.raises(CredentialUnavailable, match="certificate"):
            await values(VaultSecrets(other, VaultTokens(other, TOKEN, transport), transport), "1")
    await transport.aclose()


async def test_the_check_reads_no_secret() -> None:
    async with opened(VaultPeer()) as (secrets, peer):
        await secrets.check()
    assert [request.target.partition("?")[0] for request in peer.requests] == [
        "/v1/sys/health",
        "/v1/auth/token/lookup-self",
    ]
    async with opened(VaultPeer(), environment={"VAULT_TOKEN": "no"}) as (secrets, _):
        with pytest.raises(CredentialRefused, match="asked about our token, answered 403: permission denied"):
            await secrets.check()
    async with opened(VaultPeer(status="503 Service Unavailable")) as (secrets, _):
        with pytest.raises(CredentialUnavailable):
            await secrets.check()
