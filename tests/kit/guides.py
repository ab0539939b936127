"""The pages for readers, whose blocks tests run and hold against what they print.

A block that no test can take has a mark on the line before it, which says why: `<!-- illustration: needs Docker -->`.
Every other block that a passing test takes from here counts as held; `tests.guide_ledger` closes that account.
"""

import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tests.kit.preloaded.commands import searched

DOCS = Path(__file__).parents[2] / "docs"
README = "../README.md"

_FENCE = re.compile(r" *(```|~~~)")
_MARK = re.compile(r" *<!-- illustration: (.+) -->")

_taken: set[tuple[str, int]] = set()


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    """Path beneath `docs/`."""
    line: int
    """Where its fence opens, from 1."""
    language: str
    text: str
    illustrates: str
    """Why no test takes it; empty for a block that one must take."""

    def __str__(self) -> str:
        return f"{self.page}:{self.line} ({self.language})"


def pages() -> Sequence[str]:
    """Every page, as a path beneath `docs/`."""
    beneath = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))
    return [README, "../CONTRIBUTING.md", *beneath]


def page_blocks(page: str) -> Sequence[Block]:
    """The blocks of a page, those in lists included; each has a language and an end."""
    found: list[Block] = []
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    numbered = iter(enumerate(lines, 1))
    for start, line in numbered:
        if not (fence := _FENCE.match(line)):
            continue
        indent, language = fence[0][:-3], line[fence.end() :]
        assert re.fullmatch(r"\w+", language), f"{page}:{start} has no language"
        text = ""
        for _, inner in numbered:
            if inner == fence[0]:
                break
            text += inner.removeprefix(indent) + "\n"
        else:
            raise AssertionError(f"{page}:{start} has no end")
        mark = _MARK.fullmatch(lines[start - 2]) if start > 1 else None
        found.append(Block(page, start, language, text, mark[1] if mark else ""))
    return found


def all_blocks() -> Sequence[Block]:
    """The blocks of all pages."""
    return [block for page in pages() for block in page_blocks(page)]


def taken() -> Sequence[tuple[str, int]]:
    """Page and line of the blocks that were taken since this was called last."""
    found = sorted(_taken)
    _taken.clear()
    return found


def each_block(page: str, language: str) -> Sequence[str]:
    """The page's blocks in a language, illustrations left out, of which there is at least one."""
    found = [block for block in page_blocks(page) if block.language == language and not block.illustrates]
    assert found != [], f"{page} has no block in {language}"
    _taken.update((page, block.line) for block in found)
    return [block.text for block in found]


def blocks(page: str, language: str) -> str:
    """All of the page's blocks in a language, one after the other."""
    return "".join(each_block(page, language))


def block_of(page: str, language: str, beginning: str) -> str:
    """The page's only block in a language that begins so."""
    found = [block for block in page_blocks(page) if block.language == language and block.text.startswith(beginning)]
    assert len(found) == 1, f"{page} has {len(found)} blocks in {language} that begin with {beginning!r}"
    _taken.add((page, found[0].line))
    return found[0].text


def whole_page(page: str) -> str:
    """The text of a page whose every block is held with it, as a generated page's is."""
    _taken.update((page, block.line) for block in page_blocks(page))
    return (DOCS / page).read_text(encoding="utf-8")


def command_flags(page: str, command: str) -> Sequence[str]:
    """The options with which the page's only `console` block starts the server by `openplaybook COMMAND`."""
    [text] = each_block(page, "console")
    program, named, *flags = shlex.split(text.replace("\\\n", ""))
    assert (program, named) == ("openplaybook", command)
    return flags


def printed(
    page: str, folder: Path, environment: Mapping[str, str], replaced: Mapping[str, object] = MappingProxyType({})
) -> str:
    """What the page's `sh` blocks print, typed in a folder with our commands at hand; they all succeed.

    `replaced` are texts of the page, such as its ports, and what stands in their place.
    """
    path = searched(environment["PATH"])
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
