import asyncio
from datetime import datetime
from pathlib import Path
from typing import ClassVar

import pytest

from openplaybook.buckets.folder_bucket import FolderBucket
from openplaybook.retrieval.base import StoreStatistics
from openplaybook.storage.base import Put
from tests.integration.services.discoveryengine.stores import BRANCH, STORE, Stores, serving
from tests.kit.processes import wait_until

_OPERATIONS = "google.longrunning.Operations."


class GatedBucket(FolderBucket):
    """Reads no second object until it is told."""

    is_waiting: ClassVar[asyncio.Event]
    is_open: ClassVar[asyncio.Event]
    reads: ClassVar[list[str]]

    async def read(self, name: str) -> bytes:
        self.reads.append(name)
        if len(self.reads) > 1:
            self.is_waiting.set()
            await self.is_open.wait()
        return await super().read(name)


@pytest.fixture(autouse=True)
def gate() -> None:
    GatedBucket.is_waiting, GatedBucket.is_open, GatedBucket.reads = asyncio.Event(), asyncio.Event(), []


async def _begun(stores: Stores, bucket: Path, mode: str, more: str = "") -> str:
    """The name of an import that has put the first of its two files, in both of which are `more` lines."""
    for name in ("a", "b"):
        (bucket / f"{name}.jsonl").write_text(f'{{"id": "{name}", "structData": {{"text": "word {name}"}}}}\n{more}')
    source = {"inputUris": ["gs://manuals/*.jsonl"]}
    request = {"parent": BRANCH, "gcsSource": source, "reconciliationMode": mode}
    operation = await stores("DocumentService.ImportDocuments", request)
    async with asyncio.timeout(10):
        await GatedBucket.is_waiting.wait()
    return operation["name"]


async def test_an_import_goes_on_where_it_was_when_its_server_starts_again(tmp_path: Path, bucket: Path) -> None:
    async with serving(tmp_path, bucket, GatedBucket) as stores:
        await stores.create()
        name = await _begun(stores, bucket, "INCREMENTAL")
        assert GatedBucket.reads == ["a.jsonl", "b.jsonl"]
    GatedBucket.is_open.set()
    async with serving(tmp_path, bucket, GatedBucket) as stores:
        await stores.caller.parts.operations.wait(name, 30)
        done = await stores.caller(f"{_OPERATIONS}GetOperation", {"name": name})
        assert done["done"] is True
        assert done["metadata"]["successCount"] == "2"
        assert done["response"]["@type"].endswith(".ImportDocumentsResponse")
        assert await stores.ids() == ["a", "b"]
        assert GatedBucket.reads == ["a.jsonl", "b.jsonl", "b.jsonl"]
    async with serving(tmp_path, bucket, GatedBucket) as stores:
        assert await stores.caller.parts.operations.notes.all() == []


async def test_what_is_wrong_is_told_while_the_import_runs(tmp_path: Path, bucket: Path) -> None:
    async with serving(tmp_path, bucket, GatedBucket) as stores:
        await stores.create()
        name = await _begun(stores, bucket, "INCREMENTAL", "no JSON\n" * 15 + f'{{"id": "{"x" * 900}"}}\n')
        running = await stores.caller(f"{_OPERATIONS}GetOperation", {"name": name})
        assert (running.get("done", False), running["metadata"]["failureCount"]) == (False, "16")
        samples = running["metadata"]["errorSamples"]
        assert [sample["code"] for sample in samples] == [3] * 16
        assert samples[0]["message"].startswith("gs://manuals/a.jsonl, line 2: ")
        assert max(len(sample["message"]) for sample in samples) <= 501
        GatedBucket.is_open.set()
        await stores.caller.parts.operations.wait(name, 30)
        done = await stores.caller(f"{_OPERATIONS}GetOperation", {"name": name})
        # The response tells them then, up to a hundred.
        assert (len(done["response"]["errorSamples"]), "errorSamples" in done["metadata"]) == (32, False)


async def test_a_full_import_begins_anew(tmp_path: Path, bucket: Path) -> None:
    async with serving(tmp_path, bucket, GatedBucket) as stores:
        await stores.create()
        await stores.fill({"id": "old", "structData": {"text": "dust"}})
        name = await _begun(stores, bucket, "FULL")
        assert await stores.ids() == ["a", "old"]
    GatedBucket.is_open.set()
    async with serving(tmp_path, bucket, GatedBucket) as stores:
        await stores.caller.parts.operations.wait(name, 30)
        done = await stores.caller(f"{_OPERATIONS}GetOperation", {"name": name})
        assert (done["metadata"]["successCount"], done["metadata"]["unchangedCount"]) == ("2", 1)
        assert await stores.ids() == ["a", "b"]


