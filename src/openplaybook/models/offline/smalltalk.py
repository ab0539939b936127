"""Recognising small talk: whole utterances, or the beginning and end of longer ones."""

import re

from openplaybook.models.offline.language.small_talk import GREETING, SMALL_TALK
from openplaybook.models.offline.language.tokenizer import fold

_KINDS = {fold(phrase): kind for kind, phrases in SMALL_TALK.items() for phrase in phrases}
_PARTS = re.compile(r"[,.!?;:\n]+|\s+-\s+")
_LONGEST = 6
"""Words of a greeting."""
_LONGEST_TALK = 80
"""Characters of small talk."""


def kind_of(text: str) -> str:
    """The kind of small talk that all of `text` is, such as `greeting`; the last one of several; else empty."""
    if len(text) > _LONGEST_TALK:
        return ""
    whole = _KINDS.get(fold(text))
    if whole is not None:
        return whole
    kind = ""
    for part in filter(None, map(fold, _PARTS.split(text))):
        kind = _KINDS.get(part, "")
        if not kind:
            break
    return kind


def without_greeting(text: str) -> str:
    """`text` without small talk before its commas, or a greeting at its very beginning."""
    for end in reversed([match.end() for match in _PARTS.finditer(text, 0, _LONGEST_TALK)]):
        if kind_of(text[:end]) and text[end:].strip():
            return text[end:].strip()
    words = text.split(maxsplit=_LONGEST)
    for count in range(min(_LONGEST, len(words) - 1), 0, -1):
        beginning = " ".join(words[:count])
        if len(beginning) <= _LONGEST_TALK and _KINDS.get(fold(beginning)) == GREETING:
            return " ".join(words[count:])
    return text
