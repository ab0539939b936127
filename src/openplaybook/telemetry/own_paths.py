"""The server's own files by their paths, which are for its operator and its log, and for no caller.

Messages are written without them where they arise; this is the last look, at the edge, for those that slip through:
an error of the system or of a library that names the file it was about.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
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
        self.paths: frozenset[str] = frozenset()
        self.add([_PACKAGE])

    def add(self, paths: Iterable[Path]) -> None:
        """Hide these from now on."""
        known = {str(path) for path in paths if path.is_absolute() and len(path.parts) >= _FEWEST_PARTS}
        self.paths |= known


@lru_cache(maxsize=1)
def _pattern(paths: frozenset[str]) -> re.Pattern[str]:
    """Made when a text is first looked at: few servers have one that names a file, and all would start later for it."""
    longest_first = sorted(paths, key=len, reverse=True)
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w.-]){_REST}")


_KNOWN = _Known()


def hide_own(paths: Iterable[Path]) -> None:
    """Hide these files and folders, and all within, from callers of this process."""
    _KNOWN.add(paths)


def without_own_paths(text: str) -> str:
    """A message for a caller."""
    return _pattern(_KNOWN.paths).sub(SHOWN, text) if "/" in text else text
