"""A checkout of its own in which set-up works without a network.

Its files of pins name wheels that lie beside it. The one for `run` lends what is installed here, without openplaybook
and without what builds it; the one for `build` lends hatchling; the others bring a module that says that they came.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.kit.server import clean_environment

ROOT = Path(__file__).parents[2]
INSTALLED = Path(sysconfig.get_path("purelib"))

_FILES = (".gitignore", "Makefile", "pyproject.toml", "README.md", "LICENSE", "hatch_build.py")
_FOLDERS = ("build_api", "requirements", "scripts", "src")
_NOT_LENT = ("openplaybook", "_openplaybook", "hatchling", "pip", "__pycache__")
_OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "ARGS", "EXTRAS")
"""What the `make` that runs the tests hands down."""


@dataclass(frozen=True)
class Checkout:
    """A copy of this repository, and a user to whom it belongs."""

    folder: Path
    home: Path
    lent: Path
    """A folder with the packages that are installed here, to be put into a `.pth` file."""
    hatchling: Path
    """A folder with a hatchling to import."""

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables of the user's terminal."""
        kept = {
            name: value
            for name, value in clean_environment().items()
            if not name.startswith(("PIP_", "XDG_", "PYTHON")) and name not in _OF_MAKE
        }
        path = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
        ours = {"HOME": str(self.home), "PATH": path, "PYTHON": sys.executable}
        return kept | ours | {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_NO_CACHE_DIR": "1"}

    def run(self, *command: str | Path, status: int = 0, **variables: str) -> str:
        """What a command prints, on both streams, which has to end with a status."""
        ran = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self.folder,
            env={**self.environment, **variables},
            timeout=100,
            check=False,
        )
        assert ran.returncode == status, ran.stdout
        return ran.stdout


def make_checkout(folder: Path) -> Checkout:
    """A checkout in an empty folder."""
    checkout = folder / "checkout"
    checkout.mkdir()
    for name in _FILES:
        shutil.copy(ROOT / name, checkout)
    for name in _FOLDERS:
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__", "_generated"))
    lent, hatchling, home = (folder / name for name in ("lent", "hatchling", "home"))
    for each in (lent, hatchling, home):
        each.mkdir()
    for each in INSTALLED.iterdir():
        if not each.name.startswith(_NOT_LENT) and each.suffix != ".pth":
            (lent / each.name).symlink_to(each)
    stub = f"__path__ = [{str(INSTALLED / 'hatchling')!r}]\n"
    (hatchling / "hatchling").mkdir()
    (hatchling / "hatchling" / "__init__.py").write_text(stub)
    _pin(checkout, "run", {"lent.pth": f"{lent}\n"})
    _pin(checkout, "build", {"hatchling/__init__.py": stub})
    for file in (checkout / "requirements").glob("extra-*.txt"):
        _pin(checkout, file.stem, {f"{came(file.stem.removeprefix('extra-'))}.py": ""})
    return Checkout(checkout, home, lent, hatchling)


def came(extra: str) -> str:
    """The module that an extra's pins bring."""
    return f"came_with_{extra.replace('-', '_')}"


def _pin(checkout: Path, name: str, members: Mapping[str, str]) -> None:
    """Let a file of pins name one wheel, with these members."""
    project = f"stub_{name.replace('-', '_')}"
    wheel, facts = checkout.parent / f"{project}-1.0-py3-none-any.whl", f"{project}-1.0.dist-info"
    about = {
        f"{facts}/METADATA": f"Metadata-Version: 2.1\nName: {project}\nVersion: 1.0\n",
        f"{facts}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in {**members, **about}.items():
            archive.writestr(path, text)
        archive.writestr(f"{facts}/RECORD", "".join(f"{path},,\n" for path in [*members, *about, f"{facts}/RECORD"]))
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    pins = f"{project} @ {wheel.as_uri()} \\\n    --hash=sha256:{digest}\n"
    (checkout / "requirements" / f"{name}.txt").write_text(pins)
