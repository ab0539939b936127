"""The page on client-side execution does what it says, against the demo agent."""

import shutil
from pathlib import Path

import pytest

from tests.docs.test_quickstarts import printed
from tests.e2e.kit.server import running
from tests.kit.guides import blocks
from tests.kit.preloaded.commands import quick_python


@pytest.mark.proves("C1")
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
def test_the_page_on_client_side_execution(tmp_path: Path) -> None:
    page = "client-side-execution.md"
    with running(tmp_path / "server", command="demo") as demo:
        told = printed(blocks(page, "sh"), ["sh", "-eu"], demo, tmp_path)
        told += printed(blocks(page, "python"), [quick_python(), "-"], demo, tmp_path)
    assert told == blocks(page, "text")
