"""`make install` and `make uninstall`: the command for one user, apart from the checkout; and the way with pip."""

from pathlib import Path

import pytest

from openplaybook import __version__
from tests.kit.guides import each_block
from tests.packaging.checkout import Checkout, came, make_checkout

pytestmark = pytest.mark.sweep

BIN = ".local/bin"
APP = ".local/share/openplaybook-app"


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A user who typed the page's block with `make install`, which installs two extras, and saw what the page shows."""
    checkout = make_checkout(tmp_path_factory.mktemp("packaging"))
    (program, _), (shown, _) = each_block("installing.md", "sh"), each_block("installing.md", "text")
    said = checkout.run("sh", "-euc", program)
    bin_ = checkout.home / BIN
    assert said.endswith(f"==> {bin_} is not on your PATH: export PATH={bin_}:$PATH\n{shown}")
    return checkout


def test_the_command_runs_from_an_environment_of_its_own(user: Checkout) -> None:
    command = user.home / BIN / "openplaybook"
    assert user.run(command, "--version") == f"openplaybook {__version__}\n"
    program = f"import openplaybook, {came('google')}; print(openplaybook.__file__)"
    [packages] = (user.home / APP).glob("venv/lib/python*/site-packages")
    assert user.run(user.home / APP / "venv/bin/python", "-c", program) == f"{packages}/openplaybook/__init__.py\n"


def test_it_needs_no_environment_in_the_checkout(user: Checkout) -> None:
    assert not (user.folder / ".venv").exists()


def test_the_second_time_nothing_is_installed_and_nothing_is_said_of_a_path_that_is_set(user: Checkout) -> None:
    folder = user.home / BIN
    said = user.run("make", "install", PATH=f"{folder}:{user.environment['PATH']}")
    [line] = said.splitlines()
    assert line.startswith("==> openplaybook is installed (")
    assert line.endswith(f" MB): {folder}/openplaybook")


@pytest.mark.proof
def test_a_change_of_the_code_is_installed(user: Checkout) -> None:
    changed = user.folder / "src/openplaybook/py.typed"
    changed.write_text("partial\n")

    said = user.run("make", "install")

    assert "Building" in said
    [installed] = (user.home / APP).glob("venv/lib/python*/site-packages/openplaybook/py.typed")
    assert installed.read_text() == "partial\n"


def test_uninstall_removes_both_and_keeps_data(user: Checkout) -> None:
    data = user.home / ".local/share/openplaybook/kept"
    data.parent.mkdir(parents=True)
    data.write_text("")

    said = user.run("make", "uninstall")

    assert said == f"==> openplaybook is removed. Its data are kept: {data.parent}\n"
    assert (list((user.home / BIN).iterdir()), (user.home / APP).exists(), data.exists()) == ([], False, True)
    assert user.run("make", "uninstall") == said


def test_a_command_of_somebody_else_is_left_alone(user: Checkout, tmp_path: Path) -> None:
    theirs = tmp_path / BIN / "openplaybook"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs")

    said = user.run("scripts/install.sh", "install", status=1, HOME=str(tmp_path))
    user.run("scripts/install.sh", "uninstall", HOME=str(tmp_path))

    assert said == f"Set-up failed: {theirs} is not ours; remove it first\n"
    assert theirs.read_text() == "theirs"


def test_pip_installs_from_a_checkout_as_the_page_says(user: Checkout, tmp_path: Path) -> None:
    (_, program), (_, shown) = each_block("installing.md", "sh"), each_block("installing.md", "text")
    said = user.run(
        *("sh", "-euc", program),
        HOME=str(tmp_path),
        # pip fetches hatchling where it may; here it is lent one.
        PIP_NO_BUILD_ISOLATION="0",
        PYTHONPATH=str(user.hatchling),
    )
    assert said.endswith(shown)
