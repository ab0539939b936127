from pathlib import Path

import pytest

from openplaybook.wire.errors import Code, RpcError
from tests.integration.services.discoveryengine.stores import BRANCH, STORE, Stores

CATS = {"id": "cats", "structData": {"title": "Cats", "text": "A cat sleeps sixteen hours.", "legs": 4}}
BIRDS = {
    "id": "birds",
    "structData": {"title": "Birds", "text": "A parrot speaks.", "legs": 2, "url": "https://b.test"},
}


async def test_inline_documents_are_found(stores: Stores) -> None:
    await stores.create()
    done = await stores.fill(CATS, BIRDS)
    assert done["done"] is True
    assert done["metadata"] | {"createTime": "", "updateTime": ""} == {
        "@type": "type.googleapis.com/google.cloud.discoveryengine.v1.ImportDocumentsMetadata",
        "createTime": "",
        "updateTime": "",
        "successCount": "2",
        "totalCount": "2",
    }
    assert await stores.found_soon("parrot") == ["birds"]
    assert await stores.found("sleeps", filter="legs = 2") == []
    assert await stores.found_soon("sleeps", filter="legs > 3") == ["cats"]


async def test_what_cannot_be_taken_is_told_and_the_rest_goes_on(stores: Stores) -> None:
    await stores.create()
    done = await stores.fill({"id": "not an id", "structData": {"a": 1}}, CATS, {"id": "empty"})
    assert done["metadata"]["successCount"] == "1"
    assert done["metadata"]["failureCount"] == "2"
    samples = done["response"]["errorSamples"]
    assert [sample["code"] for sample in samples] == [3, 3]
    assert samples[0]["message"].startswith(
        'inline_source.documents, number 1 (not an id): the document id "not an id"'
    )
    assert await stores.found_soon("cat") == ["cats"]


async def test_unchanged_documents_are_skipped(stores: Stores) -> None:
    await stores.create()
    await stores.fill(CATS, BIRDS)
    changed = {**BIRDS, "structData": {"title": "Birds", "text": "A finch sings."}}
    done = await stores.fill(CATS, changed)
    assert (done["metadata"]["successCount"], done["metadata"]["unchangedCount"]) == ("2", 1)
    assert await stores.found_soon("finch") == ["birds"]


async def test_a_full_import_deletes_what_it_does_not_bring(stores: Stores) -> None:
    await stores.create()
    await stores.fill(CATS, BIRDS)
    done = await stores.fill(BIRDS, reconciliationMode="FULL")
    assert done["metadata"]["deletedCount"] == 1
    assert await stores.ids() == ["birds"]
    assert await stores.found_soon("parrot") == ["birds"]


@pytest.mark.parametrize(
    ("schema", "text", "query"),
    [
        ("document", b'{"id": "a", "structData": {"text": "a tortoise"}}\n\nno json\n', "tortoise"),
        ("custom", b'{"text": "a tortoise"}\nno json\n', "tortoise"),
        ("csv", b"name,legs\ntortoise,4\none,two,three\n", "tortoise"),
    ],
)
async def test_lines_of_files_are_documents(stores: Stores, bucket: Path, schema: str, text: bytes, query: str) -> None:
    await stores.create()
    (bucket / "animals").mkdir()
    (bucket / "animals" / "a.txt").write_bytes(text)
    source = {"inputUris": ["gs://manuals/animals/*.txt"], "dataSchema": schema}
    done = await stores.done("DocumentService.ImportDocuments", {"parent": BRANCH, "gcsSource": source})
    assert (done["metadata"]["successCount"], done["metadata"]["failureCount"]) == ("1", "1")
    assert done["response"]["errorSamples"][0]["message"].startswith("gs://manuals/animals/a.txt, line ")
    assert len(await stores.found_soon(query)) == 1


