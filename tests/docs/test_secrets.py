"""The page on secrets does what it says: its blocks run, one after the other, and print what stands below them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.kit.server import clean_environment
from tests.kit.guides import blocks

PAGE = "secrets.md"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not here")
def test_the_page_on_secrets_works(tmp_path: Path) -> None:
    environment = clean_environment()
    path = f"{Path(sys.executable).parent}:{environment['PATH']}"
    ran = subprocess.run(
        ["sh", "-eu"],
        input=blocks(PAGE, "sh"),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**environment, "PATH": path, "OPENPLAYBOOK_DATA_DIR": str(tmp_path / "data")},
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == blocks(PAGE, "text")
