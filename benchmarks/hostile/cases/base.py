"""What a case is, and how one is written: a coroutine with a sentence, or a row of a table."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from benchmarks.hostile.prey import Prey

Attack = Callable[[Prey], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Case:
    """One attack."""

    name: str
    sentence: str
    attack: Attack


class Cases:
    """The cases of one file, in the order in which they stand there."""

    def __init__(self) -> None:
        self.all: list[Case] = []

    def __call__(self, attack: Attack) -> Attack:
        """Decorates a coroutine: its name is the case's, its docstring the sentence."""
        name = getattr(attack, "__name__", "")
        self.all.append(Case(name.replace("_", "-"), (attack.__doc__ or "").strip(), attack))
        return attack

    def add(self, name: str, sentence: str, attack: Attack) -> None:
        """A case of a table."""
        self.all.append(Case(name, sentence, attack))
