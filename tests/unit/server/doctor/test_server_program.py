"""Which program runs."""

import os
from pathlib import Path

import pytest

import openplaybook
from openplaybook.server.doctor.server_program import program_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "a.py").write_text("A = 1\n")
    (tmp_path / "limits.toml").write_text("mib = 1\n")
    return tmp_path


def test_the_program_is_the_one_that_was_imported() -> None:
    program = program_of()
    assert (program.version, program.folder) == (openplaybook.__version__, Path(openplaybook.__file__).parent)


def test_equal_files_are_equal_programs_wherever_they_are(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "limits.toml").write_text("mib = 1\n")
    (other / "room").mkdir()
    (other / "room" / "a.py").write_text("A = 1\n")
    assert program_of(other).digest == program_of(folder).digest


@pytest.mark.parametrize(("file", "text"), [("room/a.py", "A = 2\n"), ("limits.toml", ""), ("room/b.py", "")])
def test_another_file_is_another_program(folder: Path, file: str, text: str) -> None:
    before = program_of(folder).digest
    (folder / file).write_text(text)
    assert program_of(folder).digest != before


def test_what_python_compiles_is_no_part_of_it(folder: Path) -> None:
    before = program_of(folder)
    (folder / "room" / "__pycache__").mkdir()
    (folder / "room" / "__pycache__" / "a.cpython-311.pyc").write_bytes(b"compiled")
    assert program_of(folder) == before


def test_the_file_that_was_changed_last_tells_when_the_program_was(folder: Path) -> None:
    os.utime(folder / "limits.toml", (1000, 1000))
    os.utime(folder / "room" / "a.py", (2000, 2000))
    assert program_of(folder).changed == 2000.0
