"""Keeps the index of one store up to the catalog: opens it or makes it anew, follows changes, commits batches."""

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from openplaybook.retrieval.base import StoreDocument
from openplaybook.retrieval.catalog.base import Catalog, ChangeMark, DocumentChange
from openplaybook.retrieval.errors import ChangesForgotten, EngineUnavailable, RetrievalError
from openplaybook.retrieval.index.index_files import is_sound, remove_index
from openplaybook.retrieval.index.store_index import StoreIndex, new_index, open_index
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

WRITING = Lane("search indexes", threads=1, waiting=4096, seconds=600)
"""Writing of all indexes of a process, one batch of one store after the other."""

_BATCH: Final = 1000
"""Changes that are read at once."""
_COMMIT_EVERY_S: Final = 0.4
"""Between commits while changes keep coming; the first after a pause is committed at once."""
_COMMIT_UNSEARCHED_S: Final = 5.0
"""The same while nobody searches: a commit costs much of the time that a large import takes."""
_UNSEARCHED_S: Final = 30.0
"""Without a search; the next one waits for a commit (compare Elasticsearch's `index.search.idle.after`)."""
_COMMIT_WHILE_MADE_S: Final = 5.0
"""Between commits of an index that is not searched yet."""
FAR_BEHIND: Final = 2 * _BATCH
"""Passages that an index may be behind before whoever puts more has to wait."""
_LAG_S: Final = 1.0
"""That a search waits for an index which nobody kept up to date for a while, before it takes it as it is."""
_LONG_AGO_S: Final = 2.0
"""Since the last look at the catalog, such as of a process that was held up."""
_IDLE_S: Final = 10.0
"""After so long without a change, the writer's memory is given back; without a use, nobody looks for changes either."""
_AGAIN_S: Final = 1.0
"""Before what failed is tried again."""
_FAILURES: Final = 3
"""In a row, after which it is looked whether the files of an index are sound."""

_MOST_OFFERED: Final = 5_000
"""Documents that were put and are kept until the index has them."""
_MOST_CHARACTERS: Final = 8_000_000
"""Of their texts. What is more is read from the catalog."""


