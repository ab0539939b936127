"""What is near the question of a request, for searches in stores whose passages all have vectors."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from openplaybook.encoders.base import Embedder, Purpose
from openplaybook.encoders.errors import EncoderError
from openplaybook.retrieval.base import SearchRequest
from openplaybook.retrieval.catalog.base import Catalog
from openplaybook.retrieval.index.near_passages import PassageKey
from openplaybook.retrieval.index.store_index import StoreIndex
from openplaybook.retrieval.language.detection import detected
from openplaybook.retrieval.ranking.rank_fusion import FUSED
from openplaybook.retrieval.vectors.store_vectors import KEEPING, StoreVectors
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

COMPARISON: Final = Lane("vectors", threads=2, waiting=512, seconds=10)
"""Comparing a question with all passages of a store: up to some hundredths of a second."""

_MOST_PASSAGES: Final = 100_000
"""Of a store: all are compared for each question, and made at some fifteen a second."""
_LEAST_SHARE: Final = 0.9
"""Of passages that have to be in languages that the model is good for."""
_FILTERED: Final = 4 * FUSED
"""Passages that are taken where a filter may leave out most of them."""


class Nearness(NamedTuple):
    """What is known of a request's question."""

    passages: Sequence[PassageKey] = ()
    """Nearest first; empty where the search is by words alone."""
    notes: Sequence[str] = ()
    """For the trace: why it is by words alone, where it need not be."""


class NearestPassages:
    """Vectors of all stores of an engine."""

    def __init__(
        self,
        embedder: Embedder,
        catalog: Catalog,
        folder_of: Callable[[str], Path],
        index_of: Callable[[str], Awaitable[StoreIndex | None]],
    ) -> None:
        """`folder_of` says where the vectors of a store are, or will be; `index_of` waits for its index."""
        self._embedder = embedder
        self._catalog = catalog
        self._folder_of = folder_of
        self._index_of = index_of
        self._stores: dict[str, StoreVectors] = {}
        self._turn = asyncio.Lock()

    def tell(self, store: str) -> None:
        """The store has changed: have its vectors made, where it is one for the model."""
        self._vectors(store).tell()

    async def of(self, store: str, index: StoreIndex, request: SearchRequest) -> Nearness:
        """The passages that are nearest to what a request asks for. What fails is a note: words find without it."""
        if not self._is_for_model(index, request):
            return Nearness()
        if index.passages > _MOST_PASSAGES:
            return _by_words(f"vectors are for stores of up to {_MOST_PASSAGES:,} passages, and this has more")
        vectors = self._vectors(store)
        most = FUSED if request.filter is None else _FILTERED
        try:
            file = await vectors.current(index.mark)
            if file is None:
                return _by_words(_why_not(vectors, index))
            question = await self._embedder.embed([request.text], Purpose.QUESTION)
            return Nearness(await COMPARISON.run(partial(file.nearest, question.data, most)))
        except (EncoderError, WorkError, ValueError) as error:
            return _by_words(str(error))

    async def rest(self, store: str) -> None:
        """Close the files of a store that is not used; what is being made goes on."""
        vectors = self._stores.get(store)
        if vectors is not None and not vectors.is_busy:
            del self._stores[store]
            await vectors.stop()

    async def drop(self, store: str) -> None:
        """Delete the vectors of a store."""
        vectors = self._stores.pop(store, None)
        if vectors is not None:
            await vectors.stop()
        await KEEPING.run(partial(shutil.rmtree, self._folder_of(store), ignore_errors=True))

    async def close(self) -> None:
        """Leave what was begun."""
        for vectors in self._stores.values():
            await vectors.stop()
        self._stores.clear()

    def _vectors(self, store: str) -> StoreVectors:
        vectors = self._stores.get(store)
        if vectors is None:
            folder = self._folder_of(store)
            wanted = partial(self._is_wanted, store)
            vectors = StoreVectors(store, folder, self._catalog, self._embedder, wanted, self._turn)
            self._stores[store] = vectors
        return vectors

    async def _is_wanted(self, store: str) -> bool:
        index = await self._index_of(store)
        return index is not None and 0 < index.passages <= _MOST_PASSAGES and self._is_language_good(index)

    def _is_language_good(self, index: StoreIndex) -> bool:
        languages = self._embedder.languages
        return not languages or index.share_of(languages) >= _LEAST_SHARE

    def _is_for_model(self, index: StoreIndex, request: SearchRequest) -> bool:
        """Whether store and question are in languages of the model; a question whose language nobody knows may be."""
        if not request.text.strip() or not index.passages or not self._is_language_good(index):
            return False
        language = detected(request.text, request.language)
        return not language or not self._embedder.languages or language in self._embedder.languages


def _why_not(vectors: StoreVectors, index: StoreIndex) -> str:
    reason = f": {vectors.failure}" if vectors.failure else ""
    return f"{vectors.passages:,} of {index.passages:,} passages have vectors so far{reason}"


def _by_words(reason: str) -> Nearness:
    return Nearness(notes=(f"searched by words alone: {reason}",))
