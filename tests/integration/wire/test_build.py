"""The build hook: the descriptor set is made in a checkout, shipped, and not made again from a source distribution."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SET = "openplaybook/wire/_generated/api.binpb"
INSTALLED = ROOT / "src" / SET

BUILD = """
import sys
from pathlib import Path
import hatchling.build
kind, target, blocked = sys.argv[1:]

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in blocked.split(","):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Blocker())
print(getattr(hatchling.build, f"build_{kind}")(target))
"""


def build(source: Path, kind: str, target: Path, blocked: str = "-") -> Path:
    """Builds in a process of its own, in which the blocked packages cannot be imported."""
    command = [sys.executable, "-c", BUILD, kind, str(target), blocked]
    done = subprocess.run(command, cwd=source, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    return target / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source distribution, built from a checkout that had no generated set, and unpacked."""
    checkout, target = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp("sdist")
    for name in (".gitignore", "pyproject.toml", "README.md", "LICENSE", "hatch_build.py"):
        shutil.copy(ROOT / name, checkout)
    for name in ("build_api", "requirements", "src"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
    (checkout / "src" / SET).unlink()
    with tarfile.open(build(checkout, "sdist", target)) as archive:
        archive.extractall(target, filter="data")
    [folder] = [path for path in target.iterdir() if path.is_dir()]
    return folder


def test_a_source_distribution_holds_the_set(unpacked: Path) -> None:
    assert (unpacked / "src" / SET).read_bytes() == INSTALLED.read_bytes()


def test_a_wheel_is_built_from_it_without_googles_packages(unpacked: Path, tmp_path: Path) -> None:
    wheel = build(unpacked, "wheel", tmp_path, blocked="google,proto,grpc,grpc_tools,googleapiclient")

    with zipfile.ZipFile(wheel) as archive:
        assert archive.read(SET) == INSTALLED.read_bytes()
        assert not [name for name in archive.namelist() if name.startswith(("build_api", "tests"))]


def test_one_that_lacks_the_set_is_refused(unpacked: Path, tmp_path: Path) -> None:
    shutil.copytree(unpacked, tmp_path / "copy")
    (tmp_path / "copy" / "src" / SET).unlink()

    command = [sys.executable, "-c", BUILD, "wheel", str(tmp_path), "-"]
    done = subprocess.run(command, cwd=tmp_path / "copy", capture_output=True, check=False, text=True)

    assert done.returncode == 1
    assert f"this source distribution lacks src/{SET}" in done.stderr