class StoreFollower:
    """Follows one store, on the event loop that it is first used on."""

    def __init__(self, store: str, folder: Path, catalog: Catalog, *, poll_s: float) -> None:
        """`poll_s`: between two looks for changes that other processes have made."""
        self._store = store
        self._folder = folder
        self._catalog = catalog
        self._poll_s = poll_s
        self._index: StoreIndex | None = None
        self._offered = OfferedChanges()
        self._last: ChangeMark | None = None
        """What the catalog had at the last look."""
        self._looked = float("-inf")
        self._caught_up = float("-inf")
        self._used = 0.0
        self._searched = float("-inf")
        self._committed = 0.0
        self._commit_took = 0.0
        self._failures = 0
        self._failure: BaseException | None = None
        self._task: asyncio.Task[None] | None = None
        self._told = asyncio.Event()
        self._stepped = asyncio.Condition()
        self._waiting = 0
        self._is_stopped = False

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for it to get on."""
        return self._waiting > 0

    async def index(self, *, patience_s: float) -> StoreIndex | None:
        """The index as it may be searched now; None for a store that holds nothing.

        Waits for one that is being made, and raises `EngineUnavailable` where that takes longer than `patience_s`.
        """
        is_followed = self._use()
        asked = time.monotonic()
        was_searched = self._is_searched()
        self._searched = asked
        if not is_followed or asked - self._looked > _LONG_AGO_S:
            self._told.set()
            await self._until(lambda: self._caught_up >= asked, min(_LAG_S, patience_s))
        elif not was_searched:
            await self._until_committed(min(_LAG_S, patience_s))
        if not self._is_searchable():
            await self._until(self._is_searchable, patience_s)
        if self._is_stopped or not self._is_searchable():
            raise self._unavailable()
        return self._index

    def offer(self, mark: ChangeMark, documents: Sequence[StoreDocument]) -> None:
        """Keep for the index what was just put, with the mark behind it, where that is not too much."""
        if not self._is_stopped:
            self._offered.offer(mark, documents)

    async def catch_up(self, sequence: int, *, patience_s: float) -> None:
        """Tell of changes, and wait until the index has followed them up to that one."""
        self._use()
        self._told.set()

        def is_near() -> bool:
            index = self._index
            return index is not None and index.reached >= sequence

        # The first changes of a store find no index yet, and one that is made anew is not waited for.
        if self._index is not None and self._index.is_complete and not is_near():
            await self._until(is_near, patience_s)

    async def settle(self, sequence: int, *, patience_s: float) -> None:
        """Wait until searches find what was changed up to that change."""
        self._use()
        self._searched = time.monotonic()
        self._told.set()

        def is_found() -> bool:
            index = self._index
            return index is not None and index.is_complete and index.mark.sequence >= sequence

        if not is_found():
            await self._until(is_found, patience_s)

    async def discard(self, broken: StoreIndex) -> None:
        """Make an index anew that cannot be read; nothing where that was done meanwhile."""
        if self._index is broken and not self._is_stopped:
            self._index = None
            await WRITING.run(lambda: _remove(broken, self._folder))
        self._told.set()

    async def stop(self, *, is_dropped: bool = False) -> None:
        """Commit what was applied and let go of the index, or delete it."""
        self._is_stopped = True
        await self._tell()
        self._offered.clear()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait((task,))
        index, self._index = self._index, None
        if is_dropped:
            await WRITING.run(lambda: _remove(index, self._folder))
        elif index is not None:
            await WRITING.run(lambda: _finish(index))

    def _is_searchable(self) -> bool:
        if self._looked == float("-inf"):
            return False
        return self._last is None or (self._index is not None and self._index.is_complete)

    def _unavailable(self) -> EngineUnavailable:
        if self._is_stopped:
            return EngineUnavailable(f"the index of {self._store} was closed or dropped meanwhile; try again")
        if self._failure is not None:
            return EngineUnavailable(f"the index of {self._store} cannot be brought up to date: {self._failure}")
        reached = self._index.reached if self._index else 0
        last = self._last.sequence if self._last else 0
        return EngineUnavailable(
            f"the index of {self._store} is being made: it has followed {reached} of {last} changes; try again soon"
        )

    def _use(self) -> bool:
        """Follow for a while from now on; whether the store was followed already."""
        self._used = time.monotonic()
        is_followed = self._task is not None and not self._task.done()
        if not is_followed and not self._is_stopped:
            self._task = asyncio.create_task(self._follow(), name=f"index of {self._store}")
        return is_followed

    def _is_searched(self) -> bool:
        return time.monotonic() - self._searched < _UNSEARCHED_S

    async def _until_committed(self, seconds: float) -> None:
        """Wait until what the index has taken by now is found."""
        index = self._index
        if index is not None and index.mark.sequence < (reached := index.reached):
            await self._until(lambda: self._index is not index or index.mark.sequence >= reached, seconds)

    async def _until(self, is_reached: Callable[[], bool], seconds: float) -> None:
        self._waiting += 1
        try:
            async with asyncio.timeout(seconds), self._stepped:
                await self._stepped.wait_for(lambda: self._is_stopped or is_reached())
        except TimeoutError:
            # Whoever waits looks at what has been reached.
            return
        finally:
            self._waiting -= 1

    async def _follow(self) -> None:
        while True:
            self._told.clear()
            is_behind, pause = False, self._poll_s
            try:
                is_behind = await self._step()
                self._failure, self._failures = None, 0
            except (RetrievalError, WorkError, ValueError, OSError) as error:
                await self._recover(error)
                pause = _AGAIN_S
            await self._tell()
            if is_behind:
                continue
            if time.monotonic() - self._used > _IDLE_S:
                break
            await self._let_writer_rest()
            await self._wait(pause)
        if self._index is not None:
            await WRITING.run(self._index.rest)

    async def _let_writer_rest(self) -> None:
        """An index that is searched only needs no writer."""
        index = self._index
        if index is None or index.is_at_rest or index.reached != index.mark.sequence:
            return
        if time.monotonic() - self._committed > _IDLE_S:
            await WRITING.run(index.rest)

    async def _tell(self) -> None:
        async with self._stepped:
            self._stepped.notify_all()

    async def _wait(self, seconds: float) -> None:
        """Wait until somebody tells of changes, so long at most."""
        try:
            async with asyncio.timeout(seconds):
                await self._told.wait()
        except TimeoutError:
            return

    async def _recover(self, error: Exception) -> None:
        """Begin again at the last commit; with a new index where the old one cannot be followed any more."""
        self._failure = error
        self._failures += 1
        index, self._index = self._index, None
        if index is not None:
            is_beyond = isinstance(error, ChangesForgotten)
            is_doubted = self._failures >= _FAILURES
            await WRITING.run(lambda: _let_go(index, self._folder, is_beyond=is_beyond, is_doubted=is_doubted))

    async def _step(self) -> bool:
        """Take the next changes; whether there are more."""
        looked = time.monotonic()
        last = await self._catalog.mark(self._store)
        if last is None:
            await self._forget()
        else:
            self._last = last
            if await self._take(await self._opened(last), last):
                self._looked = looked
                return True
        self._last, self._looked, self._caught_up = last, looked, looked
        return False

    async def _forget(self) -> None:
        """The store was dropped, or never was."""
        index, self._index = self._index, None
        if index is not None or self._folder.exists():
            await WRITING.run(lambda: _remove(index, self._folder))

    async def _opened(self, last: ChangeMark) -> StoreIndex:
        index = self._index
        if index is not None and _fits(index, last):
            return index
        self._index = None
        self._index = await WRITING.run(lambda: _open(index, self._folder, last))
        return self._index

    async def _take(self, index: StoreIndex, last: ChangeMark) -> bool:
        changes = [*self._offered.take(index.mark.incarnation, index.reached)]
        if not changes and index.reached < last.sequence:
            changes = [*await self._catalog.changes(self._store, index.reached, limit=_BATCH)]
        are_some = bool(changes)
        if are_some:
            await WRITING.run(lambda: _apply(index, changes))
            # Who puts more may go on, while this waits for it or commits.
            await self._tell()
        # Without any, those that the mark counts were undone by later ones, which the next look finds.
        is_behind = are_some and index.reached < last.sequence
        await self._commit(index, is_behind=is_behind)
        return is_behind

    async def _commit(self, index: StoreIndex, *, is_behind: bool) -> None:
        if index.reached == index.mark.sequence and (is_behind or index.is_complete):
            return
        if not await self._is_due(index, is_behind=is_behind):
            return
        begun = time.monotonic()
        await WRITING.run(lambda: index.commit(is_complete=not is_behind))
        self._committed = time.monotonic()
        self._commit_took = self._committed - begun

    async def _is_due(self, index: StoreIndex, *, is_behind: bool) -> bool:
        """Whether to commit now, or after more changes, which are there or have been told of."""
        since = time.monotonic() - self._committed
        if not index.is_complete:
            return not is_behind or since >= _COMMIT_WHILE_MADE_S
        if not is_behind and since < _COMMIT_EVERY_S:
            # Small changes that follow each other closely are committed together.
            await self._wait(_COMMIT_EVERY_S / 2 - since)
        is_more = is_behind or self._told.is_set()
        # On a machine with much else to do a commit takes long: at least half of the time goes to what is committed.
        every = _COMMIT_EVERY_S if self._is_searched() else _COMMIT_UNSEARCHED_S
        return not is_more or since >= max(every, self._commit_took)


class OfferedChanges:
    """What was just put into a store's catalog, kept for the index: reading it from there again costs as much as to
    write it did. Used on the event loop alone."""

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
        if count + len(documents) > _MOST_OFFERED or characters + size > _MOST_CHARACTERS:
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


def _fits(index: StoreIndex, last: ChangeMark) -> bool:
    """Whether an index can follow: a catalog that was restored from an older copy has less than was followed, and one
    in which much was deleted since does not know what."""
    followed = index.mark.sequence
    is_known = not followed or last.floor <= followed <= last.sequence
    return index.mark.incarnation == last.incarnation and is_known


def _apply(index: StoreIndex, changes: list[DocumentChange]) -> None:
    index.apply(changes)
    # One by one, and not at once where the event loop lets go of them: that takes it ten milliseconds.
    while changes:
        changes.pop()


def _open(present: StoreIndex | None, folder: Path, last: ChangeMark) -> StoreIndex:
    if present is not None:
        present.rest()
    found = open_index(folder)
    return found if found is not None and _fits(found, last) else new_index(folder, last.incarnation)


def _remove(index: StoreIndex | None, folder: Path) -> None:
    if index is not None:
        index.rest()
    remove_index(folder)


def _let_go(index: StoreIndex, folder: Path, *, is_beyond: bool, is_doubted: bool) -> None:
    index.rest()
    # On a full disk, writing fails too, and the files are sound.
    if is_beyond or (is_doubted and not is_sound(folder)):
        remove_index(folder)


def _finish(index: StoreIndex) -> None:
    if index.reached != index.mark.sequence:
        index.commit(is_complete=False)
    index.rest()
