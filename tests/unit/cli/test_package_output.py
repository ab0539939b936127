from pathlib import Path

import pytest

from openplaybook.cli.errors import CommandError
from openplaybook.cli.package_output import write_folder, write_package
from openplaybook.packages.package_files import zip_of

APP = {"app.json": b"{}", "agents/a/a.json": b"1", "agents/a/instruction.txt": b"x"}


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_package_becomes_a_folder_without_the_folder_it_is_wrapped_in(tmp_path: Path) -> None:
    package = zip_of({f"My_App/{path}": content for path, content in APP.items()})
    write_package(package, f"{tmp_path}/out/", "unused.zip")
    assert files_in(tmp_path / "out") == APP
    write_package(package, str(tmp_path / "out.zip"), "unused.zip")
    assert (tmp_path / "out.zip").read_bytes() == package


def test_a_folder_that_held_a_package_loses_what_is_gone_and_nothing_else(tmp_path: Path) -> None:
    write_folder({**APP, "tools/gone/gone.json": b"1", "agents/gone/gone.json": b"1"}, tmp_path)
    others = {"README.md": b"mine", ".git/HEAD": b"ref", "evaluations/e/e.json": b"2"}
    for path, content in others.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    assert write_folder(APP, tmp_path) == len(APP)
    assert files_in(tmp_path) == {**APP, **others}
    assert not (tmp_path / "tools" / "gone").exists()


def test_a_folder_that_held_no_package_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "hammer.txt").write_bytes(b"steel")
    write_folder(APP, tmp_path)
    assert files_in(tmp_path) == {**APP, "tools/hammer.txt": b"steel"}


def test_a_file_that_has_not_changed_is_not_written_again(tmp_path: Path) -> None:
    write_folder(APP, tmp_path)
    (tmp_path / "app.json").chmod(0o444)
    before = (tmp_path / "app.json").stat().st_mtime_ns
    write_folder(APP, tmp_path)
    assert (tmp_path / "app.json").stat().st_mtime_ns == before


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CommandError, match=r"file/x cannot be written: Not a directory"):
        write_package(zip_of(APP), f"{tmp_path}/file/x/", "unused.zip")


def test_nothing_is_written_or_removed_through_a_link_of_the_folder(tmp_path: Path) -> None:
    own, elsewhere = tmp_path / "own", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.txt").write_bytes(b"mine")
    write_folder({"app.json": b"{}", "tools/gone/gone.json": b"1"}, own)
    (own / "agents").symlink_to(elsewhere)
    with pytest.raises(CommandError) as refusal:
        write_package(zip_of(APP), f"{own}/", "unused.zip")
    link = f"{own}/agents"
    assert str(refusal.value) == f"{own}: agents/a/a.json: cannot be written: {link} is a symbolic link"
    assert files_in(own) == {"app.json": b"{}", "tools/gone/gone.json": b"1"}
    (own / "tools" / "link").symlink_to(elsewhere)
    write_folder({"app.json": b"{}"}, own)
    assert files_in(elsewhere) == {"mine.txt": b"mine"}
