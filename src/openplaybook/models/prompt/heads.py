"""The part of a prompt that does not change from turn to turn, rendered once."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from openplaybook.models.base import ModelTurn

T = TypeVar("T")

_MAX_HEADS = 256
_MAX_CHARACTERS = 100_000
"""Of goal and instructions that are kept: what a session brings into them may be large, and as good as never the same
again."""


class HeadCache(Generic[T]):
    """Heads of playbooks as an adapter needs them, built on first use and forgotten when long unused, or very large.

    Declarations, steps, examples and definitions are immutable and kept by the agent's snapshot, so they are
    told apart by identity; the cache holds them, so that no identity is used again while it is known here.
    """

    def __init__(self, build: Callable[[ModelTurn], T], size: int = _MAX_HEADS) -> None:
        self._build = build
        self._size = size
        self._heads: OrderedDict[Hashable, tuple[T, object]] = OrderedDict()

    def get(self, turn: ModelTurn) -> T:
        """The head of a turn's playbook."""
        key = _key(turn)
        known = self._heads.get(key)
        if known is not None:
            self._heads.move_to_end(key)
            return known[0]
        head = self._build(turn)
        if len(turn.goal) + sum(step.characters() for step in turn.instructions) > _MAX_CHARACTERS:
            return head
        self._heads[key] = (head, _parts(turn))
        if len(self._heads) > self._size:
            self._heads.popitem(last=False)
        return head


def _parts(turn: ModelTurn) -> tuple[object, ...]:
    return (
        *turn.declarations,
        None,
        *turn.instructions,
        None,
        *turn.examples,
        None,
        *turn.input_definitions,
        None,
        *turn.output_definitions,
    )


def _key(turn: ModelTurn) -> Hashable:
    texts = (turn.playbook, turn.goal, turn.language_code, turn.settings.prompt_text)
    return (*texts, *map(id, _parts(turn)))
