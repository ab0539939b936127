"""Archives that are not what they should be."""

import gzip
import io
import tarfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.jsonvalues import as_object, dumps, loads
from openplaybook.server.backups.manifest import DATABASE, MASTER_KEY, NAME, Manifest, write_manifest
from openplaybook.server.backups.tar_archive import extract, member_of, write_archive
from openplaybook.server.errors import BackupUnusable

CONTENT = b"a database" * 10_000
KEY = b"a key\n"


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    (tmp_path / "db").write_bytes(CONTENT)
    (tmp_path / "key").write_bytes(KEY)
    members = {DATABASE: member_of(tmp_path / "db"), MASTER_KEY: member_of(tmp_path / "key")}
    return Manifest("1.2.3", 2, "2026-01-02T03:04:05+00:00", members)


@pytest.fixture
def archive(manifest: Manifest, tmp_path: Path) -> Path:
    write_archive(tmp_path / "b.tar.gz", manifest, {DATABASE: tmp_path / "db", MASTER_KEY: tmp_path / "key"}, 0)
    return tmp_path / "b.tar.gz"


def folder_in(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def made_of(path: Path, *members: tuple[str, bytes], kind: bytes = tarfile.REGTYPE) -> None:
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members:
            entry = tarfile.TarInfo(name)
            entry.size, entry.type, entry.linkname = len(content), kind if name != NAME else tarfile.REGTYPE, "/etc"
            tar.addfile(entry, io.BytesIO(content))


def refusal(path: Path, tmp_path: Path) -> str:
    with pytest.raises(BackupUnusable) as refused:
        extract(path, folder_in(tmp_path))
    return str(refused.value)


def test_what_was_written_is_read_again(archive: Path, manifest: Manifest, tmp_path: Path) -> None:
    out = folder_in(tmp_path)
    assert extract(archive, out) == manifest
    assert {path.name: path.read_bytes() for path in out.iterdir()} == {DATABASE: CONTENT, MASTER_KEY: KEY}
    with tarfile.open(archive) as tar:
        assert [(entry.name, entry.mode) for entry in tar] == [(NAME, 0o600), (DATABASE, 0o600), (MASTER_KEY, 0o600)]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda content: b"", "it is not a backup"),
        (lambda content: b"not an archive at all", "it is not a backup, or it is damaged"),
        (lambda content: content[: len(content) // 2], "it is not a backup, or it is damaged"),
        (lambda content: content[:-200], "damaged|lacks"),
        (
            lambda content: gzip.compress(gzip.decompress(content).replace(b"a key", b"b key")),
            "does not match its manifest",
        ),
        (lambda content: gzip.compress(gzip.decompress(content)[:1024]), "it lacks master.key, openplaybook.db"),
    ],
)
def test_a_damaged_archive_is_refused(
    archive: Path, tmp_path: Path, damage: Callable[[bytes], bytes], message: str
) -> None:
    archive.write_bytes(damage(archive.read_bytes()))
    with pytest.raises(BackupUnusable, match=message):
        extract(archive, folder_in(tmp_path))


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside", "other.db", "openplaybook.db/../../x"])
def test_only_what_the_manifest_names_is_written(manifest: Manifest, tmp_path: Path, name: str) -> None:
    made_of(tmp_path / "b", (NAME, write_manifest(manifest)), (name, b"x"))
    assert refusal(tmp_path / "b", tmp_path) == f"it contains {name!r}, which its manifest does not name"
    assert list((tmp_path / "out").iterdir()) == []


def test_a_manifest_cannot_name_other_files(manifest: Manifest, tmp_path: Path) -> None:
    more = replace(manifest, files={**manifest.files, "../.profile": manifest.files[MASTER_KEY]})
    made_of(tmp_path / "b", (NAME, write_manifest(more)), ("../.profile", KEY))
    assert refusal(tmp_path / "b", tmp_path) == "its manifest.json names other files than those of a backup"


def test_links_are_not_followed(manifest: Manifest, tmp_path: Path) -> None:
    made_of(tmp_path / "b", (NAME, write_manifest(manifest)), (DATABASE, b""), kind=tarfile.SYMTYPE)
    assert refusal(tmp_path / "b", tmp_path) == "it contains 'openplaybook.db', which its manifest does not name"


def test_no_more_is_written_than_the_manifest_says(manifest: Manifest, tmp_path: Path) -> None:
    made_of(tmp_path / "b", (NAME, write_manifest(manifest)), (DATABASE, b"0" * 50_000_000))
    assert refusal(tmp_path / "b", tmp_path).startswith("its openplaybook.db does not match its manifest")
    assert (tmp_path / "out" / DATABASE).stat().st_size < 3_000_000


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_SPARSE, tarfile.CHRTYPE])
@pytest.mark.parametrize("before", [True, False])
def test_other_kinds_of_members_are_refused_before_they_are_read(
    manifest: Manifest, tmp_path: Path, kind: bytes, before: bool
) -> None:
    entry = tarfile.TarInfo("bomb")
    # What it announces would be read into memory: none of it is there.
    entry.type, entry.size = kind, 1 << 40
    header = entry.tobuf(tarfile.GNU_FORMAT)
    made_of(tmp_path / "plain", (NAME, write_manifest(manifest)))
    rest = gzip.decompress((tmp_path / "plain").read_bytes())[:1024]
    (tmp_path / "b").write_bytes(gzip.compress(header if before else rest + header))
    assert refusal(tmp_path / "b", tmp_path) == "it contains 'bomb', which its manifest does not name"


def test_a_backup_that_does_not_fit_on_the_disk_is_refused_first(manifest: Manifest, tmp_path: Path) -> None:
    huge = replace(manifest, files={DATABASE: replace(manifest.files[DATABASE], bytes=1 << 60)})
    made_of(tmp_path / "b", (NAME, write_manifest(huge)), (DATABASE, CONTENT))
    assert refusal(tmp_path / "b", tmp_path).startswith("it needs 1,152,921,504,606,846,976 bytes, but only ")
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 3}, "it was written by a newer version of OpenPlaybook (1.2.3); use that one"),
        ({"format": "new"}, "its manifest.json is damaged"),
        ({"schema": None}, "its manifest.json is damaged"),
        ({"created": "\x1b]0;of the terminal\x07"}, "its manifest.json is damaged"),
        ({"format": 3, "version": "2\x1b[2J"}, "its manifest.json is damaged"),
        ({"files": {"openplaybook.db": {}}}, "its manifest.json is damaged"),
        ({"files": {}}, "its manifest.json names other files than those of a backup"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_refused(
    manifest: Manifest, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    said = {**as_object(loads(write_manifest(manifest))), **change}
    made_of(tmp_path / "b", (NAME, dumps(said)), (DATABASE, CONTENT))
    assert refusal(tmp_path / "b", tmp_path) == message


def test_a_file_that_does_not_begin_with_its_manifest_is_no_backup(tmp_path: Path) -> None:
    made_of(tmp_path / "b", (DATABASE, CONTENT))
    assert refusal(tmp_path / "b", tmp_path) == "it is not a backup: it does not begin with manifest.json"


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none", tmp_path) == "No such file or directory"
