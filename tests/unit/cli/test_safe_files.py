"""Names of files from elsewhere can do no harm."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.cli.errors import CommandError
from openplaybook.cli.safe_files import safe_name, save_file, shown_name, shown_size


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1 KB"),
        (23_400, "23 KB"),
        (999_499, "999 KB"),
        (999_501, "1.0 MB"),
        (1_440_000, "1.4 MB"),
        (32_000_000, "32 MB"),
        (5_000_000_000_000, "5000 GB"),
    ],
)
def test_sizes_are_shown_as_people_read_them(size: int, shown: str) -> None:
    assert shown_size(size) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("umsätze 表.csv", "umsätze 表.csv"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("invoice\u202efdp.exe", "invoice\\u202efdp.exe"),
        ("a\u2028b\U000e0001", "a\\u2028b\\U000e0001"),
    ],
)
def test_what_steers_a_terminal_is_shown_and_not_done(name: str, shown: str) -> None:
    assert shown_name(name) == shown


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("report.csv", "report.csv"),
        ("umsätze 表.csv", "umsätze 表.csv"),
        ("out/may/report.csv", "out_may_report.csv"),
        ("../../etc/passwd", "etc_passwd"),
        ("C:\\autoexec.bat", "C_autoexec.bat"),
        (".bashrc", "bashrc"),
        ("..", "file"),
        ("", "file"),
        ("nul", "_nul"),
        ("con.txt", "_con.txt"),
        ("a\nb\x00c\u202ed.txt", "a b c d.txt"),
        ("x" * 300 + ".csv", "x" * 96 + ".csv"),
        ("x" * 300 + "." + "y" * 300, "x" * 100),
    ],
)
def test_a_name_becomes_one_part_that_is_legal_everywhere(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@given(st.text())
def test_no_name_leads_out_of_a_folder(name: str) -> None:
    safe = safe_name(name)
    assert os.path.basename(safe) == safe
    assert safe not in ("", ".", "..")
    assert not safe.startswith(".")
    assert safe.isprintable()
    assert len(safe.encode()) <= 400


def test_a_file_is_saved_in_a_folder_that_is_made_for_it(tmp_path: Path) -> None:
    path = save_file(tmp_path / "a" / "b", "../report.csv", b"1")
    assert (path, path.read_bytes()) == (tmp_path / "a" / "b" / "_report.csv".strip("_"), b"1")


def test_nothing_is_replaced(tmp_path: Path) -> None:
    saved = [save_file(tmp_path, "report.csv", data).name for data in (b"1", b"2", b"3")]
    assert saved == ["report.csv", "report-2.csv", "report-3.csv"]
    assert [(tmp_path / name).read_bytes() for name in saved] == [b"1", b"2", b"3"]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "report.csv").symlink_to(tmp_path / "elsewhere")
    assert save_file(tmp_path, "report.csv", b"1").name == "report-2.csv"
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(CommandError, match=r"taken: File exists$"):
        save_file(tmp_path / "taken", "report.csv", b"1")
