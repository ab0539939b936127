"""Words that pick one of several things by its number: "the second one", in the languages that the model speaks."""

import re
from dataclasses import dataclass

from openplaybook.models.offline.language.tokenizer import plain

_LAST = -1
_ENGLISH = ("first|1st", "second|2nd", "third|3rd", "fourth|4th", "fifth|5th", "last")
_GERMAN = ("erste", "zweite", "dritte", "vierte", "funfte", "letzte")
_SPANISH = ("primer[oa]?", "segund[oa]", "tercer[oa]?", "cuart[oa]", "quint[oa]", "ultim[oa]")
_FRENCH = (
    "premiere?",
    "(?:deuxieme|seconde?)",
    "troisieme",
    "quatrieme",
    "cinquieme",
    "derni(?:er|ere)",
)
_ITALIAN = ("prim[oa]", "second[oa]", "terz[oa]", "quart[oa]", "quint[oa]", "ultim[oa]")
_PORTUGUESE = ("primeir[oa]", "segund[oa]", "terceir[oa]", "quart[oa]", "quint[oa]", "ultim[oa]")
_JAPANESE = tuple(f"(?:{kanji}|{digit})(?:番目|つ目|つめ)" for kanji, digit in zip("一二三四五", "12345", strict=True))
_KOREAN = tuple(f"{word} ?번째" for word in ("첫", "두", "세", "네", "다섯"))

_FRAMES = (
    (r"\bthe (?:{0})(?: (?:one|option|item|result))?\b|\b(?:{0}) (?:one|option|item|result)\b", _ENGLISH),
    (r"\b(?:der|die|das|den|dem|vom|zum|beim) (?:{0})[nrs]?\b", _GERMAN),
    (r"\b(?:el|la|lo|del|al) (?:{0})\b", _SPANISH),
    (r"\b(?:(?:le|la|du|au) |l')(?:{0})\b", _FRENCH),
    (r"\b(?:(?:il|la|lo|del|della|dello|al|alla) |(?:l'|dell'|all'))(?:{0})\b", _ITALIAN),
    (r"\b(?:o|a|do|da|ao) (?:{0})\b", _PORTUGUESE),
    ("(?:{0})(?:のもの|のやつ)?", (*_JAPANESE, "最後(?=の|を|で)")),
    ("(?:{0})(?: ?(?:것|거|걸))?", (*_KOREAN, "마지막 ?(?:것|거|걸)")),
)
_PICKS = tuple(
    (re.compile(frame.format(words)), _LAST if number == len(ordinals) - 1 else number)
    for frame, ordinals in _FRAMES
    for number, words in enumerate(ordinals)
)


@dataclass(frozen=True, slots=True)
class Pick:
    """One of several things, by its number."""

    number: int
    """From 0 on; -1 is the last."""
    start: int
    end: int
    """Where the words stand, in characters."""


def pick_in(text: str) -> Pick | None:
    """The first pick in a text; None where it has none."""
    lower = plain(text)
    found = [Pick(number, *match.span()) for pattern, number in _PICKS if (match := pattern.search(lower))]
    return min(found, key=lambda pick: pick.start, default=None)
