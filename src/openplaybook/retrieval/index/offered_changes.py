"""What was just put into a catalog, kept for the index: reading it from there again costs as much as writing it did."""

from collections.abc import Sequence

from openplaybook.retrieval.base import StoreDocument
from openplaybook.retrieval.catalog.base import ChangeMark, DocumentChange

_MOST_DOCUMENTS = 5_000
_MOST_CHARACTERS = 8_000_000
"""Of the texts of all that is kept. What is more is read from the catalog."""


class OfferedChanges:
    """Of one store. Used on the event loop alone."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[str, Sequence[DocumentChange], int]] = {}
        """Incarnation, changes and characters, by the number of the change before them."""

    def offer(self, mark: ChangeMark, documents: Sequence[StoreDocument]) -> None:
        """Documents that were put together, with the mark behind them."""
        if len({document.id for document in documents}) < len(documents):
            # The catalog has the last of each.
            return
        size = sum(len(passage.text) for document in documents for passage in document.passages)
        count = sum(len(changes) for _, changes, _ in self._kept.values())
        characters = sum(size for _, _, size in self._kept.values())
        if count + len(documents) > _MOST_DOCUMENTS or characters + size > _MOST_CHARACTERS:
            return
        before = mark.sequence - len(documents)
        changes = [
            DocumentChange(number, document.id, document) for number, document in enumerate(documents, before + 1)
        ]
        self._kept[before] = mark.incarnation, changes, size

    def take(self, incarnation: str, reached: int) -> Sequence[DocumentChange]:
        """The changes that follow a change, which are not kept any more then; none where they are not here."""
        # In between something else may have changed the store, which the catalog tells of.
        for before in [before for before in self._kept if before < reached]:
            del self._kept[before]
        if reached not in self._kept:
            return ()
        of, changes, _ = self._kept.pop(reached)
        return changes if of == incarnation else ()

    def clear(self) -> None:
        """Keep nothing."""
        self._kept.clear()
