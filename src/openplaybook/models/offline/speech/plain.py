"""Words as the patterns of speech are written: lower case, without accents, every character at its place."""

import re
from functools import lru_cache
from unicodedata import normalize

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<!\w)'[^']*'(?!\w)")
_APOSTROPHES = str.maketrans("’‘`´", "''''")


def plain(text: str) -> str:
    """`text` in lower case and without accents, offsets unchanged."""
    return "".join(map(_plain, text)).translate(_APOSTROPHES)


def without_quotes(text: str) -> str:
    """`text` with all that stands in quotation marks made `x`: it is somebody else's words, or a name."""
    return _QUOTED.sub(lambda match: "x" * len(match.group()), text)


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    base = normalize("NFD", character)[:1].casefold()
    return base if len(base) == 1 else character
