"""What a passage is put together from, and is not cut within where that can be: sentences, rows, items, lines."""

from collections.abc import Iterator
from dataclasses import dataclass

from openplaybook.retrieval.extraction.base import BlockKind, TextBlock
from openplaybook.retrieval.language.sentences import sentences
from openplaybook.retrieval.passages.token_counter import count_tokens, token_end


@dataclass(frozen=True, slots=True)
class PassageUnit:
    """A piece of text that stands in one passage."""

    text: str
    tokens: int
    joint: str
    """What stands between it and the unit before, within a passage."""


def units_of(block: TextBlock, most: int, language: str = "") -> Iterator[PassageUnit]:
    """The units of a block that is no heading; none of them has more than `most` tokens."""
    if block.kind is BlockKind.PARAGRAPH and (whole := count_tokens(block.text)) <= most:
        yield PassageUnit(block.text, whole, "\n\n")
        return
    parts = _sentences(block.text, language) if block.kind is BlockKind.PARAGRAPH else _lines(block.text)
    joint = "\n\n"
    for part, next_joint in parts:
        for piece in _pieces(part, most):
            yield PassageUnit(piece, count_tokens(piece), joint)
            joint = " "
        joint = next_joint


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split("\n"):
        yield line, "\n"


def _sentences(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Sentences, and the blanks behind each."""
    spans = sentences(text, language)
    for number, (begin, end) in enumerate(spans):
        yield text[begin:end], text[end : spans[number + 1][0]] if number + 1 < len(spans) else ""


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
