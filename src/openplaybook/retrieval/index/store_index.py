"""The index of one store in a folder: takes changes of the catalog, commits, searches."""

import os
import shutil
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from openplaybook.jsonvalues import JsonObject
from openplaybook.retrieval.base import SearchHit, SearchRequest, SearchResults
from openplaybook.retrieval.catalog.base import ChangeMark, DocumentChange
from openplaybook.retrieval.errors import EngineFault
from openplaybook.retrieval.filters.evaluation import predicate
from openplaybook.retrieval.index.asked_words import asked_words
from openplaybook.retrieval.index.explanation import matched_terms
from openplaybook.retrieval.index.filter_queries import FilterTranslation, translated
from openplaybook.retrieval.index.hit_selection import HitSelection
from openplaybook.retrieval.index.index_state import IndexState, current_version, read_state, write_state
from openplaybook.retrieval.index.passage_entry import (
    DOCUMENT,
    ID,
    LANGUAGE,
    PASSAGE,
    entries,
    entry_schema,
    register_analyzer,
)
from openplaybook.retrieval.index.passage_query import PassageQuery

if TYPE_CHECKING:
    from tantivy import Index, IndexWriter, Query, Searcher

_SEGMENTS = "segments"
_WRITER_HEAP = 48_000_000
"""Bytes that the writer collects before it writes a segment."""
_MOST_LANGUAGES = 4
"""Languages of a store in which a request is analysed, those of most passages first."""
_COUNTED_EXACTLY = 50_000
"""Passages of an index in which the documents that match are counted; in a larger one they are estimated."""


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
        self._writing = threading.Lock()
        register_analyzer(index)
        # Its own thread would look at the files twice a second, for each index that is open.
        index.config_reader("manual")
        self._view = _View(index)

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

    def apply(self, changes: Sequence[DocumentChange]) -> int:
        """Take changes, which are found after the next commit; gives how many passages were written."""
        written = 0
        with self._writing:
            writer = self._open_writer()
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
            self._view = _View(self._index)

    def rest(self) -> None:
        """Let go of the writer and its memory, and of what was not committed; the next change makes another.

        A merge of segments that is going on is given up: the next writer does it.
        """
        with self._writing:
            self._writer = None
            self._reached = self._state.mark.sequence

    def search(self, request: SearchRequest) -> SearchResults:
        """What matches, best first. Raises `BrokenIndex` where files cannot be read, and `InvalidFilter`."""
        translation = None if request.filter is None else translated(request.filter, self._index.schema)
        try:
            return _Search(self._view, request, translation).results()
        except (ValueError, OSError) as error:
            raise BrokenIndex(f"the index in {self._folder} cannot be read: {error}") from error

    def _open_writer(self) -> "IndexWriter":
        if self._writer is None:
            self._writer = self._index.writer(_WRITER_HEAP, 1)
        return self._writer


def open_index(folder: Path) -> StoreIndex | None:
    """The index in a folder; None where there is none, where it is broken, and where it is of another version."""
    from tantivy import Index

    state = read_state(folder)
    if state is None or state.version != current_version():
        return None
    try:
        return StoreIndex(folder, Index.open(str(folder / _SEGMENTS)), state)
    except (ValueError, OSError):
        # Whatever the engine finds wrong with its files, they can be made anew.
        return None


def new_index(folder: Path, incarnation: str) -> StoreIndex:
    """An empty index in the place of whatever is in the folder."""
    from tantivy import Index

    remove_index(folder)
    segments = folder / _SEGMENTS
    segments.mkdir(parents=True)
    index = Index(entry_schema(), str(segments), reuse=False)
    state = IndexState(current_version(), ChangeMark(incarnation, 0), is_complete=False)
    write_state(folder, state)
    return StoreIndex(folder, index, state)


def remove_index(folder: Path) -> None:
    """Delete a folder; what is half deleted is never taken for an index."""
    if not folder.exists():
        return
    gone = folder.with_name(f"{folder.name}.gone")
    shutil.rmtree(gone, ignore_errors=True)
    os.replace(folder, gone)
    shutil.rmtree(gone, ignore_errors=True)


class _View:
    """An index as it was after a commit."""

    def __init__(self, index: "Index") -> None:
        self.schema = index.schema
        self.searcher: Searcher = index.searcher()
        self.passages: int = self.searcher.num_docs
        by_count = sorted(self.searcher.terms_with_prefix(LANGUAGE, ""), key=lambda pair: (-pair[1], pair[0]))
        self.languages = tuple(language for language, _ in by_count[:_MOST_LANGUAGES])


class _Search:
    """One request in one view."""

    def __init__(self, view: _View, request: SearchRequest, filter_: FilterTranslation | None) -> None:
        self._view = view
        self._request = request
        self._narrow: Query | None = filter_ and filter_.query
        residual = filter_ and filter_.residual
        self._test: Callable[[JsonObject, str], bool] | None = None if residual is None else predicate(residual)
        self._notes: list[str] = []

    def results(self) -> SearchResults:
        """What is found."""
        if not self._view.passages:
            return SearchResults((), 0)
        return self._by_words() if self._request.text.strip() else self._by_id()

    def _by_id(self) -> SearchResults:
        from tantivy import Query

        request = self._request
        query = self._narrowed(Query.term_query(self._view.schema, PASSAGE, 0))
        selection = self._selection(most_per_document=0, is_by_id=True)
        hits = tuple(each.hit for each in selection.best(query, request.limit, request.offset))
        # Each document has one first passage.
        return SearchResults(hits, selection.count(query), self._told(selection))

    def _by_words(self) -> SearchResults:
        request, view = self._request, self._view
        words = asked_words(request.text, request.language, view.languages, view.searcher)
        asked = PassageQuery(view.schema, words, view.passages)
        if not asked.clauses:
            return SearchResults((), 0)
        selection = self._selection(most_per_document=request.most_per_document, is_by_id=False)
        query = self._narrowed(asked.query())
        hits: list[SearchHit] = []
        clauses = [(word.written, field, clause) for word, field, clause in asked.clauses]
        for each in selection.best(query, request.limit, request.offset):
            matched = matched_terms(clauses, view.searcher, each.address) if request.explain else ()
            hits.append(replace(each.hit, matched=matched) if matched else each.hit)
        total = self._count(query, hits)
        return SearchResults(tuple(hits), total, self._told(selection))

    def _selection(self, *, most_per_document: int, is_by_id: bool) -> HitSelection:
        return HitSelection(
            self._view.searcher, most_per_document=most_per_document, test=self._test, is_by_id=is_by_id
        )

    def _narrowed(self, query: "Query") -> "Query":
        from tantivy import Occur, Query

        if self._narrow is None:
            return query
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, self._narrow)])

    def _count(self, query: "Query", hits: Sequence[SearchHit]) -> int:
        """Documents that match; those that the engine cannot test are taken to match."""
        request = self._request
        if hits and not request.offset and len(hits) < request.limit:
            return len({hit.document for hit in hits})
        return round(self._view.searcher.cardinality(query, DOCUMENT))

    def _told(self, selection: HitSelection) -> tuple[str, ...]:
        if selection.is_cut:
            self._notes.append("the filter let few passages through: not all that have the words were looked at")
        return tuple(self._notes)
