"""The server's own files by their paths, which are for its operator and its log, and for no caller.

Messages are written without them where they arise; this is the last look, at the edge, for those that slip through:
an error of the system or of a library that names the file it was about.
"""

import re
from collections.abc import Iterable
from pathlib import Path

SHOWN = "(a file of the server)"
"""What stands in place of a path."""

_REST = r"(?:/[^\s'\",;:()\[\]]*)?"
_PACKAGE = Path(__file__).resolve().parents[1]
_FEWEST_PARTS = 3
"""`/`, a folder and what is in it. `/data` alone may as well be a pointer into a caller's document."""


class _Known:
    """The beginnings of the paths that are hidden."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.pattern = re.compile(r"(?!)")
        self.add([_PACKAGE])

    def add(self, paths: Iterable[Path]) -> None:
        """Hide these from now on."""
        known = {str(path) for path in paths if path.is_absolute() and len(path.parts) >= _FEWEST_PARTS}
        if known <= self.paths:
            return
        self.paths |= known
        longest_first = sorted(self.paths, key=len, reverse=True)
        self.pattern = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w.-]){_REST}")


_KNOWN = _Known()


def hide_own(paths: Iterable[Path]) -> None:
    """Hide these files and folders, and all within, from callers of this process."""
    _KNOWN.add(paths)


def without_own_paths(text: str) -> str:
    """A message for a caller."""
    return _KNOWN.pattern.sub(SHOWN, text) if "/" in text else text
