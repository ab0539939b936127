"""The rendered head of a playbook: what every adapter starts from."""

from dataclasses import dataclass

from openplaybook.jsonvalues import dumps
from openplaybook.models.base import ModelTurn
from openplaybook.models.prompt.examples import Shot, shot
from openplaybook.models.prompt.functions import function_description
from openplaybook.models.prompt.instructions import playbook_text
from openplaybook.models.prompt.opening import opening
from openplaybook.models.prompt.size import text_tokens


@dataclass(frozen=True, slots=True)
class Head:
    """Everything that a playbook's prompts have in common."""

    system: str
    """The system prompt: rules, goal, instructions."""
    shots: tuple[Shot, ...]
    """All examples in stored order."""
    tokens: int
    """Estimated size of system prompt and functions."""


def render_head(turn: ModelTurn) -> Head:
    """The head of a turn's playbook."""
    system = f"{opening(turn)}\n\n{playbook_text(turn)}"
    functions = sum(
        text_tokens(declaration.name + function_description(declaration))
        + text_tokens(dumps(declaration.input_schema).decode())
        for declaration in turn.declarations
    )
    return Head(system, tuple(map(shot, turn.examples)), text_tokens(system) + functions)
