"""What a script can ask about a decision, and whether a rule fits it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Declaration, Entry, FunctionResult, ModelTurn, ProviderReply, UserText
from openplaybook.models.scripted.script import UserCondition, When

Groups: TypeAlias = JsonObject
"""Groups of the regular expression that fitted, by name and by number."""

ANY = "*"


@dataclass(frozen=True, slots=True)
class ScriptSituation:
    """The part of a `ModelTurn` that rules look at."""

    turn: ModelTurn
    user: str
    """The user's latest words, here or before this playbook was called; empty when there are none."""
    times_spoken: int
    """How often the user has spoken in this playbook."""
    results: tuple[FunctionResult, ...]
    """The results that have just come, in order; empty when the user has just spoken."""

    @classmethod
    def of(cls, turn: ModelTurn) -> "ScriptSituation":
        """The situation a turn describes."""
        words = [entry.text for entry in turn.conversation if isinstance(entry, UserText)]
        before = [entry.text for entry in turn.preceding_conversation if isinstance(entry, UserText)]
        user = words[-1] if words else before[-1] if before else ""
        return cls(turn, user, len(words), _latest_results(turn.conversation))


@dataclass(frozen=True, slots=True)
class Fit:
    """A rule fits; what it may refer to."""

    groups: Groups
    result: FunctionResult | None


def fit(when: When | None, situation: ScriptSituation) -> Fit | None:
    """How a rule fits, or None."""
    last = situation.results[-1] if situation.results else None
    if when is None:
        return Fit({}, last)
    turn = situation.turn
    if when.playbook not in (None, turn.playbook) or when.turn not in (None, situation.times_spoken):
        return None
    result = _result_asked_for(when, situation)
    if (result is None) != (when.after is None) or (last is not None and when.after is None):
        return None
    groups = _groups(when.user, situation.user) if when.user is not None else {}
    return None if groups is None else Fit(groups, result)


def names_of(name: str, declarations: Sequence[Declaration]) -> list[str]:
    """The declared functions that a name in a script may stand for; empty when it stands for none."""
    if any(declaration.name == name for declaration in declarations):
        return [name]
    exact = [d.name for d in declarations if d.action and f"{d.reference}.{d.action}" == name]
    return exact or [d.name for d in declarations if d.reference == name]


def _result_asked_for(when: When, situation: ScriptSituation) -> FunctionResult | None:
    if when.after is None:
        return None
    names = names_of(when.after, situation.turn.declarations) or [when.after]
    for result in reversed(situation.results):
        if (when.after == ANY or result.name in names) and when.error in (None, result.is_error):
            return result
    return None


def _groups(condition: UserCondition, user: str) -> Groups | None:
    if condition.contains is not None:
        return {} if condition.contains.casefold() in user.casefold() else None
    if condition.equals is not None:
        return {} if condition.equals.casefold() == user.casefold() else None
    match = re.search(condition.matches or "", user)
    if match is None:
        return None
    numbered = {str(number): match[number] for number in range(match.re.groups + 1)}
    return {key: value for key, value in {**numbered, **match.groupdict()}.items() if value is not None}


def _latest_results(conversation: Sequence[Entry | ProviderReply]) -> tuple[FunctionResult, ...]:
    latest: list[FunctionResult] = []
    for entry in reversed(conversation):
        if not isinstance(entry, FunctionResult):
            break
        latest.append(entry)
    return tuple(reversed(latest))
