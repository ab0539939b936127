"""What a conversation has come to, as far as it is told from one turn to the next."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.offline.dialogue.read_backs import says_failed
from openplaybook.models.offline.dialogue.references import (
    carried_place,
    carried_values,
    identified,
    pointed_at,
    shared_values,
    thing_spoken_of,
)
from openplaybook.models.offline.dialogue.spoken_turns import CallMade, SpokenTurn
from openplaybook.models.offline.knowledge.lesson_book import Book
from openplaybook.models.offline.knowledge.result_outcome import found_nothing, read_outcome
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.situation import Situation
from openplaybook.models.offline.slots.slot_schema import Path
from openplaybook.models.offline.slots.slot_values import scalars

AGAIN = re.compile(
    r"\b(?:instead|(?:what|how) about|(?:will|would|does|do)\b.{1,120}\bwork\b|try|attempt|again|another)\b",
    re.IGNORECASE,
)
"""Words with which something is offered instead, or once more."""
_MOST_CALLS = 3
"""The latest ones, whose arguments words may point back at."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The state of a conversation after a turn of the user's."""

    function: str = ""
    """The function that is under way, or that was called last; empty where there is none."""
    values: Mapping[Path, JsonValue] = field(default_factory=dict[Path, JsonValue])
    """Values for it, whenever they were said."""
    news: frozenset[Path] = frozenset()
    """Which of them the latest turn gave, or changed."""
    is_done: bool = False
    """Whether it was called, and nothing was asked for since."""
    is_fresh: bool = False
    """Whether the latest turn asked for it, or accepted it."""
    agreed: bool = False
    refused: bool = False
    ended: bool = False
    """What the latest turn replied: agreed, turned something down, or wanted nothing more."""
    said: frozenset[Path] = frozenset()
    """Which of the news are the user's own words, not the agent's that were agreed to."""
    picked: bool = False
    """Whether the latest turn names something that was found."""
    is_offered: bool = False
    """Whether it was the agent that asked for the function in the latest turn, and the user agreed."""
    is_bid: bool = False
    """Whether a yes to the agent's latest words is a yes to calling the function."""
    read_back: Mapping[Path, JsonValue] = field(default_factory=dict[Path, JsonValue])
    """Values that the agent has read back, and the user has not contradicted."""
    calls: tuple[CallMade, ...] = ()
    """Made before, the latest last."""
    unheard: tuple[SpokenTurn, ...] = ()
    """The turns before, while no function was under way that they could have asked for."""


def tool_of(situation: Situation, name: str) -> LearnedTool | None:
    """A function as the learned planner knows it."""
    return next((tool for tool in situation.index.learned_tools if tool.name == name), None)


def is_careful(situation: Situation, name: str) -> bool:
    """Whether a function changes something."""
    return situation.index.books[name].is_careful


def offers_again(situation: Situation, talk: Talk, agent: str) -> bool:
    """Whether the agent offers to try once more what came to nothing."""
    result = talk.calls[-1].result if talk.calls else None
    if not talk.is_done or result is None:
        return False
    if is_careful(situation, talk.function) and says_failed(agent):
        return True
    if not AGAIN.search(agent):
        return False
    outcome = read_outcome(result)
    return outcome.is_error or found_nothing(outcome) or not any(True for _ in scalars(outcome.body))


def known_before(
    situation: Situation, talk: Talk, book: Book, tool: LearnedTool, turn: SpokenTurn
) -> Mapping[Path, JsonValue]:
    """What is known of a function when it is asked for: by what it is about, and by what words point back at."""
    thing = thing_spoken_of(situation.entries)
    carried = carried_values(book, tool, talk.calls, thing, situation.entries)
    if talk.calls and not carried:
        last = talk.calls[-1].call
        carried = shared_values(book, tool, tool_of(situation, last.name), last.arguments)
    last_tool = tool_of(situation, talk.calls[-1].call.name) if talk.calls else None
    picked = identified(book, tool, last_tool, thing, turn.text)
    known = things_known(talk.calls, thing)
    place = {} if book.is_careful else carried_place(book, tool, known)
    return {**place, **carried, **picked, **pointed_at(book, tool, known, turn.text)}


def things_known(calls: Sequence[CallMade], thing: JsonObject) -> list[JsonObject]:
    """What words may point back at: the thing that was found, then what was asked for, the latest first."""
    return [thing, *(made.call.arguments for made in reversed(calls[-_MOST_CALLS:]))]
