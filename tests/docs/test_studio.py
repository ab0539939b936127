"""The pages on apps of CX Agent Studio do what they say: their programs run and print what stands below them."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server, clean_environment, running
from tests.kit.guides import blocks
from tests.kit.preloaded.commands import quick_python
from tests.kit.sandboxed import need_sandbox


@pytest.fixture(autouse=True)
def sandbox() -> None:
    """Leaves the pages out where this machine has no sandbox."""
    need_sandbox()


def printed(program: str, **variables: str) -> str:
    """What a program prints."""
    ran = subprocess.run(
        [quick_python(), "-"],
        input=program,
        capture_output=True,
        text=True,
        env={**clean_environment(), **variables},
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with running(tmp_path) as started:
        yield started


def test_the_guide_to_apps_works(server: Server) -> None:
    page = "ces.md"
    program = blocks(page, "python").replace("127.0.0.1:8081", server.grpc)
    program = program.replace("http://127.0.0.1:8080", server.http)
    assert printed(program) == blocks(page, "text")
    assert Rest(server.http)("GET", "v1beta/projects/demo/locations/global/apps") == {}
