"""The tutorial does what it says."""

from pathlib import Path

import pytest

from tests.e2e.kit.server import clean_environment
from tests.kit.guides import blocks, printed
from tests.kit.ports import free_ports

PAGE = "tutorial.md"


@pytest.mark.proves("X10")
def test_the_tutorial_works(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    environment = {**clean_environment(), "OPENPLAYBOOK_DATA_DIR": str(tmp_path / "data")}
    assert printed(PAGE, tmp_path, environment, {"8085": port}) == blocks(PAGE, "text")
