"""An utterance with all that may be a value in it."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from openplaybook.models.offline.learned.lexemes import Lexeme, lexemes_of
from openplaybook.models.offline.learned.listed_mentions import find_lists
from openplaybook.models.offline.learned.marked_mentions import certain_moments, find_marked
from openplaybook.models.offline.learned.mentions import Mention
from openplaybook.models.offline.learned.number_mentions import find_numbers
from openplaybook.models.offline.learned.word_mentions import find_names, find_phrases

MOST_CHARACTERS = 1500
"""Of an utterance that are looked at: its beginning and its end, where it is longer."""
_MOST_MENTIONS = 600


@dataclass(frozen=True, slots=True, eq=False)
class HeardUtterance:
    """Words and what may be a value among them. Compared by identity."""

    text: str
    lower: str
    lexemes: tuple[Lexeme, ...]
    stems: tuple[str, ...]
    """Of the lexemes, in their order."""
    places: dict[str, tuple[int, ...]]
    """Numbers of the lexemes with a stem."""
    mentions: tuple[Mention, ...]

    def lexemes_at(self, start: int, end: int) -> tuple[int, int]:
        """The first and the last lexeme of the characters from `start` to `end`."""
        inside = [number for number, one in enumerate(self.lexemes) if start < one.end and one.start < end]
        return (inside[0], inside[-1]) if inside else (0, 0)


@lru_cache(maxsize=256)
def utterance_of(text: str) -> HeardUtterance:
    """Read an utterance."""
    if len(text) > MOST_CHARACTERS:
        text = f"{text[: MOST_CHARACTERS // 2]} {text[-MOST_CHARACTERS // 2 :]}"
    lexemes = lexemes_of(text)
    places: dict[str, list[int]] = {}
    for number, lexeme in enumerate(lexemes):
        places.setdefault(lexeme.stem, []).append(number)
    return HeardUtterance(
        text=text,
        lower=text.lower(),
        lexemes=lexemes,
        stems=tuple(lexeme.stem for lexeme in lexemes),
        places={stem: tuple(numbers) for stem, numbers in places.items()},
        mentions=tuple(_mentions(text, lexemes)),
    )


def _mentions(text: str, lexemes: Sequence[Lexeme]) -> Iterator[Mention]:
    found = list(find_marked(text))
    found += find_numbers(text, lexemes, certain_moments(found))
    found += find_names(text, lexemes)
    phrases = list(find_phrases(text, lexemes, frozenset((one.start, one.end) for one in found)))
    # Phrases last: where there is too much, they are what is left out.
    found += [*find_lists(text, [*found, *phrases]), *phrases]
    starts, ends = [one.start for one in lexemes], [one.end for one in lexemes]
    for mention in found[:_MOST_MENTIONS]:
        # A lexeme is inside as soon as one of its characters is.
        first = bisect_left(ends, mention.start + 1)
        last = max(first, bisect_left(starts, mention.end) - 1)
        highest = max(0, len(lexemes) - 1)
        yield replace(mention, first=min(first, highest), last=min(last, highest))
