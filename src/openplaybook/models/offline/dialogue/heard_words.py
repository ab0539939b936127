"""What some words say of the functions and their parameters, by what was learned from many tools; heard once each."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from openplaybook.models.offline.learned.filled_values import filled, judged, scene_of
from openplaybook.models.offline.learned.joint_choice import ChosenValue
from openplaybook.models.offline.learned.tool_choice import LearnedCall, calls_heard
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.learned.utterance import HeardUtterance, utterance_of
from openplaybook.models.offline.learned.weights import learned_weights
from openplaybook.models.offline.situation import Situation


def functions_heard(situation: Situation, text: str) -> Sequence[LearnedCall]:
    """The functions that some words may ask for, likeliest first."""
    if text == situation.words.reading.text:
        return situation.learned
    meanings = situation.earlier_meanings.get(text)
    return calls_heard(utterance_of(text), situation.index.learned_tools, situation.today, meanings)


def values_chosen(text: str, tool: LearnedTool, today: date) -> Sequence[ChosenValue]:
    """The values that some words give for a function, each with its chance."""
    return _choice(utterance_of(text), tool, today)


@lru_cache(maxsize=512)
def _choice(words: HeardUtterance, tool: LearnedTool, today: date) -> Sequence[ChosenValue]:
    scene, weights = scene_of(words, tool.wants, tool.name_stems, today), learned_weights()
    return filled(scene, judged(scene, weights.pair, weights.rival)).choice.values
