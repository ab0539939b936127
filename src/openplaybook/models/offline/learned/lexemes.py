"""Words as the learned planner compares them: names and decimals are kept whole, endings are cut off."""

import re
from dataclasses import dataclass
from functools import lru_cache

from openplaybook.models.offline.language.lexicon import word_set

SMALL_WORDS = word_set(
    """a an the of to in on at for and or is are be by with from as it its this that these those i me my we our you
    your he she they them his her their what which who whom how when where why can could would will shall should may
    might do does did please have has had if any some into about there then than so but not no also just only per via
    i'm i'd i'll i've it's what's let's want need like know tell find get give show make see help using use between
    during within after before since until near around over under both such was were am been being up out off us
    don't"""
)
"""Words that neither begin nor end what somebody names."""
_SAY_LITTLE = SMALL_WORDS | word_set(
    "specific given value default e.g string integer float boolean number list optional format e g"
)
_LEXEME = re.compile(
    r"[A-Za-zÀ-ÖØ-öø-ÿ]+(?:['’&-][A-Za-zÀ-ÖØ-öø-ÿ0-9]+)*|\d+(?:[.,:]\d+)*[A-Za-z%°]*"
    r"|[぀-ヿ一-鿿가-힯]+|[^\W\d_]+|[^\s]"
)
_CAMEL = re.compile(r"([a-z0-9])([A-Z])")
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_ENDINGS = sorted(word_set("ations ation ings ing ions ion ies ers ors er or es ed ly s e y"), key=len, reverse=True)
_DOUBLING = frozenset(("ing", "ings", "ed", "er", "ers"))
"""Endings before which a consonant is written twice: "starring"."""
_SAME = {"child": "kid", "children": "kid", "movi": "film", "purchas": "buy", "photo": "pictur", "imag": "pictur"}
"""Stems of words that mean the same."""
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A word, a number or a mark of an utterance."""

    text: str
    lower: str
    stem: str
    start: int
    end: int
    is_small: bool
    """Whether it is one of `SMALL_WORDS`."""

    @property
    def is_capital(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.text[0].isupper()


def lexemes_of(text: str) -> tuple[Lexeme, ...]:
    """The lexemes of a text."""
    return tuple(_lexeme(match) for match in _LEXEME.finditer(text))


def _lexeme(match: re.Match[str]) -> Lexeme:
    text, lower = match.group(), match.group().lower()
    return Lexeme(text, lower, stem_of(lower), match.start(), match.end(), lower in SMALL_WORDS)


@lru_cache(maxsize=20_000)
def stem_of(word: str) -> str:
    """A lower-case word without its ending: equal for the forms of one word, not always a word itself."""
    word = word.removesuffix("'s").removesuffix("’s")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            root = word[: -len(ending)]
            is_doubled = ending in _DOUBLING and len(root) > _SHORTEST and root[-1] == root[-2] and root[-1] not in "ls"
            root = root[:-1] if is_doubled else root
            return _SAME.get(root, root)
    return _SAME.get(word, word)


@lru_cache(maxsize=20_000)
def words_of_name(name: str) -> tuple[str, ...]:
    """The words of a name such as `petName` or `zip_code`, or of a text, lower case."""
    return tuple(_PARTS.findall(_CAMEL.sub(r"\1 \2", name.replace("_", " ")).lower()))


@lru_cache(maxsize=20_000)
def stems_of(text: str) -> tuple[str, ...]:
    """Stems of the words of a text that say something."""
    words = words_of_name(text)
    return tuple(stem_of(word) for word in words if word not in _SAY_LITTLE and (len(word) > 1 or word.isdigit()))
