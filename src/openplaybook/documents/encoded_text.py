"""A long text as those need it who recognise, judge and read it: made once for all of them."""

from functools import cached_property
from hashlib import sha256
from typing import Final

from openplaybook.jsonvalues import PIECE

LONG: Final = PIECE
"""Characters of a text from which on it is worth being handed on in this form."""


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
