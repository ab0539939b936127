"""A checkout that its documents' first command has set up."""

import shutil
from dataclasses import dataclass

import pytest

from tests.kit.guides import README, block_of
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
    make_run = block_of(README, "sh", "make run").split()
    with demo(checkout, data, [*make_run, "EXTRAS=postgres models"]) as said:
        line = block_of(README, "sh", "export PATH")
        chat = f"{line}openplaybook chat Pets -m '{QUESTION}'; command -v openplaybook"
        shown = checkout.run("sh", "-euc", chat, OPENPLAYBOOK_DATA_DIR=str(data))
    return Ran(checkout, said, shown)
