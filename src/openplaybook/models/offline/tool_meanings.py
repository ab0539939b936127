"""How near a user's words are to each function in meaning, by the encoder that data stores are searched with."""

from array import array
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import mul
from typing import Final

import structlog

from openplaybook.encoders.base import Embedder, Purpose, TextVectors
from openplaybook.encoders.errors import EncoderError, EncoderUnusable
from openplaybook.models.offline.learned.tool_features import LearnedTool, Meanings

MOST_CHARACTERS: Final = 600
"""Of what the user said that are looked at."""
_AT_ONCE: Final = 8
"""Texts that are encoded in one go: a slow machine has some seconds for each."""
_MOST_KEPT: Final = 5_000
"""Texts whose vectors are kept, of a kilobyte and a half each."""
_log = structlog.get_logger(__name__)

Vector = Sequence[float]


class ToolMeanings:
    """An encoder and the vectors of what functions are called and described by."""

    def __init__(self, make: Callable[[], Embedder | None]) -> None:
        """`make` is asked for the encoder when it is first needed; None: there is none."""
        self._make = make
        self._embedder: Embedder | None = None
        self._is_tried = False
        self._known: OrderedDict[str, Vector] = OrderedDict()

    async def of(self, texts: Collection[str], tools: Sequence[LearnedTool], language: str) -> Mapping[str, Meanings]:
        """The meanings of functions for each of some texts; for none where no encoder tells them."""
        embedder = self._encoder(language)
        if embedder is None:
            return {}
        said = {text: text[:MOST_CHARACTERS] for text in texts}
        try:
            vectors = await self._vectors(
                embedder, list(dict.fromkeys([*said.values(), *(tool.text for tool in tools)]))
            )
        except EncoderError as error:
            # Words alone decide then, which is less sure but goes on.
            _log.warning("meanings_unavailable", error=str(error))
            if isinstance(error, EncoderUnusable):
                self._embedder = None
            return {}
        return {
            text: tuple(sum(map(mul, vectors[each], vectors[tool.text])) for tool in tools)
            for text, each in said.items()
        }

    async def aclose(self) -> None:
        """Let go of the encoder's processes."""
        if self._embedder is not None:
            await self._embedder.aclose()

    def _encoder(self, language: str) -> Embedder | None:
        if not self._is_tried:
            self._is_tried = True
            self._embedder = self._make()
        embedder = self._embedder
        return embedder if embedder and (not embedder.languages or language in embedder.languages) else None

    async def _vectors(self, embedder: Embedder, texts: Sequence[str]) -> dict[str, Vector]:
        vectors = {text: self._known[text] for text in texts if text in self._known}
        new = [text for text in texts if text not in vectors]
        for begin in range(0, len(new), _AT_ONCE):
            some = new[begin : begin + _AT_ONCE]
            vectors |= zip(some, _parted(await embedder.embed(some, Purpose.QUESTION)), strict=True)
        for text in texts:
            self._known[text] = vectors[text]
            self._known.move_to_end(text)
        while len(self._known) > _MOST_KEPT:
            self._known.popitem(last=False)
        return vectors


def _parted(vectors: TextVectors) -> list[Vector]:
    numbers = array("f", vectors.data)
    size = vectors.dimensions
    return [numbers[begin : begin + size] for begin in range(0, len(numbers), size)]
