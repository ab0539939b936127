"""`SiteImport`: fills a store from a crawl; unchanged pages are not read again, and those that vanished leave.

What a page's next visit needs is kept with its document.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from openplaybook.egress.base import Transport
from openplaybook.jsonvalues import as_object
from openplaybook.retrieval.base import SearchEngine, StoreDocument, document_pages
from openplaybook.retrieval.crawl.base import CrawlLimits, CrawlManners, PageState, SkipReason, page_state
from openplaybook.retrieval.crawl.crawl_events import (
    CrawlEvent,
    CrawlFinished,
    FrontierSaved,
    HostPaused,
    PageFetched,
    PageGone,
    PageSkipped,
    PageUnchanged,
    SitemapSkipped,
)
from openplaybook.retrieval.crawl.crawler import crawl
from openplaybook.retrieval.crawl.frontier import Frontier
from openplaybook.retrieval.crawl.url_patterns import UrlPatterns
from openplaybook.retrieval.ingestion.base import SourceFault
from openplaybook.retrieval.ingestion.document_form import DocumentForm
from openplaybook.retrieval.ingestion.document_reader import READING, DocumentReader, digested
from openplaybook.retrieval.ingestion.import_progress import ImportProgress
from openplaybook.retrieval.ingestion.loop_courtesy import LoopCourtesy
from openplaybook.retrieval.ingestion.reading_options import StoreReading
from openplaybook.retrieval.records.document_ids import id_of_uri

SiteReport: TypeAlias = Callable[[ImportProgress, Frontier | None], Awaitable[None]]
"""Told now and then: what was done, and where the crawl is, if that has changed; all of it is in the store."""

PAGE = "page"
"""Member of a document's source that holds the state of its page."""

_MOST_LINKED = 100_000_000
"""Characters of the URLs that the pages of a store lead to, each counted once."""
_BATCH_PAGES = 16
_BATCH_BYTES = 2 * 1024 * 1024
_EXPECTED = frozenset(
    {
        SkipReason.EXCLUDED,
        SkipReason.ROBOTS,
        SkipReason.NOINDEX,
        SkipReason.REDIRECTED,
        SkipReason.REDIRECTED_OUTSIDE,
        SkipReason.CANONICAL,
        SkipReason.DUPLICATE,
        SkipReason.MEDIA_TYPE,
        SkipReason.UNLINKED,
    }
)
"""Reasons for which a page is left out as its site, or who chose the sites, wants it."""


@dataclass(frozen=True, slots=True)
class SiteImport:
    """One crawl for one store."""

    engine: SearchEngine
    store: str
    reading: StoreReading
    transport: Transport
    """Judges addresses, and tries nothing again."""
    limits: CrawlLimits
    manners: CrawlManners

    async def run(
        self,
        seeds: Sequence[str],
        patterns: UrlPatterns,
        begun: ImportProgress,
        frontier: Frontier | None,
        report: SiteReport,
        *,
        is_refresh: bool = True,
    ) -> ImportProgress:
        """Crawl from the seeds on, or from a frontier; how it ended. `is_refresh`: pages that the store has are asked
        for on condition that they changed, and leave it when they are gone.

        Raises `InvalidSource`, `QuotaExceeded`, `EngineUnavailable`.
        """
        known = await self._known() if is_refresh else {}
        run = _Run(self, begun, report, known)
        found = crawl(
            seeds, patterns, known, self.transport, limits=self.limits, manners=self.manners, frontier=frontier
        )
        async with aclosing(found) as events:
            async for event in events:
                await run.take(event)
        await self.engine.settle(self.store)
        return run.progress

    async def _known(self) -> dict[str, PageState]:
        found = _KnownPages()
        async for documents in document_pages(self.engine, self.store):
            await READING.run(partial(found.add, documents))
        return found.states


@dataclass(slots=True)
class _KnownPages:
    """What a store has of a site. Links of many pages lead to the same URLs, each of which is in memory once."""

    states: dict[str, PageState] = field(default_factory=dict[str, PageState])
    _urls: dict[str, str] = field(default_factory=dict[str, str])
    _characters: int = 0

    def add(self, documents: Sequence[StoreDocument]) -> None:
        """Take the states of documents that are pages."""
        for document in documents:
            if PAGE in document.source:
                state = page_state(as_object(document.source[PAGE]))
                self.states[state.url] = self._within_bounds(state)

    def _within_bounds(self, state: PageState) -> PageState:
        """The state, without its links where there are too many already: the page is asked for whole then."""
        if self._characters > _MOST_LINKED:
            return replace(state, links=(), patterns="")
        self._characters += sum(len(each) for each in state.links if each not in self._urls)
        return replace(state, links=tuple(self._urls.setdefault(each, each) for each in state.links))


