"""Pages of conversations: read from the store until enough of them pass a filter."""

from collections.abc import Awaitable, Callable, Sequence

from openplaybook.resources.paging import issue_token, page_size, read_token
from openplaybook.storage.base import Conversation, Store
from openplaybook.wire.messages import ApiMessage

_EXAMINED = 1000
"""Conversations that a filter is tried on for one page: a page may hold fewer than asked for and yet not be the last
(https://google.aip.dev/158)."""
_AT_ONCE = 100

Shown = Callable[[Conversation], Awaitable[ApiMessage | None]]
"""A conversation as it is listed; None where the filter leaves it out."""


async def page_of(
    store: Store, root: str, request: ApiMessage, query: Sequence[str], shown: Shown, *, earliest_us: int = 0
) -> tuple[list[ApiMessage], str]:
    """One page of an agent's, or an app's, conversations, newest first, and the token of the next; empty on the last.

    `request` has `page_size` and `page_token`; the token is bound to `query`. No conversation that began before
    `earliest_us` passes the filter. Raises `InvalidPageSize`, `InvalidPageToken`.
    """
    size, before = page_size(request.page_size), read_token(query, request.page_token)
    listed: list[ApiMessage] = []
    for _ in range(0, _EXAMINED, _AT_ONCE):
        found = await store.conversations(root, before=before or None, limit=_AT_ONCE)
        for conversation in found:
            before = conversation.position
            if conversation.began_us < earliest_us:
                return listed, ""
            if (message := await shown(conversation)) is not None:
                listed.append(message)
            if len(listed) == size:
                break
        if len(listed) == size or len(found) < _AT_ONCE:
            break
    more = await store.conversations(root, before=before or None, limit=1)
    return listed, issue_token(query, before) if more else ""
