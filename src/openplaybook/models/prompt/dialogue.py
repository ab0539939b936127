"""What follows the head: the examples that fit, the context, and as much of the conversation as fits."""

from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.models.base import Entry, ModelTurn, ProviderReply, UserText
from openplaybook.models.prompt.context import context_text
from openplaybook.models.prompt.examples import select
from openplaybook.models.prompt.head import Head
from openplaybook.models.prompt.limits import input_tokens, reserved_output_tokens
from openplaybook.models.prompt.size import entry_tokens, text_tokens
from openplaybook.models.prompt.window import fit


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The entries of one request, oldest first."""

    shots: Sequence[int]
    """Positions of the examples shown, in `Head.shots`."""
    entries: Sequence[Entry | ProviderReply]
    """Context, then conversation."""
    left_out: int
    """Entries of the conversation that did not fit."""


def render_dialogue(head: Head, turn: ModelTurn, window: int) -> Dialogue:
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
        shots = select(head.shots, _last_words(turn), room - spoken)
        if not shots:
            context = context_text(turn, after_examples=False)
    entries = [UserText(context), *conversation] if context else conversation
    return Dialogue(shots, entries, left_out)


def _last_words(turn: ModelTurn) -> str:
    return next((entry.text for entry in reversed(turn.conversation) if isinstance(entry, UserText)), "")
