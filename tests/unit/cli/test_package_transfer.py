"""Packages on the way to and from the server."""

import io
import zipfile
from pathlib import Path

import pytest

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.errors import CommandError
from openplaybook.cli.package_transfer import import_package, package_file_name, read_package_file

NOWHERE = ApiClient("http://127.0.0.1:1")
"""What is wrong with these packages is found before anything is sent."""


def zipped(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def test_a_folder_is_packed_with_paths_from_its_top(tmp_path: Path) -> None:
    (tmp_path / "playbooks" / "Start").mkdir(parents=True)
    (tmp_path / "agent.json").write_text("{}")
    (tmp_path / "playbooks" / "Start" / "Start.json").write_text("[]")
    with zipfile.ZipFile(io.BytesIO(read_package_file(tmp_path))) as archive:
        assert archive.namelist() == ["agent.json", "playbooks/Start/Start.json"]


def test_what_version_control_keeps_is_not_packed_and_an_app_may_lie_in_a_folder(tmp_path: Path) -> None:
    for path in (".git/HEAD", "shop/app.yaml", "shop/.openplaybook/sync.json"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("displayName: Shop")
    with zipfile.ZipFile(io.BytesIO(read_package_file(tmp_path))) as archive:
        assert archive.namelist() == ["shop/app.yaml"]


def test_a_file_is_taken_as_it_is(tmp_path: Path) -> None:
    package = zipped({"agent.json": "{}"})
    (tmp_path / "agent.zip").write_bytes(package)
    assert read_package_file(tmp_path / "agent.zip") == package


def test_a_file_that_is_no_zip_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "agent.zip").write_bytes(b"whatever")
    with pytest.raises(CommandError, match=r"agent\.zip is neither a folder nor a zip file"):
        read_package_file(tmp_path / "agent.zip")


def test_a_folder_without_an_agent_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"is not an export: it has no agent\.json and no app\.json$"):
        read_package_file(tmp_path)


def test_a_folder_of_packages_is_refused_with_their_names(tmp_path: Path) -> None:
    for name, root in (("shop", "app.json"), ("pets/export", "agent.json")):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / root).write_text("{}")
    with pytest.raises(CommandError) as refused:
        read_package_file(tmp_path)
    told = f"{tmp_path} is not an export: it has no agent.json and no app.json; below it there are packages: "
    assert str(refused.value) == f"{told}{tmp_path}/pets/export, {tmp_path}/shop"


def test_the_file_at_the_root_is_refused_with_its_folder(tmp_path: Path) -> None:
    root = tmp_path / "agent.json"
    root.write_text("{}")
    with pytest.raises(CommandError) as refused:
        read_package_file(root)
    told = f"{root} is neither a folder nor a zip file; give the folder that it is in: {tmp_path}"
    assert str(refused.value) == told


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"agent\.zip cannot be read: No such file"):
        read_package_file(tmp_path / "agent.zip")


@pytest.mark.parametrize(
    ("package", "message"),
    [
        (b"whatever", "cannot be unpacked: File is not a zip file"),
        (zipped({"a/b/agent.json": "{}"}), "no agent.json and no app.json at its top level"),
        (zipped({"shop/agent.json": "["}), "agent.json is not JSON"),
        (zipped({"agent.json": "{"}), "agent.json is not JSON"),
    ],
)
def test_what_is_no_package_is_refused(package: bytes, message: str) -> None:
    with pytest.raises(CommandError, match=message):
        import_package(NOWHERE, package, "projects/p/locations/global")


@pytest.mark.parametrize(
    ("display_name", "expected"),
    [("Pets", "Pets.zip"), ("My agent / v2", "My_agent_v2.zip"), ("../..", "agent.zip"), ("Café", "Café.zip")],
)
def test_a_file_is_named_after_the_agent(display_name: str, expected: str) -> None:
    assert package_file_name(display_name) == expected
