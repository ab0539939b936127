"""Pages of lists, as large as they may become."""

from collections.abc import Sequence
from dataclasses import dataclass

from openplaybook.resources.page_tokens import issue_token
from openplaybook.services.stored_records import AT_ONCE_BYTES
from openplaybook.wire.messages import ApiMessage

PAGE_BYTES = AT_ONCE_BYTES
"""Of what is stored of the resources of one page, which has fewer of them where they are larger; at least one."""


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a list."""

    messages: Sequence[ApiMessage]
    token: str
    """Of the next page; empty on the last."""
    size: int
    """Bytes of what is stored of them."""


class PageBuilder:
    """What a page has so far."""

    def __init__(self, most: int, query: Sequence[str]) -> None:
        """`most` resources at most; its token is bound to `query`."""
        self._most = most
        self._query = query
        self._messages: list[ApiMessage] = []
        self._last = 0
        self._size = 0
        self.is_full = False
        """Something is left for the next page."""

    def takes(self, size: int) -> bool:
        """Whether a resource that is stored in so many bytes still fits; the page is full where it does not."""
        is_too_large = bool(self._messages) and self._size + size > PAGE_BYTES
        self.is_full = self.is_full or is_too_large or len(self._messages) == self._most
        return not self.is_full

    def add(self, position: int, message: ApiMessage, size: int) -> None:
        """Take one more, if it fits; `position` is where the next page begins behind."""
        if self.takes(size):
            self._messages.append(message)
            self._last = position
            self._size += size

    def listing(self) -> Listing:
        """The page."""
        token = issue_token(self._query, self._last) if self.is_full else ""
        return Listing(self._messages, token, self._size)
