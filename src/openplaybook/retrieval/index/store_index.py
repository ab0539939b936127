"""The index of one store in a folder: takes changes of the catalog, commits, searches."""

import threading
from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from openplaybook.retrieval.base import SearchRequest, SearchResults
from openplaybook.retrieval.catalog.base import ChangeMark, DocumentChange
from openplaybook.retrieval.errors import EngineFault
from openplaybook.retrieval.filters.syntax import FilterNode
from openplaybook.retrieval.index.filter_queries import FilterTranslation, translated
from openplaybook.retrieval.index.index_files import SEGMENTS, is_sound, remove_index
from openplaybook.retrieval.index.index_state import IndexState, current_version, read_state, write_state
from openplaybook.retrieval.index.index_view import IndexView
from openplaybook.retrieval.index.near_passages import PassageKey
from openplaybook.retrieval.index.passage_entry import ID, entries, entry_schema, register_analyzer
from openplaybook.retrieval.index.passage_search import PassageSearch
from openplaybook.retrieval.language.analysis import forget_words

if TYPE_CHECKING:
    from tantivy import Index, IndexWriter

_WRITER_HEAP = 48_000_000
"""Bytes that the writer collects before it writes a segment."""
_SMALL_HEAP = 15_000_000
"""The same where few changes come at once; the least that the engine takes."""
_FEW = 100
"""Changes at once for which a small heap is enough."""
_MOST_TRANSLATIONS = 64
"""Filters that are remembered with their queries, as most come again."""


class BrokenIndex(EngineFault):
    """The files of an index cannot be read: it has to be made anew."""


class StoreIndex:
    """An index that is open. Changes come from one thread at a time, searches from any."""

    def __init__(self, folder: Path, index: "Index", state: IndexState) -> None:
        """Use `open_index` or `new_index`."""
        self._folder = folder
        self._index = index
        self._state = state
        self._reached = state.mark.sequence
        self._writer: IndexWriter | None = None
        self._heap = 0
        self._writing = threading.Lock()
        register_analyzer(index)
        # Its own thread would look at the files twice a second, for each index that is open.
        index.config_reader("manual")
        self._view = IndexView(index)
        self._translated = lru_cache(_MOST_TRANSLATIONS)(self._translation)

    @property
    def mark(self) -> ChangeMark:
        """Changes up to here are committed and found."""
        return self._state.mark

    @property
    def reached(self) -> int:
        """Number of the last change that was applied, committed or not."""
        return self._reached

    @property
    def is_complete(self) -> bool:
        """Whether it once held all that the catalog had."""
        return self._state.is_complete

    @property
    def passages(self) -> int:
        """How many passages are found."""
        return self._view.passages

    def share_of(self, languages: Collection[str]) -> float:
        """Which part of the passages is in some languages, from 0 to 1."""
        return self._view.share_of(languages)

    def apply(self, changes: Sequence[DocumentChange]) -> int:
        """Take changes, which are found after the next commit; gives how many passages were written."""
        written = 0
        with self._writing:
            writer = self._open_writer(_SMALL_HEAP if len(changes) <= _FEW else _WRITER_HEAP)
            for change in changes:
                writer.delete_documents_by_term(ID, change.id)
                if change.document is not None:
                    for entry in entries(change.document):
                        writer.add_document(entry)
                        written += 1
                self._reached = change.sequence
        return written

    def commit(self, *, is_complete: bool) -> None:
        """Make what was applied durable and found, and then note how far it goes."""
        with self._writing:
            if self._writer is not None:
                self._writer.commit()
            mark = ChangeMark(self._state.mark.incarnation, self._reached)
            self._state = IndexState(current_version(), mark, self._state.is_complete or is_complete)
            write_state(self._folder, self._state)
            self._index.reload()
            self._view = IndexView(self._index)

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing is held for the next change."""
        return self._writer is None

    def rest(self) -> None:
        """Let go of the writer and its memory, and of what was not committed; the next change makes another.

        A merge of segments that is going on is given up: the next writer does it.
        """
        with self._writing:
            self._writer = None
            self._reached = self._state.mark.sequence
        forget_words()

    def search(self, request: SearchRequest, near: Sequence[PassageKey] = ()) -> SearchResults:
        """What matches, best first; `near` are passages that are near what it asks for, nearest first.

        Raises `InvalidSearchFilter`; `BrokenIndex` where files are not what was written, else `EngineFault` where the
        engine cannot do the search.
        """
        translation = None if request.filter is None else self._translated(request.filter)
        try:
            return PassageSearch(self._view, request, translation, near).results()
        except (ValueError, OSError) as error:
            # A search that somebody made up to fail is no reason to make the index anew.
            if is_sound(self._folder):
                raise EngineFault(f"the engine cannot do this search: {error}") from error
            raise BrokenIndex(f"the index in {self._folder} cannot be read: {error}") from error

    def _translation(self, filter_: FilterNode) -> FilterTranslation:
        return translated(filter_, self._index.schema)

    def _open_writer(self, heap: int) -> "IndexWriter":
        """A writer with at least so many bytes."""
        if self._writer is not None and self._heap < heap:
            # The state does not tell of this commit yet: after a crash these changes are applied again, to no effect.
            self._writer.commit()
            self._writer = None
        if self._writer is None:
            self._writer = self._index.writer(heap, 1)
            self._heap = heap
        return self._writer


def open_index(folder: Path) -> StoreIndex | None:
    """The index in a folder; None where there is none, where it is broken, and where it is of another version."""
    from tantivy import Index

    state = read_state(folder)
    if state is None or state.version != current_version():
        return None
    try:
        return StoreIndex(folder, Index.open(str(folder / SEGMENTS)), state)
    except (ValueError, OSError):
        # Whatever the engine finds wrong with its files, they can be made anew.
        return None


def new_index(folder: Path, incarnation: str) -> StoreIndex:
    """An empty index in the place of whatever is in the folder."""
    from tantivy import Index

    remove_index(folder)
    segments = folder / SEGMENTS
    segments.mkdir(parents=True)
    index = Index(entry_schema(), str(segments), reuse=False)
    state = IndexState(current_version(), ChangeMark(incarnation, 0), is_complete=False)
    write_state(folder, state)
    return StoreIndex(folder, index, state)
