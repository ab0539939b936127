"""What an import reads: the `DocumentSource` port, its items in batches, and what went wrong with one of them."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from openplaybook.retrieval.base import StoreDocument


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """How far a source was read."""

    part: int = 0
    """Parts, such as files, that were read to their ends."""
    item: int = 0
    """Items of the next part that were read."""


class SourceItem(NamedTuple):
    """What may become a document."""

    id: str
    """Of that document."""
    digest: str
    """Of what it is read from, and of how: a document of the store with the same digest is up to date."""
    where: str
    """For people, such as `gs://manuals/faq.csv, line 17`."""


@dataclass(frozen=True, slots=True)
class SourceFault:
    """Why an item did not become a document."""

    where: str
    message: str
    code: str = "INVALID_ARGUMENT"
    """Name of a google.rpc code."""


Reading: TypeAlias = StoreDocument | SourceFault
"""What an item turned out to be."""


class SourceBatch(Protocol):
    """A few items of a source, in memory together."""

    @property
    def items(self) -> Sequence[SourceItem]:
        """Those that have an id."""
        ...

    @property
    def faults(self) -> Sequence[SourceFault]:
        """Of those that have none."""
        ...

    @property
    def end(self) -> SourcePlace:
        """Where the next batch begins."""
        ...

    async def read(self, wanted: Sequence[int]) -> Sequence[Reading]:
        """The documents of items, by their positions in `items`, in the same order. Blocks nobody."""
        ...


class DocumentSource(Protocol):
    """Where an import takes documents from. Reading it twice gives the same, as long as nobody changes it."""

    def batches(self, begin: SourcePlace) -> AsyncIterator[SourceBatch]:
        """What lies behind a place, each batch read only when it is asked for.

        Raises `InvalidSource` where the source as a whole cannot be read.
        """
        ...
