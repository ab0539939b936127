"""A checkout of its own in which set-up works without a network.

Its files of pins name wheels that lie beside it. The one for `run` lends what is installed here, without openplaybook
and without what builds it; the one for `build` lends hatchling; the others bring a module that says that they came.

A checkout that is not whole is lent what takes seconds each time: its environments get the pip that is here, and its
builds the descriptor set; and its pip compiles nothing. In a whole run (`make proof`) every checkout is whole.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from build_api.place import OUTPUT
from tests.e2e.kit.server import clean_environment
from tests.kit.thoroughness import IS_WHOLE

ROOT = Path(__file__).parents[2]
INSTALLED = Path(sysconfig.get_path("purelib"))

_FILES = (".gitignore", "Makefile", "pyproject.toml", "README.md", "LICENSE", "hatch_build.py")
_FOLDERS = ("build_api", "requirements", "scripts", "src")
_NOT_LENT = ("openplaybook", "_openplaybook", "hatchling", "pip", "__pycache__")
_LENT_BY_NAME = ("run", "build", "extra-postgres")
"""The files of pins whose packages are lent with their names and versions. Of the others, hundreds, modules are enough,
and each pip would read all their names."""
_OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "ARGS", "EXTRAS")
"""What the `make` that runs the tests hands down."""

_PYTHON_THAT_LENDS_PIP = """#!/bin/sh
set -eu
[ "${{1-}} ${{2-}}" = "-m venv" ] || exec {python} "$@"
{python} "$@" --without-pip
for folder; do :; done
ln -s {pip} "$folder"/lib/python*/site-packages
printf '#!%s/bin/python\\nfrom pip._internal.cli.main import main\\nraise SystemExit(main())\\n' \\
    "$(cd "$folder" && pwd)" > "$folder/bin/pip"
chmod +x "$folder/bin/pip"
"""
_GENERATOR_THAT_LENDS = """
import shutil
from build_api.place import OUTPUT

def write(root):
    (root / OUTPUT).parent.mkdir(exist_ok=True)
    shutil.copyfile({made!r}, root / OUTPUT)
"""
_PIP = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_NO_CACHE_DIR": "1"}
_PIP_IN_HASTE = {"PIP_NO_COMPILE": "0", "PIP_NO_WARN_CONFLICTS": "0"}
"""The options `--no-compile` and `--no-warn-conflicts`: pip takes `0` in the variables of such options for a no."""


@dataclass(frozen=True)
class Checkout:
    """A copy of this repository, and a user to whom it belongs."""

    folder: Path
    home: Path
    lent: Path
    """A folder with the packages that are installed here, to be put into a `.pth` file."""
    hatchling: Path
    """A folder with a hatchling to import."""
    python: Path
    """Of which the user makes environments."""
    is_whole: bool

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables of the user's terminal."""
        kept = {
            name: value
            for name, value in clean_environment().items()
            if not name.startswith(("PIP_", "XDG_", "PYTHON")) and name not in _OF_MAKE
        }
        path = os.pathsep.join([str(self.python.parent), str(Path(sys.executable).parent), kept["PATH"]])
        ours = {"HOME": str(self.home), "PATH": path, "PYTHON": str(self.python)}
        return kept | ours | _PIP | ({} if self.is_whole else _PIP_IN_HASTE)

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


def make_checkout(folder: Path, *, is_whole: bool = IS_WHOLE) -> Checkout:
    """A checkout in an empty folder; skips where its commands cannot be run."""
    if shutil.which("make") is None:
        pytest.skip("make is not here")
    checkout = folder / "checkout"
    checkout.mkdir()
    for name in _FILES:
        shutil.copy(ROOT / name, checkout)
    # What is compiled already need not be by each checkout, which takes longer than all that is tried with it.
    left_out = shutil.ignore_patterns("_generated", *(["__pycache__"] if is_whole else []))
    for name in _FOLDERS:
        shutil.copytree(ROOT / name, checkout / name, ignore=left_out)
    home, lent, hatchling = (folder / name for name in ("home", "lent", "hatchling"))
    for each in (home, lent, hatchling):
        each.mkdir()
    python = Path(sys.executable) if is_whole else _make_python(folder / "programs")
    made = Checkout(checkout, home, lent, hatchling, python, is_whole)
    _lend(made)
    if not is_whole:
        (checkout / "build_api/assemble.py").write_text(_GENERATOR_THAT_LENDS.format(made=str(ROOT / OUTPUT)))
    return made


def _make_python(folder: Path) -> Path:
    """The Python that is here, whose environments get the pip that is here."""
    folder.mkdir()
    python = folder / "python3"
    python.write_text(_PYTHON_THAT_LENDS_PIP.format(python=sys.executable, pip=INSTALLED / "pip"))
    python.chmod(0o755)
    return python


def _lend(checkout: Checkout) -> None:
    named = {name for file in _LENT_BY_NAME for name in _pinned(file)}
    for each in INSTALLED.iterdir():
        is_wanted = each.suffix != ".dist-info" or _normal(each.name.partition("-")[0]) in named
        if is_wanted and not each.name.startswith(_NOT_LENT) and each.suffix != ".pth":
            (checkout.lent / each.name).symlink_to(each)
    stub = f"__path__ = [{str(INSTALLED / 'hatchling')!r}]\n"
    (checkout.hatchling / "hatchling").mkdir()
    (checkout.hatchling / "hatchling" / "__init__.py").write_text(stub)
    _pin(checkout.folder, "run", {"lent.pth": f"{checkout.lent}\n"})
    _pin(checkout.folder, "build", {"hatchling/__init__.py": stub})
    for file in (checkout.folder / "requirements").glob("extra-*.txt"):
        _pin(checkout.folder, file.stem, {f"{came(file.stem.removeprefix('extra-'))}.py": ""})


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


def _pinned(name: str) -> Sequence[str]:
    """The packages that a file of pins of this repository names."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    return [_normal(found) for found in re.findall(r"^[a-z0-9][a-z0-9.-]*", text, re.MULTILINE)]


def _normal(project: str) -> str:
    return re.sub(r"[-_.]+", "-", project).lower()
