"""How far long work is, for who waits at a terminal."""

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

_LINE_AGAIN = "\r\x1b[K"
"""Back to the start of the line, and what stands there is gone (ECMA-48: CR, EL)."""
_USUAL_WIDTH = 80


@contextmanager
def progress() -> Generator[Callable[[str], None]]:
    """Gives what says how far the work is: one line on standard error, in place of the one before, gone at the end.

    Nothing is shown where standard error is no terminal.
    """
    shown = sys.stderr.isatty()

    def tell(text: str) -> None:
        if shown:
            sys.stderr.write(f"{_LINE_AGAIN}{text[: _width() - 1]}")
            sys.stderr.flush()

    try:
        yield tell
    finally:
        tell("")


def _width() -> int:
    """Columns of the terminal; a longer line would begin a second one, which stays."""
    return os.get_terminal_size(sys.stderr.fileno()).columns or _USUAL_WIDTH
