"""Pages of conversations: read from the store until enough of them pass a filter."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from openplaybook.resources.page_tokens import issue_token, page_size, read_token
from openplaybook.services.large_messages import done_aside
from openplaybook.storage.base import Conversation, KeptTurn, Store
from openplaybook.turns.session.history import kept_batches, stored_size
from openplaybook.wire.messages import ApiMessage

_EXAMINED = 1000
"""Conversations that a filter is tried on for one page: a page may hold fewer than asked for and yet not be the last
(https://google.aip.dev/158)."""
_EXAMINED_BYTES = 64 * 1024 * 1024
"""Of what is stored of their turns; the same holds."""
_AT_ONCE = 100


class TurnTally(Protocol):
    """What the turns of a conversation come to together."""

    def add(self, turn: KeptTurn) -> None:
        """Count one turn, the oldest first. Raises `NewerData`."""
        ...


@dataclass(frozen=True, slots=True)
class ListedConversation:
    """A conversation as it is listed."""

    message: ApiMessage | None
    """None where the filter leaves it out."""
    read_bytes: int = 0
    """What was read of its turns to know that."""


Shown = Callable[[Conversation], Awaitable[ListedConversation]]


async def count_turns(store: Store, session: str, tally: TurnTally) -> int:
    """Count the turns of a conversation; the bytes that were read for it. Large turns are read beside the event
    loop. Raises `NewerData`."""
    read = 0
    async for turns in kept_batches(store, session):
        size = stored_size(turns)
        await done_aside(partial(_count, turns, tally), size)
        read += size
    return read


def _count(turns: Sequence[KeptTurn], tally: TurnTally) -> None:
    for turn in turns:
        tally.add(turn)


async def page_of(
    store: Store, root: str, request: ApiMessage, query: Sequence[str], shown: Shown, *, earliest_us: int = 0
) -> tuple[list[ApiMessage], str]:
    """One page of an agent's, or an app's, conversations, newest first, and the token of the next; empty on the last.

    `request` has `page_size` and `page_token`; the token is bound to `query`. No conversation that began before
    `earliest_us` passes the filter. Raises `InvalidPageSize`, `InvalidPageToken`.
    """
    size, before = page_size(request.page_size), read_token(query, request.page_token)
    listed: list[ApiMessage] = []
    read = 0
    for _ in range(0, _EXAMINED, _AT_ONCE):
        conversations = await store.conversations(root, before=before or None, limit=_AT_ONCE)
        for conversation in conversations:
            before = conversation.position
            if conversation.began_us < earliest_us:
                return listed, ""
            one = await shown(conversation)
            read += one.read_bytes
            if one.message is not None:
                listed.append(one.message)
            if len(listed) == size or read > _EXAMINED_BYTES:
                break
        if len(listed) == size or read > _EXAMINED_BYTES or len(conversations) < _AT_ONCE:
            break
    more = await store.conversations(root, before=before or None, limit=1)
    return listed, issue_token(query, before) if more else ""
