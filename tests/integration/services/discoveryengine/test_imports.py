from pathlib import Path

import pytest

from openplaybook.jsonvalues import as_object, loads
from openplaybook.retrieval.catalog.base import CatalogQuota
from openplaybook.wire.errors import Code, RpcError
from tests.integration.services.discoveryengine.stores import BRANCH, PARENT, STORE, Stores, serving

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
        ({"inlineSource": {}, "updateMask": "name"}, Code.INVALID_ARGUMENT, "update_mask"),
        ({"inlineSource": {}, "errorConfig": {"gcsPrefix": "gs://other/e"}}, Code.FAILED_PRECONDITION, "other"),
        (
            {"inlineSource": {}, "errorConfig": {"gcsPrefix": "errors"}},
            Code.INVALID_ARGUMENT,
            "error_config.gcs_prefix",
        ),
        ({"inlineSource": {}, "errorConfig": {}}, Code.INVALID_ARGUMENT, "error_config.gcs_prefix"),
        (
            {"gcsSource": {"inputUris": ["gs://manuals/a"], "dataSchema": "csv"}, "updateMask": "content"},
            Code.UNIMPLEMENTED,
            "update_mask",
        ),
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


async def test_documents_are_purged_by_a_filter(stores: Stores) -> None:
    await stores.create()
    await stores.fill(CATS, BIRDS)
    request = {"parent": BRANCH, "filter": 'legs < 3 OR title: ANY("Fish")'}
    counted = await stores.done("DocumentService.PurgeDocuments", request)
    assert (counted["response"]["purgeCount"], counted["response"]["purgeSample"]) == (
        "1",
        [f"{BRANCH}/documents/birds"],
    )
    assert await stores.ids() == ["birds", "cats"]
    purged = await stores.done("DocumentService.PurgeDocuments", {**request, "force": True})
    assert (purged["response"]["purgeCount"], purged["metadata"]["successCount"]) == ("1", "1")
    assert await stores.ids() == ["cats"]
    assert await stores.found("parrot") == []


@pytest.mark.parametrize(
    ("request_", "code", "named"),
    [
        ({}, Code.INVALID_ARGUMENT, "filter"),
        ({"filter": "legs <"}, Code.INVALID_ARGUMENT, "filter"),
        ({"filter": "*", "inlineSource": {}}, Code.INVALID_ARGUMENT, "filter"),
        ({"filter": "*", "errorConfig": {"gcsPrefix": "gs://manuals/e"}}, Code.UNIMPLEMENTED, "error_config"),
        ({"gcsSource": {"inputUris": ["gs://manuals/a"]}}, Code.UNIMPLEMENTED, "gcs_source"),
    ],
)
async def test_a_purge_that_cannot_be_done_is_refused(
    stores: Stores, request_: dict[str, object], code: Code, named: str
) -> None:
    await stores.create()
    with pytest.raises(RpcError) as refused:
        await stores("DocumentService.PurgeDocuments", {"parent": BRANCH, **request_})
    assert (refused.value.code, named in refused.value.message) == (code, True)


async def test_a_list_that_names_no_document_purges_none(stores: Stores) -> None:
    await stores.create()
    await stores.fill(CATS)
    done = await stores.done("DocumentService.PurgeDocuments", {"parent": BRANCH, "inlineSource": {}, "force": True})
    assert "purgeCount" not in done["response"]
    assert await stores.ids() == ["cats"]


async def test_members_that_a_mask_names_are_taken_and_others_stay(stores: Stores, bucket: Path) -> None:
    await stores.create()
    await stores.fill({**CATS, "parentDocumentId": "animals"})
    changed = {"id": "cats", "structData": {"title": "Cats", "text": "A cat purrs."}}
    await stores.fill(changed, BIRDS, updateMask="structData")
    cats = await stores("DocumentService.GetDocument", {"name": f"{BRANCH}/documents/cats"})
    assert (cats["structData"], cats["parentDocumentId"]) == (changed["structData"], "animals")
    assert await stores.ids() == ["birds", "cats"]
    (bucket / "note.txt").write_text("A cat climbs.")
    line = '{"id": "cats", "content": {"mimeType": "text/plain", "uri": "gs://manuals/note.txt"}}'
    (bucket / "cats.jsonl").write_text(line + "\n")
    source = {"inputUris": ["gs://manuals/cats.jsonl"]}
    request = {"parent": BRANCH, "gcsSource": source, "updateMask": "content"}
    done = await stores.done("DocumentService.ImportDocuments", request)
    assert done["metadata"]["successCount"] == "1", done
    cats = await stores("DocumentService.GetDocument", {"name": f"{BRANCH}/documents/cats"})
    assert cats["content"]["uri"] == "gs://manuals/note.txt"
    assert cats["structData"]["title"] == "Cats"
    assert await stores.found_soon("climbs", filter='title: ANY("Cats")') == ["cats"]
    done = await stores.done("DocumentService.ImportDocuments", request)
    assert done["metadata"]["unchangedCount"] == 1


async def test_all_that_went_wrong_is_written_where_the_request_wants_it(stores: Stores, bucket: Path) -> None:
    await stores.create()
    wrong = [{"id": f"no id {number}", "structData": {"a": 1}} for number in range(120)]
    done = await stores.fill(*wrong, CATS, errorConfig={"gcsPrefix": "gs://manuals/errors/"})
    assert len(done["response"]["errorSamples"]) == 100
    assert done["response"]["errorConfig"] == {"gcsPrefix": "gs://manuals/errors"}
    [file] = (bucket / "errors").iterdir()
    lines = [as_object(loads(line)) for line in file.read_bytes().splitlines()]
    assert len(lines) == 120
    assert lines[119]["code"] == 3
    assert str(lines[119]["message"]).startswith("inline_source.documents, number 120 (no id 119): ")
    assert await stores.ids() == ["cats"]


async def test_what_a_project_may_not_hold_any_more_is_refused_with_the_limit(tmp_path: Path, bucket: Path) -> None:
    async with serving(tmp_path, bucket, quota=CatalogQuota(documents=2)) as stores:
        await stores.create()
        await stores.create(id="others")
        await stores.fill(CATS)
        done = await stores.fill(BIRDS, {"id": "fish", "structData": {"text": "A fish swims."}})
        assert (done["error"]["code"], "may hold 2 documents together" in done["error"]["message"]) == (8, True)
        assert await stores.ids() == ["cats"]
        await stores.fill(BIRDS)
        others = f"{PARENT}/dataStores/others/branches/0"
        request = {"parent": others, "documentId": "a", "document": {"structData": {"text": "One."}}}
        with pytest.raises(RpcError, match="may hold 2 documents together") as refused:
            await stores("DocumentService.CreateDocument", request)
        assert refused.value.code == Code.RESOURCE_EXHAUSTED
        await stores.done("DataStoreService.DeleteDataStore", {"name": STORE})
        await stores("DocumentService.CreateDocument", request)
