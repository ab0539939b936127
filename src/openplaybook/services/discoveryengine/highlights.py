"""Snippets: some words of a passage around those that were looked for, which are bold."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from html import escape

WIDTH = 240
"""Characters of a snippet, about."""

_LOOKED_AT = 20_000
"""Characters of a passage: a document that is not cut is one."""
_MOST_TERMS = 64
"""That are sought: each makes a passage slower to look through."""

_WORD = re.compile(r"\w+")


def snippet(text: str, terms: Sequence[str], query: str, width: int = WIDTH) -> str:
    """The part of a text with the most of the terms in it, as HTML. `terms`: as the engine found them; where there are
    none, the words of the query."""
    pattern = _pattern([term for term in terms if term] or _WORD.findall(query))
    places = [found.start() for found in pattern.finditer(text, 0, _LOOKED_AT)] if pattern else []
    begin, end = _window(text, places, width)
    cut = text[begin:end]
    marked = "".join(_marked(cut, pattern)) if pattern else escape(cut, quote=False)
    return ("… " if begin else "") + marked.strip() + (" …" if end < len(text) else "")


def _pattern(terms: Sequence[str]) -> "re.Pattern[str] | None":
    """Finds the terms; a long one also where it is inflected."""
    if not terms:
        return None
    sought = dict.fromkeys(term if len(term) < 5 else term[:-1] for term in terms)
    stems = sorted([*sought][:_MOST_TERMS], key=len, reverse=True)
    alternatives = "|".join(rf"(?<!\w){re.escape(stem)}\w*" if stem.isascii() else re.escape(stem) for stem in stems)
    return re.compile(alternatives, re.IGNORECASE)


def _window(text: str, places: Sequence[int], width: int) -> tuple[int, int]:
    """Where most of the places lie together."""
    if len(text) <= width:
        return 0, len(text)
    if not places:
        return 0, _end_of_word(text, width)
    best = max(places, key=lambda place: bisect_left(places, place + width * 3 // 4) - bisect_left(places, place))
    begin = max(0, min(best - width // 8, len(text) - width))
    if begin:
        blank = text.find(" ", begin, best)
        begin = blank + 1 if blank >= 0 else begin
    return begin, _end_of_word(text, begin + width)


def _end_of_word(text: str, end: int) -> int:
    if end >= len(text):
        return len(text)
    blank = text.rfind(" ", max(0, end - 30), end)
    return blank if blank > 0 else end


def _marked(text: str, pattern: "re.Pattern[str]") -> list[str]:
    pieces: list[str] = []
    done = 0
    for found in pattern.finditer(text):
        pieces += [escape(text[done : found.start()], quote=False), f"<b>{escape(found[0], quote=False)}</b>"]
        done = found.end()
    return [*pieces, escape(text[done:], quote=False)]
