"""Words of days and times: whether something is one, and whether something begins or ends then."""

import re
from collections.abc import Sequence

from openplaybook.models.offline.dialogue.spoken_turns import SpokenTurn
from openplaybook.models.offline.learned.marked_mentions import MONTH
from openplaybook.models.offline.learned.mentions import Mention, MentionKind
from openplaybook.models.offline.learned.wants import NAMED, Want

MOMENTS = {"date": MentionKind.DATE, "time": MentionKind.TIME}
"""What answers a question about when."""
_DAY = re.compile(
    rf"\b(?:today|tonight|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week(?:end)?|month|{MONTH}"
    r"|day|christmas|easter|\d{1,2}(?:st|nd|rd|th)|first|second|third|\w+(?:teen|ty)?th)\b|\d[-/.]\d",
    re.IGNORECASE,
)
_HOUR = re.compile(
    r"\b(?:\d{1,2}(?::\d\d|\.\d\d)|\d{1,2}|noon|midnight|morning|afternoon|evening|o'?clock|am|pm|half past"
    r"|quarter|now|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|\d ?[ap]\.?m",
    re.IGNORECASE,
)
_ENDING = re.compile(
    r"\b(?:until|till?|through|from\b.{1,30}\bto|(?:return|drop)\w*(?: (?:it|them|the \w+))?(?: off)?|back"
    r"|end(?:ing|s)?)"
    r"(?: it)?(?: on| by| at)?(?: the)?\W*$|\bcheck\w*[ -]?out\b[^,.;\d]{0,40}$",
    re.IGNORECASE,
)
_BEGINNING = re.compile(
    r"\b(?:from|since|start(?:ing|s)?|begin(?:ning|s)?|pick\w*(?: (?:it|them|the \w+))? up|get(?:ting)? it"
    r"|check\w*[ -]in)"
    r"(?: it)?(?: on| by| at| from)?(?: the)?\W*$|\bcheck\w*[ -]?in(?:to)?\b[^,.;\d]{0,40}$",
    re.IGNORECASE,
)
_ASKS_END = re.compile(
    r"\b(?:until|till|return(?:ing)?|bring it back|drop\w*(?: (?:it|the \w+))? off)\b", re.IGNORECASE
)
_ASKS_BEGINNING = re.compile(
    r"\b(?:from (?:when|what)|start(?:ing)?|pick\w*(?: (?:it|the \w+))? up|check\w*[ -]in)\b", re.IGNORECASE
)


def says_day(text: str) -> bool:
    """Whether a word of a day is said."""
    return _DAY.search(text) is not None


def says_hour(text: str) -> bool:
    """Whether a time, or a number that may be one, is said."""
    return _HOUR.search(text) is not None


def direction_of(turn: SpokenTurn, mention: Mention) -> str:
    """Whether something begins (`origin`) or ends (`target`) on a day or at a time, by the words before it, or else by
    the question that it answers; empty where neither tells."""
    before = turn.text[max(0, mention.start - 70) : mention.start]
    if _ENDING.search(before):
        return "target"
    if _BEGINNING.search(before):
        return "origin"
    asks_end, asks_beginning = _ASKS_END.search(turn.agent), _ASKS_BEGINNING.search(turn.agent)
    if bool(asks_end) is bool(asks_beginning) or "?" not in turn.agent:
        return ""
    return "target" if asks_end else "origin"


def of_direction(wants: Sequence[Want], direction: str) -> list[Want]:
    """The parameters whose names tell that they begin something, or that they end it; none where neither is meant."""
    other = {"origin": "target", "target": "origin"}.get(direction)
    return [want for want in wants if other and _begins_or_ends(want) == {direction}]


def _begins_or_ends(want: Want) -> set[str]:
    """What a parameter's name says of that; a stay begins with checking in."""
    checked = _CHECK.search(want.name)
    if checked:
        return {"origin" if checked[1].lower() == "in" else "target"}
    return {direction for direction in ("origin", "target") if want.topics[direction] == NAMED}


_CHECK = re.compile(r"check[-_ ]?(in|out)(?![a-z])", re.IGNORECASE)
