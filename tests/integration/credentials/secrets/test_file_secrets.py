"""Secrets in mounted files, as Kubernetes, Docker and systemd put them."""

from pathlib import Path

import pytest

from openplaybook.credentials.errors import CredentialUnavailable
from openplaybook.credentials.secrets.file_secrets import FileSecrets
from openplaybook.resources.secret_names import SecretName

NAME = SecretName("p", "api-key")


async def values(folder: Path, *versions: str) -> list[str | None]:
    return [await FileSecrets(folder).access(NAME.version(version)) for version in versions]


@pytest.mark.proves("A9")
async def test_a_file_is_every_version_of_its_secret(tmp_path: Path) -> None:
    (tmp_path / "api-key").write_text("planted")
    assert await values(tmp_path, "latest", "1", "7") == ["planted"] * 3


async def test_a_folder_has_a_file_for_each_version(tmp_path: Path) -> None:
    (tmp_path / "api-key").mkdir()
    for version in ("1", "2", "latest"):
        (tmp_path / "api-key" / version).write_text(f"v{version}")
    assert await values(tmp_path, "1", "2", "latest", "3") == ["v1", "v2", "vlatest", None]


async def test_without_a_file_of_that_name_latest_is_the_highest_number(tmp_path: Path) -> None:
    (tmp_path / "api-key").mkdir()
    assert await values(tmp_path, "latest") == [None]
    for version in ("9", "10", "notes"):
        (tmp_path / "api-key" / version).write_text(f"v{version}")
    assert await values(tmp_path, "latest") == ["v10"]


async def test_a_secret_without_a_file_is_not_here(tmp_path: Path) -> None:
    assert await values(tmp_path, "latest") == [None]


def mounted(folder: Path, revision: str, value: str) -> None:
    """What the kubelet does: a new folder, and `..data` turned to it in one step."""
    (folder / revision).mkdir()
    (folder / revision / "api-key").write_text(value)
    (folder / "..data_tmp").symlink_to(revision)
    (folder / "..data_tmp").rename(folder / "..data")
    if not (folder / "api-key").is_symlink():
        (folder / "api-key").symlink_to("..data/api-key")


async def test_kubernetes_exchanges_a_secret_under_a_running_server(tmp_path: Path) -> None:
    mounted(tmp_path, "..2026_01_01", "old")
    assert await values(tmp_path, "latest") == ["old"]
    mounted(tmp_path, "..2026_01_02", "new")
    assert await values(tmp_path, "latest") == ["new"]


async def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("planted")
    folder = tmp_path / "mounted"
    folder.mkdir()
    (folder / "api-key").symlink_to("../outside")
    with pytest.raises(CredentialUnavailable, match="leads out of the secrets' folder"):
        await values(folder, "latest")


@pytest.mark.parametrize(
    ("content", "message"), [(b"x" * 65537, "is larger than 65536 bytes"), (b"\xff\xfe", "is not UTF-8 text")]
)
async def test_a_file_that_is_no_secret_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "api-key").write_bytes(content)
    with pytest.raises(CredentialUnavailable, match=message):
        await values(tmp_path, "latest")


async def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "api-key" / "1").mkdir(parents=True)
    with pytest.raises(CredentialUnavailable, match=r"^the file of the secret api-key cannot be read: Is a directory"):
        await values(tmp_path, "1")


async def test_a_folder_that_is_not_there_is_told_by_the_check(tmp_path: Path) -> None:
    await FileSecrets(tmp_path).check()
    with pytest.raises(CredentialUnavailable, match="nowhere does not exist"):
        await FileSecrets(tmp_path / "nowhere").check()
