"""Instructions written as one text: which part of it is a step, and how deep it is nested.

The notation is the one that Google's playbook editor takes: a step starts with `-` and nests by indentation; it
may be numbered instead. A line that starts no step and is indented deeper than the step above continues it; any
other line is a step of its own.
"""

import re
from dataclasses import dataclass

MAX_LEVELS = 32
"""Steps that are indented deeper are taken for steps of the deepest level."""
_TAB = 4
_STEP = re.compile(r"(?P<indent>[ \t]*)(?P<bullet>-(?:[ \t]+|$))?(?P<text>(?P<number>\d+(?:\.\d+)*[.)][ \t])?.*)")


@dataclass(frozen=True, slots=True)
class GuidelineStep:
    """A step as a stretch of the whole text; a bullet is not part of it, a number is."""

    start: int
    """Offset of its first character."""
    end: int
    """Offset behind its last character; lines that continue it are included as they stand."""
    level: int
    """0 for a step at the top, at most one more than the step before it."""
    line: int
    """Line it begins in, counted from 1."""


def split_guidelines(text: str) -> list[GuidelineStep]:
    """The steps of a text in order; blank lines separate nothing and belong to no step."""
    steps: list[GuidelineStep] = []
    indents: list[int] = []
    offset = 0
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.rstrip()
        if line:
            _take_line(line, offset, number, steps, indents)
        offset += len(raw) + 1
    return steps


def _take_line(line: str, offset: int, number: int, steps: list[GuidelineStep], indents: list[int]) -> None:
    """Add one line to `steps`; `indents` holds the indentation of the steps that are open."""
    match = _STEP.match(line)
    if match is None:
        return
    indent = len(match["indent"].expandtabs(_TAB))
    marked = match["bullet"] is not None or match["number"] is not None
    end = offset + len(line)
    if not marked and indents and indent > indents[-1]:
        last = steps[-1]
        steps[-1] = GuidelineStep(last.start, end, last.level, last.line)
        return
    while indents and indent <= indents[-1]:
        indents.pop()
    steps.append(GuidelineStep(offset + match.start("text"), end, min(len(indents), MAX_LEVELS - 1), number))
    indents.append(indent)
