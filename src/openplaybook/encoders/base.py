"""The `Embedder` port: texts to vectors, and what whoever keeps the vectors has to know of the model."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

MOST_TEXTS = 64
"""Of one call."""
MOST_CHARACTERS = 8_000
"""Of a text that are sent to a model; models read less of it."""
_FLOAT = 4


class Purpose(Enum):
    """What vectors are for: the two are worked off apart."""

    QUESTION = "question"
    """To find passages with: somebody waits for it."""
    PASSAGE = "passage"
    """To be found: it gives way to all else."""


@dataclass(frozen=True, slots=True)
class TextVectors:
    """Vectors of some texts, in their order."""

    dimensions: int
    data: bytes
    """Numbers of 32 bits (IEEE 754, little-endian), vector after vector, each of unit length."""

    def __len__(self) -> int:
        return len(self.data) // (_FLOAT * self.dimensions)


class Embedder(Protocol):
    """A model that gives texts of like meaning vectors that are near each other, by their inner product."""

    @property
    def model(self) -> str:
        """What makes the vectors, with its version: those of two names are never compared."""
        ...

    @property
    def languages(self) -> frozenset[str]:
        """Primary subtags of the languages in which searching by it is better than by words alone; empty for any."""
        ...

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> TextVectors:
        """A vector for each of up to `MOST_TEXTS` texts, of which only the beginning counts.

        Raises `EncoderUnavailable`, `EncoderRejected`, and `EncoderUnusable` where the model cannot be had.
        """
        ...

    async def aclose(self) -> None:
        """Let go of processes and connections."""
        ...
