"""What is known by its words alone: names, which begin with capitals, and groups of words."""

import re
from collections.abc import Iterator, Sequence

from openplaybook.models.offline.language.lexicon import word_set
from openplaybook.models.offline.learned.lexemes import Lexeme
from openplaybook.models.offline.learned.mentions import Mention, MentionKind

_INSIDE_NAMES = frozenset(("of", "the", "and", "de", "la", "for", "in", "to", "a", "with", "&"))
_INSIDE_PHRASES = word_set("of per and the in for on to a with at near no not")
_BEHIND_VERBS = frozenset(("a", "an", "the", "my", "me", "some"))
"""Words that no name has right behind it: "Order a dinner"."""
_POLITE = frozenset(("please", "thanks", "thank"))
_RANGE = re.compile(r"[-/]\d")
_SELF = frozenset(("i", "i'm", "i'd", "i'll", "i've"))
_ENDS = frozenset(".?!")
_SHORTEST_SENTENCE = 3
"""Lexemes of what may be an answer, and need be no sentence."""
_LONGEST_PHRASE = 5
_LONGEST_SHORT = 3
"""Letters of a word that is cut short with a point."""
_MOST_PHRASES = 260


def find_names(text: str, lexemes: Sequence[Lexeme]) -> Iterator[Mention]:
    """Runs of capitalised words, with small words and numbers inside, and every sensible tail of them."""
    at = 0
    while at < len(lexemes):
        if not _begins_name(lexemes, at):
            at += 1
            continue
        ends = list(_ends_of_name(text, lexemes, at))
        for end in ends:
            yield _mention(text, lexemes, at, end, MentionKind.NAME)
        last = ends[-1]
        for first in range(at + 1, last + 1):
            before = lexemes[first - 1]
            if lexemes[first].is_capital and (first == at + 1 or before.is_small or before.text == ","):
                yield _mention(text, lexemes, first, last, MentionKind.NAME)
        at = last + 1


def _begins_name(lexemes: Sequence[Lexeme], at: int) -> bool:
    lexeme = lexemes[at]
    if not lexeme.is_capital:
        return False
    if lexeme.is_small and (at == 0 or lexemes[at - 1].text in _ENDS or lexeme.lower in _SELF):
        return False
    if _begins_sentence(lexemes, at) and lexeme.text[1:].islower():
        # The first word of a sentence is a name only where its neighbour is one too, which "I" is not.
        following = lexemes[at + 1]
        return (following.is_capital and following.lower not in _SELF) or following.text == ","
    return True


def _begins_sentence(lexemes: Sequence[Lexeme], at: int) -> bool:
    """Whether a sentence begins with a lexeme, and no short answer."""
    if at == 0:
        return len(lexemes) > _SHORTEST_SENTENCE or (len(lexemes) > 1 and lexemes[1].lower in _BEHIND_VERBS)
    few = lexemes[at : at + _SHORTEST_SENTENCE + 1]
    return lexemes[at - 1].text in _ENDS and len(few) > _SHORTEST_SENTENCE and all(one.text not in _ENDS for one in few)


def _ends_of_name(text: str, lexemes: Sequence[Lexeme], begin: int) -> Iterator[int]:
    """The last lexemes that a name may have: before each word that may be no part of it, and the whole."""
    last = begin
    while last + 1 < len(lexemes):
        following = lexemes[last + 1]
        gap = text[lexemes[last].end : following.start]
        if (following.is_capital and gap in (" ", "") and following.lower not in _POLITE) or _is_initial(
            lexemes[last], following, gap
        ):
            last += 1
        elif inside := _small_inside(lexemes, last + 1):
            yield last
            last += inside + 1
        elif following.text.isdigit() and gap == " " and not _RANGE.match(text, following.end):
            yield last
            last += 1
        else:
            break
    yield last


def _is_initial(lexeme: Lexeme, following: Lexeme, gap: str) -> bool:
    # Behind "NY" a point ends the sentence, behind "St" and "J" it belongs to the name.
    is_whole = following.text == "." and len(lexeme.text) > 1 and lexeme.text.isupper()
    return following.text in (".", "&") and len(lexeme.text) < 3 and gap in ("", " ") and not is_whole


def _small_inside(lexemes: Sequence[Lexeme], at: int) -> int:
    """How many small words lie between two parts of a name: one, or two as in "Lord of the Rings"; 0 where the name is
    over."""
    if lexemes[at].lower not in _INSIDE_NAMES and lexemes[at].text != ",":
        return 0
    few = lexemes[at : at + 3]
    count = 2 if len(few) == 3 and few[0].lower in _OF_THE and few[1].text == "the" else 1
    return count if len(few) > count and few[count].is_capital and not few[count].is_small else 0


_OF_THE = frozenset(("of", "in", "to", "for", "and"))


def find_phrases(text: str, lexemes: Sequence[Lexeme], known: frozenset[tuple[int, int]]) -> Iterator[Mention]:
    """Groups of up to five words that neither begin nor end with a small word, nor cross a mark; `known` are places
    that are something else."""
    count = 0
    for at, lexeme in enumerate(lexemes):
        if lexeme.is_small or not lexeme.text[0].isalnum():
            continue
        for last in range(at, min(at + _LONGEST_PHRASE, len(lexemes))):
            end = lexemes[last]
            is_part = end.text[0].isalnum() or (end.text == "." and _is_abbreviated(lexemes, last))
            if not is_part or (end.is_small and end.lower not in _INSIDE_PHRASES):
                break
            is_number = last == at and lexeme.text.isdigit()
            if end.is_small or not end.text[0].isalnum() or is_number or (lexeme.start, end.end) in known:
                continue
            count += 1
            if count > _MOST_PHRASES:
                return
            yield _mention(text, lexemes, at, last, MentionKind.PHRASE)


def _is_abbreviated(lexemes: Sequence[Lexeme], at: int) -> bool:
    """Whether a point belongs to the word before it: "St. Louis", and not to the sentence."""
    return at + 1 < len(lexemes) and len(lexemes[at - 1].text) <= _LONGEST_SHORT and lexemes[at - 1].is_capital


def _mention(text: str, lexemes: Sequence[Lexeme], first: int, last: int, kind: MentionKind) -> Mention:
    start, end = lexemes[first].start, lexemes[last].end
    return Mention(start, end, kind, text[start:end], first=first, last=last)
