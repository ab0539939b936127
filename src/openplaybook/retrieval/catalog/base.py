"""The `Catalog` port: documents of stores, kept durably, and the order in which they changed.

An index is derived: it reads `changes` after the mark that it has reached, commits, and keeps the new mark with what it
has committed. It begins anew, with nothing and from the first change, where it has no mark, or one of another
incarnation of the store, or one beyond the store's last change (which an older state of the database has after it was
restored), or where `changes` raises `ChangesForgotten`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from openplaybook.retrieval.base import DocumentPage, StoreDocument, StoreStatistics

MOST_BYTES = 4 << 20
"""Of stored documents in one answer, so that a page of large ones does not fill the memory; one document is always
given."""

MOST_TOMBSTONES = 100_000
"""Deleted ids that a store remembers, or as many as it has documents, where these are more."""


@dataclass(frozen=True, slots=True)
class ChangeMark:
    """How far somebody has followed the changes of a store."""

    incarnation: str
    """Of the store: one that is dropped and filled again has another."""
    sequence: int
    """Number of the last change that was read; 0 before the first."""
    floor: int = 0
    """Deletions up to this number are not told any more: who has read some changes, but fewer, has to begin anew."""


class DocumentChange(NamedTuple):
    """That a document was put, or deleted."""

    sequence: int
    id: str
    document: StoreDocument | None
    """None where it was deleted. Of a document that changed often only the last change is told."""


@dataclass(frozen=True, slots=True)
class CatalogQuota:
    """What the stores of one project may hold together; 0 is no limit."""

    documents: int = 0
    bytes: int = 0


class Catalog(Protocol):
    """Documents by store. Every call is durable when it returns; calls may come from several processes at once."""

    async def put(self, store: str, documents: Sequence[StoreDocument]) -> ChangeMark:
        """Add or replace documents, all of them or none; the mark behind them.

        Of those with the same id the last counts. No documents begin no store.
        Raises `InvalidSource`, `QuotaExceeded`, `EngineUnavailable`.
        """
        ...

    async def delete(self, store: str, ids: Sequence[str]) -> int:
        """Take documents away; gives how many there were."""
        ...

    async def get(self, store: str, ids: Sequence[str]) -> Sequence[StoreDocument]:
        """Those documents that there are, in no order."""
        ...

    async def page(self, store: str, *, after: str = "", limit: int = 100) -> DocumentPage:
        """Documents by id (in the order of UTF-8 bytes), those that follow `after`; fewer where they are large."""
        ...

    async def digests(self, store: str, ids: Sequence[str]) -> dict[str, str]:
        """Digests of those documents that the store has, by id."""
        ...

    async def mark(self, store: str) -> ChangeMark | None:
        """The last change of a store; None where it holds nothing and never did."""
        ...

    async def changes(self, store: str, after: int, *, limit: int = 1000) -> Sequence[DocumentChange]:
        """Changes after that sequence number, oldest first, fewer than `limit` where they are large.

        Sequence numbers grow in the order in which changes can be read: none appears behind one that was read. After 0
        every document is told. Raises `ChangesForgotten` where deletions since are not known any more, or the number is
        of another incarnation.
        """
        ...

    async def stores(self) -> Sequence[str]:
        """Names of all stores that were put to and not dropped."""
        ...

    async def statistics(self, store: str) -> StoreStatistics:
        """How much a store holds."""
        ...

    async def drop(self, store: str) -> None:
        """Delete a store with all its documents, and give back the disk that they took."""
        ...

    async def close(self) -> None:
        """Let go of files and connections."""
        ...
