"""The page on secrets does what it says: its blocks run, one after the other, and print what stands below them."""

import shutil
from pathlib import Path

import pytest

from tests.e2e.kit.server import clean_environment
from tests.kit.guides import blocks, printed

PAGE = "secrets.md"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not here")
def test_the_page_on_secrets_works(tmp_path: Path) -> None:
    environment = {**clean_environment(), "OPENPLAYBOOK_DATA_DIR": str(tmp_path / "data")}
    assert printed(PAGE, tmp_path, environment) == blocks(PAGE, "text")
