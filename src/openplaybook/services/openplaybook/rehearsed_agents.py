"""The examples of an agent or an app, put to the offline planner."""

from collections.abc import AsyncIterator
from dataclasses import replace

from openplaybook.models.base import ModelTurn
from openplaybook.models.offline.rehearsals.rehearsal import Rehearsal, Rehearser
from openplaybook.turns.agent.snapshot import AgentSnapshot, PlaybookView


async def rehearsals_of(
    snapshot: AgentSnapshot, language: str, rehearser: Rehearser, *, held_out: bool, only: str = ""
) -> AsyncIterator[tuple[str, Rehearsal]]:
    """What comes of each example, with the resource name of its playbook, in order; `held_out` as for the rehearser.

    `language` is what users speak, `only` the resource name of the one playbook that is meant.
    """
    for name, view in snapshot.playbooks.items():
        if only and name != only:
            continue
        turn = _turn(view, language, is_start=name == snapshot.start_playbook)
        async for each in rehearser.rehearsals(turn, held_out=held_out):
            yield name, each
        called = view.playbook.display_name
        for example, why in view.unusable_examples.items():
            yield name, Rehearsal(called, example, (), why)


def _turn(view: PlaybookView, language: str, *, is_start: bool) -> ModelTurn:
    """What the playbook's model is asked first: one that others call can end, and go back to them."""
    turn = view.blank_turn(language)
    return turn if is_start else replace(turn, declarations=view.declarations_with_end)
