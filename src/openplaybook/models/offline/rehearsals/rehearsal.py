"""A playbook's examples put to the planner, turn by turn.

Each turn begins where the example's previous one ended, whatever the planner did with that: what goes wrong in one turn
is not held against the next.
"""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import date

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Entry, ExampleDialogue, FunctionCall, ModelTurn
from openplaybook.models.offline.offline_model import OfflineModel
from openplaybook.models.offline.planner_state import read_state
from openplaybook.models.offline.rehearsals.example_turns import ExampleTurn, day_of, turns_of
from openplaybook.models.offline.rehearsals.rehearsed_turns import (
    ENDS,
    RehearsalVerdict,
    RehearsedStep,
    judged_call,
    judged_words,
)
from openplaybook.models.offline.tool_meanings import ToolMeanings


@dataclass(frozen=True, slots=True)
class RehearsedTurn:
    """A turn of an example, and what the planner does with it."""

    user: str
    steps: tuple[RehearsedStep, ...]

    @property
    def is_replayed(self) -> bool:
        """Whether the planner would do what the example shows."""
        return all(step.verdict is not RehearsalVerdict.DIFFERENT for step in self.steps)


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What comes of an example."""

    playbook: str
    """Display name."""
    example: str
    """Display name."""
    turns: tuple[RehearsedTurn, ...] = ()
    unusable: str = ""
    """Why no model is ever shown this example; empty where it is."""

    @property
    def is_replayed(self) -> bool:
        """Whether the planner would do in every turn what the example shows."""
        return not self.unusable and all(turn.is_replayed for turn in self.turns)

    @property
    def verdicts(self) -> frozenset[RehearsalVerdict]:
        """Those of all its steps."""
        return frozenset(step.verdict for turn in self.turns for step in turn.steps)


class Rehearser:
    """Puts examples to the planner."""

    def __init__(self, today: Callable[[], date] = date.today, meanings: ToolMeanings | None = None) -> None:
        """`meanings` as the model takes them; they are closed by whoever made them."""
        self._today = today
        self._meanings = meanings

    async def rehearsals(self, playbook: ModelTurn, *, held_out: bool) -> AsyncIterator[Rehearsal]:
        """What comes of each example of a playbook, in order; `playbook` is its turn before anything is said.

        `held_out`: the planner learns from all examples other than the one that is put to it.
        """
        day = self._today()
        model = OfflineModel(lambda: day, self._meanings)
        for example in playbook.examples:
            day = day_of(example, self._today())
            rest = tuple(each for each in playbook.examples if each is not example)
            begun = replace(playbook, examples=rest if held_out else playbook.examples, inputs=example.inputs)
            yield await _rehearsed(model, begun, example)


async def _rehearsed(model: OfflineModel, playbook: ModelTurn, example: ExampleDialogue) -> Rehearsal:
    state: JsonObject = {}
    turns: list[RehearsedTurn] = []
    for turn in turns_of(example):
        steps, state = await _steps(model, replace(playbook, planner_state=state), turn, example.end_state)
        turns.append(RehearsedTurn(turn.user.text, tuple(steps)))
    return Rehearsal(playbook.playbook, example.display_name, tuple(turns))


async def _steps(
    model: OfflineModel, playbook: ModelTurn, turn: ExampleTurn, end_state: str
) -> tuple[list[RehearsedStep], JsonObject]:
    """The decisions of one turn, and what the planner remembers behind it."""
    kinds = {declaration.name: declaration.kind for declaration in playbook.declarations}
    askable = {declaration.name for declaration in playbook.declarations if declaration.as_question is not None}
    conversation: list[Entry] = [*turn.before, turn.user]
    state, steps, is_over = playbook.planner_state, list[RehearsedStep](), False
    for call, result in turn.calls:
        reply = await model.decide(replace(playbook, conversation=tuple(conversation), planner_state=state))
        steps.append(judged_call(call, reply, is_question=call.name in askable))
        state = _after(call, state if reply.planner_state is None else reply.planner_state)
        is_over = kinds.get(call.name) in ENDS
        conversation += [call] if result is None else [call, result]
    if not is_over and (turn.words or not turn.calls):
        reply = await model.decide(replace(playbook, conversation=tuple(conversation), planner_state=state))
        steps.append(judged_words(turn, reply, kinds, end_state))
        state = state if reply.planner_state is None else reply.planner_state
    return steps, state


def _after(call: FunctionCall, state: JsonObject) -> JsonObject:
    """What the planner remembers once the example's call was made."""
    known = read_state(state).without(call.name)
    return replace(known, last=call.name, last_arguments=call.arguments).to_json()
