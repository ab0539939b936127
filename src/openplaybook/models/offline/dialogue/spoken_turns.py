"""A conversation as turns: what the user said, and what the agent had said before."""

from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, UserText

MOST_TURNS = 8
"""Of the user's that are looked at."""
_MOST_CHARACTERS = 1000


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """One utterance of the user's."""

    agent: str
    """What the agent said since the user's utterance before."""
    text: str


@dataclass(frozen=True, slots=True)
class CallMade:
    """A call and what came of it."""

    call: FunctionCall
    result: FunctionResult | None


def turns_since_call(entries: Sequence[Entry]) -> list[SpokenTurn]:
    """The user's turns since the latest call, the earliest first, bounded in number and length."""
    begin = max((at for at, each in enumerate(entries) if isinstance(each, FunctionCall | FunctionResult)), default=-1)
    turns: list[SpokenTurn] = []
    agent: list[str] = []
    for entry in entries[begin + 1 :]:
        if isinstance(entry, AgentText):
            agent.append(entry.text)
        elif isinstance(entry, UserText):
            turns.append(SpokenTurn(" ".join(agent)[-_MOST_CHARACTERS:], entry.text[:_MOST_CHARACTERS]))
            agent = []
    return turns[-MOST_TURNS:]


def calls_made(entries: Sequence[Entry]) -> list[CallMade]:
    """The calls of a conversation with their results, the earliest first."""
    results = {entry.id: entry for entry in entries if isinstance(entry, FunctionResult)}
    return [CallMade(entry, results.get(entry.id)) for entry in entries if isinstance(entry, FunctionCall)]
