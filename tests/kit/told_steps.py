"""What tests look for in a trace."""

from collections.abc import Sequence
from typing import TypeVar

from openplaybook.turns.base import NoticeStep, TraceStep

_S = TypeVar("_S", bound=TraceStep)


def kinds_in(trace: Sequence[TraceStep]) -> list[str]:
    """Names of the kinds of all steps."""
    return [step.KIND for step in trace]


def steps_in(trace: Sequence[TraceStep], kind: type[_S]) -> list[_S]:
    """The steps of a kind."""
    return [step for step in trace if isinstance(step, kind)]


def step_at(trace: Sequence[TraceStep], position: int, kind: type[_S]) -> _S:
    """The step there, which is of a kind."""
    step = trace[position]
    assert isinstance(step, kind)
    return step


def notices_in(trace: Sequence[TraceStep]) -> list[tuple[str, str]]:
    """Code and message of every notice."""
    return [(step.code, step.message) for step in steps_in(trace, NoticeStep)]
