"""The page on the offline model: its commands print what stands below them."""

import re
from pathlib import Path

from tests.e2e.kit.server import Server, clean_environment
from tests.kit.guides import blocks, printed
from tests.kit.preloaded.commands import searched

PAGE = "offline.md"


def test_the_examples_of_the_demo_agent_are_checked_as_the_page_shows(demo: Server, tmp_path: Path) -> None:
    found = clean_environment()
    data = str(demo.log.parent / "data")
    environment = {**found, "PATH": searched(found["PATH"]), "OPENPLAYBOOK_DATA_DIR": data}
    assert _uncounted(printed(PAGE, tmp_path, environment)) == _uncounted(blocks(PAGE, "text"))


def _uncounted(text: str) -> str:
    """Without how many there are, as long as all are replayed: other pages add examples to the same agent."""
    return re.sub(r"\b(\d+) of \1 examples", "all examples", text)
