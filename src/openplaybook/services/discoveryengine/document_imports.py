"""`ImportDocuments` and `PurgeDocuments`: operations. An import tells how far it is, and outlives its server."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.names import new_id
from openplaybook.retrieval.base import SearchEngine, StoreDocument, document_pages
from openplaybook.retrieval.catalog.document_rows import convert
from openplaybook.retrieval.catalog.quotas import project_of
from openplaybook.retrieval.errors import QuotaExceeded
from openplaybook.retrieval.filters.evaluation import Predicate, predicate
from openplaybook.retrieval.ingestion.document_import import DocumentImport
from openplaybook.retrieval.ingestion.import_progress import ImportProgress, progress_from_json, progress_to_json
from openplaybook.services.discoveryengine.import_requests import (
    ImportTask,
    read_import,
    source_of,
    status_of,
    task_of,
    write_faults,
)
from openplaybook.services.discoveryengine.search_requests import read_filter
from openplaybook.services.discoveryengine.store_contents import filling
from openplaybook.services.discoveryengine.store_names import name_in_branch
from openplaybook.services.discoveryengine.store_readings import StoreReadings
from openplaybook.services.errors import invalid, unimplemented
from openplaybook.services.large_messages import done_aside
from openplaybook.services.operation_notes import UnfinishedWork, WaitingLimits
from openplaybook.services.operations import FinishedWork
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

IMPORT = "import_documents"
"""Kind of the note of an import."""
LONGEST_S = 24 * 60 * 60.0
"""How long an import may take."""

_VERSION = "v1"
_AT_ONCE = 2
"""Imports that run; others wait for them."""
_SAMPLE = 100
"""Names of purged documents that are told."""
_EVERYTHING = "*"
_MOST_FAULTS = 20
_LONGEST_FAULT = 500
"""Faults, and characters of each, that the metadata of an import tell while it runs; each batch stores them."""


class DocumentImports:
    """Fills stores from requests and buckets, and empties them."""

    def __init__(
        self, parts: ServiceParts, engine: SearchEngine, stores: StoreReadings, waiting: WaitingLimits
    ) -> None:
        self._waiting = waiting
        self._beginning = asyncio.Lock()
        """Held from the look at what waits until one more does."""
        self._parts = parts
        self._engine = engine
        self._stores = stores
        self._running = asyncio.Semaphore(_AT_ONCE)

    async def import_(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Begin to import; the operation."""
        branch = name_in_branch(request.parent, field="parent")
        await self._stores.existing(branch.store)
        task, payload = await read_import(request, branch.store, self._parts)
        task = replace(task, payload_bytes=len(payload))
        operation, progress = new_id(), ImportProgress(total=task.total)
        parent = f"{branch.store}/branches/{branch.words[0]}"
        metadata = self._parts.discovery("ImportDocumentsMetadata", total_count=task.total)
        async with self._beginning:
            await self._check_waiting(task)
            return await self._parts.operations.start(
                context,
                parent,
                partial(self._work, f"{parent}/operations/{operation}", task, progress, payload),
                metadata=metadata,
                id=operation,
                note=_note(task, progress),
                payload=payload,
                longest_s=LONGEST_S,
            )

    async def _check_waiting(self, task: ImportTask) -> None:
        """Raise `QuotaExceeded` where a project's unfinished imports and this one bring more than may wait."""
        project = project_of(task.store)
        notes = [unfinished.note for unfinished in await self._parts.operations.notes.all()]
        others = [task_of(as_object(note["task"])) for note in notes if note.get("kind") == IMPORT]
        waiting = [task, *(other for other in others if project_of(other.store) == project)]
        for limit, each, unit in (
            (self._waiting.documents, [one.payload_documents for one in waiting], "documents"),
            (self._waiting.bytes, [one.payload_bytes for one in waiting], "bytes"),
        ):
            if limit and sum(each) > limit:
                raise QuotaExceeded(
                    f"imports of {project} that have not ended may bring {limit:,} {unit} together, and with these "
                    f"{sum(each):,} would wait; import fewer at a time, or wait for the others"
                )

    async def resume(self, unfinished: UnfinishedWork) -> bool:
        """Go on with an import that no server runs any more. Raises `InvalidSource` where a newer one began it."""
        # First, since it says by whom the note was written.
        progress = progress_from_json(as_object(unfinished.note["progress"]))
        task = task_of(as_object(unfinished.note["task"]))
        payload = await self._parts.operations.notes.payload(unfinished.operation)
        work = partial(self._work, unfinished.operation, task, progress, payload)
        return await self._parts.operations.resume(unfinished.operation, work, _VERSION, longest_s=LONGEST_S)

    async def purge(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Begin to delete all documents, or some that are named; without `force` only to count them."""
        branch = name_in_branch(request.parent, field="parent")
        await self._stores.existing(branch.store)
        for name in ("gcs_source", "error_config"):
            if request.HasField(name):
                raise unimplemented(f"{name} is not served; use filter or inline_source")
        is_named = request.HasField("inline_source")
        if bool(request.filter) == is_named:
            raise invalid(("filter", f"is required, unless inline_source names documents; {_EVERYTHING} means all"))
        parent = f"{branch.store}/branches/{branch.words[0]}"
        if is_named:
            names = request.inline_source.documents
            ids = [name_in_branch(name, "documents/{document}", "inline_source.documents").id for name in names]
            work = partial(self._purged_by_name, parent, ids, is_forced=request.force)
        elif request.filter == _EVERYTHING:
            work = partial(self._purged_whole, parent, is_forced=request.force)
        else:
            test = predicate(read_filter(request.filter, "filter"))
            work = partial(self._purged_by_filter, parent, test, is_forced=request.force)
        metadata = self._parts.discovery("PurgeDocumentsMetadata")
        return await self._parts.operations.start(context, parent, work, metadata=metadata)

    async def _work(self, operation: str, task: ImportTask, progress: ImportProgress, payload: bytes) -> FinishedWork:
        async with self._running:
            reading = await self._stores.reading(task.store)
            buckets = self._parts.buckets
            source = await done_aside(lambda: source_of(task, payload, reading, buckets, self._engine), len(payload))

            async def report(progress: ImportProgress) -> None:
                await self._stores.existing(task.store)
                if progress.questions:
                    await self._stores.mark_faq(task.store)
                told = {**_counts(progress), **_first_faults(progress)}
                await self._parts.operations.report(operation, told, _note(task, progress))

            tell = partial(write_faults, task, operation, buckets) if task.errors else None
            run = DocumentImport(self._engine, task.store, task.is_full, task.is_forced, tell)
            async with filling(self._engine, self._stores, task.store):
                done = await run.run(source, progress, report)
        # Who is told that it is done searches next. Others may import meanwhile.
        await self._engine.settle(task.store)
        total = done.total or done.succeeded + done.failed
        told: JsonObject = {"errorSamples": [status_of(fault) for fault in done.faults]}
        if task.errors:
            told["errorConfig"] = {"gcsPrefix": task.errors}
        response = self._parts.discovery("ImportDocumentsResponse")
        self._parts.api.codec.from_json(told, response)
        return FinishedWork(response, {**_counts(done), "totalCount": str(total), "errorSamples": []})

    async def _purged_whole(self, parent: str, *, is_forced: bool) -> FinishedWork:
        store = _store_of(parent)
        count = (await self._engine.statistics(store)).documents
        page = await self._engine.page(store, limit=_SAMPLE)
        if is_forced:
            await self._engine.drop(store)
        return self._purge_told(parent, count, [document.id for document in page.documents], is_forced=is_forced)

    async def _purged_by_name(self, parent: str, ids: Sequence[str], *, is_forced: bool) -> FinishedWork:
        store = _store_of(parent)
        known = [id for id in dict.fromkeys(ids) if await self._engine.get(store, id) is not None]
        count = await self._engine.delete(store, known) if is_forced else len(known)
        return self._purge_told(parent, count, known, is_forced=is_forced)

    async def _purged_by_filter(self, parent: str, test: Predicate, *, is_forced: bool) -> FinishedWork:
        """Every document is looked at as it is stored: what came a moment ago is among them."""
        store, count = _store_of(parent), 0
        sample: list[str] = []
        async for page in document_pages(self._engine, store):
            ids = await convert(partial(_meeting, test, page))
            count += await self._engine.delete(store, ids) if is_forced and ids else len(ids)
            sample += ids[: _SAMPLE - len(sample)]
        await self._engine.settle(store)
        return self._purge_told(parent, count, sample, is_forced=is_forced)

    def _purge_told(self, parent: str, count: int, ids: Sequence[str], *, is_forced: bool) -> FinishedWork:
        names = [] if is_forced else [f"{parent}/documents/{id}" for id in ids[:_SAMPLE]]
        response = self._parts.discovery("PurgeDocumentsResponse", purge_count=count, purge_sample=names)
        return FinishedWork(response, {"successCount": str(count if is_forced else 0)})


def _meeting(test: Predicate, documents: Sequence[StoreDocument]) -> list[str]:
    return [document.id for document in documents if test(document.data, document.uri)]


def _store_of(parent: str) -> str:
    return parent.partition("/branches/")[0]


def _note(task: ImportTask, progress: ImportProgress) -> JsonObject:
    return {"kind": IMPORT, "task": task.to_json(), "progress": progress_to_json(progress)}


def _counts(progress: ImportProgress) -> JsonObject:
    """What the metadata say of it."""
    return {
        "successCount": str(progress.succeeded),
        "failureCount": str(progress.failed),
        "totalCount": str(progress.total),
        "unchangedCount": progress.unchanged,
        "deletedCount": progress.deleted,
    }


def _first_faults(progress: ImportProgress) -> JsonObject:
    """What the metadata say of them before the response does."""
    faults = [status_of(fault) for fault in progress.faults[:_MOST_FAULTS]]
    return {"errorSamples": [{**fault, "message": _beginning(str(fault["message"]))} for fault in faults]}


def _beginning(text: str) -> str:
    return text if len(text) <= _LONGEST_FAULT else f"{text[:_LONGEST_FAULT]}…"
