"""Secrets in a real store: sealed, versioned, found again."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.credentials.errors import SealedValueUnreadable
from openplaybook.credentials.sealer import Sealer
from openplaybook.credentials.secrets.local_secrets import LocalSecret, LocalSecrets, LocalSecretVersion
from openplaybook.resources.secret_names import SecretName, SecretVersionName
from openplaybook.storage.base import Put, Record, Store
from openplaybook.storage.errors import RecordNotFound
from openplaybook.storage.sqlite import SqliteStore
from tests.kit.sealing import KEY, SEALER

NAME = SecretName("p", "api-key")
_NOW = 1_700_000_000_000_000


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = SqliteStore(tmp_path / "openplaybook.db", clock=lambda: _NOW)
    await opened.open()
    yield opened
    await opened.close()


def contents(folder: Path) -> list[bytes]:
    found = [path.read_bytes() for path in folder.iterdir()]
    assert found != []
    return found


async def value(local: LocalSecrets, version: str) -> str | None:
    return await local.access(SecretVersionName.parse(f"{NAME}/versions/{version}"))


@pytest.mark.proves("A9")
async def test_each_value_is_a_version_and_latest_is_the_newest(store: Store) -> None:
    local = LocalSecrets(store, SEALER)
    assert await value(local, "latest") is None
    for number in range(1, 4):
        assert await local.add(NAME, f"v{number}") == LocalSecretVersion(f"{NAME}/versions/{number}", _NOW)
    assert [await value(local, version) for version in ("1", "2", "3", "latest", "4")] == ["v1", "v2", "v3", "v3", None]


async def test_values_do_not_lie_open_in_the_file(store: Store, tmp_path: Path) -> None:
    await LocalSecrets(store, SEALER).add(NAME, "planted-value")
    await store.close()
    assert all(b"planted-value" not in content for content in contents(tmp_path))


async def test_secrets_are_listed_by_project_without_values(store: Store) -> None:
    local, other = LocalSecrets(store, SEALER), SecretName("q", "token")
    await local.add(NAME, "v1")
    await local.add(NAME, "v2")
    await local.add(other, "v1")
    first = LocalSecret(
        str(NAME), (LocalSecretVersion(f"{NAME}/versions/1", _NOW), LocalSecretVersion(f"{NAME}/versions/2", _NOW))
    )
    second = LocalSecret(str(other), (LocalSecretVersion(f"{other}/versions/1", _NOW),))
    assert await local.list("-") == [first, second]
    assert await local.list("p") == [first]
    assert await local.list("r") == []


async def test_a_deleted_secret_is_gone_with_its_versions(store: Store) -> None:
    local = LocalSecrets(store, SEALER)
    await local.add(NAME, "v1")
    await local.add(SecretName("p", "api-key-2"), "other")
    await local.delete(NAME)
    assert [await value(local, version) for version in ("1", "latest")] == [None, None]
    assert [secret.name for secret in await local.list("-")] == ["projects/p/secrets/api-key-2"]
    with pytest.raises(RecordNotFound):
        await local.delete(NAME)


async def test_a_value_cannot_be_moved_to_another_name(store: Store) -> None:
    local = LocalSecrets(store, SEALER)
    await local.add(NAME, "v1")
    await local.add(NAME, "v2")
    first = await store.get(f"{NAME}/versions/1")
    second = await store.get(f"{NAME}/versions/2")
    assert first is not None
    assert second is not None
    [moved] = await store.apply([_put(second, first.body)])
    with pytest.raises(SealedValueUnreadable, match="versions/2 cannot be decrypted"):
        await value(local, "2")
    assert moved.body == first.body


async def test_values_are_sealed_anew_with_the_current_key(store: Store) -> None:
    await LocalSecrets(store, SEALER).add(NAME, "v1")
    new_key = bytes(32)
    both = LocalSecrets(store, Sealer([new_key, KEY]))
    await both.add(NAME, "v2")
    assert (await both.reseal(), await both.reseal()) == (1, 0)
    alone = LocalSecrets(store, Sealer([new_key]))
    assert [await value(alone, version) for version in ("1", "2", "latest")] == ["v1", "v2", "v2"]


def _put(record: Record, body: bytes) -> Put:
    return Put(record.name, record.kind, record.parent, record.root, body)
