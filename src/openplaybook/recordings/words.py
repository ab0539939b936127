"""Comparing what was said."""

import re

from openplaybook.recordings.form import WordMatch
from openplaybook.recordings.matchers import fits

_BLANKS = re.compile(r"\s+")
_PUNCTUATION = re.compile(r"[^\w\s\[\]]+")
"""All but the brackets of marks."""


def same_words(expected: str, happened: str, words: WordMatch) -> bool:
    """Whether what was said is what is expected, as far as `words` asks."""
    if words is WordMatch.IGNORED:
        return True
    if words is WordMatch.EXACT:
        return fits(expected, happened)
    plain, told = normalised(expected), normalised(happened)
    return plain in told or fits(f"[any]{plain}[any]", told) if words is WordMatch.CONTAINS else fits(plain, told)


def normalised(text: str) -> str:
    """Without case, punctuation and the form of blanks."""
    return _BLANKS.sub(" ", _PUNCTUATION.sub(" ", text)).strip().casefold()
