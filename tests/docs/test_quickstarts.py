"""The quick starts do what they say: their blocks run against the demo and print what stands below them."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.e2e.kit.node import NODE, needs_node
from tests.e2e.kit.scrapi import STAND_IN
from tests.e2e.kit.server import Server, clean_environment, running
from tests.kit.guides import blocks

USUAL_HTTP, USUAL_GRPC = "127.0.0.1:8080", "127.0.0.1:8081"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("demo"), command="demo") as server:
        yield server


def printed(program: str, command: Sequence[str | Path], server: Server, folder: Path, path: str = "") -> str:
    """What a program prints that is given to the command as input, with the demo's addresses in place of the usual."""
    program = program.replace(USUAL_HTTP, server.http.removeprefix("http://")).replace(USUAL_GRPC, server.grpc)
    program = program.replace("port: 8081", f"port: {server.grpc.rsplit(':', 1)[1]}")
    program = program.replace("port: 8080", f"port: {server.http_port}")
    ran = subprocess.run(
        command,
        input=program,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**clean_environment(), **({"PYTHONPATH": path} if path else {})},
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_python_quick_start_works(demo: Server, tmp_path: Path) -> None:
    page = "quickstart-python.md"
    assert printed(blocks(page, "python"), [sys.executable, "-"], demo, tmp_path) == blocks(page, "text")


def test_the_dfcx_scrapi_quick_start_works(demo: Server, tmp_path: Path) -> None:
    page = "quickstart-dfcx-scrapi.md"
    told = printed(blocks(page, "python"), [sys.executable, "-"], demo, tmp_path, path=str(STAND_IN))
    assert told == blocks(page, "text")


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
def test_the_rest_quick_start_works(demo: Server, tmp_path: Path) -> None:
    page = "quickstart-rest.md"
    assert printed(blocks(page, "sh"), ["sh", "-eu"], demo, tmp_path) == blocks(page, "text")


@needs_node
def test_the_node_quick_start_works(demo: Server) -> None:
    page = "quickstart-node.md"
    assert printed(blocks(page, "js"), ["node", "--input-type=module", "-"], demo, NODE) == blocks(page, "text")
