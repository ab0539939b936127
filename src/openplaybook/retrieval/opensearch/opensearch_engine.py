"""The engine of many servers: documents are in a cluster of OpenSearch or Elasticsearch, and found there."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps
from openplaybook.retrieval.base import (
    DocumentPage,
    SearchRequest,
    SearchResults,
    StoreDocument,
    StoreStatistics,
)
from openplaybook.retrieval.catalog.document_rows import convert, possible_ids
from openplaybook.retrieval.catalog.quotas import statistics_of
from openplaybook.retrieval.errors import EngineFault, EngineUnavailable
from openplaybook.retrieval.language.detection import detected
from openplaybook.retrieval.opensearch.cluster_connection import (
    EXISTING,
    MISSING,
    ClusterAnswer,
    ClusterConnection,
    told_error,
)
from openplaybook.retrieval.opensearch.document_entry import document_entry, document_of
from openplaybook.retrieval.opensearch.entry_query import EntryQuery, entries_in, total_in
from openplaybook.retrieval.opensearch.filter_clauses import filter_clause
from openplaybook.retrieval.opensearch.hit_collection import HitCollection
from openplaybook.retrieval.opensearch.index_layout import ANALYZERS, LAYOUT, OURS, alias_of, index_of, new_index
from openplaybook.retrieval.opensearch.match_explanation import words_by_term
from openplaybook.retrieval.remote_answers import answered_by

_reading = answered_by("the search engine")

_MOST_BULK: Final = 8 << 20
"""Bytes of one request that writes, but for a document that is larger by itself."""
_MOST_AT_ONCE: Final = 1000
"""Documents of one request that deletes them or asks for their digests."""
_PAGE: Final = 25
"""Documents of one request that reads them whole."""
_MOST_LANGUAGES: Final = 4
"""Languages of a store in which one request is looked for."""
_WRITTEN: Final = (("refresh", "wait_for"), ("require_alias", "true"))
_WHOLE: Final = (("allow_partial_search_results", "false"),)
"""An answer without some of its shards is a failure."""


class OpenSearchEngine:
    """Implements `SearchEngine`.

    A document is there with all its passages or not at all. The documents of one `put` are written one by one: where
    the engine refuses some, the error says how many, and to put all of them again is safe.
    """

    def __init__(self, connection: ClusterConnection) -> None:
        self._connection = connection
        self._known: set[str] = set()
        """Aliases whose index was seen, with the layout that is known here."""

    async def put(self, store: str, documents: Sequence[StoreDocument]) -> None:
        """Write documents, each over the one of the same id, and wait until they are found."""
        if not documents:
            return
        entries = await convert(lambda: _lines_of(documents))
        await self._ensure(store)
        for lines in _bulks(entries):
            await self._write(store, lines)

    async def delete(self, store: str, ids: Sequence[str]) -> int:
        """Delete documents, and wait until they are not found any more."""
        alias, deleted = alias_of(self._connection.prefix, store), 0
        possible = list(dict.fromkeys(possible_ids(ids)))
        for some in _parts(possible, _MOST_AT_ONCE):
            if not await self._is_there(store):
                break
            lines = b"".join(dumps({"delete": {"_id": id}}) + b"\n" for id in some)
            for item in await self._bulk(alias, lines):
                if item.get("error") and told_error(item["error"])[0] != MISSING:
                    raise self._item_fault(item, "to delete these documents again is safe")
                deleted += item.get("result") == "deleted"
        return deleted

    @_reading
    async def get(self, store: str, id: str) -> StoreDocument | None:
        """One document, as it was written last."""
        found = [each async for each in self._sources(store, possible_ids([id]))]
        return await convert(lambda: document_of(found[0])) if found else None

    @_reading
    async def page(self, store: str, *, after: str = "", limit: int = 100) -> DocumentPage:
        """Documents by id; each request is for a few, since documents may be large."""
        documents: list[StoreDocument] = []
        while await self._is_there(store):
            size = min(limit + 1 - len(documents), _PAGE)
            body: JsonObject = {"query": {"match_all": {}}, "size": size, "sort": [{"id": "asc"}]}
            if last := documents[-1].id if documents else after:
                body["search_after"] = [last]
            answer = await self._search(store, body)
            sources = [as_object(each["_source"]) for each in entries_in(answer)]
            documents += await convert(lambda sources=sources: [document_of(each) for each in sources])
            if len(documents) > limit:
                return DocumentPage(tuple(documents[:limit]), documents[limit - 1].id)
            if len(sources) < size:
                break
        return DocumentPage(tuple(documents), "")

    @_reading
    async def digests(self, store: str, ids: Sequence[str]) -> dict[str, str]:
        """Digests of those documents that there are."""
        return {each["id"]: each["digest"] async for each in self._sources(store, possible_ids(ids), "id,digest")}

    @_reading
    async def search(self, store: str, request: SearchRequest) -> SearchResults:
        """What the engine finds, in its order or in that of the boosts."""
        clause = filter_clause(request.filter) if request.filter is not None else None
        languages = await self._languages(store, request) if request.text.strip() else ()
        if request.text.strip() and not languages:
            return SearchResults((), 0)
        query = EntryQuery(request, languages, clause and clause.clause)
        if request.explain:
            written = await asyncio.gather(*(self._written(store, key, query) for key in languages))
            query = replace(query, written=dict(zip(languages, written, strict=True)))
        collection = HitCollection(query, partial(self._search, store), clause and clause.residual)
        return await collection.results()

    async def settle(self, store: str) -> None:
        """Nothing to do: writes wait until they are found."""

    @_reading
    async def statistics(self, store: str) -> StoreStatistics:
        """Sums that the engine makes over a store."""
        sums: JsonObject = {name: {"sum": {"field": name}} for name in ("passage_count", "bytes")}
        languages: JsonObject = {"terms": {"field": "language", "size": 1000}}
        body: JsonObject = {"size": 0, "track_total_hits": True, "aggregations": {**sums, "languages": languages}}
        answer = await self._search(store, body)
        made = as_object(answer.get("aggregations"))
        passages, size = (int(as_object(made.get(name)).get("value") or 0) for name in ("passage_count", "bytes"))
        return statistics_of(total_in(answer), passages, size, _buckets(made.get("languages")))

    async def drop(self, store: str) -> None:
        """Delete the index of a store."""
        alias = alias_of(self._connection.prefix, store)
        await self._connection.ask("DELETE", index_of(alias), expected=[MISSING])
        self._known.discard(alias)

    async def close(self) -> None:
        """Nothing is held open: the connections are the transport's."""

    async def _search(self, store: str, body: JsonObject) -> JsonObject:
        """The answer to a search; an empty one for a store that there is not."""
        if not await self._is_there(store):
            return {}
        alias = alias_of(self._connection.prefix, store)
        answer = await self._connection.ask("POST", f"{alias}/_search", body, query=_WHOLE, expected=[MISSING])
        return {} if self._is_missing(alias, answer) else answer.members

    async def _languages(self, store: str, request: SearchRequest) -> Sequence[str]:
        """In which a request is looked for: its own before those that most documents of the store have."""
        languages: JsonObject = {"terms": {"field": "analysis", "size": len(ANALYZERS)}}
        answer = await self._search(store, {"size": 0, "aggregations": {"languages": languages}})
        known = [key for key, _ in _buckets(as_object(answer.get("aggregations")).get("languages"))]
        own = detected(request.text, request.language, known)
        return [*filter(known.__contains__, [own]), *(each for each in known if each != own)][:_MOST_LANGUAGES]

    async def _written(self, store: str, language: str, query: EntryQuery) -> dict[str, str]:
        """By term of a language, the word of the request."""
        alias = alias_of(self._connection.prefix, store)
        body: JsonObject = {"field": f"heads.{language}.title", "text": query.text}
        answer = await self._connection.ask("POST", f"{alias}/_analyze", body, expected=[MISSING])
        return words_by_term(query.text, answer.members)

    async def _sources(self, store: str, ids: Sequence[str], members: str = "") -> AsyncIterator[JsonObject]:
        """Entries of documents, or some of their members."""
        alias = alias_of(self._connection.prefix, store)
        query = [("_source_includes", members)] if members else []
        for some in _parts(ids, _MOST_AT_ONCE):
            if not await self._is_there(store):
                return
            answer = await self._connection.ask(
                "POST", f"{alias}/_mget", {"ids": [*some]}, query=query, expected=[MISSING]
            )
            for each in map(as_object, as_list(answer.members.get("docs"))):
                if each.get("found"):
                    yield as_object(each["_source"])
                elif each.get("error") and told_error(each["error"])[0] != MISSING:
                    raise self._connection.fault(*told_error(each["error"]), status=503)

    async def _write(self, store: str, lines: bytes) -> None:
        alias = alias_of(self._connection.prefix, store)
        items = await self._bulk(alias, lines)
        if any(told_error(item.get("error"))[0] == MISSING for item in items):
            # Another process dropped the store since it was looked at: it begins again.
            self._known.discard(alias)
            await self._ensure(store)
            items = await self._bulk(alias, lines)
        refused = [item for item in items if item.get("error")]
        if refused:
            raise self._item_fault(
                refused[0], f"{len(items) - len(refused)} of {len(items)} documents were written; put all of them again"
            )

    @_reading
    async def _bulk(self, alias: str, lines: bytes) -> Sequence[JsonObject]:
        answer = await self._connection.ask_lines(f"{alias}/_bulk", lines, _WRITTEN)
        items = [as_object(action) for each in as_list(answer.members.get("items")) for action in each.values()]
        if not items:
            raise EngineFault("the search engine did not say what became of documents that were sent to it")
        return items

    def _item_fault(self, item: JsonObject, advice: str) -> EngineFault | EngineUnavailable:
        error = self._connection.fault(*told_error(item["error"]), status=int(item.get("status") or 500))
        kind = EngineUnavailable if isinstance(error, EngineUnavailable) else EngineFault
        return kind(f"{error}; {advice}")

    async def _ensure(self, store: str) -> None:
        """Make the index of a store where there is none."""
        if await self._is_there(store):
            return
        alias = alias_of(self._connection.prefix, store)
        await self._connection.ask("PUT", index_of(alias), new_index(store, alias), expected=[EXISTING])
        self._known.add(alias)

    async def _is_there(self, store: str) -> bool:
        """Whether a store has an index. Raises `EngineFault` for one of a newer version."""
        alias = alias_of(self._connection.prefix, store)
        if alias in self._known:
            return True
        answer = await self._connection.ask("GET", f"{alias}/_mapping", expected=[MISSING])
        if answer.error:
            return False
        for index in map(as_object, answer.members.values()):
            meta = as_object(as_object(index.get("mappings")).get("_meta"))
            layout = as_object(meta.get(OURS)).get("layout")
            if layout != LAYOUT:
                raise EngineFault(
                    f"the index of {store} has layout {layout}, and this version of OpenPlaybook knows {LAYOUT}; run "
                    "the version that made it"
                )
        self._known.add(alias)
        return True

    def _is_missing(self, alias: str, answer: ClusterAnswer) -> bool:
        if answer.error:
            self._known.discard(alias)
        return bool(answer.error)


def _lines_of(documents: Sequence[StoreDocument]) -> Sequence[bytes]:
    """What writes each document; where several have the same id, the last one alone."""
    lines: dict[str, bytes] = {}
    for document in documents:
        entry = dumps(document_entry(document))
        lines[document.id] = dumps({"index": {"_id": document.id}}) + b"\n" + entry + b"\n"
    return [*lines.values()]


def _bulks(entries: Sequence[bytes]) -> Iterator[bytes]:
    """Bodies of requests, as few as may be."""
    some: list[bytes] = []
    size = 0
    for entry in entries:
        if some and size + len(entry) > _MOST_BULK:
            yield b"".join(some)
            some, size = [], 0
        some.append(entry)
        size += len(entry)
    yield b"".join(some)


def _parts(ids: Sequence[str], most: int) -> Iterator[Sequence[str]]:
    return (ids[start : start + most] for start in range(0, len(ids), most))


def _buckets(aggregation: object) -> Sequence[tuple[str, int]]:
    """What an aggregation by terms counted, most first."""
    buckets = map(as_object, as_list(as_object(aggregation).get("buckets")))
    return [(str(each["key"]), int(each["doc_count"])) for each in buckets]
