"""A long text as those need it who recognise, judge and read it, made once for all of them; and what texts were read
as, kept by digest: a tool that is saved is compiled, executed and validated soon after."""

from collections import OrderedDict
from functools import cached_property
from hashlib import sha256
from threading import Lock
from typing import Final

from openplaybook.jsonvalues import PIECE

LONG: Final = PIECE
"""Characters of a text from which on it is worth being handed on in this form."""

_BUDGET = 32 * 1024 * 1024
_ENTRY = 200
"""Bytes that an entry takes by itself."""


class EncodedText:
    """A text in UTF-8, and the digest by which it is recognised."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def data(self) -> bytearray:
        """The UTF-8; halves of surrogate pairs are written as if they were characters."""
        data = bytearray()
        # A piece at a time: no other thread runs meanwhile, and a second whole copy would take its memory.
        for start in range(0, len(self.text), PIECE):
            data += self.text[start : start + PIECE].encode("utf-8", "surrogatepass")
        return data

    @cached_property
    def digest(self) -> bytes:
        """Of the UTF-8; equal only for equal texts."""
        return sha256(self.data).digest()


def encoded(text: str, known: EncodedText | None = None) -> EncodedText:
    """The text in that form: what is known already, where that is of this text."""
    return known if known is not None and known.text is text else EncodedText(text)


class ReadTexts:
    """Answers by digest, the last ones within a budget of bytes. Threads may share it."""

    def __init__(self, budget: int = _BUDGET) -> None:
        self._budget = budget
        self._answers: OrderedDict[bytes, bytes] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, digest: bytes) -> bytes | None:
        """The answer, if it is still known."""
        with self._lock:
            answer = self._answers.get(digest)
            if answer is not None:
                self._answers.move_to_end(digest)
            return answer

    def keep(self, digest: bytes, answer: bytes) -> None:
        """Know an answer for a while; one that takes more than half of the budget is not kept."""
        if len(answer) > self._budget // 2:
            return
        with self._lock:
            before = self._answers.pop(digest, None)
            self._size += _size(answer) - (0 if before is None else _size(before))
            self._answers[digest] = answer
            while self._size > self._budget:
                _, oldest = self._answers.popitem(last=False)
                self._size -= _size(oldest)


def _size(answer: bytes) -> int:
    return len(answer) + _ENTRY
