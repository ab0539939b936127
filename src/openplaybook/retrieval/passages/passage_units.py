"""What a passage is put together from, and is not cut within where that can be: sentences, rows, items, lines."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from openplaybook.retrieval.extraction.base import BlockKind, TextBlock
from openplaybook.retrieval.language.sentences import sentences
from openplaybook.retrieval.passages.token_counter import TOKEN, count_tokens


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
        for number, piece in enumerate(_pieces(part, most)):
            yield PassageUnit(piece, count_tokens(piece), " " if number else joint)
        if part.strip():
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
    begin = 0
    ends: deque[int] = deque()
    for token in TOKEN.finditer(text):
        if len(ends) == most:
            blank = max(text.rfind(blank, begin, token.start()) for blank in " \n")
            cut = blank if blank > (begin + ends[-1]) // 2 else ends[-1]
            yield text[begin:cut].strip()
            while ends and ends[0] <= cut:
                ends.popleft()
            begin = cut
        ends.append(token.end())
    if rest := text[begin:].strip():
        yield rest
