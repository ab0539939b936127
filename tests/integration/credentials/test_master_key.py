"""The master key on a real file system, and its fit with a real store."""

import stat
from base64 import b64encode, urlsafe_b64encode
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from openplaybook.credentials.errors import MasterKeyUnusable
from openplaybook.credentials.master_key import KeyPlaces, find_master_keys, make_master_key
from openplaybook.credentials.sealer import Sealer, key_id
from openplaybook.credentials.store_sealer import renew_check, unlock
from openplaybook.storage.base import Store
from openplaybook.storage.sqlite import SqliteStore

KEY, OTHER = bytes(range(32)), bytes(32)


def encoded(key: bytes) -> str:
    return b64encode(key).decode()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = SqliteStore(tmp_path / "openplaybook.db")
    await opened.open()
    yield opened
    await opened.close()


def places(tmp_path: Path, *keys: bytes, file: Path | None = None) -> KeyPlaces:
    text = ",".join(map(encoded, keys))
    return KeyPlaces({"OPENPLAYBOOK_MASTER_KEY": text} if keys else {}, file, tmp_path)


def modes(folder: Path) -> dict[str, int]:
    """Of the key's file, and of what was needed to make it."""
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.glob("master*")}


async def test_the_first_start_makes_a_key_that_only_the_owner_can_read(store: Store, tmp_path: Path) -> None:
    sealer = await unlock(store, places(tmp_path))
    assert modes(tmp_path) == {"master.key": 0o600}
    assert (await unlock(store, places(tmp_path))).current == sealer.current


def test_of_many_who_make_the_key_at_once_all_use_the_same(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: make_master_key(places(tmp_path)), range(32)))
    assert len({keys.keys for keys in made}) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["master.key"]


def test_keys_are_read_from_the_environment_in_any_base64(tmp_path: Path) -> None:
    text = f"{urlsafe_b64encode(KEY).decode().rstrip('=')}, {encoded(OTHER)}"
    found = find_master_keys(KeyPlaces({"OPENPLAYBOOK_MASTER_KEY": text}, None, tmp_path))
    assert found is not None
    assert (found.keys, found.source) == ((KEY, OTHER), "OPENPLAYBOOK_MASTER_KEY")
    assert encoded(KEY) not in repr(found)


def test_keys_are_read_from_a_given_file_as_containers_mount_them(tmp_path: Path) -> None:
    file = tmp_path / "mounted"
    file.write_text(f"{encoded(KEY)}\n{encoded(OTHER)}\n")
    file.chmod(0o444)
    found = find_master_keys(places(tmp_path, file=file))
    assert found is not None
    assert (found.keys, found.source) == ((KEY, OTHER), str(file))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not!base64", "OPENPLAYBOOK_MASTER_KEY: master key 1 is not base64"),
        (encoded(KEY)[:-4], "OPENPLAYBOOK_MASTER_KEY: master key 1 has 30 bytes; it must be 32 random bytes as base64"),
        (f"{encoded(KEY)},{encoded(b'short')}", "OPENPLAYBOOK_MASTER_KEY: master key 2 has 5 bytes"),
        (" , ", "OPENPLAYBOOK_MASTER_KEY contains no master key"),
    ],
)
def test_a_malformed_key_is_refused_without_being_shown(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(MasterKeyUnusable, match=message) as caught:
        find_master_keys(KeyPlaces({"OPENPLAYBOOK_MASTER_KEY": text}, None, tmp_path))
    assert text not in str(caught.value)


def test_two_sources_of_keys_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MasterKeyUnusable, match="both OPENPLAYBOOK_MASTER_KEY and master_key_file are set"):
        find_master_keys(places(tmp_path, KEY, file=tmp_path / "key"))


def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "master.key"
    file.write_text(encoded(KEY))
    file.chmod(0o640)
    with pytest.raises(MasterKeyUnusable, match=r"mode 0640: others can read the master key; chmod 600 it"):
        find_master_keys(places(tmp_path))


def test_a_given_key_file_that_others_can_change_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mounted"
    file.write_text(encoded(KEY))
    file.chmod(0o622)
    with pytest.raises(MasterKeyUnusable, match=r"mode 0622: others can change the master key"):
        find_master_keys(places(tmp_path, file=file))


@pytest.mark.parametrize(("content", "message"), [(None, "No such file"), (b"\xff", "is not base64 text")])
def test_a_key_file_that_cannot_be_used_is_named(tmp_path: Path, content: bytes | None, message: str) -> None:
    file = tmp_path / "mounted"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(MasterKeyUnusable, match=message) as caught:
        find_master_keys(places(tmp_path, file=file))
    assert str(file) in str(caught.value)


def test_a_key_that_cannot_be_written_says_where(tmp_path: Path) -> None:
    with pytest.raises(MasterKeyUnusable, match=r"cannot be written to .*master\.key: No such file or directory"):
        make_master_key(places(tmp_path / "gone"))


def test_a_key_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    (tmp_path / "master.key").mkdir(mode=0o700)
    with pytest.raises(MasterKeyUnusable, match=r"master\.key cannot be read: Is a directory"):
        find_master_keys(places(tmp_path))


async def test_another_key_is_refused_and_nothing_is_changed(store: Store, tmp_path: Path) -> None:
    await unlock(store, places(tmp_path, KEY))
    before = await store.get("keys/check")
    with pytest.raises(MasterKeyUnusable) as caught:
        await unlock(store, places(tmp_path, OTHER))
    assert str(caught.value) == (
        f"the master key in OPENPLAYBOOK_MASTER_KEY ({key_id(OTHER)}) does not fit the data in {tmp_path}, which is "
        f"sealed with {key_id(KEY)}; give that key, behind a new one and a comma if it is to be replaced"
    )
    assert await store.get("keys/check") == before
    assert (await unlock(store, places(tmp_path, KEY))).current == key_id(KEY)


async def test_sealed_data_without_a_key_is_refused_and_no_key_is_made(store: Store, tmp_path: Path) -> None:
    await unlock(store, places(tmp_path, KEY))
    with pytest.raises(MasterKeyUnusable, match=f"sealed with the master key {key_id(KEY)}, and there is none"):
        await unlock(store, places(tmp_path))
    assert not (tmp_path / "master.key").exists()


async def test_a_new_key_goes_before_the_old_one_until_everything_is_sealed_anew(store: Store, tmp_path: Path) -> None:
    await unlock(store, places(tmp_path, KEY))
    both = await unlock(store, places(tmp_path, OTHER, KEY))
    assert both.current == key_id(OTHER)
    await renew_check(store, both)
    assert (await unlock(store, places(tmp_path, OTHER))).current == Sealer([OTHER]).current
