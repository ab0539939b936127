"""A warm turn stays short enough to be followed."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_FILES = 100


@pytest.mark.proof
def test_a_warm_turn_runs_through_a_hundred_files_at_most() -> None:
    command = [sys.executable, "-m", "scripts.warm_way", "--limit", str(MOST_FILES)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
    assert ran.returncode == 0, f"{ran.stdout[-2000:]}{ran.stderr[-2000:]}"
