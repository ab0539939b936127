"""The page on what a turn promises does what it says: its blocks run against the demo."""

import subprocess
from pathlib import Path

import pytest

from tests.e2e.kit.server import Server, clean_environment
from tests.kit.guides import blocks

PAGE = "durability.md"


@pytest.mark.proves("X4")
def test_the_page_on_durability_works(demo: Server, tmp_path: Path) -> None:
    ran = subprocess.run(
        ["sh", "-eu"],
        input=blocks(PAGE, "sh").replace("http://127.0.0.1:8080", demo.http),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=clean_environment(),
        timeout=60,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == (blocks(PAGE, "text"), "")
