"""Secrets in Secret Manager, as its discovery document describes it."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from openplaybook.credentials.errors import CredentialError, CredentialRefused, CredentialUnavailable
from openplaybook.credentials.secrets.base import SecretBackend
from openplaybook.credentials.secrets.configured_backends import BackendSources, EnvironmentSecrets, build_backends
from openplaybook.credentials.token_cache import IssuedToken
from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.secret_names import SecretName
from tests.kit.egress import on_loopback
from tests.kit.http_peer import HttpPeer, http_peer
from tests.kit.secret_peers import SecretManagerPeer

NAME = SecretName("my-project", "api-key")


class Google:
    """Gives this server tokens."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    async def token(self, scopes: Sequence[str]) -> IssuedToken:
        self.asked.append(tuple(scopes))
        return IssuedToken("ya29.token", 3600)


@asynccontextmanager
async def opened(
    manager: SecretManagerPeer, google: Google | None = None, options: str = ""
) -> AsyncGenerator[tuple[SecretBackend, HttpPeer]]:
    transport = on_loopback()
    async with http_peer(manager) as peer:
        surroundings = BackendSources({}, transport, (google or Google()).token)
        [backend] = build_backends(f"google:{peer.url}{options}", EnvironmentSecrets({}), surroundings)
        yield backend, peer
        await transport.aclose()


async def values(backend: SecretBackend, *versions: str) -> list[str | None]:
    return [await backend.access(NAME.version(version)) for version in versions]


async def told(manager: SecretManagerPeer, options: str = "") -> CredentialError:
    async with opened(manager, options=options) as (backend, _):
        with pytest.raises(CredentialError) as caught:
            await values(backend, "latest")
        return caught.value


@pytest.mark.proves("A9")
async def test_versions_are_read_with_one_token_for_googles_apis() -> None:
    google, manager = Google(), SecretManagerPeer({str(NAME): [b"v1", "v2 ü".encode()]})
    async with opened(manager, google) as (backend, peer):
        assert await values(backend, "1", "2", "latest", "3") == ["v1", "v2 ü", "v2 ü", None]
    assert google.asked == [("https://www.googleapis.com/auth/cloud-platform",)]
    assert [request.target for request in peer.requests][:1] == [
        "/v1/projects/my-project/secrets/api-key/versions/1:access"
    ]


async def test_a_payload_that_was_damaged_on_its_way_is_not_used() -> None:
    error = await told(SecretManagerPeer({str(NAME): [b"planted"]}, damaged=True))
    assert isinstance(error, CredentialUnavailable)
    assert str(error) == f"Secret Manager's response for {NAME}/versions/latest was damaged in transit"


def without_payload(body: JsonObject) -> JsonObject:
    return {"name": body["name"]}


def not_base64(body: JsonObject) -> JsonObject:
    return {**body, "payload": {"data": "*"}}


@pytest.mark.parametrize(
    "manager",
    [
        SecretManagerPeer({str(NAME): [b"\xff"]}),
        SecretManagerPeer({str(NAME): [b"v"]}, edit=without_payload),
        SecretManagerPeer({str(NAME): [b"v"]}, edit=not_base64),
    ],
)
async def test_an_answer_without_text_is_not_used(manager: SecretManagerPeer) -> None:
    assert "contains no text" in str(await told(manager))


async def test_a_disabled_version_says_so() -> None:
    error = await told(SecretManagerPeer({str(NAME): [None]}))
    assert isinstance(error, CredentialRefused)
    assert str(error) == (
        f"Secret Manager, asked for {NAME}/versions/latest, answered 400: "
        f"Secret Version [{NAME}/versions/1] is in DISABLED state."
    )


async def test_a_refused_token_says_so_without_the_token() -> None:
    error = await told(SecretManagerPeer({str(NAME): [b"v"]}, token="another"))
    assert isinstance(error, CredentialRefused)
    assert "answered 401: Request had invalid authentication." in str(error)
    assert "ya29" not in str(error)


async def test_a_disturbance_is_one() -> None:
    assert isinstance(await told(SecretManagerPeer(status="503 Service Unavailable")), CredentialUnavailable)


async def test_a_token_file_takes_the_place_of_googles_library(tmp_path: Path) -> None:
    file, google = tmp_path / "token", Google()
    file.write_text("ya29.file\n")
    manager = SecretManagerPeer({str(NAME): [b"v"]}, token="ya29.file")
    async with opened(manager, google, f"?token_file={file}") as (backend, _):
        assert await values(backend, "latest") == ["v"]
    assert google.asked == []


async def test_the_check_reads_no_secret() -> None:
    async with opened(SecretManagerPeer()) as (backend, peer):
        await backend.check()
    assert [request.target for request in peer.requests] == ["/$discovery/rest?version=v1"]
    async with opened(SecretManagerPeer(status="404 Not Found")) as (backend, _):
        with pytest.raises(CredentialRefused, match="is this its address"):
            await backend.check()
