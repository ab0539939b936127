"""The page on operating a server does what it says: its blocks run, and print what stands below them."""

import shutil
from pathlib import Path

import pytest

from tests.e2e.kit.server import clean_environment
from tests.kit.guides import blocks, printed
from tests.kit.ports import free_ports

PAGE = "operating.md"


@pytest.mark.skipif(not (shutil.which("openssl") and shutil.which("curl")), reason="openssl or curl is not here")
def test_the_page_on_operating_a_server_works(tmp_path: Path) -> None:
    http, grpc = free_ports()
    environment = {**clean_environment(), "OPENPLAYBOOK_DATA_DIR": str(tmp_path / "data")}
    assert printed(PAGE, tmp_path, environment, {"8443": http, "8444": grpc}) == blocks(PAGE, "text")
