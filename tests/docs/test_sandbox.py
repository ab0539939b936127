"""The page on the sandbox by itself: its commands and its program print what stands below them."""

import json
import subprocess
from pathlib import Path

from tests.e2e.kit.server import clean_environment, running
from tests.kit.guides import blocks, each_block
from tests.kit.preloaded.commands import searched

PAGE = "sandbox.md"


def test_the_commands_and_the_program_of_the_page_work(tmp_path: Path) -> None:
    environment = {**clean_environment(), "OPENPLAYBOOK_DATA_DIR": str(tmp_path / "data")}
    environment["PATH"] = searched(environment["PATH"])
    *commands, doctor = each_block(PAGE, "sh")
    (tmp_path / "page.py").write_text(blocks(PAGE, "python"))
    program = "".join([*commands, "python page.py\n", doctor])
    ran = subprocess.run(
        ["sh", "-eu"], input=program, capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=100
    )
    assert ran.returncode == 0, ran.stderr
    lines = [line.rstrip() for line in ran.stdout.splitlines()]
    assert lines == blocks(PAGE, "text").splitlines()


def test_health_is_as_the_page_shows_it(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        shown = subprocess.run(
            ["curl", "-s", f"{server.http}/healthz?verbose"], capture_output=True, text=True, timeout=20
        )
    assert json.loads(shown.stdout) == json.loads(blocks(PAGE, "json"))
