"""How a query is answered without a model."""

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
