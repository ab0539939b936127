import contextlib
import io
import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.packages.errors import DamagedArchive, NotAPackage, PackageError, PackageTooLarge, UnsafeArchive
from openplaybook.packages.package_files import check_path, read_files
from openplaybook.packages.package_formats import DIALOGFLOW
from tests.unit.packages.dialogflow.building import zip_of

FILES = {"agent.json": b"{}", "tools/a/a.json": b"1"}


def entry_zip(entry: zipfile.ZipInfo, content: bytes = b"x") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("agent.json", b"{}")
        archive.writestr(entry, content)
    return buffer.getvalue()


def write_folder(folder: Path) -> None:
    for path, content in FILES.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def test_bytes_a_zip_file_and_a_folder_read_the_same(tmp_path: Path) -> None:
    write_folder(tmp_path / "folder")
    (tmp_path / "agent.zip").write_bytes(zip_of(FILES))
    assert read_files(zip_of(FILES)) == FILES
    assert read_files(tmp_path / "agent.zip") == FILES
    assert read_files(tmp_path / "folder") == FILES


def test_the_only_folder_at_the_root_may_hold_the_agent() -> None:
    assert read_files(zip_of({f"repository-main/{path}": content for path, content in FILES.items()})) == FILES


def test_folders_of_version_control_and_of_macs_are_passed_over(tmp_path: Path) -> None:
    write_folder(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("x")
    assert read_files(tmp_path) == FILES
    assert read_files(zip_of({**FILES, "__MACOSX/._agent.json": b"x"})) == FILES


@pytest.mark.parametrize("path", [".git/config", ".GIT/hooks/pre-commit", "tools/.git/config", ".git"])
def test_no_package_has_what_git_would_obey(path: str, tmp_path: Path) -> None:
    assert read_files(zip_of({f"app/{each}": content for each, content in {**FILES, path: b"x"}.items()})) == FILES
    write_folder(tmp_path)
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_bytes(b"x")
    assert read_files(tmp_path) == FILES


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"", "is not a zip archive"),
        (b"{}", "is not a zip archive"),
        (zip_of({"readme.txt": b""}), "there is no agent.json at the root"),
        (zip_of({"app.json": b"{}"}), "there is no agent.json at the root; this is an app of CX Agent Studio"),
        (zip_of({"a/agent.json": b"{}", "b/x": b""}), "there is no agent.json at the root"),
    ],
)
def test_what_is_no_package_is_told(source: bytes, message: str) -> None:
    with pytest.raises(NotAPackage) as refusal:
        read_files(source, DIALOGFLOW)
    assert str(refusal.value) == message


def test_a_path_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotAPackage, match="is neither a file nor a folder"):
        read_files(tmp_path / "gone")


@given(st.integers(min_value=2, max_value=len(zip_of(FILES)) - 1))
def test_a_cut_archive_is_damaged(length: int) -> None:
    with pytest.raises(DamagedArchive):
        read_files(zip_of(FILES)[:length])


@given(st.integers(0, len(zip_of(FILES)) - 1), st.integers(0, 255))
def test_an_archive_with_a_changed_byte_reads_or_is_refused(position: int, byte: int) -> None:
    data = bytearray(zip_of(FILES))
    data[position] = byte
    with contextlib.suppress(PackageError):
        assert "agent.json" in read_files(bytes(data))


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "a/../../x",
        "/etc/passwd",
        "a//b",
        "./x",
        "C:/x",
        "a\\b",
        "a/\0",
        "",
        "a/./b",
        "a\udcff",
        "a\x1b[2J",
        "a\nb",
    ],
)
def test_paths_that_lead_elsewhere_are_refused(path: str) -> None:
    with pytest.raises(UnsafeArchive):
        check_path(path)


def test_a_path_that_leads_out_of_an_archive_is_refused() -> None:
    with pytest.raises(UnsafeArchive) as refusal:
        read_files(zip_of({**FILES, "../evil.json": b""}))
    assert refusal.value.file == "../evil.json"
    assert refusal.value.code == "UNSAFE_ARCHIVE"


def test_links_in_an_archive_are_refused() -> None:
    entry = zipfile.ZipInfo("tools/link")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(UnsafeArchive, match="tools/link: is a link or a special file"):
        read_files(entry_zip(entry, b"/etc/passwd"))


def test_links_in_a_folder_are_refused(tmp_path: Path) -> None:
    write_folder(tmp_path)
    (tmp_path / "tools" / "link").symlink_to("/etc")
    with pytest.raises(UnsafeArchive, match="tools/link: is a symbolic link"):
        read_files(tmp_path)


def test_encrypted_entries_are_refused() -> None:
    data = bytearray(zip_of(FILES))
    central = data.index(b"PK\x01\x02")
    data[central + 8] |= 1
    with pytest.raises(UnsafeArchive, match="is encrypted"):
        read_files(bytes(data))


def test_other_methods_of_compression_are_refused() -> None:
    entry = zipfile.ZipInfo("x")
    entry.compress_type = zipfile.ZIP_BZIP2
    with pytest.raises(UnsafeArchive, match="allowed is deflate"):
        read_files(entry_zip(entry))


def test_a_path_that_stands_twice_is_refused() -> None:
    data = zip_of({"agent.json": b"{}", "agent.jsoX": b"{}"}).replace(b"jsoX", b"json")
    with pytest.raises(PackageError) as refusal:
        read_files(data)
    assert (refusal.value.code, refusal.value.file) == ("DUPLICATE_NAME", "agent.json")


def test_a_bomb_is_refused() -> None:
    with pytest.raises(PackageTooLarge, match="more than 200 times the archive's size"):
        read_files(zip_of({**FILES, "bomb": b"\0" * 2**22}))


def test_more_entries_than_a_package_has_are_refused_before_they_are_read() -> None:
    data = zip_of(FILES)
    with pytest.raises(PackageTooLarge, match="there are more than 20000 files"):
        read_files(data + b"PK\x01\x02" * 20_000)


@pytest.mark.parametrize(("name", "part"), [("a.json", b"{},"), ("a.yaml", b"-\n")])
def test_documents_whose_values_take_too_much_memory_are_refused(name: str, part: bytes, tmp_path: Path) -> None:
    (tmp_path / "agent.json").write_bytes(b"{}")
    (tmp_path / name).write_bytes(b"[" + part * 1_800_000)
    with pytest.raises(PackageTooLarge, match=f"{name}: the values in the files take more than 268435456 bytes"):
        read_files(tmp_path)


def test_texts_beside_the_documents_count_as_bytes_alone(tmp_path: Path) -> None:
    (tmp_path / "agent.json").write_bytes(b"{}")
    (tmp_path / "a.txt").write_bytes(b"{}," * 1_800_000)
    assert set(read_files(tmp_path)) == {"agent.json", "a.txt"}
