"""How well one of a parameter's listed values is said in an utterance, and where."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.learned.lexemes import SMALL_WORDS, stem_of, words_of_name
from openplaybook.models.offline.learned.utterance import HeardUtterance
from openplaybook.models.offline.learned.wants import Want

_NEAR = 4
_SHORTEST = 3
Hits = tuple[float, float, float, float, float, float]
"""Said as a whole; the share of its words that are said; how much of it a word begins with; its initials are said; a
word of the parameter's name is near; how many words it has."""
UNSAID: Hits = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
_DENIED = re.compile(r"\b(no|not|without|don'?t|exclude|disable|excluding|never|isn't)\b")
_EMPTY = frozenset(("is", "include", "flag", "enable", "get", "has", "use", "show"))


@dataclass(frozen=True, slots=True)
class SaidOption:
    """A listed value and how it is said."""

    hits: Hits
    place: tuple[int, int] | None
    """Its first and last lexeme, where a word of it is said."""

    @property
    def strength(self) -> float:
        """How surely it is said, to compare several by."""
        return self.hits[0] + self.hits[1] + self.hits[2]


def said_option(option: JsonValue, words: HeardUtterance, want: Want) -> SaidOption:
    """How `option` is said."""
    parts = words_of_name(str(option)) or (str(option).lower(),)
    stems = [stem_of(part) for part in parts]
    whole = _find_whole(str(option).lower().replace("_", " "), words)
    content = [stem for stem, part in zip(stems, parts, strict=True) if part not in SMALL_WORDS] or stems
    share = sum(stem in words.places for stem in content) / len(content)
    at = next((words.places[stem][0] for stem in stems if stem in words.places), None)
    begun = 0.0
    if at is None:
        begun, at = _begun(stem_of("".join(parts)), words)
        if not begun and len(parts) > 1:
            begun, at = _shortened(parts, words)
    initials = float(len(parts) > 1 and "".join(part[0] for part in parts) in words.places)
    near, place = 0.0, None
    if at is not None:
        around = {*words.stems[max(0, at - _NEAR) : at + _NEAR + 1]} - {*stems}
        near = float(not around.isdisjoint(want.stems))
        place = (at, max(at, min(at + len(stems) - 1, len(words.lexemes) - 1)))
    return SaidOption((float(whole), share, begun, initials, near, float(len(parts))), place)


def _find_whole(lower: str, words: HeardUtterance) -> bool:
    if lower not in words.lower:
        return False
    return re.search(rf"(?<!\w){re.escape(lower)}(?!\w)", words.lower) is not None


def _begun(joined: str, words: HeardUtterance) -> tuple[float, int | None]:
    """How much of an option a word begins with, or it of the word, and where that stands."""
    best, place = 0.0, None
    for stem, places in words.places.items():
        shorter, longer = sorted((stem, joined), key=len)
        is_long_enough = len(stem) >= _SHORTEST and len(shorter) >= min(4, len(joined))
        if is_long_enough and longer.startswith(shorter) and len(shorter) / len(longer) > best:
            best, place = len(shorter) / len(longer), places[0]
    return best, place


def _shortened(parts: Sequence[str], words: HeardUtterance) -> tuple[float, int | None]:
    """Whether each part of an option begins a word: "Sci-fi" for "science fiction"."""
    at = next((number for number, one in enumerate(words.lexemes) if one.lower.startswith(parts[0])), None)
    if at is None or len(parts[0]) < 2 or at + len(parts) > len(words.lexemes):
        return 0.0, None
    following = words.lexemes[at : at + len(parts)]
    begins = all(len(part) > 1 and one.lower.startswith(part) for part, one in zip(parts, following, strict=True))
    return (0.8, at) if begins else (0.0, None)


def said_flag(want: Want, words: HeardUtterance) -> tuple[Hits, bool]:
    """How the name of a yes-or-no parameter is said, and whether it is denied there."""
    named = [word for word in want.name_words if word not in _EMPTY]
    said = said_option(" ".join(named) or want.name, words, want)
    if said.place is None:
        around = words.lower
    else:
        at = words.lexemes[said.place[0]].start
        around = words.lower[max(0, at - 40) : at + 25]
    is_denied = _DENIED.search(around) is not None
    about = len(want.about & words.places.keys()) / (1 + len(want.about))
    return (*said.hits[:5], about + 2 * is_denied), is_denied
