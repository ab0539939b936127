"""What is said of an exception that code did not catch: as Python says it, without frames of ours."""

import linecache
import os
import traceback
from collections.abc import Iterator, Sequence

from . import libraries

_OURS = os.path.dirname(os.path.abspath(__file__)) + os.sep
_CODE = "<code"
_FIRST, _LAST = 6, 14
"""Frames that are shown of a longer traceback: where code stood, and what failed."""


class _Shortened(traceback.StackSummary):
    def format(self, **options: object) -> list[str]:
        # Python has drawn repetitions together here.
        lines = super().format()
        left_out = len(lines) - _FIRST - _LAST
        return lines if left_out <= 0 else [*lines[:_FIRST], f"  [{left_out} frames are left out]\n", *lines[-_LAST:]]


def described(error: BaseException) -> str:
    """The traceback's text, with what is to be said of a library that is not there as its last line.

    Never raises: of an exception that cannot be described, its type is told.
    """
    if isinstance(error, MemoryError):
        # What filled the memory is often held by the frames alone.
        traceback.clear_frames(error.__traceback__)
    try:
        summary = traceback.TracebackException(type(error), error, error.__traceback__)
        for each in _with_causes(summary):
            each.stack = _of_code(each.stack)
            _complete(each)
        return "".join(summary.format()) + _missing_library(error)
    except BaseException as failure:  # noqa: BLE001 (an exception may be of any making; that it defied us is told)
        return f"{type(error).__name__} (its traceback cannot be written: {type(failure).__name__})\n"


def worded(value: object) -> str:
    """What `SystemExit` was given, as text. Never raises."""
    try:
        return str(value)
    except BaseException as failure:  # noqa: BLE001 (as above)
        return f"{type(value).__name__} (it cannot be written: {type(failure).__name__})"


def _with_causes(summary: traceback.TracebackException) -> Iterator[traceback.TracebackException]:
    left = [summary]
    while left:
        each = left.pop()
        yield each
        left += [one for one in (each.__cause__, each.__context__, *(each.exceptions or ())) if one is not None]


def _of_code(stack: Sequence[traceback.FrameSummary]) -> _Shortened:
    """Without frames of ours, and of the event loop that we started."""
    first = 0
    if stack and _is_ours(stack[0]):
        first = next((at for at, frame in enumerate(stack) if frame.filename.startswith(_CODE)), 0)
    return _Shortened(frame for frame in stack[first:] if not _is_ours(frame))


def _is_ours(frame: traceback.FrameSummary) -> bool:
    return frame.filename.startswith(_OURS)


def _complete(summary: traceback.TracebackException) -> None:
    """Add the line of a syntax error that the compiler found after parsing: it looks for a file."""
    file, line = getattr(summary, "filename", None), getattr(summary, "lineno", None)
    if file and line and not summary.text:
        summary.text = linecache.getline(file, int(line))


def _missing_library(error: BaseException) -> str:
    each: BaseException | None = error
    while each is not None:
        if isinstance(each, ModuleNotFoundError) and (advice := libraries.missing(each)):
            return f"{advice}\n"
        each = each.__cause__ or each.__context__
    return ""
