"""What follows the head: the examples that fit, the context, and as much of the conversation as fits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from openplaybook.models.base import Entry, FunctionResult, ModelTurn, ProviderReply, UserText
from openplaybook.models.prompt.prompt_head import PromptHead, Shot, different_words
from openplaybook.models.prompt.prompt_texts import (
    context_text,
    entry_tokens,
    input_tokens,
    reserved_output_tokens,
    text_tokens,
)

Entries: TypeAlias = Sequence[Entry | ProviderReply]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The entries of one request, oldest first."""

    shots: Sequence[int]
    """Positions of the examples shown, in `PromptHead.shots`."""
    entries: Sequence[Entry | ProviderReply]
    """Context, then conversation."""
    left_out: int
    """Entries of the conversation that did not fit."""


def render_dialogue(head: PromptHead, turn: ModelTurn, window: int) -> Dialogue:
    """Share out a window of `window` tokens.

    Static examples may take up to half of what head and context leave; the conversation comes next; the other
    examples get what remains.
    """
    context = context_text(turn, after_examples=bool(head.shots))
    room = input_tokens(turn.settings, window) - reserved_output_tokens(turn.settings, window)
    room -= head.tokens + text_tokens(context)
    static = sum(candidate.tokens for candidate in head.shots if candidate.is_static)
    kept_for_static = static if static <= room // 2 else 0
    conversation, left_out = fit(turn.conversation, room - kept_for_static)
    shots: Sequence[int] = ()
    if head.shots:
        spoken = sum(map(entry_tokens, conversation))
        user_texts = (entry.text for entry in reversed(turn.conversation) if isinstance(entry, UserText))
        shots = select(head.shots, next(user_texts, ""), room - spoken)
        if not shots:
            context = context_text(turn, after_examples=False)
    entries = [UserText(context), *conversation] if context else conversation
    return Dialogue(shots, entries, left_out)


def select(shots: Sequence[Shot], user_text: str, budget: int) -> Sequence[int]:
    """Positions of the examples that fit `budget` tokens, in stored order.

    Static ones are taken first, then those that share most words with what the user just said.
    """
    if sum(candidate.tokens for candidate in shots) <= budget:
        return range(len(shots))
    relevant = different_words(user_text)
    # sorted() is stable: equally relevant examples keep their order.
    by_need = sorted(range(len(shots)), key=lambda at: (not shots[at].is_static, -len(shots[at].words & relevant)))
    chosen: list[int] = []
    for at in by_need:
        if shots[at].tokens <= budget:
            budget -= shots[at].tokens
            chosen.append(at)
    return sorted(chosen)


def fit(conversation: Entries, budget: int) -> tuple[Entries, int]:
    """The latest part of `conversation` that fits `budget` tokens, and how many entries were left out.

    What goes first is the oldest whole exchange: the user's words and everything up to the next ones. The
    latest exchange stays; where it alone is too long its oldest rounds of calls with their results go, never
    the user's words, never its last round. So a call is never parted from its result, and the answer may still
    be larger than `budget`. Where something was left out, a line of the user says so.
    """
    sizes = [entry_tokens(entry) for entry in conversation]
    if sum(sizes) <= budget:
        return conversation, 0
    marker = UserText(_marker(len(conversation)))
    budget -= entry_tokens(marker)
    *starts, latest = _exchanges(conversation)
    for start in starts:
        if start and sum(sizes[start:]) <= budget:
            return _marked(conversation[start:], start)
    if sum(sizes[latest:]) <= budget:
        return _marked(conversation[latest:], latest)
    first_kept = _latest_rounds(conversation, latest, sizes, budget)
    user_words = conversation[latest : latest + 1] if isinstance(conversation[latest], UserText) else ()
    return _marked([*user_words, *conversation[first_kept:]], first_kept - len(user_words))


def _marker(left_out: int) -> str:
    return f"[Earlier conversation left out ({left_out} entries).]"


def _marked(entries: Entries, left_out: int) -> tuple[Entries, int]:
    return ([UserText(_marker(left_out)), *entries], left_out) if left_out else (entries, 0)


def _exchanges(conversation: Entries) -> list[int]:
    """Where exchanges begin; the first begins with the conversation, whoever speaks first."""
    return [at for at, entry in enumerate(conversation) if at == 0 or isinstance(entry, UserText)]


def _latest_rounds(conversation: Entries, exchange: int, sizes: Sequence[int], budget: int) -> int:
    """The first round of the latest exchange that fits behind the user's words; the last one if none does."""
    first = exchange + isinstance(conversation[exchange], UserText)
    *rounds, last = [first, *_later_rounds(conversation, first)]
    budget -= sum(sizes[exchange:first])
    return next((start for start in rounds if sum(sizes[start:]) <= budget), last)


def _later_rounds(conversation: Entries, first: int) -> Iterator[int]:
    """A round ends with its results."""
    for at in range(first + 1, len(conversation)):
        if isinstance(conversation[at - 1], FunctionResult) and not isinstance(conversation[at], FunctionResult):
            yield at