async def test_an_import_that_is_cancelled_does_not_go_on(tmp_path: Path, bucket: Path) -> None:
    async with serving(tmp_path, bucket, GatedBucket) as stores:
        await stores.create()
        name = await _begun(stores, bucket, "INCREMENTAL")
        await stores.caller(f"{_OPERATIONS}CancelOperation", {"name": name})
        done = await stores.caller(f"{_OPERATIONS}GetOperation", {"name": name})
        assert (done["error"]["code"], done["metadata"]["successCount"]) == (1, "1")
        assert await stores.caller.parts.operations.notes.all() == []
        assert await stores.ids() == ["a"]


async def test_an_import_leaves_nothing_in_a_store_that_is_deleted_meanwhile(
    tmp_path: Path, bucket: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path, bucket, GatedBucket) as stores:
        await stores.create()
        name = await _begun(stores, bucket, "INCREMENTAL")
        await stores.done("DataStoreService.DeleteDataStore", {"name": STORE})
        GatedBucket.is_open.set()
        # The operation went with its store: nobody but the log is told of its end.
        await wait_until(lambda: f"the end of operation {name} is not recorded" in caplog.text)
        assert GatedBucket.reads == ["a.jsonl", "b.jsonl"]
        assert await stores.engine.statistics(STORE) == StoreStatistics(0, 0, 0)


async def test_work_of_a_newer_server_ends_with_a_sentence(tmp_path: Path, bucket: Path) -> None:
    async with serving(tmp_path, bucket, GatedBucket) as stores:
        await stores.create()
        name = await _begun(stores, bucket, "INCREMENTAL")
        store = stores.caller.parts.store
        note = await store.get(f"{name}/note")
        assert note is not None
        newer = note.body.replace(b'"form":1', b'"form":2')
        assert newer != note.body
        await store.apply([Put(note.name, note.kind, note.parent, note.root, newer)])
    async with serving(tmp_path, bucket, GatedBucket) as stores:
        await stores.caller.parts.operations.wait(name, 30)
        done = await stores.caller(f"{_OPERATIONS}GetOperation", {"name": name})
        assert done["error"]["code"] == 10
        assert done["error"]["message"] == (
            "The server stopped during this operation and cannot go on with it: the import was begun by another "
            "version of the server (form 2)"
        )


async def _left(stores: Stores, operation: str, begun_us: int) -> None:
    """The deletion of the store as a server leaves it that is killed before its end is recorded."""
    parts = stores.caller.parts
    await parts.operations.wait(operation, 30)
    record = await parts.store.get(operation)
    assert record is not None
    unfinished = record.body.replace(b'"done":true,', b"").replace(b'"done":true', b'"done":false')
    note = b'{"kind":"delete_data_store","store":"%s","begunUs":%d}' % (STORE.encode(), begun_us)
    await parts.store.apply(
        [
            Put(record.name, record.kind, record.parent, record.root, unfinished),
            Put(f"{record.name}/note", "operation_note", "operationNotes", "operationNotes", note),
        ]
    )


async def _begun_us(stores: Stores) -> int:
    """When the store began, in microseconds."""
    created = (await stores("DataStoreService.GetDataStore", {"name": STORE}))["createTime"]
    return int(datetime.fromisoformat(created).timestamp() * 1_000_000)


async def test_a_deletion_goes_on_where_it_was(tmp_path: Path, bucket: Path) -> None:
    async with serving(tmp_path, bucket) as stores:
        await stores.create()
        operation = await stores("DataStoreService.DeleteDataStore", {"name": STORE})
        await stores.caller.parts.operations.wait(operation["name"], 30)
        await stores.create()
        await stores.fill({"id": "b", "structData": {"text": "dust"}})
        await _left(stores, operation["name"], await _begun_us(stores))
    async with serving(tmp_path, bucket) as stores:
        await stores.caller.parts.operations.wait(operation["name"], 30)
        code, _ = await stores.caller.refusal(
            "google.cloud.discoveryengine.v1.DataStoreService.GetDataStore", {"name": STORE}
        )
        assert code.name == "NOT_FOUND"
        assert (await stores.engine.statistics(STORE)).documents == 0


async def test_a_deletion_that_goes_on_leaves_a_store_alone_that_was_created_since(
    tmp_path: Path, bucket: Path
) -> None:
    async with serving(tmp_path, bucket) as stores:
        await stores.create()
        begun_us = await _begun_us(stores)
        operation = await stores("DataStoreService.DeleteDataStore", {"name": STORE})
        await _left(stores, operation["name"], begun_us)
        stores.caller.clock.advance(1)
        await stores.create()
        await stores.fill({"id": "b", "structData": {"text": "dust"}})
    async with serving(tmp_path, bucket) as stores:
        await stores.caller.parts.operations.wait(operation["name"], 30)
        done = await stores.caller(f"{_OPERATIONS}GetOperation", {"name": operation["name"]})
        assert (done["done"], "error" in done) == (True, False)
        assert await stores.ids() == ["b"]
