"""Folders that agents are pulled into."""

import json
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.errors import MalformedFile, UnsafeArchive
from openplaybook.packages.package_files import zip_of
from openplaybook.sync.checkout import RECORD, check_local, check_remote, read_record, write_folder
from openplaybook.sync.comparable_files import ComparableFiles, read_contents
from openplaybook.sync.errors import LocalChanges, RemoteChanged

REMOTE = "projects/p/locations/l/agents/a"
DESK = "playbooks/Desk/Desk.json"


def agent(goal: str = "Help.", *extra: str) -> ComparableFiles:
    """An agent of one playbook, and of one more of each further name."""
    files: dict[str, JsonObject] = {"agent.json": {"displayName": "A"}}
    for name in ("Desk", *extra):
        files[f"playbooks/{name}/{name}.json"] = {"name": f"id-{name}", "displayName": name, "goal": goal}
    return read_contents(zip_of({path: json.dumps(content).encode() for path, content in files.items()}), REMOTE)


def pull(folder: Path, contents: ComparableFiles) -> None:
    check_local(folder, REMOTE, contents)
    write_folder(folder, REMOTE, contents)


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def edit(folder: Path, goal: str) -> None:
    file = folder / DESK
    file.write_text(json.dumps({**json.loads(file.read_text()), "goal": goal}))


@pytest.mark.proves("X2")
def test_a_folder_holds_what_was_pulled_and_knows_it(tmp_path: Path) -> None:
    pull(tmp_path / "new", agent())
    assert files_in(tmp_path / "new") == {"agent.json", DESK, RECORD}
    assert read_contents(tmp_path / "new", REMOTE).files == agent().files
    record = read_record(tmp_path / "new")
    assert record is not None
    assert (record.remote, record.files) == (REMOTE, agent().digests)


def test_a_pull_brings_a_folder_up_to_date_and_leaves_other_files(tmp_path: Path) -> None:
    pull(tmp_path, agent("Help.", "Sales"))
    (tmp_path / "README.md").write_text("Mine.")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref")
    pull(tmp_path, agent("Help more."))
    assert files_in(tmp_path) == {"agent.json", DESK, RECORD, "README.md", ".git/HEAD"}
    assert not (tmp_path / "playbooks" / "Sales").exists()
    assert json.loads((tmp_path / DESK).read_text())["goal"] == "Help more."


def test_what_was_done_in_a_folder_is_not_undone(tmp_path: Path) -> None:
    pull(tmp_path, agent())
    edit(tmp_path, "Mine.")
    with pytest.raises(LocalChanges) as refusal:
        check_local(tmp_path, REMOTE, agent("Theirs."))
    assert str(refusal.value) == f"{tmp_path} was changed since the pull ({DESK}); --force undoes that"
    # What came to be the same on both sides is no loss.
    check_local(tmp_path, REMOTE, agent("Mine."))


def test_another_formatting_is_no_change(tmp_path: Path) -> None:
    pull(tmp_path, agent())
    edit(tmp_path, "Help.")
    check_local(tmp_path, REMOTE, agent("Theirs."))


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    check_local(tmp_path, REMOTE, agent())
    (tmp_path / "thesis.txt").write_text("Long.")
    with pytest.raises(LocalChanges, match=r"exists, but was not pulled; --force writes into it$"):
        check_local(tmp_path, REMOTE, agent())
    with pytest.raises(LocalChanges, match="exists, but was not pulled"):
        check_local(tmp_path / "thesis.txt", REMOTE, agent())


def test_a_folder_of_another_agent_is_left_alone(tmp_path: Path) -> None:
    pull(tmp_path, agent())
    with pytest.raises(LocalChanges, match=f"was pulled from {REMOTE}; --force replaces it with {REMOTE}2"):
        check_local(tmp_path, f"{REMOTE}2", agent())


def test_an_agent_that_was_changed_there_is_not_overwritten(tmp_path: Path) -> None:
    pull(tmp_path, agent())
    record = read_record(tmp_path)
    check_remote(record, REMOTE, agent())
    check_remote(record, f"{REMOTE}2", agent("Theirs."))
    check_remote(None, REMOTE, agent("Theirs."))
    with pytest.raises(RemoteChanged) as refusal:
        check_remote(record, REMOTE, agent("Theirs.", *"123456"))
    shown = ", ".join(f"playbooks/{number}/{number}.json" for number in "12345")
    assert str(refusal.value) == (
        f"{REMOTE} was changed since it was pulled ({shown} and 2 more); "
        "pull it again, or push with --force to undo that"
    )


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"remote": "r", "files": []}'])
def test_a_record_that_is_none_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / RECORD).parent.mkdir()
    (tmp_path / RECORD).write_text(content)
    with pytest.raises(MalformedFile) as refusal:
        read_record(tmp_path)
    assert refusal.value.file == RECORD


def test_a_file_has_no_record(tmp_path: Path) -> None:
    (tmp_path / "agent.zip").write_bytes(b"")
    assert read_record(tmp_path / "agent.zip") is None


@pytest.mark.parametrize("path", ["../mine.txt", "{outside}", "playbooks/../../mine.txt"])
def test_a_record_that_names_files_outside_of_its_folder_takes_nothing_away(path: str, tmp_path: Path) -> None:
    folder, outside = tmp_path / "checkout", tmp_path / "mine.txt"
    outside.write_text("mine")
    pull(folder, agent())
    record = {"remote": REMOTE, "files": {**agent().digests, path.format(outside=outside): "0"}}
    (folder / RECORD).write_text(json.dumps(record))
    with pytest.raises(UnsafeArchive):
        pull(folder, agent("Help more."))
    assert outside.read_text() == "mine"
    assert json.loads((folder / DESK).read_text())["goal"] == "Help."


@pytest.mark.parametrize("link", ["playbooks", ".openplaybook", "playbooks/Desk/Desk.json"])
def test_nothing_is_written_through_a_link_of_a_checkout(link: str, tmp_path: Path) -> None:
    folder, outside = tmp_path / "checkout", tmp_path / "outside"
    outside.mkdir()
    (folder / link).parent.mkdir(parents=True)
    (folder / link).symlink_to(outside)
    with pytest.raises(UnsafeArchive, match="is a symbolic link"):
        write_folder(folder, REMOTE, agent())
    assert files_in(outside) == set()
    assert not (folder / "agent.json").exists()
