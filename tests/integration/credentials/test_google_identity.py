"""Tokens by google-auth, with loopback peers in place of Google's token endpoint and IAM."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from joserfc import jwt

from openplaybook.credentials.errors import (
    AccountNotAllowed,
    CredentialError,
    CredentialRefused,
    CredentialUnavailable,
)
from openplaybook.credentials.identity.google_tokens import GoogleTokens
from openplaybook.credentials.identity.issuer import Issuer
from openplaybook.credentials.identity.server_identity import ServerIdentity, parse_accounts
from openplaybook.credentials.identity.signing_keys import SigningKeys
from openplaybook.credentials.sealer import Sealer
from openplaybook.credentials.service_identity import CLOUD_PLATFORM
from openplaybook.jsonvalues import dumps
from openplaybook.storage.sqlite import SqliteStore
from tests.e2e.kit.server import clean_environment
from tests.kit.google_peer import ACCOUNT, GooglePeer
from tests.kit.http_peer import Received, answer, http_peer
from tests.kit.rsa_keys import rsa_key

pytest.importorskip("google.auth", reason="the extra openplaybook[google] is not here")

SCOPES = (CLOUD_PLATFORM,)


@pytest.fixture
async def google() -> AsyncIterator[GooglePeer]:
    peer = GooglePeer()
    async with http_peer(peer.reply) as service:
        peer.url = service.url
        yield peer


def identity(google: GooglePeer, accounts: str = "", *, is_google: bool = False) -> ServerIdentity:
    issuer = Issuer("https://us.example", SigningKeys(SqliteStore(Path("never opened")), Sealer([bytes(32)])))
    return ServerIdentity(issuer, parse_accounts(accounts), GoogleTokens(google.url), is_google=is_google)


@pytest.mark.proves("A2")
async def test_a_service_account_is_used_by_its_key_file_and_its_token_kept(google: GooglePeer, tmp_path: Path) -> None:
    us = identity(google, f"{ACCOUNT}={google.key_file(tmp_path)}")
    assert [await us.account_token(SCOPES, ACCOUNT) for _ in range(3)] == ["access-1"] * 3
    (claims,) = google.assertions
    assert (claims["iss"], claims["scope"]) == (ACCOUNT, CLOUD_PLATFORM)
    assert us.forget("access-1") is True
    assert await us.account_token(SCOPES, ACCOUNT) == "access-2"


@pytest.mark.proves("A2")
async def test_a_service_account_is_impersonated_by_the_servers_own_identity(
    google: GooglePeer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(google.key_file(tmp_path, "us@project.example")))
    us = identity(google, f"{ACCOUNT}=impersonated")
    assert await us.account_token(SCOPES, ACCOUNT) == "impersonated-1"
    ((path, body),) = google.impersonated
    assert path == f"/v1/projects/-/serviceAccounts/{ACCOUNT}:generateAccessToken"
    assert (body["scope"], body["lifetime"]) == ([CLOUD_PLATFORM], "3600s")
    assert google.assertions[0]["iss"] == "us@project.example"


@pytest.mark.proves("A2")
async def test_an_account_that_is_not_on_the_list_is_refused_with_what_to_set(google: GooglePeer) -> None:
    us = identity(google)
    with pytest.raises(AccountNotAllowed) as caught:
        await us.account_token(SCOPES, ACCOUNT)
    assert str(caught.value) == us.refusal(ACCOUNT)
    assert f"service_accounts ({ACCOUNT}=KEY_FILE, or {ACCOUNT}=impersonated)" in str(caught.value)


@pytest.mark.proves("A1")
async def test_googles_own_tokens_stand_for_the_service_agent_where_that_is_set(
    google: GooglePeer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(google.key_file(tmp_path)))
    us = identity(google, is_google=True)
    assert await us.access_token(SCOPES, "https://run.googleapis.com", "projects/p") == "access-1"
    await us.id_token("https://api.example", "projects/p")
    assert google.assertions[1]["target_audience"] == "https://api.example"


@pytest.mark.proves("A1")
@pytest.mark.parametrize(
    "audience",
    [
        "https://api.example",
        "http://run.googleapis.com",
        "https://googleapis.com.evil.example",
        "https://evilgoogleapis.com",
        "https://run.googleapis.com:8443",
    ],
)
async def test_googles_own_access_token_is_sent_to_googles_apis_alone(google: GooglePeer, audience: str) -> None:
    with pytest.raises(CredentialRefused, match=re.escape(f"only, not to {audience}; use ID_TOKEN")):
        await identity(google, is_google=True).access_token(SCOPES, audience, "projects/p")
    assert google.assertions == []


async def failed(google: GooglePeer, path: Path) -> CredentialError:
    with pytest.raises(CredentialError) as caught:
        await identity(google, f"{ACCOUNT}={path}").account_token(SCOPES, ACCOUNT)
    return caught.value


async def test_a_key_that_is_no_longer_valid_is_told(google: GooglePeer, tmp_path: Path) -> None:
    error = await failed(google, google.key_file(tmp_path, key=rsa_key(1)))
    assert type(error) is CredentialRefused
    assert str(error) == f"the key file of {ACCOUNT} returned no token: invalid_grant: Invalid JWT Signature."


async def test_a_key_file_of_another_account_is_refused(google: GooglePeer, tmp_path: Path) -> None:
    error = await failed(google, google.key_file(tmp_path, "other@project.example"))
    assert str(error) == f"the key file of {ACCOUNT} cannot be used: it is that of other@project.example"


async def test_a_key_file_that_is_missing_or_none_is_told(google: GooglePeer, tmp_path: Path) -> None:
    assert str(await failed(google, tmp_path / "gone")) == (
        f"the key file of {ACCOUNT} cannot be used: No such file or directory"
    )
    (tmp_path / "text").write_text("not json")
    assert str(await failed(google, tmp_path / "text")).startswith(f"the key file of {ACCOUNT} cannot be used: ")


async def test_a_token_endpoint_that_is_gone_is_told(google: GooglePeer, tmp_path: Path) -> None:
    google.url = "http://127.0.0.1:1"
    error = await failed(google, google.key_file(tmp_path))
    assert type(error) is CredentialUnavailable
    assert "127.0.0.1:1 cannot be reached" in str(error)


@pytest.mark.parametrize("text", ["a@p.example", "no address=/k", "a@p.example="])
def test_a_list_of_accounts_that_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must have the form EMAIL=KEY_FILE or EMAIL=impersonated"):
        parse_accounts(text)


PROGRAM = """
import asyncio
from openplaybook.credentials.identity.google_tokens import GoogleTokens

