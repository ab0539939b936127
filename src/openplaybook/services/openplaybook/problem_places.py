"""Problems of tools and documents in the shape of `openplaybook.v1.Problem`, each at its place in the text."""

import re
from collections.abc import Sequence

from openplaybook.resources.findings import Finding, Severity
from openplaybook.tools.base import Problem
from openplaybook.wire.messages import ApiMessage

MOST = 500
"""Problems that one response shows."""
_MEANT = re.compile(r"did you mean ([^?]{1,200})\?")
_ITEM = re.compile(r"\[\d+\]$")
_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.REMARK: "REMARK"}


class TextPlaces:
    """Finds columns in the lines of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: Sequence[str] | None = None

    def of(self, path: str, line: int) -> tuple[int, int]:
        """The column of the first character that is meant, from 1, and how many are: of the member that the path ends
        with, else of all that the line says. Zeros where the text has no such line."""
        if self._lines is None:
            self._lines = self._text.split("\n")
        if not 1 <= line <= len(self._lines):
            return 0, 0
        text = self._lines[line - 1].rstrip()
        at = len(text) - len(text.lstrip())
        if not _ITEM.search(path):
            # Names may hold dots: the shortest end of the path that the line has is the member.
            parts = path.split(".")
            names = (".".join(parts[first:]) for first in range(len(parts) - 1, 0, -1))
            name = next((name for name in names if name and name in text), "")
            if name:
                return text.index(name) + 1, len(name)
        return at + 1, len(text) - at


def tell_problems(problems: Sequence[Problem], text: str, messages: ApiMessage) -> None:
    """Add the first problems, errors before what is merely odd; `text` is the document that their lines count in."""
    places = TextPlaces(text)
    for problem in sorted(problems, key=lambda each: not each.is_error)[:MOST]:
        message = messages.add(path=problem.path, message=problem.message, line=problem.line or 0)
        message.severity = message.Severity.Value("ERROR" if problem.is_error else "WARNING")
        if problem.line is not None:
            message.column, message.length = places.of(problem.path, problem.line)
        message.fix = fix_in(problem.message)


def tell_findings(findings: Sequence[Finding], messages: ApiMessage) -> None:
    """Add the first findings of a playbook, an example and the like."""
    for finding in findings[:MOST]:
        tell_finding(finding, messages.add())


def tell_finding(finding: Finding, message: ApiMessage) -> None:
    """Write a finding into its message."""
    message.path, message.message, message.fix = finding.path, finding.message, fix_in(finding.message)
    message.severity = message.Severity.Value(_SEVERITIES[finding.severity])
    if finding.start is not None:
        message.column = finding.start + 1


def fix_in(message: str) -> str:
    """What was probably meant, as a message says; empty where it does not."""
    found = _MEANT.search(message)
    return found[1] if found else ""
