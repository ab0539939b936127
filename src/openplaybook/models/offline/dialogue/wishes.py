"""Which function some words of a conversation wish for, by the words of its name and description.

What was learned of many tools judges whole requests, with their values; in a conversation a wish is often no more than
"I need a bus".
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from openplaybook.models.offline.language.lexicon import word_set
from openplaybook.models.offline.language.tokenizer import plain
from openplaybook.models.offline.learned.lexemes import lexemes_of, stem_of
from openplaybook.models.offline.learned.tool_features import LearnedTool

_WISHES = re.compile(
    r"\b(?:i(?:'d| would| will|'ll| also| just| really| still)* (?:need|want|like|love|wish|prefer|have to|got to)"
    r"|i(?:'m| am) (?:also |just )?(?:looking|searching|trying|in need|interested|hoping|thinking)"
    r"|(?:can|could|would|will) (?:you|i|we)|please|let's|let us|help|time to|how about|what about|any other"
    r"|are there|is there|do you have|find|search|look|get|show|check|book|reserve|buy|purchase|schedule|make|rent"
    r"|play|transfer|send|order|set|add|call|give|cancel|list|put)\b"
)
_LOOKS = frozenset(
    map(stem_of, word_set("find search look lookup get check show list see browse discover fetch read query"))
)
_ACTS = frozenset(
    map(
        stem_of,
        word_set(
            """book reserve buy purchase rent schedule order make transfer send play add set create cancel pay hire call
            reservation booking appointment ticket"""
        ),
    )
)
_GENERIC = _LOOKS | frozenset(
    map(stem_of, word_set("book reserve buy purchase make get add set create call order send cancel put have"))
)
"""Verbs that say nothing of what is meant."""
_SAME = {"cab": "taxi", "vehicl": "car", "automobil": "car"}
"""Stems of words that people say for the same thing."""
_LEAST = 1.2
_ACT, _OTHER_ACT = 0.8, 0.9
_DESCRIBED = 0.6
_NEAR = 1.4
"""For what is about the thing that was found, where a verb asks to do something."""
_UNSAID_ACT = 0.3
"""What is taken off what does something, where no verb speaks of doing."""


_MORE = re.compile(r"\b(?:another|other|others|else|different|more options|alternatives?)\b")


def wants_more(text: str) -> bool:
    """Whether words ask for other things of the kind that was found."""
    return _MORE.search(plain(text)) is not None


def says_wish(text: str) -> bool:
    """Whether words wish for something."""
    return _WISHES.search(plain(text)) is not None


def wished_for(text: str, tools: tuple[LearnedTool, ...], near: frozenset[str]) -> Mapping[str, float]:
    """How clearly words wish for each function, from `1` on; those that they do not wish for are left out.

    `near`: names of the functions that are about what was found last, for which a verb is enough: "please book it".
    """
    if not says_wish(text):
        return {}
    scores = _scores(text, tools)
    acts = _acts_in(text)
    scores = [
        score + (_NEAR if tool.name in near and tool.verb not in _LOOKS and (acts or tool.verb in acts) else 0.0)
        for tool, score in zip(tools, scores, strict=True)
    ]
    return {tool.name: score / _LEAST for tool, score in zip(tools, scores, strict=True) if score >= _LEAST}


def names_act(text: str) -> bool:
    """Whether a word speaks of doing something, not only of looking."""
    return bool(_acts_in(text))


def _acts_in(text: str) -> set[str]:
    return {each.stem for each in lexemes_of(text)} & _ACTS


@lru_cache(maxsize=512)
def _scores(text: str, tools: tuple[LearnedTool, ...]) -> Sequence[float]:
    stems = {each.stem for each in lexemes_of(text) if not each.is_small or each.stem in _LOOKS | _ACTS}
    said = {_SAME.get(stem, stem) for stem in stems}
    holders = {stem: sum(stem in _words(tool) for tool in tools) for stem in said}
    return [_score(tool, said, holders, len(tools)) for tool in tools]


def _words(tool: LearnedTool) -> frozenset[str]:
    return tool.tail_stems | tool.about


def _score(tool: LearnedTool, said: set[str], holders: Mapping[str, int], count: int) -> float:
    nouns = (tool.tail_stems & said) - _GENERIC
    described = (tool.about & said) - _LOOKS - _ACTS - nouns
    score = sum(math.log(1 + count / holders[stem]) for stem in nouns)
    score += _DESCRIBED * sum(math.log(1 + count / holders[stem]) for stem in described)
    if not score:
        return 0.0
    looks, acts = bool(said & _LOOKS), bool(said & _ACTS)
    is_looking = tool.verb in _LOOKS
    if tool.verb in said or (is_looking and looks and not acts) or (not is_looking and acts):
        score += _ACT
    elif (is_looking and acts) or (not is_looking and looks):
        score -= _OTHER_ACT
    elif not is_looking:
        score -= _UNSAID_ACT
    return score