async def main():
    google = GoogleTokens()
    print((await google.own_access_token(["https://www.googleapis.com/auth/cloud-platform"])).value)
    print((await google.own_id_token("https://api.example")).value)

asyncio.run(main())
"""


@pytest.mark.proves("A1")
async def test_the_machines_own_identity_comes_from_its_metadata_server() -> None:
    """google-auth reads where that is when it is imported, so the client is a process of its own."""
    base = "/computeMetadata/v1/instance/service-accounts/default"
    signed = jwt.encode({"alg": "RS256"}, {"aud": "https://api.example", "exp": 32503680000}, rsa_key(1))

    def metadata(received: Received) -> bytes:
        assert received.header("Metadata-Flavor") == "Google"
        path, _, query = received.target.partition("?")
        flavor = {"Metadata_Flavor": "Google"}
        if path in (f"{base}/token", f"{base.replace('default', ACCOUNT)}/token"):
            return answer(b'{"access_token":"machine-token","expires_in":3600,"token_type":"Bearer"}', **flavor)
        if path == f"{base}/identity":
            assert dict(parse_qsl(query))["audience"] == "https://api.example"
            return answer(signed.encode(), content_type="text/html", **flavor)
        if path == f"{base}/":
            account = {"email": ACCOUNT, "scopes": [CLOUD_PLATFORM], "aliases": ["default"]}
            return answer(dumps(account), **flavor)
        return answer(b"project", content_type="text/plain", **flavor)

    async with http_peer(metadata) as peer:
        place = f"127.0.0.1:{peer.port}"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", PROGRAM),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**clean_environment(), "GCE_METADATA_HOST": place, "GCE_METADATA_IP": place, "HOME": "/nowhere"},
        )
        said, complained = await process.communicate()
    assert said.decode().split() == ["machine-token", signed], complained.decode()
