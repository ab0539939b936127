"""Requests that are made from a tool's own declaration: values by name in any order, and no values at all.

The cases of the leaderboard mostly give values in the order of the schema, and never ask for a tool without them:
people do both.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from openplaybook.jsonvalues import JsonValue, as_list
from openplaybook.models.offline.learned.lexemes import words_of_name
from scripts.planner_training.training_cases import TrainingCase

NAMED, BARE = "named", "bare"
"""Their categories."""
_WEIGHT = 0.5
_SIGNS = (" = ", "=", " is ", ": ", " of ", " ", " should be ")
_JOINTS = (", ", " and ", ", and ", "; ")
_OPENINGS = ("", "Please ", "Can you ", "I want to ", "I need you to ")


def invented_cases(cases: Sequence[TrainingCase]) -> Iterator[TrainingCase]:
    """For each tool that is right in some case one request of either kind."""
    chance = random.Random(0)
    seen: set[str] = set()
    for case in cases:
        if case.right < 0 or case.tools[case.right].name in seen:
            continue
        tool = case.tools[case.right]
        seen.add(tool.name)
        wish = _wish(tool.description, chance)
        yield replace(case, category=BARE, text=f"{wish}.", weight=_WEIGHT)
        values = _values(case)
        if len(values) > 1:
            chance.shuffle(values)
            said = "".join(
                f"{_JOINTS[chance.randrange(len(_JOINTS))] if number else ' with '}{' '.join(words_of_name(name))}"
                f"{_SIGNS[chance.randrange(len(_SIGNS))]}{value}"
                for number, (name, value) in enumerate(values)
            )
            yield replace(case, category=NAMED, text=f"{wish}{said}.", weight=_WEIGHT)


def _wish(description: str, chance: random.Random) -> str:
    first = description.split(". ")[0].strip(" .") or "do it"
    opening = _OPENINGS[chance.randrange(len(_OPENINGS))]
    return f"{opening}{first[:1].lower() if opening else first[:1]}{first[1:]}"


def _values(case: TrainingCase) -> list[tuple[str, JsonValue]]:
    """The values of an answer that words can give, each with its parameter."""
    values: list[tuple[str, JsonValue]] = []
    for name, allowed in case.answer.items():
        value = next((one for one in as_list(allowed) if one != ""), None)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            values.append((name, value))
    return values
