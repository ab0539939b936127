"""The tutorial does what it says."""

import subprocess
import sys
from pathlib import Path

from tests.e2e.kit.server import clean_environment
from tests.kit.guides import blocks
from tests.kit.ports import free_ports

PAGE = "tutorial.md"


def test_the_tutorial_works(tmp_path: Path) -> None:
    environment = clean_environment()
    path = f"{Path(sys.executable).parent}:{environment['PATH']}"
    (port,) = free_ports(1)
    program = blocks(PAGE, "sh").replace("8085", str(port))
    ran = subprocess.run(
        ["sh", "-eu"],
        input=program,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**environment, "PATH": path, "OPENPLAYBOOK_DATA_DIR": str(tmp_path / "data")},
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert _without_asides(ran.stdout) == blocks(PAGE, "text")


def _without_asides(told: str) -> str:
    """Which model answers is for people at a terminal."""
    return "".join(f"{line}\n" for line in told.splitlines() if not line.startswith(("  model:", "  →")))
