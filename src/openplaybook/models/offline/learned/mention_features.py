"""What is seen of a mention and the words around it, whatever parameter it may be for."""

from dataclasses import dataclass

from openplaybook.models.offline.learned.mentions import Mention, MentionKind
from openplaybook.models.offline.learned.utterance import HeardUtterance

_PREPOSITIONS = (
    *("from", "to", "in", "at", "for", "of", "by", "on", "with", "between", "and", "about", "is", "as", "named"),
    *("=", ":", "near", "the", "a", "into", "using", "like", "titled", "called"),
)
_PLACE_OF = {word: number for number, word in enumerate(_PREPOSITIONS)}
_KINDS = tuple(MentionKind)
_MARKS_BEFORE, _MARKS_BEHIND = "'\"“‘`([$#«„", "'\"”’`)],.»“"
_ARTICLES = frozenset(("the", "a", "an", "my"))
_JOINING = frozenset(("and", "or", ",", "&"))
_WHOLE = frozenset((MentionKind.CODE, MentionKind.FORMULA, MentionKind.LITERAL))
"""Kinds of what is seldom meant in part."""
_STOPPING = frozenset(("$", ".", "?", "!", ";"))

MENTION_FEATURES = (
    *(f"is_{kind.value}" for kind in _KINDS),
    *("characters", "lexemes", "items", "from_begin", "from_end", "capital", "all_capitals", "small_inside"),
    *("capital_before", "capital_behind", "is_longest", "behind_colon", "has_digit", "content_before"),
    *("content_behind", "left_small", "first_is_verb_place"),
    *(f"behind_{word}" for word in _PREPOSITIONS),
    *("behind_small", "joined", "stops", "small_behind"),
)
"""Names of the features, in their order."""
NO_MENTION = (0.0,) * len(MENTION_FEATURES)


@dataclass(frozen=True, slots=True)
class SeenMention:
    """A mention's features, and the words at its sides."""

    row: tuple[float, ...]
    before: str
    """The word before it, an article apart; `^` at the beginning."""
    stem_before: str
    stem_behind: str
    """Of the word behind it, a closing mark apart."""
    stems: frozenset[str]
    """Of its own words."""
    is_part: bool
    """Whether it is only a part of a code, a formula or a literal."""


class MentionView:
    """The mentions of one utterance, each looked at once."""

    def __init__(self, words: HeardUtterance) -> None:
        self._words = words
        self._seen: dict[int, SeenMention] = {}
        self._longest: dict[int, int] = {}
        self._whole = [one for one in words.mentions if one.kind in _WHOLE]
        marked = (MentionKind.NAME, MentionKind.QUOTED, MentionKind.CODE, MentionKind.DATE, MentionKind.TIME)
        for one in words.mentions:
            if one.kind in marked:
                self._longest[one.start] = max(self._longest.get(one.start, 0), one.end)

    def seen(self, mention: Mention) -> SeenMention:
        """What is seen of a mention of this utterance."""
        known = self._seen.get(id(mention))
        if known is None:
            known = self._seen[id(mention)] = self._look(mention)
        return known

    def _look(self, mention: Mention) -> SeenMention:
        lexemes, first, last = self._words.lexemes, mention.first, mention.last
        left = lexemes[first - 1] if first else None
        if left and left.text in _MARKS_BEFORE and first > 1:
            left = lexemes[first - 2]
        right = lexemes[last + 1] if last + 1 < len(lexemes) else None
        beyond = right
        if right and right.text in _MARKS_BEHIND and last + 2 < len(lexemes):
            beyond = lexemes[last + 2]
        nearest = left.lower if left else "^"
        before = lexemes[first - 2].lower if nearest in _ARTICLES and first > 1 else nearest
        following = right.lower if right else "$"
        inside = lexemes[first : last + 1]
        count = 1 + len(lexemes)
        is_word_left = left is not None and left.text[0].isalnum()
        is_word_right = right is not None and right.text[0].isalnum()
        prepositions = [0.0] * len(_PREPOSITIONS)
        for word in (nearest, before):
            if word in _PLACE_OF:
                prepositions[_PLACE_OF[word]] = 1.0
        row = (
            *(1.0 if mention.kind is kind else 0.0 for kind in _KINDS),
            float(len(mention.text)),
            float(len(inside)),
            float(mention.count),
            first / count,
            (len(lexemes) - last) / count,
            float(mention.text[:1].isupper()),
            float(mention.text.isupper()),
            float(any(one.is_small for one in inside)),
            float(left is not None and left.is_capital and not left.is_small),
            float(right is not None and right.is_capital),
            float(self._longest.get(mention.start, 0) == mention.end),
            float(left is not None and left.text in ":="),
            float(any(map(str.isdigit, mention.text))),
            float(is_word_left and left is not None and not left.is_small),
            float(is_word_right and right is not None and not right.is_small),
            float(left is not None and left.is_small),
            float(first <= 1),
            *prepositions,
            float(left is not None and left.is_small and before not in ("^",)),
            float(following in _JOINING),
            float(following in _STOPPING),
            float(right is not None and right.is_small),
        )
        return SeenMention(
            row=row,
            before=before,
            stem_before=left.stem if left else "",
            stem_behind=beyond.stem if beyond else "",
            stems=frozenset(one.stem for one in inside),
            is_part=any(_is_inside(mention, one) for one in self._whole),
        )


def _is_inside(mention: Mention, other: Mention) -> bool:
    is_shorter = mention.end - mention.start < other.end - other.start
    return is_shorter and other.start <= mention.start and mention.end <= other.end
