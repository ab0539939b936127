"""The page on control over a conversation does what it says, against the demo agent."""

import re
from pathlib import Path

from openplaybook.resources.conditions.functions import FUNCTIONS, NOT_RUN
from tests.docs.test_quickstarts import printed
from tests.e2e.kit.server import running
from tests.kit.guides import DOCS, blocks
from tests.kit.preloaded.commands import quick_python

PAGE = "conversation-control.md"


def test_the_page_on_conversation_control(tmp_path: Path) -> None:
    with running(tmp_path / "server", command="demo") as demo:
        told = printed(blocks(PAGE, "python"), [quick_python(), "-"], demo, tmp_path)
    assert told == blocks(PAGE, "text")


def test_the_page_names_every_system_function() -> None:
    found = re.search(r"System functions: (?P<run>[^.]+)\. Not run:(?P<not>[^.]+)\.", (DOCS / PAGE).read_text())
    assert found is not None
    run, not_run = (set(re.findall(r"\w+", part)) for part in found.groups())
    assert (run, not_run) == ({name for name in FUNCTIONS if name.isupper()}, set(NOT_RUN))
