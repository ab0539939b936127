"""What the readers of queries share: the plan, the refusal, the syntax tree of a text."""

import ast
import warnings
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """Code that answers a query."""

    code: str
    answer: str | None = None
    """What it prints, where that is known without running it."""
    error: str = ""
    """What it ends with, where that is known without running it: a division by zero."""

    @property
    def is_known(self) -> bool:
        """Whether its outcome is known without running it."""
        return self.answer is not None or bool(self.error)


class OutOfReach(Exception):
    """A query cannot be answered without a model; the message, if any, says what about it is the matter."""


def parsed(text: str) -> ast.Module | None:
    """The syntax tree of a program; None where it is none. Nothing of it is run."""
    with warnings.catch_warnings():
        # What the parser has to say of a caller's code is not the server's to print.
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def is_nested(node: ast.AST, levels: int) -> bool:
    """Whether nodes lie within each other in more than `levels` levels."""
    layer = [node]
    for _ in range(levels):
        layer = [inner for outer in layer for inner in ast.iter_child_nodes(outer)]
        if not layer:
            return False
    return True
