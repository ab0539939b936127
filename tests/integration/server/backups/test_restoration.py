"""Backups, and data directories made from them."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from openplaybook.server.backups.backup_writer import back_up
from openplaybook.server.backups.manifest import DATABASE, MASTER_KEY
from openplaybook.server.backups.tar_archive import extract, member_of, write_archive
from openplaybook.server.errors import BackupUnusable, SettingsError
from openplaybook.server.settings import Settings
from openplaybook.storage.data_directory import DataDirectory
from openplaybook.storage.errors import StoreUnusable
from tests.kit.thoroughness import IS_WHOLE

from .kit import fill, held, kept, leave, leave_as_killed, put_back

PROGRAM = Path(__file__).with_name("restore_until_killed.py")
EVERY_STEP = 1 if IS_WHOLE else 3


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """Of a directory that held `saved`, with its key."""
    leave(tmp_path / "origin", "saved")
    back_up(Settings(data_dir=tmp_path / "origin"), tmp_path / "backup.tar.gz", with_key=True, force=False)
    return tmp_path / "backup.tar.gz"


@pytest.fixture
def backup_with_documents(tmp_path: Path) -> Path:
    """The same, with a document of a data store."""
    leave(tmp_path / "full", "saved")
    fill(tmp_path / "full", "saved")
    back_up(Settings(data_dir=tmp_path / "full"), tmp_path / "full.tar.gz", with_key=True, force=False)
    return tmp_path / "full.tar.gz"


def test_what_was_saved_comes_back_in_an_empty_directory(backup: Path, tmp_path: Path) -> None:
    done = put_back(tmp_path / "new", backup)
    assert (done.aside, done.objection) == (None, "")
    assert kept(tmp_path / "new") == "saved"
    assert {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "new").iterdir()} == {
        DATABASE: 0o600,
        MASTER_KEY: 0o600,
        "server.lock": 0o600,
    }
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


def test_a_backup_is_for_its_user_alone_and_says_what_it_is(backup: Path, tmp_path: Path) -> None:
    assert backup.stat().st_mode & 0o777 == 0o600
    manifest = back_up(Settings(data_dir=tmp_path / "origin"), tmp_path / "b", with_key=False, force=False)
    assert (list(manifest.files), manifest.has_key) == ([DATABASE], False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "backup.tar.gz", "origin"], "nothing is left over"


def test_a_backup_is_replaced_only_when_that_is_wanted(backup: Path, tmp_path: Path) -> None:
    before = backup.read_bytes()
    settings = Settings(data_dir=tmp_path / "origin")
    with pytest.raises(BackupUnusable, match="exists; choose another name, or replace it with --force"):
        back_up(settings, backup, with_key=True, force=False)
    assert backup.read_bytes() == before
    leave(tmp_path / "origin", "later")
    back_up(settings, backup, with_key=True, force=True)
    put_back(tmp_path / "new", backup)
    assert kept(tmp_path / "new") == "later"


def test_data_that_are_there_are_replaced_only_when_that_is_wanted_and_kept(backup: Path, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "used")
    leave(settings.data_dir, "of before")
    with pytest.raises(BackupUnusable, match="already contains data; --force moves them aside"):
        put_back(settings.data_dir, backup)
    assert kept(settings.data_dir) == "of before"
    done = put_back(settings.data_dir, backup, force=True)
    assert kept(settings.data_dir) == "saved"
    assert done.aside is not None
    assert kept(done.aside) == "of before"


def test_damaged_data_are_replaced_too_with_the_log_that_was_theirs(backup: Path, tmp_path: Path) -> None:
    folder = tmp_path / "used"
    leave(folder, "of before")
    (folder / DATABASE).write_bytes(b"torn to pieces " * 500)
    (folder / f"{DATABASE}-wal").write_bytes(b"the log of the old database")
    done = put_back(folder, backup, force=True)
    assert kept(folder) == "saved"
    assert done.aside is not None
    assert (done.aside / DATABASE).read_bytes() == b"torn to pieces " * 500
    assert sorted(path.name for path in done.aside.iterdir()) == [MASTER_KEY, DATABASE]


def test_nothing_is_restored_under_a_running_server(backup: Path, tmp_path: Path) -> None:
    directory = DataDirectory(tmp_path / "origin")
    directory.acquire()
    with pytest.raises(StoreUnusable, match="is in use by another server"):
        put_back(tmp_path / "origin", backup, force=True)
    directory.release()
    assert kept(tmp_path / "origin") == "saved"


def test_without_the_key_in_it_a_backup_says_which_one_it_takes(tmp_path: Path) -> None:
    origin = Settings(data_dir=tmp_path / "origin")
    leave(origin.data_dir, "saved")
    back_up(origin, tmp_path / "b", with_key=False, force=False)
    new = tmp_path / "new"
    done = put_back(new, tmp_path / "b")
    assert done.objection.startswith(f"the data in {new} is sealed with the master key ")
    with pytest.raises(SettingsError, match="put it back"):
        kept(new)
    shutil.copy(origin.data_dir / MASTER_KEY, new / MASTER_KEY)
    assert kept(new) == "saved"


def test_a_key_that_is_kept_elsewhere_is_not_put_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(data_dir=tmp_path / "origin")
    leave(settings.data_dir, "saved")
    monkeypatch.setenv("OPENPLAYBOOK_MASTER_KEY", (settings.data_dir / MASTER_KEY).read_text())
    with pytest.raises(SettingsError, match="it is given by OPENPLAYBOOK_MASTER_KEY: keep that"):
        back_up(settings, tmp_path / "b", with_key=True, force=False)
    assert not (tmp_path / "b").exists()


def test_the_backup_of_a_newer_version_is_refused(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    manifest = extract(backup, tmp_path / "out")
    database = tmp_path / "out" / DATABASE
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA user_version = 99")
    newer = replace(manifest, files={DATABASE: member_of(database)})
    write_archive(tmp_path / "newer", newer, {DATABASE: database}, 0)
    with pytest.raises(BackupUnusable, match="written by a newer version of OpenPlaybook"):
        put_back(tmp_path / "new", tmp_path / "newer")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["server.lock"]


def test_there_is_nothing_to_save_in_an_empty_directory(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="there is no database"):
        back_up(Settings(data_dir=tmp_path / "none"), tmp_path / "b", with_key=False, force=False)
    assert list(tmp_path.iterdir()) == []


def test_data_in_postgresql_are_for_its_own_tools(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, database_url="postgresql://ann:s3cret@db.example/agents")
    with pytest.raises(BackupUnusable, match="pg_dump --format=custom") as refused:
        back_up(settings, tmp_path / "b", with_key=False, force=False)
    assert "s3cret" not in str(refused.value)


@pytest.fixture
def restore_until_killed(backup_with_documents: Path) -> Iterator[Callable[[int, Path], int]]:
    """Restores the backup into a folder in a process that dies before the N-th step; gives its exit code."""
    command = [sys.executable, PROGRAM, backup_with_documents]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin
        assert program.stdout
        commands, codes = program.stdin, program.stdout

        def run(steps: int, folder: Path) -> int:
            commands.write(f"{steps} {folder}\n")
            commands.flush()
            return int(codes.readline())

        yield run


@pytest.mark.sweep
def test_who_is_killed_while_restoring_leaves_the_data_of_before(
    restore_until_killed: Callable[[int, Path], int], backup_with_documents: Path, tmp_path: Path
) -> None:
    """SIGKILL before every single step, or some; each time either all of before is there or all of the backup."""
    leave_as_killed(tmp_path / "used", "of before")
    fill(tmp_path / "used", "of before")
    outcomes: list[str | None] = []
    for steps in count(1, EVERY_STEP):
        folder = tmp_path / f"killed-{steps}"
        shutil.copytree(tmp_path / "used", folder)
        code = restore_until_killed(steps, folder)
        outcomes.append(kept(folder))
        assert held(folder)[0] == [outcomes[-1]], "documents are those of the database"
        if code == 0:
            break
        assert code == -signal.SIGKILL
        assert put_back(folder, backup_with_documents, force=True).objection == ""
        assert (kept(folder), held(folder)[0]) == ("saved", ["saved"]), "the next one finishes"
        shutil.rmtree(folder)
    first_new = outcomes.index("saved")
    assert outcomes == ["of before"] * first_new + ["saved"] * (len(outcomes) - first_new)
    assert first_new * EVERY_STEP > 10
