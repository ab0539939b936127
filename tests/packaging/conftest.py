"""A checkout that its documents' first command has set up."""

import shutil
from dataclasses import dataclass

import pytest

from tests.packaging.checkout import Checkout, make_checkout
from tests.packaging.demo import QUESTION, demo


@dataclass(frozen=True)
class Ran:
    """A checkout in which `make run` was typed, and what was seen."""

    checkout: Checkout
    said: str
    chat: str
    """What a turn with the demo showed, with the command that the README's line puts on the path."""


@pytest.fixture(scope="package")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """`make run` with two extras, and a turn in another terminal."""
    if shutil.which("make") is None:
        pytest.skip("make is not here")
    checkout = make_checkout(tmp_path_factory.mktemp("packaging"))
    data = checkout.home / "demo"
    with demo(checkout, data, ["make", "run", "EXTRAS=postgres models"]) as said:
        line = next(line for line in (checkout.folder / "README.md").read_text().splitlines() if "export PATH" in line)
        chat = f"{line}\nopenplaybook chat Pets -m '{QUESTION}'; command -v openplaybook"
        shown = checkout.run("sh", "-euc", chat, OPENPLAYBOOK_DATA_DIR=str(data))
    return Ran(checkout, said, shown)
