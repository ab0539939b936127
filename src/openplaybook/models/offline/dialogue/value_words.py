"""What words may be a value of a parameter, and which only look like one."""

import re
from collections.abc import Sequence

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.dialogue.moment_cues import MOMENTS, says_day, says_hour
from openplaybook.models.offline.dialogue.references import says_amount
from openplaybook.models.offline.language.lexicon import word_set
from openplaybook.models.offline.language.small_talk import kind_of
from openplaybook.models.offline.language.tokenizer import plain
from openplaybook.models.offline.learned.lexemes import SMALL_WORDS, stem_of
from openplaybook.models.offline.learned.mentions import Mention, MentionKind
from openplaybook.models.offline.learned.utterance import HeardUtterance
from openplaybook.models.offline.learned.wants import NAMED, TOPICS, Want

_CLOCK = re.compile(r"\d:\d\d|\d ?[ap]\.?m\b", re.IGNORECASE)
_SAYS_NOTHING = re.compile(
    r"(?:h+m+|u+m+|u+h+|oh+|ah+|well|wow|thanks?|thank you|please|great|good|nice|wonderful|fine)\W*", re.IGNORECASE
)
_COMPARES = word_set(
    "earlier later sooner cheaper bigger smaller larger longer shorter closer nearer faster better another different"
)
"""Words that ask for another value and are none."""
_OPENS = word_set(
    """book booking reserve reserving schedule scheduling play playing rent renting buy buying confirm confirming order
    ordering sounds looks seems works great good perfect wonderful awesome excellent sure okay ok yes no fine alright
    correct right sorry unfortunately kindly please thanks thank hello hi hey well actually maybe perhaps also next now
    then just here there have got will would could can may should is are was does do did if it's that's there's i'm
    we'll you'll you're let's outdoor geez um uh hmm oh cool use affirmative confirmed"""
)
"""With which sentences begin that name nothing by it."""


_VERBS = word_set(
    "check leave return go travel book fly visit watch see find get stay rent eat drive come play hear listen reserve"
)
"""What may stand behind "to" and is no name."""


def only_opens(text: str, mention: Mention) -> bool:
    """Whether a name is no more than the word with which a sentence begins, a verb, or cut out of two sentences."""
    word = plain(mention.text.strip(" .,!?"))
    if mention.text.startswith(".") or (mention.kind is MentionKind.PHRASE and word in _VERBS):
        return True
    if mention.kind is MentionKind.NAME and all(each in SMALL_WORDS for each in word.split()):
        return True
    if mention.kind is not MentionKind.NAME or (word not in _OPENS and word not in SMALL_WORDS):
        return False
    return text[: mention.start].rstrip()[-1:] in ("", ".", "!", "?", ":", ",")


def whole_name(text: str, start: int, end: int) -> tuple[int, int]:
    """Where a name stands with a "The" before it, and with the 's that belongs to it: "at Schroeder's in Graz" is no
    word of somebody's."""
    if _ARTICLE.search(text[:start]):
        start -= len("The ")
    own = _OWN_S.match(text, end)
    return start, end + len(own[1]) if own else end


_ARTICLE = re.compile(r"[^.!?\s] The $")
_OWN_S = re.compile(
    r"(['’]s)(?=\s*(?:$|[.,!?;]|(?:in|at|on|for|from|with|to|by|near|and|please|tomorrow|today|tonight)\b))"
)
_SHORTEST_OPTION = 3


def tells(option: str) -> bool:
    """Whether a listed value is a word that says something by itself."""
    return len(option) >= _SHORTEST_OPTION and option.isascii() and not option.isdigit() and plain(option) not in _VAGUE


_VAGUE = SMALL_WORDS | word_set("none other all any true false yes no dontcare one standard normal default economy")


def is_of_kind(want: Want, text: str) -> bool:
    """Whether a day or a time is taken for one, and nothing else is, and small talk for nothing."""
    if want.options or want.type != "string":
        return True
    if kind_of(text) or _SAYS_NOTHING.fullmatch(text) or plain(text) in _COMPARES:
        return False
    is_day, is_hour, topics = says_day(text), says_hour(text), named_topics(want)
    is_moment = any(want.topics[topic] for topic in MOMENTS) or "format" in want.schema
    is_amount = (not is_moment or says_amount(want)) and (want.topics["length"] or want.topics["money"] == NAMED)
    if is_amount and (is_day or not is_hour or _CLOCK.search(text)):
        return False
    if "date" in topics:
        return is_day
    if "time" in topics:
        return is_hour
    return not (is_day or is_hour) or not (want.topics["place"] or want.topics["person"] or want.topics["title"])


def counts_things(want: Want) -> bool:
    """Whether a parameter takes how many there are of what its name says: `number_of_beds`."""
    takes_number = want.is_numeric or (want.type == "string" and (not want.options or _is_digit(want.options)))
    return takes_number and bool(want.stems & _COUNTS) and not want.topics["money"]


_COUNTS = frozenset(map(stem_of, ("number", "num", "count")))


def _is_digit(options: Sequence[JsonValue]) -> bool:
    return any(str(option).isdigit() for option in options)


def counted_by(number: Mention, words: HeardUtterance, wants: Sequence[Want]) -> Want | None:
    """The one parameter that takes how many there are of what stands behind a number: "2 baths", "three bed rooms"."""
    for lexeme in words.lexemes[number.last + 1 : number.last + 1 + _WORDS_BEHIND]:
        if lexeme.is_small or not lexeme.text[0].isalpha():
            return None
        fitting = [want for want in wants if any(_is_thing(lexeme.stem, stem) for stem in want.stems - _COUNTS)]
        if len(fitting) == 1:
            return fitting[0]
    return None


_WORDS_BEHIND = 2


def _is_thing(said: str, named: str) -> bool:
    """Whether a word is that of a name, or a compound of it: "bathroom" for `baths`."""
    return said == named or (len(named) >= _SHORTEST_OPTION and said.startswith(named) and said.endswith(_COMPOUND))


_COMPOUND = "room"


def named_topics(want: Want) -> set[str]:
    """The topics that the parameter's own name tells, a day before all others."""
    named = {topic for topic, stems in TOPICS.items() if want.stems & stems}
    return {"date"} if "date" in named else named


def is_flag(want: Want) -> bool:
    """Whether a parameter takes yes or no, be it as text."""
    return bool(want.yes_no) or want.type == "boolean"