async def test_each_file_is_a_document_with_the_documented_id(stores: Stores, bucket: Path) -> None:
    await stores.create("CONTENT_REQUIRED")
    (bucket / "care.md").write_text("# Hamsters\n\nA hamster needs a wheel.")
    (bucket / "care.html").write_text("<html><title>Dogs</title><body><p>A dog needs a walk each day.</p></body>")
    source = {"inputUris": ["gs://manuals/*"], "dataSchema": "content"}
    done = await stores.done("DocumentService.ImportDocuments", {"parent": BRANCH, "gcsSource": source})
    assert done["metadata"]["successCount"] == "2", done
    [found] = await stores.found_soon("hamster wheel")
    document = await stores("DocumentService.GetDocument", {"name": f"{BRANCH}/documents/{found}"})
    assert document["content"] == {"uri": "gs://manuals/care.md"}


async def test_questions_with_answers_make_a_store_of_them(stores: Stores, bucket: Path) -> None:
    await stores.create()
    (bucket / "faq.csv").write_text("question,answer,url\nMay cats drink milk?,Better water.,https://c.test\n")
    source = {"inputUris": ["gs://manuals/faq.csv"], "dataSchema": "csv"}
    await stores.done("DocumentService.ImportDocuments", {"parent": BRANCH, "gcsSource": source})
    store = await stores("DataStoreService.GetDataStore", {"name": STORE})
    assert store["structuredDataStoreSubtype"] == "FAQ"
    assert len(await stores.found_soon("milk cats drink")) == 1


@pytest.mark.parametrize(
    ("request_", "code", "named"),
    [
        ({}, Code.INVALID_ARGUMENT, "source"),
        ({"gcsSource": {"inputUris": []}}, Code.INVALID_ARGUMENT, "input_uris"),
        ({"gcsSource": {"inputUris": ["gs://manuals/no*"]}}, Code.INVALID_ARGUMENT, "gs://manuals/no*"),
        ({"gcsSource": {"inputUris": ["gs://other/a"]}}, Code.FAILED_PRECONDITION, "other"),
        ({"gcsSource": {"inputUris": ["gs://manuals/a"], "dataSchema": "x"}}, Code.INVALID_ARGUMENT, "data_schema"),
        ({"bigquerySource": {"datasetId": "d", "tableId": "t"}}, Code.UNIMPLEMENTED, "bigquery_source"),
        ({"inlineSource": {}, "idField": "a"}, Code.INVALID_ARGUMENT, "id_field"),
        ({"parent": f"{STORE}/branches/7", "inlineSource": {}}, Code.NOT_FOUND, "branches/7"),
        ({"parent": f"{STORE}s/branches/0", "inlineSource": {}}, Code.NOT_FOUND, f"{STORE}s"),
    ],
)
async def test_an_import_that_cannot_be_done_is_refused(
    stores: Stores, request_: dict[str, object], code: Code, named: str
) -> None:
    await stores.create()
    with pytest.raises(RpcError) as refused:
        await stores("DocumentService.ImportDocuments", {"parent": BRANCH, **request_})
    assert refused.value.code == code
    assert named in refused.value.message


async def test_purging_counts_and_with_force_deletes(stores: Stores) -> None:
    await stores.create()
    await stores.fill(CATS, BIRDS)
    counted = await stores.done("DocumentService.PurgeDocuments", {"parent": BRANCH, "filter": "*"})
    assert counted["response"]["purgeCount"] == "2"
    assert counted["response"]["purgeSample"] == [f"{BRANCH}/documents/birds", f"{BRANCH}/documents/cats"]
    assert await stores.found_soon("cat") == ["cats"]
    purged = await stores.done("DocumentService.PurgeDocuments", {"parent": BRANCH, "filter": "*", "force": True})
    assert purged["response"]["purgeCount"] == "2"
    assert await stores.ids() == []
    assert await stores.found("cat") == []
    await stores.fill(CATS)
    assert await stores.found_soon("cat") == ["cats"]
