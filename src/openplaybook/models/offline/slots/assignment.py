"""One joint assignment of the user's words to the slots of a declaration."""

from collections.abc import Sequence

from openplaybook.models.offline.slots.proposals import Proposal, RecognisedWords, proposals_for
from openplaybook.models.offline.slots.slot_lessons import Lesson
from openplaybook.models.offline.slots.slot_schema import Path

LEAST_NEEDED = 0.3
"""Evidence that a value for a required slot must have."""
LEAST_OPTIONAL = 0.75
"""Evidence that a value nobody asked for must have."""
_MOST_PROPOSALS = 5
_MOST_SLOTS = 100
"""Slots that one utterance can fill; those with the clearest evidence."""
_MOST_STEPS = 3000


def assign(
    lessons: Sequence[Lesson],
    words: RecognisedWords,
    *,
    asked_slot: Path | None = None,
    least_optional: float = LEAST_OPTIONAL,
) -> tuple[Proposal, ...]:
    """The proposals, at most one a slot and none sharing words, whose evidence is greatest together."""
    choices = [_choices(lesson, words, lesson.slot.path == asked_slot, least_optional) for lesson in lessons]
    choices = [choice for choice in choices if choice]
    choices.sort(key=lambda choice: -choice[0].score)
    del choices[_MOST_SLOTS:]
    search = _Search(choices)
    search.descend(0, (), 0.0)
    return tuple(sorted(search.best, key=lambda proposal: proposal.start))


def _choices(lesson: Lesson, words: RecognisedWords, is_asked: bool, least_optional: float) -> list[Proposal]:
    needed = lesson.slot.always_required or is_asked
    least = LEAST_NEEDED if needed else least_optional
    proposals = [proposal for proposal in proposals_for(lesson, words, is_asked=is_asked) if proposal.score >= least]
    return proposals[:_MOST_PROPOSALS]


class _Search:
    """Depth first with a bound; the greedy solution comes first, so a cut search is still a good one."""

    def __init__(self, choices: list[list[Proposal]]) -> None:
        self._choices = choices
        self._steps = 0
        # What the slots from each depth on could add at most.
        self._hope = [0.0]
        for choice in reversed(choices):
            self._hope.insert(0, self._hope[0] + choice[0].score)
        self._best_score = -1.0
        self.best: tuple[Proposal, ...] = ()

    def descend(self, depth: int, taken: tuple[Proposal, ...], score: float) -> None:
        """Try every choice for the slot at `depth`, given those taken."""
        self._steps += 1
        if self._steps > _MOST_STEPS or score + self._hope[depth] <= self._best_score:
            return
        if depth == len(self._choices):
            self.best, self._best_score = taken, score
            return
        for proposal in self._choices[depth]:
            if not any(map(proposal.overlaps, taken)):
                self.descend(depth + 1, (*taken, proposal), score + proposal.score)
        self.descend(depth + 1, taken, score)
