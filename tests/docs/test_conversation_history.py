"""The page on conversation history does what it says: its blocks run against the demo."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.kit.server import Server, clean_environment, running

PAGE = Path(__file__).parents[2] / "docs" / "conversation-history.md"

_PARTS = re.compile(r"^```(sh|python)\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("demo"), command="demo") as server:
        yield server


def test_the_page_on_conversation_history_works(demo: Server, tmp_path: Path) -> None:
    environment = clean_environment()
    path = f"{Path(sys.executable).parent}:{environment['PATH']}"
    data = str(demo.log.parent / "data")
    parts = _PARTS.findall(PAGE.read_text())
    assert [language for language, _, _ in parts] == ["sh", "sh", "python"]
    for language, program, expected in parts:
        ran = subprocess.run(
            ["sh", "-eu"] if language == "sh" else [sys.executable, "-"],
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
