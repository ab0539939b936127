"""Which parameters of a function the agent's latest words ask for."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from openplaybook.models.offline.learned.lexemes import lexemes_of
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.learned.wants import NAMED, Want
from openplaybook.models.offline.slots.slot_schema import Path

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
