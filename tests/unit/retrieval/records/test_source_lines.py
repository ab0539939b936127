"""Lines of files, whatever their length."""

import io

from openplaybook.retrieval.records.source_lines import (
    RecordFault,
    RecordLimits,
    SourceLine,
    source_lines,
)

SHORT = RecordLimits(max_line=10)


class EndlessLine(io.RawIOBase):
    """100 MB without the end of a line, and then a short one; knows how much was asked for at most."""

    def __init__(self) -> None:
        super().__init__()
        self._left = 100_000_000
        self.most = 0

    def readable(self) -> bool:
        return True

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size > 0
        self.most = max(self.most, size)
        if not self._left:
            return b""
        taken = min(size, self._left)
        self._left -= taken
        return b"x" * (taken - 1) + b"\n" if not self._left else b"x" * taken


def test_ends_of_lines_and_the_mark_of_utf8_are_left_out() -> None:
    file = io.BytesIO(b"\xef\xbb\xbfone\r\n\ntwo\nthree")
    assert list(source_lines(file, SHORT)) == [
        SourceLine(1, b"one"),
        SourceLine(2, b""),
        SourceLine(3, b"two"),
        SourceLine(4, b"three"),
    ]


def test_a_line_that_is_too_long_is_refused_and_the_rest_goes_on() -> None:
    file = io.BytesIO(b"a" * 10 + b"\r\n" + b"b" * 11 + b"\n" + b"c" * 1_000_000 + b"\nd\n" + b"e" * 12)
    refused = "it has more than 1e-05 MB"
    assert list(source_lines(file, SHORT)) == [
        SourceLine(1, b"a" * 10),
        RecordFault(2, refused),
        RecordFault(3, refused),
        SourceLine(4, b"d"),
        RecordFault(5, refused),
    ]


def test_a_line_of_100_megabytes_is_never_held_whole() -> None:
    file = EndlessLine()
    assert list(source_lines(file, RecordLimits())) == [RecordFault(1, "it has more than 5 MB")]  # pyright: ignore[reportArgumentType]
    assert file.most == 5_000_002
