"""The page on import and export does what it says: its blocks run against the demo and print what stands below them."""

from pathlib import Path

import pytest

from tests.e2e.kit.server import clean_environment, running
from tests.kit.guides import blocks, command_flags, printed

PAGE = "import-and-export.md"


@pytest.mark.proves("X2")
def test_the_page_on_import_and_export_works(tmp_path: Path) -> None:
    environment = {**clean_environment(), "OPENPLAYBOOK_DATA_DIR": str(tmp_path / "data")}
    with running(tmp_path, *command_flags(PAGE, "demo"), command="demo"):
        assert printed(PAGE, tmp_path, environment) == blocks(PAGE, "text")
