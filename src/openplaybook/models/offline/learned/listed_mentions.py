"""Lists: things of one kind joined by commas and "and"."""

import re
from collections.abc import Iterator, Mapping, Sequence

from openplaybook.models.offline.learned.mentions import Mention, MentionKind
from openplaybook.models.offline.learned.number_mentions import are_in_order

_JOINT = re.compile(
    r"(?:'|\"|`|%)?\w{0,2}\s*(?:,|;|,? and|,? or|&|to|-|/|,? followed by|,? then|x|,? und|,? y|,? et|,? e|,? ou|、)\s*"
    r"(?:the |a |an |then |longitude |lon |lng |[a-z] ?= ?)?(?:'|\"|`)?"
)
_PARTED = re.compile(r", ?(?:and )?| and ")
_LISTED = (
    MentionKind.NUMBER,
    MentionKind.QUOTED,
    MentionKind.NAME,
    MentionKind.PHRASE,
    MentionKind.CODE,
    MentionKind.DATE,
)
_OF_VALUES = (MentionKind.NUMBER, MentionKind.QUOTED, MentionKind.CODE)
_OF_WORDS = (MentionKind.NAME, MentionKind.PHRASE)
_BEFORE_SMALL = re.compile(r".+?(?= (?:in|for|from|at|with|to|on|near|of|and|the) )")
_LONGEST_JOINT = 18
_MOST_LISTS = 40
_MOST_ITEMS = 100


def find_lists(text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
    """The lists among some mentions."""
    for kind in _LISTED:
        items = [one for one in mentions if one.kind is kind and not one.number.is_in_moment]
        yield from _lists_of(text, kind, items)


def _lists_of(text: str, kind: MentionKind, items: Sequence[Mention]) -> Iterator[Mention]:
    by_start: dict[int, list[Mention]] = {}
    for item in items:
        by_start.setdefault(item.start, []).append(item)
    inside: set[int] = set()
    made = 0
    for item in sorted(items, key=lambda one: (one.start, -one.end)):
        if item.start in inside and kind is not MentionKind.PHRASE:
            continue
        run = _run_from(text, item, by_start)
        inside.update(one.start for one in run[1:])
        if len(run) > 1 and are_in_order(run):
            made += 1
            if made > _MOST_LISTS:
                return
            yield _list(text, kind, run)
            if kind is MentionKind.PHRASE and (last := _shorter(run[-1], by_start)) is not None:
                yield _list(text, kind, [*run[:-1], last])


def _shorter(item: Mention, by_start: Mapping[int, Sequence[Mention]]) -> Mention | None:
    """What a phrase begins with, up to its first small word: "carbs" of "carbs in an avocado"."""
    begin = _BEFORE_SMALL.match(item.text)
    end = item.start + begin.end() if begin else item.end
    return next((one for one in by_start[item.start] if one.end == end < item.end), None)


def _run_from(text: str, item: Mention, by_start: Mapping[int, Sequence[Mention]]) -> list[Mention]:
    run = [item]
    while len(run) < _MOST_ITEMS:
        following = _following(text, run[-1], by_start)
        if following is None or (following.kind is MentionKind.PHRASE and " and " in following.text):
            break
        run.append(following)
    return run


def _following(text: str, item: Mention, by_start: Mapping[int, Sequence[Mention]]) -> Mention | None:
    """The next item of the list that `item` may be part of: the nearest, of phrases the longest."""
    for start in range(item.end + 1, min(item.end + _LONGEST_JOINT, len(text))):
        others = by_start.get(start, ())
        if others and _JOINT.fullmatch(text, item.end, start):
            if item.kind is MentionKind.PHRASE:
                return max(others, key=lambda one: one.end if " and " not in one.text else 0)
            return others[0]
    return None


def _list(text: str, kind: MentionKind, run: Sequence[Mention]) -> Mention:
    values = [one.value if kind in _OF_VALUES else one.text for one in run]
    if kind in _OF_WORDS:
        values = [part for value in values for part in _PARTED.split(value) if part]
    start, end = run[0].start, run[-1].end
    listed = MentionKind.NUMBERS if kind is MentionKind.NUMBER else MentionKind.STRINGS
    return Mention(start, end, listed, text[start:end], values, count=len(run))
