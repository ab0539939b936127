"""An embedder for tests: words of one concept have one vector, and it can be told to wait or to fail."""

import asyncio
from array import array
from collections.abc import Sequence
from math import sqrt

from openplaybook.encoders.base import Purpose, TextVectors
from openplaybook.encoders.errors import EncoderUnavailable

CONCEPTS = (("car", "automobile", "vehicle"), ("fruit", "apple", "pear"), ("moon", "tide", "sea"))


class ConceptEmbedder:
    """Implements `Embedder`: one dimension for each concept, and one for all other words."""

    def __init__(self, model: str = "concepts", languages: frozenset[str] = frozenset({"en"})) -> None:
        self._model = model
        self._languages = languages
        self.passages: list[str] = []
        """Texts that were embedded to be found."""
        self.questions: list[str] = []
        self.failing: Purpose | None = None
        """For what it does not answer."""
        self.is_closed = False
        self.most_passages = 1_000_000
        """Texts to be found that it takes; then it waits."""
        self._may_go_on = asyncio.Event()
        self._may_go_on.set()

    @property
    def model(self) -> str:
        return self._model

    @property
    def languages(self) -> frozenset[str]:
        return self._languages

    def hold(self) -> None:
        """Let passages wait until `release`."""
        self._may_go_on.clear()

    def release(self) -> None:
        self._may_go_on.set()

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> TextVectors:
        if self.failing is purpose:
            raise EncoderUnavailable("the model is out")
        if purpose is Purpose.PASSAGE:
            if len(self.passages) >= self.most_passages:
                self.hold()
            await self._may_go_on.wait()
        (self.questions if purpose is Purpose.QUESTION else self.passages).extend(texts)
        return TextVectors(len(CONCEPTS) + 1, b"".join(map(_vector, texts)))

    async def aclose(self) -> None:
        self.is_closed = True


def _vector(text: str) -> bytes:
    words = text.lower().split()
    counts = [float(sum(word in concept for word in words)) for concept in CONCEPTS]
    numbers = [*counts, 0.1]
    size = sqrt(sum(number * number for number in numbers))
    return array("f", (number / size for number in numbers)).tobytes()
