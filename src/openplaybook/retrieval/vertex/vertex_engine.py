"""The engine that passes everything on to Vertex AI Search, where a store has the same name as here."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Final, TypeVar
from urllib.parse import quote

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.retrieval.base import (
    DocumentPage,
    SearchHit,
    SearchRequest,
    SearchResults,
    StoreDocument,
    StoreStatistics,
)
from openplaybook.retrieval.catalog.document_rows import convert, possible_ids
from openplaybook.retrieval.errors import EngineFault, InvalidSearchFilter, InvalidSource
from openplaybook.retrieval.remote_answers import answered_by
from openplaybook.retrieval.vertex.google_document import document_of, google_document
from openplaybook.retrieval.vertex.vertex_connection import VertexConnection
from openplaybook.retrieval.vertex.vertex_search import hits_in, search_body

_reading = answered_by("Vertex AI Search")

T = TypeVar("T")
Argument = TypeVar("Argument")

_DOCUMENTS: Final = "/branches/default_branch/documents"
_SEARCH: Final = "/servingConfigs/default_search:search"
_AT_ONCE: Final = 8
"""Requests for single documents that run beside each other."""
_LARGEST_PAGE: Final = 1_000
"""Documents of one list; a page here may be less."""
_MOST_COUNTED: Final = 10_000
"""Documents of a store that are counted; there may be more."""
_MOST_EMPTY: Final = 10
"""Pages of a list without documents, which Google may give before others."""
_NO_NAMES: Final = (".", "..")
"""Ids that a URL gives another meaning."""


class VertexEngine:
    """Implements `SearchEngine` and `AdoptingEngine`.

    Stores are made and deleted at Google. What is put into a store here goes to Google one document after another;
    where one fails, those before it are there, and to put all of them again is safe. When a change is found by
    searches is Google's matter.
    """

    adopts_stores = True

    def __init__(self, connection: VertexConnection) -> None:
        self._connection = connection

    async def put(self, store: str, documents: Sequence[StoreDocument]) -> None:
        """Create documents at Google, or replace those of the same id."""
        latest = {document.id: document for document in documents}
        forms = await convert(lambda: {id: google_document(document) for id, document in latest.items()})
        if unusable := [id for id in forms if not _usable([id])]:
            raise InvalidSource(f"the id {unusable[0]!r} is none that a document can have at Google")

        async def put(id: str) -> None:
            allowing = [("allowMissing", "true")]
            await self._connection.ask("PATCH", store, _path(id), forms[id], query=allowing)

        await _beside(put, forms)

    async def delete(self, store: str, ids: Sequence[str]) -> int:
        """Delete documents at Google."""

        async def delete(id: str) -> bool:
            answer = await self._connection.ask("DELETE", store, _path(id), expected=[HTTPStatus.NOT_FOUND])
            return answer.status == HTTPStatus.OK

        return sum(await _beside(delete, dict.fromkeys(_usable(ids))))

    @_reading
    async def get(self, store: str, id: str) -> StoreDocument | None:
        """One document, as Google has it."""
        found = await self._found(store, _usable([id]))
        return found[0] if found else None

    @_reading
    async def page(self, store: str, *, after: str = "", limit: int = 100) -> DocumentPage:
        """Documents in Google's order; `after` is what the page before gave, and no id of a document."""
        token = after
        for _ in range(_MOST_EMPTY):
            query = [("pageSize", str(min(limit, _LARGEST_PAGE)))] + ([("pageToken", token)] if token else [])
            answer = await self._connection.ask("GET", store, _DOCUMENTS, query=query)
            listed = [as_object(each) for each in as_list(answer.members.get("documents"))]
            before, token = token, str(answer.members.get("nextPageToken") or "")
            if token and token == before:
                raise EngineFault("Vertex AI Search leads from a page of documents to the same page")
            if listed or not token:
                documents = await convert(partial(_documents_of, listed))
                return DocumentPage(documents, token)
        raise EngineFault(f"Vertex AI Search gives {_MOST_EMPTY} pages without documents, and more are to come")

    @_reading
    async def digests(self, store: str, ids: Sequence[str]) -> dict[str, str]:
        """Digests of documents that were put from here; those of others have an empty one."""
        return {each.id: each.digest for each in await self._found(store, _usable(ids))}

    @_reading
    async def search(self, store: str, request: SearchRequest) -> SearchResults:
        """What Google finds, in its order."""
        if not request.text.strip() and request.filter is None:
            return await self._listed(store, request)
        body = search_body(request, self._connection.address.results)
        answer = await self._connection.ask("POST", store, _SEARCH, body, expected=[HTTPStatus.BAD_REQUEST])
        if answer.status == HTTPStatus.BAD_REQUEST:
            if request.filter is not None and "filter" in answer.reason.lower():
                raise InvalidSearchFilter(f"Vertex AI Search does not take the filter: {answer.reason}", 0)
            raise self._connection.fault(answer)
        hits = await convert(lambda: hits_in(answer.members))
        return SearchResults(tuple(hits), int(answer.members.get("totalSize") or len(hits)))

    async def settle(self, store: str) -> None:
        """Nothing to do: Google does not say when it finds a document."""

    @_reading
    async def statistics(self, store: str) -> StoreStatistics:
        """Documents, counted up to ten thousand, and bytes as Google estimates them for its bill. How many passages
        Google makes is not known; each document counts as one."""
        answer = await self._connection.ask("GET", store, "", expected=[HTTPStatus.NOT_FOUND])
        if answer.status == HTTPStatus.NOT_FOUND:
            return StoreStatistics(0, 0, 0)
        billed = as_object(answer.members.get("billingEstimation"))
        sizes = ("structuredDataSize", "unstructuredDataSize", "websiteDataSize")
        count, token = 0, ""
        for _ in range(_MOST_COUNTED // _LARGEST_PAGE * _MOST_EMPTY):
            query = [("pageSize", str(_LARGEST_PAGE))] + ([("pageToken", token)] if token else [])
            listed = (await self._connection.ask("GET", store, _DOCUMENTS, query=query)).members
            count += len(as_list(listed.get("documents")))
            token = str(listed.get("nextPageToken") or "")
            if not token or count >= _MOST_COUNTED:
                break
        return StoreStatistics(count, count, sum(int(billed.get(name) or 0) for name in sizes))

    async def drop(self, store: str) -> None:
        """Have Google delete all documents of a store, also those of others; it does so in its own time."""
        everything: JsonObject = {"filter": "*", "force": True}
        await self._connection.ask("POST", store, f"{_DOCUMENTS}:purge", everything, expected=[HTTPStatus.NOT_FOUND])

    async def close(self) -> None:
        """Nothing is held open: the connections are the transport's."""

    async def _listed(self, store: str, request: SearchRequest) -> SearchResults:
        """Documents without any word being asked for."""
        end, found, after = request.offset + request.limit, list[StoreDocument](), ""
        while len(found) < end:
            page = await self.page(store, after=after, limit=end - len(found))
            found += page.documents
            after = page.next_after
            if not after:
                break
        hits = tuple(_first_hit(each) for each in found[request.offset : end])
        return SearchResults(hits, len(found) + bool(after))

    async def _found(self, store: str, ids: Sequence[str]) -> Sequence[StoreDocument]:
        async def get(id: str) -> JsonObject:
            answer = await self._connection.ask("GET", store, _path(id), expected=[HTTPStatus.NOT_FOUND])
            return answer.members if answer.status == HTTPStatus.OK else {}

        found = [each for each in await _beside(get, dict.fromkeys(ids)) if each]
        return await convert(lambda: [document_of(each) for each in found])


async def _beside(work: Callable[[Argument], Awaitable[T]], arguments: Iterable[Argument]) -> list[T]:
    """What `work` gives for each argument, a few beside each other; raises its first error once all begun has ended."""
    left, results = list(arguments), list[T]()
    for start in range(0, len(left), _AT_ONCE):
        done = await asyncio.gather(*map(work, left[start : start + _AT_ONCE]), return_exceptions=True)
        for each in done:
            if isinstance(each, BaseException):
                raise each
            results.append(each)
    return results


def _usable(ids: Iterable[str]) -> Sequence[str]:
    return [id for id in possible_ids(ids) if id not in _NO_NAMES]


def _path(id: str) -> str:
    return f"{_DOCUMENTS}/{quote(id, safe='')}"


def _documents_of(listed: Sequence[JsonObject]) -> tuple[StoreDocument, ...]:
    return tuple(map(document_of, listed))


def _first_hit(document: StoreDocument) -> SearchHit:
    first = document.passages[0] if document.passages else None
    return SearchHit(
        document=document.id,
        passage=0,
        score=0.0,
        title=document.title,
        uri=document.uri,
        text=first.text if first else "",
        headings=first.headings if first else (),
        page=first.page if first else 0,
        data=document.data,
        question=document.question,
    )
