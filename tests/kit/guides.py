"""The guides in `docs/`, whose blocks tests run and hold against what they print."""

import re
from collections.abc import Sequence
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def each_block(page: str, language: str) -> Sequence[str]:
    """The page's blocks in a language, of which there is at least one; `page` is a path beneath `docs/`."""
    found = [text for name, text in _BLOCK.findall((DOCS / page).read_text()) if name == language]
    assert found != [], f"{page} has no block in {language}"
    return found


def blocks(page: str, language: str) -> str:
    """All of the page's blocks in a language, one after the other."""
    return "".join(each_block(page, language))
