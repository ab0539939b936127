"""How many tokens a text has, about: what models read in common, without a model's own vocabulary.

A token is a word of up to eight letters, or as many letters of a longer one; a character of Chinese or Japanese, a
syllable of Korean; three letters of Thai and its like, which part no words; a mark of punctuation. Blanks are none.
"""

import re
from typing import Final

_WORD_LETTERS: Final = 8
_UNPARTED_LETTERS: Final = 3
_SINGLE: Final = (
    r"\u1100-\u11ff\u2e80-\u303f\u3040-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    r"\uff00-\uffef\U00020000-\U0003ffff"
)
_UNPARTED: Final = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Thai, Lao, Burmese, Khmer."""
TOKEN: Final = re.compile(
    rf"[{_SINGLE}]|[{_UNPARTED}]{{1,{_UNPARTED_LETTERS}}}|(?:(?![{_SINGLE}{_UNPARTED}])\w){{1,{_WORD_LETTERS}}}|[^\w\s]"
)
"""One token."""

_PLAIN: Final = re.compile(rf"\w{{1,{_WORD_LETTERS}}}|[^\w\s]")
_SHORT: Final = 100_000
"""Characters of a text whose tokens may all be held, which is faster than going through them."""
_LAST_PLAIN: Final = "\u0dff"
"""No letter up to here is counted in another way than by words."""


def count_tokens(text: str) -> int:
    """Tokens of a text."""
    pattern = _PLAIN if max(text, default="") <= _LAST_PLAIN else TOKEN
    if len(text) <= _SHORT:
        return len(pattern.findall(text))
    return sum(1 for _ in pattern.finditer(text))
