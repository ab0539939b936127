"""The page on operating a server does what it says: its blocks run, and print what stands below them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.kit.server import clean_environment
from tests.kit.guides import blocks
from tests.kit.ports import free_ports

PAGE = "operating.md"


@pytest.mark.skipif(not (shutil.which("openssl") and shutil.which("curl")), reason="openssl or curl is not here")
def test_the_page_on_operating_a_server_works(tmp_path: Path) -> None:
    http, grpc = map(str, free_ports())
    environment = clean_environment()
    path = f"{Path(sys.executable).parent}:{environment['PATH']}"
    # Should a step fail, the server must not outlive the test.
    program = f"trap 'kill -9 $! 2> /dev/null || true' EXIT\n{blocks(PAGE, 'sh')}"
    ran = subprocess.run(
        ["sh", "-eu"],
        input=program.replace("8443", http).replace("8444", grpc),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**environment, "PATH": path, "OPENPLAYBOOK_DATA_DIR": str(tmp_path / "data")},
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == blocks(PAGE, "text")
