"""The guides in `docs/`, whose blocks tests run and hold against what they print."""

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

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


def printed(
    page: str, folder: Path, environment: Mapping[str, str], replaced: Mapping[str, object] = MappingProxyType({})
) -> str:
    """What the page's `sh` blocks print, typed in a folder with our commands at hand; they all succeed.

    `replaced` are texts of the page, such as its ports, and what stands in their place.
    """
    path = f"{Path(sys.executable).parent}:{environment['PATH']}"
    program = blocks(page, "sh")
    for text, other in replaced.items():
        program = program.replace(text, str(other))
    ran = subprocess.run(
        ["sh", "-eu"],
        # Should a step fail, what it started must not outlive it.
        input=f"trap '[ -z \"${{!:-}}\" ] || kill -9 $! 2> /dev/null || true' EXIT\n{program}",
        capture_output=True,
        text=True,
        cwd=folder,
        env={**environment, "PATH": path},
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