async def delete_pages_outside(engine: SearchEngine, store: str, patterns: UrlPatterns) -> int:
    """Take the pages out of a store that belong to none of its sites any more; how many there were."""
    deleted = 0
    async for documents in document_pages(engine, store):
        outside = [
            document.id
            for document in documents
            if PAGE in document.source and not patterns.allows(str(as_object(document.source[PAGE])["url"]))
        ]
        if outside:
            deleted += await engine.delete(store, outside)
    return deleted


class _Run:
    """Takes the events of one crawl."""

    def __init__(
        self, of: SiteImport, begun: ImportProgress, report: SiteReport, known: Mapping[str, PageState]
    ) -> None:
        self._of = of
        self._report = report
        self._known = known
        self._reader = DocumentReader()
        self._courtesy = LoopCourtesy()
        self._fetched: list[PageFetched] = []
        self._seen_again: list[PageUnchanged] = []
        self._bytes = 0
        self.progress = begun

    async def take(self, event: CrawlEvent) -> None:
        """Do what an event asks for; a page is read together with a few others."""
        match event:
            case PageFetched():
                self._fetched.append(event)
                self._bytes += len(event.body)
                if len(self._fetched) >= _BATCH_PAGES or self._bytes >= _BATCH_BYTES:
                    await self._store()
            case PageUnchanged():
                await self._keep(event)
            case PageGone():
                gone = await self._of.engine.delete(self._of.store, [id_of_uri(event.url)])
                self.progress = replace(self.progress, deleted=self.progress.deleted + gone)
            case PageSkipped():
                if event.reason not in _EXPECTED:
                    detail = f" ({event.detail})" if event.detail else ""
                    self._fault(event.url, f"{event.reason.value}{detail}")
            case SitemapSkipped():
                self._fault(event.url, event.message)
            case HostPaused():
                if not event.seconds:
                    self._fault(event.host, event.message)
            case FrontierSaved():
                await self._store()
                await self._report(self.progress, event.frontier)
            case CrawlFinished():
                await self._store()
                if event.stopped_by:
                    self._fault(self._of.store, f"the crawl met its limit of {event.stopped_by}")

    async def _keep(self, page: PageUnchanged) -> None:
        """Keep what the next visit of an unchanged page needs, where that is something else now."""
        self.progress = replace(self.progress, unchanged=self.progress.unchanged + 1)
        known = self._known.get(page.url)
        # When it was seen is no reason to write all documents of a site, and index them, at every refresh.
        if known is None or replace(known, fetched_at="") != replace(page.state, fetched_at=""):
            self._seen_again.append(page)
            if len(self._seen_again) >= _BATCH_PAGES:
                await self._store()

    async def _store(self) -> None:
        await self._store_states()
        await self._store_pages()

    async def _store_states(self) -> None:
        seen, self._seen_again = self._seen_again, []
        documents: list[StoreDocument] = []
        for page in seen:
            document = await self._of.engine.get(self._of.store, id_of_uri(page.url))
            if document is not None:
                documents.append(replace(document, source={**document.source, PAGE: page.state.to_json()}))
        if documents:
            await self._of.engine.put(self._of.store, documents)

    async def _store_pages(self) -> None:
        if not self._fetched:
            return
        forms = [_form(page) for page in self._fetched]
        self._fetched, self._bytes = [], 0
        known = await READING.run(lambda: [digested(form, self._of.reading) for form in forms])
        readings = await self._reader.read(known, self._of.reading)
        documents = [each for each in readings if isinstance(each, StoreDocument) and each.passages]
        if documents:
            await self._of.engine.put(self._of.store, documents)
        faults = [
            SourceFault(form.uri, each.message) if isinstance(each, SourceFault) else SourceFault(form.uri, _EMPTY)
            for form, each in zip(forms, readings, strict=True)
            if isinstance(each, SourceFault) or not each.passages
        ]
        self.progress = replace(self.progress.with_faults(*faults), put=self.progress.put + len(documents))
        await self._report(self.progress, None)
        await self._courtesy.rest()

    def _fault(self, where: str, message: str) -> None:
        self.progress = self.progress.with_faults(SourceFault(where, message))


_EMPTY = "no text was found in it"


def _form(page: PageFetched) -> DocumentForm:
    declared = f"{page.media_type}; charset={page.charset}" if page.charset else page.media_type
    kept = {PAGE: page.state.to_json(), "content": {"uri": page.url, "mimeType": page.media_type}}
    return DocumentForm(id_of_uri(page.url), {}, declared, page.body, page.url, kept)
