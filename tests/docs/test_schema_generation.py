"""The page on schemas from samples does what it says: its blocks run beside the demo and print what stands below."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.test_quickstarts import USUAL_HTTP
from tests.e2e.kit.server import Server, clean_environment
from tests.kit.guides import blocks

PAGE = "schema-generation.md"


@pytest.mark.proves("O8")
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
def test_the_page_on_schema_generation_works(demo: Server, tmp_path: Path) -> None:
    program = blocks(PAGE, "sh").replace(USUAL_HTTP, demo.http.removeprefix("http://"))
    environment = clean_environment()
    path = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    ran = subprocess.run(
        ["sh", "-eu"],
        input=program,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**environment, "PATH": path},
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == blocks(PAGE, "text")
