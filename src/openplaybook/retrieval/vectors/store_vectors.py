"""Keeps the vectors of one store up to the catalog: follows its changes as the index does, behind it, in no hurry."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Final

from openplaybook.encoders.base import Embedder, Purpose
from openplaybook.encoders.errors import EncoderError
from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.catalog.base import Catalog, ChangeMark, DocumentChange
from openplaybook.retrieval.errors import ChangesForgotten, RetrievalError
from openplaybook.retrieval.vectors.vector_file import DocumentVectors, VectorFile, new_vectors, open_vectors
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

KEEPING: Final = Lane("vectors of stores", threads=1, waiting=4096, seconds=600)
"""Reading and writing of the files of vectors."""

_BATCH: Final = 20
"""Changes that are taken together, and done again where the process ends meanwhile."""
_TEXTS: Final = 16
"""That go to the model together."""
_AGAIN_S: Final = (5.0, 60.0, 600.0)
"""Before what failed is tried again: the first, the second, all other times."""


class StoreVectors:
    """Vectors of one store, on one event loop."""

    def __init__(
        self,
        store: str,
        folder: Path,
        catalog: Catalog,
        embedder: Embedder,
        is_wanted: Callable[[], Awaitable[bool]],
        turn: asyncio.Lock,
    ) -> None:
        """`is_wanted` tells whether the store is one for the model, when its index is known. `turn` is held while texts
        are embedded: by one store after the other."""
        self._store = store
        self._folder = folder
        self._catalog = catalog
        self._embedder = embedder
        self._is_wanted = is_wanted
        self._turn = turn
        self._file: VectorFile | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_told = False
        self.failure = ""
        """Why it does not get on; empty while it does."""

    @property
    def passages(self) -> int:
        """How many have vectors."""
        return self._file.passages if self._file else 0

    @property
    def is_busy(self) -> bool:
        """Whether vectors are being made."""
        return self._task is not None and not self._task.done()

    def tell(self) -> None:
        """Follow the changes that there are, in the background."""
        self._is_told = True
        if not self.is_busy:
            self._task = asyncio.create_task(self._follow(), name=f"vectors of {self._store}")

    async def current(self, mark: ChangeMark) -> VectorFile | None:
        """The vectors, where every passage that is found at a mark has its own; None before that."""
        file = self._file
        if file is None and not self.is_busy:
            # Of an earlier process.
            file = self._file = await KEEPING.run(
                partial(open_vectors, self._folder, self._embedder.model, mark.incarnation)
            )
        is_current = file is not None and _reaches(file.mark, mark)
        if not is_current:
            self.tell()
        return file if is_current else None

    async def stop(self) -> None:
        """Let go of the files; what was not written is made again."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait((task,))
        await self._let_go()

    async def _let_go(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            await KEEPING.run(file.close)

    async def _follow(self) -> None:
        failures = 0
        while self._is_told:
            self._is_told = False
            try:
                await self._catch_up()
                self.failure, failures = "", 0
            except (EncoderError, RetrievalError, WorkError, sqlite3.Error, OSError, ValueError) as error:
                self.failure, self._is_told = str(error), True
                if not isinstance(error, EncoderError):
                    await self._let_go()
                await asyncio.sleep(_AGAIN_S[min(failures, len(_AGAIN_S) - 1)])
                failures += 1

    async def _catch_up(self) -> None:
        if not await self._is_wanted():
            return
        last = await self._catalog.mark(self._store)
        if last is None:
            return
        file = await self._opened(last)
        while file.mark.sequence < last.sequence:
            try:
                changes = await self._catalog.changes(self._store, file.mark.sequence, limit=_BATCH)
            except ChangesForgotten:
                file = await self._anew(last)
                continue
            if not changes:
                return
            await self._take(file, changes)

    async def _opened(self, last: ChangeMark) -> VectorFile:
        file = self._file
        if file is None:
            file = await KEEPING.run(partial(open_vectors, self._folder, self._embedder.model, last.incarnation))
        if file is None or file.mark.incarnation != last.incarnation or file.mark.sequence > last.sequence:
            return await self._anew(last)
        self._file = file
        return file

    async def _anew(self, last: ChangeMark) -> VectorFile:
        await self._let_go()
        self._file = await KEEPING.run(partial(new_vectors, self._folder, self._embedder.model, last.incarnation))
        return self._file

    async def _take(self, file: VectorFile, changes: Sequence[DocumentChange]) -> None:
        texts = {change.id: _texts(change.document) for change in changes}
        digests = {id: [_digest(text) for text in each] for id, each in texts.items()}
        known = await KEEPING.run(partial(file.digests, [*texts]))
        wanted = [
            (id, at) for id, each in digests.items() for at, digest in enumerate(each) if known.get((id, at)) != digest
        ]
        dimensions, vectors = 0, dict[str, dict[int, bytes]]()
        for start in range(0, len(wanted), _TEXTS):
            some = wanted[start : start + _TEXTS]
            async with self._turn:
                made = await self._embedder.embed([texts[id][at] for id, at in some], Purpose.PASSAGE)
            dimensions = made.dimensions
            width = len(made.data) // len(some)
            for number, (id, at) in enumerate(some):
                vectors.setdefault(id, {})[at] = made.data[number * width : (number + 1) * width]
        taken = [DocumentVectors(id, each, vectors.get(id, {})) for id, each in digests.items()]
        await KEEPING.run(partial(file.apply, taken, changes[-1].sequence, dimensions))


def _reaches(ours: ChangeMark, wanted: ChangeMark) -> bool:
    return ours.incarnation == wanted.incarnation and ours.sequence >= wanted.sequence


def _texts(document: StoreDocument | None) -> Sequence[str]:
    """What is embedded of each passage: what it stands under, and its text."""
    if document is None:
        return ()
    passages = document.passages or (Passage(""),)
    head = (document.question,) if document.question else (document.title,)
    return ["\n".join(filter(None, (*head, *passage.headings, passage.text))) for passage in passages]


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
