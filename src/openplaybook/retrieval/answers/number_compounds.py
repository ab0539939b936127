"""Numbers of two words, such as `twenty-four`, `vierundzwanzig`, `veinticuatro` or `on iki`: a ten and a one."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

_ONE: Mapping[str, str] = {
    "en": "one", "de": "ein eins", "nl": "een", "es": "un uno una", "it": "un uno una", "pt": "um uma",
    "fr": "un une", "ru": "один одна одного", "tr": "bir", "el": "ένα μία ένας",
}  # fmt: skip
_JOINED = {"de": re.compile("(.+?)und(.+)"), "nl": re.compile("(.+?)(?:en|ën)(.+)")}
"""The one before the ten, in one word."""
_SPANISH = re.compile("veinti(.+)")
_ITALIAN = re.compile("(vent|trent|quarant|cinquant|sessant|settant|ottant|novant)[ia]?(.+)")
_BETWEEN = {"es": "y", "pt": "e", "el": "και"}
"""What may stand between a ten and a one."""
_ELEVEN_IN_TWO = {"tr"}
"""Languages that write eleven to nineteen as ten and one."""


def one_of(language: str) -> frozenset[str]:
    """Words for one, which say a number only behind a ten."""
    return frozenset(_ONE.get(language, "").split())


def compound_value(word: str, values: Mapping[str, float], language: str) -> float:
    """The value of a ten and a one that are written as one word, in small letters; 0 for all other words.

    `values` are those of the single words.
    """
    if "-" in word:
        left, _, right = word.partition("-")
        return _sum(left, right, values, language)
    if language in _JOINED and (found := _JOINED[language].fullmatch(word)):
        return _sum(found[2], found[1], values, language)
    if language == "es" and (found := _SPANISH.fullmatch(word)):
        return _sum("veinte", _plain(found[1]), values, language)
    if language == "it" and (found := _ITALIAN.fullmatch(word)):
        ten = f"{found[1]}{'i' if found[1] == 'vent' else 'a'}"
        return _sum(ten, _plain(found[2]), values, language)
    return 0.0


def joint_length(text: str, words: Sequence[re.Match[str]], at: int, language: str) -> int:
    """How many words behind a ten its one stands: 1, or 2 with `y` before it; beyond all words if signs part them."""
    behind = 2 if at + 1 < len(words) and words[at + 1][0].casefold() == _BETWEEN.get(language) else 1
    if at + behind < len(words) and not _parted(text[words[at].end() : words[at + behind].start()]):
        return behind
    return len(words)


def _parted(between: str) -> bool:
    """Whether there is more than blanks and a word between two words."""
    return any(not each.isalpha() for each in between.split())


def together(ten: str, one: str, values: Mapping[str, float], language: str) -> float:
    """The value of a ten and a one in two words, in small letters; 0 where they are no such."""
    return _sum(ten, one, values, language)


def _sum(ten: str, one: str, values: Mapping[str, float], language: str) -> float:
    tens = values.get(ten, 0.0)
    ones = 1.0 if one in one_of(language) else values.get(one, 0.0)
    is_ten = (20 <= tens <= 90) or (tens == 10 and language in _ELEVEN_IN_TWO)
    return tens + ones if is_ten and 1 <= ones <= 9 else 0.0


def _plain(word: str) -> str:
    """The word without accents: `dós` of `veintidós`."""
    letters = unicodedata.normalize("NFD", word)
    return "".join(each for each in letters if not unicodedata.combining(each))
