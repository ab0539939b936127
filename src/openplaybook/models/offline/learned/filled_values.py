"""What an utterance gives for the parameters of a function."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.offline.learned.joint_choice import JointChoice, choose_values, rival_rows
from openplaybook.models.offline.learned.mentions import PLAIN_VALUES
from openplaybook.models.offline.learned.pair_features import PairScene
from openplaybook.models.offline.learned.utterance import HeardUtterance
from openplaybook.models.offline.learned.wants import Want
from openplaybook.models.offline.slots.slot_values import put

FILLING_FEATURES = (
    *("filled", "missing", "worst_needed", "mean_needed", "score", "strong_unused", "beyond_latin", "least_chance"),
    *("log_chances", "least_margin", "best_skipped", "least_text"),
)
"""Names of what a filling says of how well it went, in their order."""
_BEYOND_LATIN = re.compile(r"[^\x00-ɏ‘-”]")


class PairModel(Protocol):
    """Judges pairs: the chance that a row of features belongs to a right one."""

    def chance(self, row: Sequence[float]) -> float:
        """Between 0 and 1."""
        ...


@dataclass(frozen=True, slots=True)
class Filling:
    """Values for a function, and how well they were found."""

    choice: JointChoice
    features: tuple[float, ...]

    @property
    def arguments(self) -> JsonObject:
        """The values as arguments."""
        arguments: JsonObject = {}
        for chosen in self.choice.values:
            put(arguments, chosen.want.path, chosen.option.value)
        return arguments

    @property
    def mean_needed(self) -> float:
        """The mean chance of what is needed."""
        return self.features[3]


def scene_of(words: HeardUtterance, wants: Sequence[Want], tool_stems: frozenset[str], today: date | None) -> PairScene:
    """The pairs of an utterance and a function."""
    return PairScene(words, wants, tool_stems, today)


def judged(scene: PairScene, first: PairModel, second: PairModel) -> list[list[float]]:
    """The chance of each pair: judged alone, then beside its rivals, the mean of both."""
    alone = [[first.chance(row) for row in rows] for rows in scene.rows]
    beside = rival_rows(scene, alone)
    return [
        [
            (chance + (second.chance([*row, *more]) if chance > _PLAINLY_WRONG else 0.0)) / 2
            for chance, row, more in zip(chances, rows, more_rows, strict=True)
        ]
        for chances, rows, more_rows in zip(alone, scene.rows, beside, strict=True)
    ]


_PLAINLY_WRONG = 0.003
"""Chance up to which a pair is not judged again."""


def filled(scene: PairScene, chances: Sequence[Sequence[float]]) -> Filling:
    """The values that are chosen by some chances."""
    choice = choose_values(scene, chances)
    return Filling(choice, _features(scene, choice, chances))


def _features(scene: PairScene, choice: JointChoice, chances: Sequence[Sequence[float]]) -> tuple[float, ...]:
    held = {id(chosen.want) for chosen in choice.values}
    needed: list[float] = []
    margins: list[float] = []
    skipped = 0.0
    for want, row in zip(scene.wants, chances, strict=True):
        best = sorted(row, reverse=True)[:2]
        if want.required:
            needed.append(best[0] if best else 0.0)
            margins += [best[0] - best[1]] if len(best) == 2 else []
        elif id(want) not in held:
            skipped = max(skipped, best[0] if best else 0.0)
    taken = [chosen.chance for chosen in choice.values]
    texts = [one.chance for one in choice.values if one.want.type == "string" and not one.want.options]
    return (
        float(len(choice.values)),
        float(len(choice.missing)),
        min(needed, default=1.0),
        sum(needed) / len(needed) if needed else 1.0,
        choice.score / max(1, len(scene.wants)),
        float(_unused(scene.words, choice)),
        float(_BEYOND_LATIN.search(scene.words.text) is not None),
        min(taken, default=1.0),
        sum(math.log(max(chance, 1e-4)) for chance in taken),
        min(margins, default=1.0),
        skipped,
        min(texts, default=1.0),
    )


def _unused(words: HeardUtterance, choice: JointChoice) -> int:
    """How much of what plainly is a value was not used."""
    used = [one.option.mention for one in choice.values if one.option.mention is not None]
    strong = (mention for mention in words.mentions if mention.kind in PLAIN_VALUES)
    return sum(not any(mention.overlaps(one) for one in used) for mention in strong)
