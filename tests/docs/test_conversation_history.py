"""The page on conversation history does what it says: its blocks run against the demo."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.kit.server import Server, clean_environment, running
from tests.kit.guides import each_block
from tests.kit.preloaded.commands import quick_python, searched

PAGE = "conversation-history.md"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("demo"), command="demo") as server:
        yield server


def test_the_page_on_conversation_history_works(demo: Server, tmp_path: Path) -> None:
    environment = clean_environment()
    path = searched(environment["PATH"])
    data = str(demo.log.parent / "data")
    shown = each_block(PAGE, "text")
    steps = [(["sh", "-eu"], program) for program in each_block(PAGE, "sh")]
    steps += [([quick_python(), "-"], program) for program in each_block(PAGE, "python")]
    for (command, program), expected in zip(steps, shown, strict=True):
        ran = subprocess.run(
            command,
            input=program.replace("127.0.0.1:8081", demo.grpc),
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**environment, "PATH": path, "OPENPLAYBOOK_DATA_DIR": data},
            timeout=100,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout == expected
