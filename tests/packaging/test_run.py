"""`make run` in a fresh checkout: what it installs, and what it does the second time."""

import re
import subprocess
from dataclasses import dataclass

import pytest

from tests.kit.guides import README, block_of
from tests.packaging.checkout import Checkout, came, make_checkout
from tests.packaging.demo import ANSWER, QUESTION, demo

pytestmark = pytest.mark.sweep


@dataclass(frozen=True)
class Ran:
    """A checkout in which `make run` was typed, and what was seen."""

    checkout: Checkout
    said: str
    chat: str
    """What a turn with the demo showed, with the command that the README's line puts on the path."""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """`make run` with two extras, and a turn in another terminal."""
    checkout = make_checkout(tmp_path_factory.mktemp("packaging"))
    data = checkout.home / "demo"
    make_run = block_of(README, "sh", "make run").split()
    with demo(checkout, data, [*make_run, "EXTRAS=postgres models"]) as said:
        line = block_of(README, "sh", "export PATH")
        chat = f"{line}openplaybook chat Pets -m '{QUESTION}'; command -v openplaybook"
        shown = checkout.run("sh", "-euc", chat, OPENPLAYBOOK_DATA_DIR=str(data))
    return Ran(checkout, said, shown)


def python(ran: Ran, program: str) -> "subprocess.CompletedProcess[str]":
    """What the environment's Python does with a program."""
    command = [ran.checkout.folder / ".venv/bin/python", "-c", program]
    return subprocess.run(command, capture_output=True, text=True, env=dict(ran.checkout.environment), check=False)


@pytest.mark.proves("X10")
def test_the_readmes_line_puts_the_command_on_the_path(ran: Ran) -> None:
    assert ANSWER in ran.chat
    assert ran.chat.endswith(f"\n{ran.checkout.folder}/.venv/bin/openplaybook\n")


def test_the_demo_announces_itself_as_the_readme_shows(ran: Ran) -> None:
    shown = block_of(README, "text", "OpenPlaybook")
    assert without_places(ran.said).endswith(without_places(shown))


def without_places(text: str) -> str:
    """The text without what differs from machine to machine: ports, folders, ids."""
    return re.sub(r"(?<=Data {4})\S+|[0-9a-f]{8}-[0-9a-f-]{27}|(?<=127\.0\.0\.1:)\d+", "…", text)


def test_set_up_tells_what_it_does(ran: Ran) -> None:
    steps = [line.split(" (")[0] for line in ran.said.splitlines() if line.startswith("==> ")]
    assert [step for step in steps if "Making" not in step] == [
        "==> Installing 3 packages",
        "==> Building the API's descriptors and installing openplaybook itself",
        "==> Installing 1 packages",
        "==> Set-up is complete",
    ]


def test_what_is_installed_is_compiled_before_anybody_imports_it(ran: Ran) -> None:
    [folder] = (ran.checkout.folder / ".venv").glob("lib/python*/site-packages/__pycache__")
    assert [*folder.glob(f"{came('postgres')}.*.pyc")] != []


def test_the_extras_that_were_named_are_installed_and_no_others(ran: Ran) -> None:
    assert python(ran, f"import {came('postgres')}, {came('models')}").stderr == ""
    assert "ModuleNotFoundError" in python(ran, f"import {came('google')}").stderr


def test_what_only_a_build_needs_is_not_kept(ran: Ran) -> None:
    assert not (ran.checkout.folder / ".venv/build-packages").exists()
    assert "ModuleNotFoundError" in python(ran, "import hatchling").stderr


def test_the_second_time_nothing_is_installed(ran: Ran) -> None:
    assert ran.checkout.run("scripts/setup.sh", "run") == "==> Set-up is up to date.\n"


def test_extras_are_kept_when_pins_change(ran: Ran) -> None:
    folder = ran.checkout.folder
    pins = folder / "requirements/extra-models.txt"
    pins.write_text(f"# again\n{pins.read_text()}")

    said = ran.checkout.run("scripts/setup.sh", "run")

    assert said.startswith("==> Installing 1 packages (requirements/extra-models.txt)\n")
    assert "Building" not in said


def test_a_package_that_is_not_what_was_pinned_stops_set_up(ran: Ran) -> None:
    pins = ran.checkout.folder / "requirements/extra-otel.txt"
    right = pins.read_text()
    pins.write_text(right.replace("--hash=sha256:", f"--hash=sha256:{'0' * 64} # "))

    said = ran.checkout.run("scripts/setup.sh", "run", "otel", status=1)

    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in said
    assert "\nSet-up failed: pip could not install them; its message is above" in said
    pins.write_text(right)
    assert ran.checkout.run("scripts/setup.sh", "run") == "==> Set-up is up to date.\n"


def test_what_is_no_extra_is_refused(ran: Ran) -> None:
    said = ran.checkout.run("scripts/setup.sh", "run", "postgresql", status=2)

    allowed = "code-interpreter connectors embeddings google models otel postgres"
    assert said == f"'postgresql' is not an extra; allowed: {allowed}\n"
