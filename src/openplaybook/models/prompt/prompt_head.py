"""The rendered head of a playbook, which all adapters start from and which does not change from turn to turn."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from openplaybook.jsonvalues import as_object, dumps
from openplaybook.models.base import Declaration, ModelTurn
from openplaybook.models.prompt.examples import Shot, shot
from openplaybook.models.prompt.instructions import playbook_text
from openplaybook.models.prompt.opening import opening
from openplaybook.models.prompt.prompt_texts import text_tokens

T = TypeVar("T")

MAX_DESCRIPTION_CHARS = 1024
"""The longest description OpenAI's API takes."""

_MAX_HEADS = 256
_MAX_CHARACTERS = 100_000
"""Of goal and instructions that are kept: what a session brings into them may be large, and as good as never the same
again."""


@dataclass(frozen=True, slots=True)
class PromptHead:
    """Everything that a playbook's prompts have in common."""

    system: str
    """The system prompt: rules, goal, instructions."""
    shots: tuple[Shot, ...]
    """All examples in stored order."""
    tokens: int
    """Estimated size of system prompt and functions."""


def render_head(turn: ModelTurn) -> PromptHead:
    """The head of a turn's playbook."""
    system = f"{opening(turn)}\n\n{playbook_text(turn)}"
    functions = sum(
        text_tokens(declaration.name + function_description(declaration))
        + text_tokens(dumps(declaration.input_schema).decode())
        for declaration in turn.declarations
    )
    return PromptHead(system, tuple(map(shot, turn.examples)), text_tokens(system) + functions)


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


def function_description(declaration: Declaration) -> str:
    """Description, and what the function returns: its output schema where there is room, else the members' names."""
    description = declaration.description
    if len(description) > MAX_DESCRIPTION_CHARS:
        return description[: MAX_DESCRIPTION_CHARS - 1] + "…"
    if declaration.output_schema is None:
        return description
    members = ", ".join(as_object(declaration.output_schema.get("properties")))
    whole = f"Returns JSON of this schema: {dumps(declaration.output_schema).decode()}"
    for returns in (whole, f"Returns a JSON object with {members}." if members else ""):
        text = f"{description}\n{returns}" if description else returns
        if returns and len(text) <= MAX_DESCRIPTION_CHARS:
            return text
    return description


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
