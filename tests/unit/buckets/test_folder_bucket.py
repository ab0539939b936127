"""Folders that stand for buckets."""

from pathlib import Path

import pytest

from openplaybook.buckets.errors import BucketUnusable, ObjectMissing, ObjectTooLarge
from openplaybook.buckets.folder_bucket import FolderBucket


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "exports"
    made.mkdir()
    return made


@pytest.fixture
def bucket(folder: Path) -> FolderBucket:
    return FolderBucket("exports", folder, most_bytes=4)


async def test_what_is_written_is_read(bucket: FolderBucket, folder: Path) -> None:
    for content in (b"one", b"two"):
        await bucket.write("agents/a.zip", content)
        assert await bucket.read("agents/a.zip") == content
    assert [path.name for path in (folder / "agents").iterdir()] == ["a.zip"]


@pytest.mark.parametrize("name", ["", "../a", "a/../../b", "/a", "./a", "a//b", "a\\b", "a\x00", "a" * 256])
async def test_a_name_that_is_no_file_of_the_folder_is_refused(bucket: FolderBucket, name: str) -> None:
    assert bucket.fault(name) == "cannot be a file in the folder that stands for the bucket"
    with pytest.raises(BucketUnusable):
        await bucket.write(name, b"1")


def test_a_name_longer_than_any_object_has_is_refused_before_the_folder_is_looked_at(bucket: FolderBucket) -> None:
    assert bucket.fault("a/" * 511 + "a") == ""
    assert bucket.fault("a/" * 512 + "a") == "has a name of more than 1024 bytes, which no object can have"


async def test_a_link_does_not_lead_out(bucket: FolderBucket, folder: Path) -> None:
    (folder.parent / "secret").write_text("x")
    (folder / "link").symlink_to(folder.parent / "secret")
    assert bucket.fault("link") == "leads out of its bucket"
    with pytest.raises(BucketUnusable, match="'gs://exports/link' leads out of its bucket"):
        await bucket.read("link")


async def test_an_object_that_is_missing_or_too_large_is_refused(bucket: FolderBucket) -> None:
    with pytest.raises(ObjectMissing, match="the object gs://exports/a does not exist"):
        await bucket.read("a")
    await bucket.write("a", b"12345")
    with pytest.raises(ObjectTooLarge, match="gs://exports/a is larger than 4 bytes"):
        await bucket.read("a")


async def test_a_check_finds_a_folder_that_cannot_be_used(bucket: FolderBucket, tmp_path: Path) -> None:
    await bucket.check()
    with pytest.raises(BucketUnusable, match="gone cannot be read and written by this server"):
        await FolderBucket("gone", tmp_path / "gone").check()


async def test_an_error_of_the_file_system_does_not_show_the_servers_path(bucket: FolderBucket) -> None:
    await bucket.write("a", b"1")
    with pytest.raises(BucketUnusable) as refused:
        await bucket.write("a/b", b"1")
    assert str(refused.value) == "gs://exports/a/b cannot be written: File exists"


async def test_names_are_those_of_files_that_are_not_hidden(bucket: FolderBucket, folder: Path) -> None:
    for name in ("a/1", "a/b/2", "a/.hidden", ".git/x", "c"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    (folder / "a" / "link").symlink_to(folder / "c")
    assert await bucket.names("") == ["a/1", "a/b/2", "c"]
    assert await bucket.names("a/b") == ["a/b/2"]
    assert await bucket.names("a/") == ["a/1", "a/b/2"]
    assert await bucket.names("../") == []
    assert await bucket.names("none/x") == []
