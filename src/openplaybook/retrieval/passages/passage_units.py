"""What a passage is put together from, and is not cut within where that can be: sentences, rows, items, lines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from openplaybook.retrieval.extraction.base import BlockKind, TextBlock
from openplaybook.retrieval.passages.token_counter import count_tokens, token_end

_SENTENCE_END: Final = re.compile(r"(?<=[.!?؟।…])[\"'»”’)\]]*\s+|(?<=[。！？])[」』”’）]*|\n+")
_ABBREVIATION: Final = re.compile(
    r"(?:\b\w|\b(?:[Dd]r|[Mm]rs?|[Ss]t|[Nn]o|[Nn]r|[Bb]zw|[Cc]a|[Ee]tc|[Vv]gl|[Aa]bs|vs|ca|p|pp))[.]$"
)


@dataclass(frozen=True, slots=True)
class PassageUnit:
    """A piece of text that stands in one passage."""

    text: str
    tokens: int
    joint: str
    """What stands between it and the unit before, within a passage."""


def units_of(block: TextBlock, most: int) -> Iterator[PassageUnit]:
    """The units of a block that is no heading; none of them has more than `most` tokens."""
    if block.kind is BlockKind.PARAGRAPH and (whole := count_tokens(block.text)) <= most:
        yield PassageUnit(block.text, whole, "\n\n")
        return
    parts = _sentences(block.text) if block.kind is BlockKind.PARAGRAPH else _lines(block.text)
    joint = "\n\n"
    for part, next_joint in parts:
        for piece in _pieces(part, most):
            yield PassageUnit(piece, count_tokens(piece), joint)
            joint = " "
        joint = next_joint


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split("\n"):
        yield line, "\n"


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Sentences, and what stands behind each."""
    begin = 0
    for end in _SENTENCE_END.finditer(text):
        behind = end[0]
        sentence = text[begin : end.end()].rstrip()
        if "\n" not in behind and _ABBREVIATION.search(sentence):
            continue
        if sentence:
            yield sentence, "\n" if "\n" in behind else " " if behind[-1:].isspace() else ""
        begin = end.end()
    if rest := text[begin:].rstrip():
        yield rest, "\n\n"


def _pieces(text: str, most: int) -> Iterator[str]:
    """A text cut where it is longer than a passage may be: at a blank if there is one, else within a word."""
    while count_tokens(text) > most:
        end = token_end(text, most)
        blank = max(text.rfind(" ", 0, end + 1), text.rfind("\n", 0, end + 1))
        cut = blank if blank > end // 2 else end
        yield text[:cut].rstrip()
        text = text[cut:].lstrip()
    if text:
        yield text
