"""What imports bring, and keep until they end, is limited for each project."""

import asyncio
from pathlib import Path
from typing import ClassVar

import pytest

from openplaybook.buckets.folder_bucket import FolderBucket
from openplaybook.jsonvalues import JsonObject
from openplaybook.services.operation_notes import WaitingLimits
from openplaybook.wire.errors import Code, RpcError
from tests.integration.services.discoveryengine.stores import BRANCH, Stores, serving

IMPORT = "DocumentService.ImportDocuments"
ELSEWHERE = "projects/other/locations/global/collections/default_collection"


class HeldBucket(FolderBucket):
    """Reads nothing until it is told."""

    is_open: ClassVar[asyncio.Event]

    async def read(self, name: str) -> bytes:
        await self.is_open.wait()
        return await super().read(name)


@pytest.fixture(autouse=True)
def gate() -> None:
    HeldBucket.is_open = asyncio.Event()


def inline(*ids: str, branch: str = BRANCH) -> JsonObject:
    documents = [{"id": id, "structData": {"text": f"word {id}"}} for id in ids]
    return {"parent": branch, "inlineSource": {"documents": documents}}


async def held(stores: Stores, bucket: Path) -> list[str]:
    """The names of two imports from files that do not go on: others wait for them."""
    (bucket / "a.jsonl").write_text('{"id": "a", "structData": {"text": "word"}}\n')
    request: JsonObject = {"parent": BRANCH, "gcsSource": {"inputUris": ["gs://manuals/a.jsonl"]}}
    return [str((await stores(IMPORT, request))["name"]) for _ in range(2)]


async def test_documents_that_wait_are_counted_until_their_import_ends(tmp_path: Path, bucket: Path) -> None:
    async with serving(tmp_path, bucket, HeldBucket, waiting=WaitingLimits(documents=2)) as stores:
        await stores.create()
        names = await held(stores, bucket)
        names.append(str((await stores(IMPORT, inline("b")))["name"]))
        with pytest.raises(RpcError, match=r"that have not ended may bring 2 documents together, .* 3 ") as refused:
            await stores(IMPORT, inline("c", "d"))
        assert refused.value.code == Code.RESOURCE_EXHAUSTED
        names.append(str((await stores(IMPORT, inline("c")))["name"]))
        HeldBucket.is_open.set()
        for name in names:
            await stores.caller.parts.operations.wait(name, 30)
        await stores.done(IMPORT, inline("d", "e"))
        assert await stores.ids() == ["a", "b", "c", "d", "e"]


async def test_bytes_that_wait_are_those_of_one_project(tmp_path: Path, bucket: Path) -> None:
    async with serving(tmp_path, bucket, HeldBucket, waiting=WaitingLimits(bytes=400)) as stores:
        await stores.create()
        store: JsonObject = {"displayName": "Others", "contentConfig": "NO_CONTENT"}
        created: JsonObject = {"parent": ELSEWHERE, "dataStoreId": "pets", "dataStore": store}
        await stores.done("DataStoreService.CreateDataStore", created)
        names = await held(stores, bucket)
        waiting = await stores(IMPORT, inline("b" * 60, "c" * 60))
        with pytest.raises(RpcError, match="may bring 400 bytes together") as refused:
            await stores(IMPORT, inline("d" * 60))
        assert refused.value.code == Code.RESOURCE_EXHAUSTED
        elsewhere = await stores(IMPORT, inline("d" * 60, branch=f"{ELSEWHERE}/dataStores/pets/branches/0"))
        HeldBucket.is_open.set()
        for name in (*names, str(waiting["name"]), str(elsewhere["name"])):
            await stores.caller.parts.operations.wait(name, 30)
        assert await stores.ids() == ["a", "b" * 60, "c" * 60]
