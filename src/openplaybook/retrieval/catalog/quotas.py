"""What a write changes of what a store holds, and whether its project may hold so much."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from openplaybook.retrieval.base import StoreStatistics
from openplaybook.retrieval.catalog.base import CatalogQuota
from openplaybook.retrieval.catalog.document_rows import DocumentRow
from openplaybook.retrieval.errors import QuotaExceeded


class CountedRow(NamedTuple):
    """What is counted of a document that is stored."""

    id: str
    passages: int
    bytes: int
    language: str


@dataclass(slots=True)
class HoldingsChange:
    """By how much what a store holds becomes more, or less."""

    documents: int = 0
    passages: int = 0
    bytes: int = 0
    languages: Counter[str] = field(default_factory=Counter[str])
    """Documents, by language."""

    def add(self, rows: Iterable[DocumentRow]) -> None:
        """These come."""
        for row in rows:
            self._count(row.passages, len(row.body), row.language, 1)

    def remove(self, rows: Iterable[CountedRow]) -> None:
        """These go, or are replaced."""
        for row in rows:
            self._count(row.passages, row.bytes, row.language, -1)

    def _count(self, passages: int, size: int, language: str, sign: int) -> None:
        self.documents += sign
        self.passages += sign * passages
        self.bytes += sign * size
        self.languages[language] += sign


def project_of(store: str) -> str:
    """The project of a store's whole name, as `projects/P`."""
    return "/".join(store.split("/", 2)[:2])


def check_quota(quota: CatalogQuota, project: str, change: HoldingsChange, documents: int, size: int) -> None:
    """Raise `QuotaExceeded` where a change brings a project to more documents or bytes than it may have.

    `documents` and `size` are what the project would have with it. What becomes less is never refused.
    """
    if quota.documents and change.documents > 0 and documents > quota.documents:
        raise QuotaExceeded(
            f"the data stores of {project} may hold {quota.documents:,} documents together, and with these "
            f"{documents:,} would be needed"
        )
    if quota.bytes and change.bytes > 0 and size > quota.bytes:
        raise QuotaExceeded(
            f"the data stores of {project} may hold {quota.bytes:,} bytes together, and with these {size:,} would be "
            "needed"
        )


def statistics_of(documents: int, passages: int, size: int, languages: Iterable[tuple[str, int]]) -> StoreStatistics:
    """As the port gives them; languages that no document has are left out, and so is one that is not known."""
    known = [(language, count) for language, count in languages if language and count]
    known.sort(key=lambda each: (-each[1], each[0]))
    return StoreStatistics(documents, passages, size, tuple(known))
