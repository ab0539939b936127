"""Examples taken apart: what the user said, what came of it, what the agent answered."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from openplaybook.models.base import AgentText, Entry, ExampleDialogue, FunctionCall, FunctionResult, UserText
from openplaybook.models.offline.language.small_talk import kind_of
from openplaybook.models.offline.slots.slot_values import scalars, spoken
from openplaybook.models.offline.slots.value_contexts import find_words

_LONGEST_ANSWER = 40
"""Characters."""


@dataclass(slots=True)
class Episode:
    """One stretch of an example, from the user's words to the agent's last words about them."""

    example: ExampleDialogue
    utterances: list[UserText | AgentText] = field(default_factory=list[UserText | AgentText])
    """User and agent in turns, before any call: the first is the user unless the agent opened."""
    steps: list[tuple[FunctionCall, FunctionResult | None]] = field(
        default_factory=list[tuple[FunctionCall, FunctionResult | None]]
    )
    """Calls in order, each with its result where the example shows one."""
    answer: str = ""
    """What the agent said after the last call."""
    is_last: bool = False
    is_first: bool = False
    """Nothing was said before it."""
    said_before: str = ""
    """The agent's last words before it; empty where there are none."""
    done_before: tuple[FunctionCall, FunctionResult] | None = None
    """The last call before it that has a result."""

    @property
    def users(self) -> list[str]:
        """The user's utterances."""
        return [entry.text for entry in self.utterances if isinstance(entry, UserText)]

    @property
    def last_words(self) -> str:
        """What the agent said last in it; empty when nothing."""
        texts = [entry.text for entry in self.utterances if isinstance(entry, AgentText)]
        return self.answer or (texts[-1] if texts else "")

    def question_before(self, index: int) -> str:
        """What the agent said directly before the user's utterance number `index`; empty when nothing."""
        user_number = -1
        for position, entry in enumerate(self.utterances):
            user_number += isinstance(entry, UserText)
            if user_number == index:
                before = self.utterances[position - 1] if position else None
                return before.text if isinstance(before, AgentText) else ""
        return ""


def episodes_of(example: ExampleDialogue) -> list[Episode]:
    """The episodes of an example in order. An episode ends when the user speaks after a call's answer."""
    episodes = [Episode(example)]
    for entry in example.entries:
        current = episodes[-1]
        if isinstance(entry, UserText) and current.steps:
            current = Episode(example)
            episodes.append(current)
        _add(current, entry)
    episodes[0].is_first = True
    episodes[-1].is_last = True
    pieces = [piece for episode in episodes for piece in _split(episode)]
    for before, piece in itertools.pairwise(pieces):
        piece.said_before = before.last_words or before.said_before
        done = [(call, result) for call, result in before.steps if result is not None]
        piece.done_before = done[-1] if done else before.done_before
    return pieces


def _add(episode: Episode, entry: Entry) -> None:
    if isinstance(entry, FunctionCall):
        episode.steps.append((entry, None))
    elif isinstance(entry, FunctionResult):
        for index, (call, result) in enumerate(episode.steps):
            if result is None and call.id == entry.id:
                episode.steps[index] = (call, entry)
                return
    elif isinstance(entry, AgentText) and episode.steps:
        episode.answer = f"{episode.answer}\n{entry.text}" if episode.answer else entry.text
    else:
        episode.utterances.append(entry)


def _split(episode: Episode) -> Iterator[Episode]:
    """Exchanges of words that led to no call become episodes of their own when nothing was asked in them.

    What comes before a call belongs to the call as far back as the agent asked questions.
    """
    pairs = list(_exchanges(episode.utterances))
    was_first, episode.is_first = episode.is_first, False
    keep = len(pairs)
    if episode.steps:
        keep -= 1
        while keep > 0 and (_asks(pairs[keep - 1]) or _answers(pairs[keep], pairs[keep - 1], episode.steps[0][0])):
            keep -= 1
    for pair in pairs[:keep]:
        yield Episode(episode.example, utterances=list(pair), is_last=episode.is_last and not episode.steps)
    if episode.steps:
        episode.is_first = was_first and keep == 0
        episode.utterances = [entry for pair in pairs[keep:] for entry in pair]
        yield episode


def _asks(exchange: Sequence[UserText | AgentText]) -> bool:
    """Whether the agent's last word was a question, and not one that only makes conversation."""
    first, last = exchange[0], exchange[-1]
    is_question = isinstance(last, AgentText) and last.text.rstrip().endswith("?")
    return is_question and not kind_of(first.text)


def _answers(
    exchange: Sequence[UserText | AgentText], before: Sequence[UserText | AgentText], call: FunctionCall
) -> bool:
    """Whether the user answers what the agent said before with hardly more than a value of the call: the agent asked
    for it, question mark or not."""
    said, asked = exchange[0], before[-1]
    if not isinstance(said, UserText) or not isinstance(asked, AgentText) or kind_of(before[0].text):
        return False
    values = [spoken(value) for value in scalars(call.arguments)]
    return len(said.text) <= _LONGEST_ANSWER and any(find_words(value, said.text) for value in values)


def _exchanges(utterances: Sequence[UserText | AgentText]) -> Iterator[list[UserText | AgentText]]:
    exchange: list[UserText | AgentText] = []
    for entry in utterances:
        if isinstance(entry, UserText) and exchange:
            yield exchange
            exchange = []
        exchange.append(entry)
    if exchange:
        yield exchange
