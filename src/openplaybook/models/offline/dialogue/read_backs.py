"""What the agent's latest words would have the user agree to: something offered, or values that are read back."""

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.language.lexicon import word_set
from openplaybook.models.offline.language.tokenizer import identifier_words, read
from openplaybook.models.offline.learned.mentions import Mention, MentionKind
from openplaybook.models.offline.learned.moments import day_of_month, written_clock
from openplaybook.models.offline.learned.utterance import utterance_of
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.spans.recognition import recognise
from openplaybook.models.offline.spans.typed_span import SpanKind

_BIDS = re.compile(
    r"\b(?:confirm\w*|(?:correct|right)(?=\W*(?:\?|$))|is (?:that|this|it) (?:ok|okay|fine|alright|right|correct)"
    r"|shall i|should i|may i|can i"
    r"|want me to|(?:do|would|will|are|shall) you|you(?:'d| would)? (?:want|like|need|prefer)"
    r"|you are (?:going|looking)"
    r"|(?:ok|okay|alright|fine|good|right|work) (?:with|for|by) you|i can (?:proceed|go ahead)"
    r"|(?:if|unless) (?:there (?:are|is) )?(?:no|any|other) (?:correction|change|objection|error)s?"
    r"|i(?:'ll| will| am going to|'m going to)|ready to|(?:please )?(?:check|verify|ensure)|let me|just to)\b",
    re.IGNORECASE,
)
"""Words with which one offers to do something, or asks whether it has been understood."""
_MOST_CHARACTERS = 600


def bid_in(agent: str) -> str:
    """The agent's latest words, where a yes to them would be a yes to doing something; else empty."""
    return agent[-_MOST_CHARACTERS // 2 :] if _BIDS.search(agent) else ""


def reads_back(agent: str) -> bool:
    """Whether the agent's latest words ask whether it has understood: "Two nights from Monday, right?"."""
    return _READS_BACK.search(agent[-_MOST_CHARACTERS:]) is not None


_READS_BACK = re.compile(
    r"\b(?:right|correct|ok|okay|yes|true)\W{0,3}\?|\b(?:(?:please|to|could you|can you) (?:confirm|verify|check)"
    r"|is (?:that|this|it|everything) (?:right|correct|ok|okay|fine|true)|have i got (?:that|it) right)\b",
    re.IGNORECASE,
)
_FAILS = re.compile(
    r"\b(?:apologi[sz]e|apologies|unable|fail(?:ed|s)?|(?:went|go(?:ne|es)?) wrong|unavailable|sold out"
    r"|(?:fully |they are |they're |all )booked|nothing available|no longer available|without success"
    r"|(?:could|can|was|were|is|are|did|does|do)(?:n'?t| not|not) (?:\w+ ){0,2}(?:able|available|possible|succeed|work"
    r"|go|get|make|find|book|reserve|complete|confirm|schedule|place|purchase|buy|set|process|add|rent|do|be \w+))\b",
    re.IGNORECASE,
)


def says_failed(agent: str) -> bool:
    """Whether the agent's latest words tell that something did not succeed."""
    return _FAILS.search(agent[-_MOST_CHARACTERS:]) is not None


def named_paths(agent: str, values: Mapping[Path, JsonValue], today: date) -> frozenset[Path]:
    """Which of the values the agent's words name, in whatever form."""
    return frozenset(path for path, value in values.items() if _is_named(path[-1], value, agent, today))


def _is_named(name: str, value: JsonValue, agent: str, today: date) -> bool:
    said, text = agent.casefold(), str(value).strip(" .,;:!?") or str(value)
    if (flag := _flag(value)) is not None:
        return told_flag(name, said) is flag
    # The 3 of "at 3 pm" is no number of rooms.
    amounts = _quantities(text, today)
    if amounts and amounts <= _quantities(agent, today):
        return True
    said = _without_moments(said) if text.isdecimal() else said
    return _is_said(text, said) or (bool(city := _REGION.match(text)) and _is_said(city[1], said))


def is_amount(value: JsonValue, today: date) -> bool:
    """Whether a value is a number, a day or a time, in whatever form."""
    return bool(_quantities(str(value), today))


_REGION = re.compile(r"([^,]{3,}), ?[A-Za-z .]{2,14}$")
"""A place with the region or country that it lies in."""


def _flag(value: JsonValue) -> bool | None:
    """Yes or no, where a value is that, or the text of it, as schemas have it among choices."""
    return {"true": True, "false": False}.get(str(value).casefold()) if isinstance(value, bool | str) else None


def told_flag(name: str, agent: str) -> bool | None:
    """Whether some words say yes or no to a parameter by a word of its name: "a shared ride", "with no insurance";
    None where they have none."""
    words = [word for word in identifier_words(name) if word not in _FLAG_WORDS]
    found = next((match for word in words if (match := re.search(rf"(?<!\w){re.escape(word)}(?!\w)", agent))), None)
    return None if found is None else _NOT_BEFORE.search(agent[: found.start()]) is None


_FLAG_WORDS = word_set("is has have add added with allowed visibility flag include includes enable ride the of")
"""Words of such names that say nothing of what is meant."""
_NOT_BEFORE = re.compile(r"\b(?:no|not|without|n't|don'?t|non)\W+(?:\w+\W+){0,2}$")


def _is_said(value: str, said: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value.casefold())}(?!\w)", said) is not None


@lru_cache(maxsize=512)
def _quantities(text: str, today: date) -> frozenset[tuple[SpanKind, str]]:
    """Numbers, days and times of a text, normalised: "three" is 3, "5th of March" is "March 5th", and "half past 2 in
    the afternoon" is "2:30 pm"."""
    moments = _moments(text)
    found = {
        (SpanKind.TIME, clock) for one in moments if one.kind is MentionKind.TIME and (clock := written_clock(one.text))
    }
    found |= {(SpanKind.DATE, str(day)) for one in moments if (day := day_of_month(one.text.casefold(), today))}
    for span in recognise(read(text), today):
        is_in_moment = any(span.overlaps(one.start, one.end) for one in moments)
        if span.kind is SpanKind.DATE or (span.kind in (SpanKind.NUMBER, SpanKind.TIME) and not is_in_moment):
            found.add((span.kind, str(span.value)))
    return frozenset(found)


def _moments(text: str) -> list[Mention]:
    return [one for one in utterance_of(text).mentions if one.kind in (MentionKind.DATE, MentionKind.TIME)]


def _without_moments(text: str) -> str:
    for one in sorted(_moments(text), key=lambda one: -one.start):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text
