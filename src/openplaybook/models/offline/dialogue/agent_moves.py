"""What the agent's latest words ask for: the slots of a function, a yes to something offered, or to values read out."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.offline.language.tokenizer import identifier_words, read
from openplaybook.models.offline.learned.lexemes import lexemes_of
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.learned.wants import NAMED, Want
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.spans.recognition import recognise
from openplaybook.models.offline.spans.typed_span import SpanKind

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\s|$)|[.!?]*$|\n|.)")
_OPEN_QUESTION = re.compile(
    r"\b(?:what|which|when|where|who|whom|whose|how|name|tell me|let me know|provide|specify|give me|need to know"
    r"|may i know|please enter|any (?:preferred|preference|specific|particular))\b",
    re.IGNORECASE,
)
_BY_WORDS = (
    (re.compile(r"\b(?:what|which|at what|preferred) times?\b|\bwhen\b|\bhour\b", re.IGNORECASE), "time"),
    (re.compile(r"\b(?:what|which) (?:day|date)s?\b|\bwhen\b|\bdate\b", re.IGNORECASE), "date"),
    (re.compile(r"\bwhere\b|\b(?:which|what) (?:city|town|place|area|location|country)\b", re.IGNORECASE), "place"),
    (re.compile(r"\bhow many\b", re.IGNORECASE), "count"),
    (
        re.compile(r"\bhow long\b|\bhow many (?:days|nights|hours|minutes|weeks|months|years)\b", re.IGNORECASE),
        "length",
    ),
    (re.compile(r"\bhow much\b", re.IGNORECASE), "money"),
    (re.compile(r"\bwho(?:m|se)?\b|\b(?:what|which|your) (?:full )?name\b", re.IGNORECASE), "person"),
    (re.compile(r"\b(?:which|what) (?:kind|type|sort|genre|category)\b", re.IGNORECASE), "kind"),
)
_BIDS = re.compile(
    r"\b(?:confirm\w*|correct|right|is (?:that|this|it) (?:ok|okay|fine|alright)|shall i|should i|may i|can i"
    r"|want me to|(?:do|would|will|are|shall) you|you(?:'d| would)? (?:want|like|need|prefer)"
    r"|you are (?:going|looking)"
    r"|i(?:'ll| will| am going to|'m going to)|ready to|(?:please )?(?:check|verify|ensure)|let me|just to)\b",
    re.IGNORECASE,
)
"""Words with which one offers to do something, or asks whether it has been understood."""
_LEAST_ASKED = 1.0
_MOST_CHARACTERS = 600


def questions_in(agent: str, tool: LearnedTool) -> list[str]:
    """The sentences of the agent's words that ask for something that a function takes."""
    sentences = [match.group().strip() for match in _SENTENCE.finditer(agent[-_MOST_CHARACTERS:])]
    return [each for each in sentences if _asks(each, tool)]


def _asks(sentence: str, tool: LearnedTool) -> bool:
    if _OPEN_QUESTION.search(sentence) or _is_short_question(sentence):
        return True
    return sentence.endswith("?") and any(_options_named(sentence, want) > 1 for want in tool.wants)


def _is_short_question(sentence: str) -> bool:
    """Whether a sentence asks for something without a question word: "City?", "Do you have a time in mind?"."""
    return sentence.endswith("?") and (len(sentence.split()) <= _SHORT or _HAVE_YOU.match(sentence) is not None)


_SHORT = 4
_HAVE_YOU = re.compile(r"\W*(?:do|have|is there|are there|any)\b.{0,20}\b(?:have|got|there|any|you)\b", re.IGNORECASE)


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


def asked_paths(agent: str, tool: LearnedTool) -> list[Path]:
    """The parameters of a function that the agent's words ask for, the clearest first."""
    scores: dict[Path, float] = {}
    for question in questions_in(agent, tool):
        for path, score in _scores(question, tool):
            scores[path] = max(score, scores.get(path, 0.0))
    return sorted((path for path in scores if scores[path] >= _LEAST_ASKED), key=lambda path: -scores[path])


@lru_cache(maxsize=256)
def _scores(question: str, tool: LearnedTool) -> Sequence[tuple[Path, float]]:
    return list(_scored(question, tool))


def _options_named(question: str, want: Want) -> int:
    lower = question.casefold()
    return sum(isinstance(each, str) and len(each) > 2 and each.casefold() in lower for each in want.options[:50])


def _scored(question: str, tool: LearnedTool) -> Iterator[tuple[Path, float]]:
    stems = {each.stem for each in lexemes_of(question) if not each.is_small}
    topics = {topic for pattern, topic in _BY_WORDS if pattern.search(question)}
    for want in tool.wants:
        is_choice = question.endswith("?") and _options_named(question, want) > 1
        yield want.path, _score(want, stems, topics) + (2.0 if is_choice else 0.0)


def _score(want: Want, stems: set[str], topics: set[str]) -> float:
    named, about = len(stems & want.stems) / max(1, len(want.stems)), len(stems & want.about)
    by_topic = max((want.topics[topic] / NAMED for topic in topics), default=0.0)
    return 2 * named + min(0.6, 0.3 * about) + 1.1 * by_topic


def reads_out(agent: str, values: Mapping[Path, JsonValue], today: date) -> bool:
    """Whether the agent's words name each of the values, in whatever form, and there are some."""
    said, known = agent.casefold(), _quantities(agent, today)
    return bool(values) and all(
        (
            all(_is_said(word, said) for word in identifier_words(path[-1]))
            if _is_yes(value)
            else _is_said(str(value), said)
        )
        or (bool(amounts := _quantities(str(value), today)) and amounts <= known)
        for path, value in values.items()
    )


def _is_yes(value: JsonValue) -> bool:
    """Whether a value is true, or the text of it where a schema has it among choices: its name says it."""
    return value is True or (isinstance(value, str) and value.casefold() == "true")


def _is_said(value: str, said: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value.casefold())}(?!\w)", said) is not None


def _quantities(text: str, today: date) -> set[tuple[SpanKind, str]]:
    """Numbers, days and times of a text, normalised: "three" is 3, and "5th of March" is "March 5th"."""
    return {(span.kind, str(span.value)) for span in recognise(read(text), today) if span.kind in _QUANTITIES}


_QUANTITIES = (SpanKind.NUMBER, SpanKind.DATE, SpanKind.TIME)
