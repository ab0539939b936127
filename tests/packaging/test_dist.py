"""`make dist`: the wheel by itself is the whole product."""

import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from openplaybook import __version__
from tests.packaging.checkout import Checkout, make_checkout
from tests.packaging.demo import ANSWER, QUESTION, demo

# That a wheel of a checkout is whole `make test` sees in `test_install`, which lets pip build and install one.
pytestmark = pytest.mark.proof

CONSOLE = "openplaybook/console/built"
DESCRIPTORS = "openplaybook/wire/_generated/api.binpb"


@dataclass(frozen=True)
class Installed:
    """The wheel in an environment that had nothing else."""

    checkout: Checkout
    environment: Path

    @property
    def packages(self) -> Path:
        """Where its packages are."""
        [folder] = self.environment.glob("lib/python*/site-packages")
        return folder


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """`make dist`, and the wheel in an empty environment, which is then lent the packages that it depends on."""
    checkout = make_checkout(tmp_path_factory.mktemp("packaging"))
    said = checkout.run("make", "dist")
    wheel = f"dist/openplaybook-{__version__}-py3-none-any.whl"
    assert said.endswith(f"==> Built: {wheel} dist/openplaybook-{__version__}.tar.gz \n")
    environment = tmp_path_factory.mktemp("empty") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    made = Installed(checkout, environment)
    assert list(made.packages.iterdir()) == []
    checkout.run(sys.executable, "-m", "pip", "--python", environment, "install", "-q", "--no-deps", wheel)
    (made.packages / "lent.pth").write_text(f"{checkout.lent}\n")
    return made


def test_the_wheel_is_what_is_imported(installed: Installed) -> None:
    program = "import openplaybook, importlib.metadata as m; print(openplaybook.__file__, m.version('openplaybook'))"
    said = installed.checkout.run(installed.environment / "bin/python", "-c", program)
    assert said == f"{installed.packages}/openplaybook/__init__.py {__version__}\n"


def test_it_holds_the_descriptors_that_were_made_when_it_was_built(installed: Installed) -> None:
    made = installed.checkout.folder / "src" / DESCRIPTORS
    assert (installed.packages / DESCRIPTORS).read_bytes() == made.read_bytes()


def test_it_holds_the_console_as_it_was_built(installed: Installed) -> None:
    made = installed.checkout.folder / "src" / CONSOLE
    names = {path.relative_to(made) for path in made.rglob("*") if path.is_file()}
    assert {path.relative_to(installed.packages / CONSOLE) for path in (installed.packages / CONSOLE).rglob("*.*")} >= {
        name for name in names if name.suffix
    }


def test_it_holds_neither_tests_nor_what_builds_it(installed: Installed) -> None:
    names = {each.name for each in installed.packages.iterdir()}
    assert names == {"openplaybook", f"openplaybook-{__version__}.dist-info", "lent.pth"}


def test_the_source_distribution_holds_the_descriptors_too(installed: Installed) -> None:
    [archive] = (installed.checkout.folder / "dist").glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        assert f"openplaybook-{__version__}/src/{DESCRIPTORS}" in opened.getnames()


def test_the_demo_runs_from_it_and_answers(installed: Installed, tmp_path: Path) -> None:
    command = installed.environment / "bin/openplaybook"
    with demo(installed.checkout, tmp_path, [command, "demo"]) as said:
        shown = installed.checkout.run(command, "chat", "Pets", "-m", QUESTION, OPENPLAYBOOK_DATA_DIR=str(tmp_path))
    assert said.startswith(f'OpenPlaybook {__version__} with the demo agent "Pets" is ready.\n')
    assert ANSWER in shown
