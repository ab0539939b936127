"""One value for each parameter at once, and what a value's rivals say of it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from openplaybook.models.offline.learned.mentions import PLAIN_VALUES, Mention, MentionKind
from openplaybook.models.offline.learned.pair_features import PairScene
from openplaybook.models.offline.learned.value_options import Form, ValueOption
from openplaybook.models.offline.learned.wants import Want

Chances = Sequence[Sequence[float]]
"""For each parameter the chance of each of its options."""

RIVAL_FEATURES = ("chance", "rank", "best_rival", "lead", "elsewhere", "elsewhere_else", "sum")
"""Names of what the second judgement sees besides, in their order."""
_EMPTY = 0.03
"""Chance that a parameter that is needed stays empty, at most."""
_LEAST_EMPTY = 0.02
_WIDTH, _DEPTH = 24, 7
"""Of the search: how many partial choices go on, and how many options of a parameter are looked at."""
_LEAST = 0.004
_USED, _STRONG_ENOUGH = 0.4, 0.12
"""What is added for using words that plainly are a value, from this chance on."""
_STRONG = PLAIN_VALUES | {MentionKind.FORMULA}


@dataclass(frozen=True, slots=True)
class ChosenValue:
    """A value that a parameter gets."""

    want: Want
    option: ValueOption
    chance: float

    @property
    def is_guessed(self) -> bool:
        """Whether it is needed and one of several listed ones of which no word was said: it is to be asked for."""
        is_unsaid = self.option.form is Form.OPTION and self.option.mention is None and self.option.place is None
        return (
            self.want.required and is_unsaid and len(self.want.options) > 1 and self.option.value != self.want.default
        )


@dataclass(frozen=True, slots=True)
class JointChoice:
    """Values for the parameters of one function."""

    values: tuple[ChosenValue, ...]
    missing: tuple[Want, ...]
    """Those that are needed and get none."""
    score: float
    """Log chance of it all."""


_Option = tuple[float, ValueOption | None, float]
_Partial = tuple[float, dict[int, tuple[ValueOption, float] | None]]


def choose_values(scene: PairScene, chances: Chances) -> JointChoice:
    """The likeliest values together: no words are used twice."""
    choices = [
        _options_of(want, options, row) for want, options, row in zip(scene.wants, scene.options, chances, strict=True)
    ]
    order = sorted(range(len(choices)), key=lambda number: -max(choice[0] for choice in choices[number]))
    partials: list[_Partial] = [(0.0, {})]
    for number in order:
        grown = [step for partial in partials for step in _grown(partial, number, choices[number])]
        partials = sorted(grown, key=lambda partial: -partial[0])[:_WIDTH]
    score, taken = partials[0]
    values: list[ChosenValue] = []
    missing: list[Want] = []
    for number, want in enumerate(scene.wants):
        chosen = taken.get(number)
        if chosen is not None:
            values.append(ChosenValue(want, *chosen))
        elif want.required:
            missing.append(want)
    return JointChoice(tuple(values), tuple(missing), score)


def _options_of(want: Want, options: Sequence[ValueOption], row: Sequence[float]) -> list[_Option]:
    """Log chance, option and chance of the best options and of none."""
    total = sum(row)
    scale = 1 / max(1.0, total / 0.999)
    best = sorted(range(len(options)), key=lambda number: -row[number])[:_DEPTH]
    rest = max(1 - total, 1e-3)
    empty = min(_EMPTY, rest) if want.required else max(1 - total * scale, _LEAST_EMPTY)
    found: list[_Option] = [
        (math.log(max(row[number] * scale, 1e-6)), options[number], row[number])
        for number in best
        if row[number] > _LEAST
    ]
    return [*found, (math.log(empty), None, 0.0)]


def _grown(partial: _Partial, number: int, options: Sequence[_Option]) -> list[_Partial]:
    score, taken = partial
    used = [chosen[0].own_words for chosen in taken.values() if chosen is not None]
    grown: list[_Partial] = []
    for log_chance, option, chance in options:
        if option is None:
            grown.append((score + log_chance, {**taken, number: None}))
            continue
        own = option.own_words
        if own is not None and any(other is not None and own.overlaps(other) for other in used):
            continue
        is_strong = option.mention is not None and option.mention.kind in _STRONG and chance > _STRONG_ENOUGH
        bonus = _USED if is_strong else 0.0
        grown.append((score + log_chance + bonus, {**taken, number: (option, chance)}))
    return grown


def rival_rows(scene: PairScene, chances: Chances) -> list[list[list[float]]]:
    """For every pair what its chance is worth beside its rivals: for the same parameter, and for the same words."""
    words = [[option.own_words for option in options] for options in scene.options]
    ranked = [
        sorted(
            ((chance, mention) for chance, mention in zip(row, mentions, strict=True) if chance > 0.01),
            key=itemgetter(0),
            reverse=True,
        )
        for row, mentions in zip(chances, words, strict=True)
    ]
    return [
        _rivals_of(row, words[number], [other for at, other in enumerate(ranked) if at != number])
        for number, row in enumerate(chances)
    ]


_Ranked = Sequence[tuple[float, Mention | None]]


def _rivals_of(row: Sequence[float], words: Sequence[Mention | None], others: Sequence[_Ranked]) -> list[list[float]]:
    order = sorted(range(len(row)), key=lambda number: -row[number])
    ranks = {number: rank for rank, number in enumerate(order)}
    total = sum(row)
    rows: list[list[float]] = []
    for number, chance in enumerate(row):
        rival = max((row[other] for other in order[:2] if other != number), default=0.0)
        same, alternative = _elsewhere(words[number], others)
        rows.append([chance, float(ranks[number]), rival, chance - rival, same, alternative, total])
    return rows


def _elsewhere(words: Mention | None, others: Sequence[_Ranked]) -> tuple[float, float]:
    """The best chance that the same words have for another parameter, and the best that this one has with others."""
    same = alternative = 0.0
    for ranked in others if words is not None else ():
        shared = next((chance for chance, mention in ranked if mention and words and mention.overlaps(words)), 0.0)
        if shared > same:
            same = shared
            free = (chance for chance, mention in ranked if not (mention and words and mention.overlaps(words)))
            alternative = next(free, 0.0)
    return same, alternative
