"""The order of the rules."""

from collections.abc import Callable

from openplaybook.models.offline.after_results import after_results
from openplaybook.models.offline.answering import answer_to_question
from openplaybook.models.offline.decision import Decision
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.understanding import (
    accepted_offer,
    claimed,
    follow_up,
    like_an_example,
    not_understood,
    opening,
    small_talk,
    wanted_function,
    wanted_person,
)

_RULES: tuple[Callable[[Situation], Decision | None], ...] = (
    after_results,
    opening,
    answer_to_question,
    accepted_offer,
    claimed,
    small_talk,
    wanted_function,
    follow_up,
    like_an_example,
    wanted_person,
)


def plan(situation: Situation) -> Decision:
    """The first rule that has something to say decides."""
    for rule in _RULES:
        decision = rule(situation)
        if decision is not None:
            return decision
    return not_understood(situation)
