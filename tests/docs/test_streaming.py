"""The guide on streaming does what it says: its block runs against the demo and prints what stands below it."""

import subprocess
from pathlib import Path

from tests.e2e.kit.server import clean_environment, running
from tests.kit.guides import blocks
from tests.kit.preloaded.commands import quick_python


def test_the_guide_on_streaming_works(tmp_path: Path) -> None:
    with running(tmp_path, command="demo") as demo:
        ran = subprocess.run(
            [quick_python(), "-"],
            input=blocks("streaming.md", "python").replace("127.0.0.1:8081", demo.grpc),
            capture_output=True,
            text=True,
            env=clean_environment(),
            timeout=100,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == blocks("streaming.md", "text")
