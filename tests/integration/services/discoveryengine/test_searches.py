import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.errors import Code, RpcError
from tests.integration.services.discoveryengine.stores import STORE, Stores

_CONFIG = f"{STORE}/servingConfigs/default_search"
_PETS: list[JsonObject] = [
    {"id": f"pet{number}", "structData": {"title": f"Pet {number}", "text": "a quiet pet", "age": number}}
    for number in range(12)
]
_CARE: JsonObject = {
    "id": "care",
    "structData": {"title": "Care", "uri": "https://care.test"},
    "content": {"mimeType": "text/markdown", "rawBytes": "IyBGb29kCgpDYXRzIGVhdCBmaXNoIHR3aWNlIGEgZGF5Lg=="},
}


async def search(stores: Stores, query: str, **more: object) -> JsonObject:
    return await stores("SearchService.Search", {"servingConfig": _CONFIG, "query": query, **more})


async def test_pages_follow_each_other_by_token(stores: Stores) -> None:
    await stores.create()
    await stores.fill(*_PETS)
    await stores.found_soon("quiet")
    first = await search(stores, "quiet pet", pageSize=5)
    second = await search(stores, "quiet pet", pageSize=5, pageToken=first["nextPageToken"])
    third = await search(stores, "quiet pet", pageSize=5, pageToken=second["nextPageToken"])
    ids = [result["id"] for page in (first, second, third) for result in page["results"]]
    assert sorted(ids) == sorted(str(pet["id"]) for pet in _PETS)
    assert "nextPageToken" not in third
    assert first["totalSize"] == 12
    with pytest.raises(RpcError, match="page_token"):
        await search(stores, "another query", pageToken=first["nextPageToken"])


async def test_boosts_change_the_order_and_leave_nothing_out(stores: Stores) -> None:
    await stores.create()
    await stores.fill(*_PETS)
    await stores.found_soon("quiet")
    spec = {"conditionBoostSpecs": [{"condition": "age = 7", "boost": 1.0}]}
    found = await search(stores, "quiet pet", boostSpec=spec, pageSize=20)
    assert found["results"][0]["id"] == "pet7"
    assert len(found["results"]) == 12


async def test_a_file_is_found_with_its_snippet_answer_and_summary(stores: Stores) -> None:
    await stores.create("CONTENT_REQUIRED")
    done = await stores.fill(_CARE)
    assert done["metadata"]["successCount"] == "1", done
    await stores.found_soon("fish")
    spec: JsonObject = {
        "snippetSpec": {"returnSnippet": True},
        "extractiveContentSpec": {"maxExtractiveAnswerCount": 1, "maxExtractiveSegmentCount": 1},
        "summarySpec": {"summaryResultCount": 3},
    }
    found = await search(stores, "what do cats eat", contentSearchSpec=spec)
    [result] = found["results"]
    derived = result["document"]["derivedStructData"]
    assert (derived["title"], derived["link"]) == ("Care", "https://care.test")
    assert derived["snippets"][0]["snippet_status"] == "SUCCESS"
    assert "<b>" in derived["snippets"][0]["snippet"]
    assert derived["extractive_segments"][0]["content"] == "Cats eat fish twice a day."
    assert derived["extractive_answers"][0]["content"] == "Cats eat fish twice a day."
    assert found["summary"]["summaryText"] == "Cats eat fish twice a day."
    assert found["summary"]["summaryWithMetadata"]["references"][0]["uri"] == "https://care.test"


async def test_a_result_says_why_it_was_found_where_that_is_asked_for(stores: Stores) -> None:
    await stores.create()
    await stores.fill(_PETS[0])
    await stores.found_soon("quiet")
    [result] = (await search(stores, "quiet", explain=True))["results"]
    derived = result["document"]["derivedStructData"]
    assert [match["term"] for match in derived["matched"]] == ["quiet"]
    assert derived["score"] == result["modelScores"]["relevance_score"]["values"][0]
    assert "a quiet pet" in derived["snippets"][0]["snippet"]


async def test_a_page_of_large_documents_has_fewer_of_them(stores: Stores) -> None:
    await stores.create()
    text = "needle " + "hay " * 500_000
    await stores.fill(*({"id": f"large{number}", "structData": {"text": text}} for number in range(3)))
    await stores.found_soon("needle")
    spec = {"extractiveContentSpec": {"maxExtractiveSegmentCount": 1}}
    first = await search(stores, "needle", contentSearchSpec=spec)
    assert len(first["results"]) == 2
    [segment] = first["results"][0]["document"]["derivedStructData"]["extractive_segments"]
    assert len(segment["content"]) == 20_001
    rest = await search(stores, "needle", pageToken=first["nextPageToken"])
    assert len(rest["results"]) == 1
    assert "nextPageToken" not in rest


async def test_passages_are_found_as_chunks(stores: Stores) -> None:
    await stores.create("CONTENT_REQUIRED")
    await stores.fill(_CARE)
    await stores.found_soon("fish")
    found = await search(stores, "fish", contentSearchSpec={"searchResultMode": "CHUNKS"})
    [result] = found["results"]
    assert result["chunk"]["name"] == f"{STORE}/branches/0/documents/care/chunks/c0"
    assert result["chunk"]["content"].endswith("Cats eat fish twice a day.")
    assert result["chunk"]["documentMetadata"]["title"] == "Care"


async def test_without_a_query_a_filter_lists_documents(stores: Stores) -> None:
    await stores.create()
    await stores.fill(*_PETS)
    await stores.found_soon("quiet")
    assert sorted(await stores.found("", filter="age >= 10")) == ["pet10", "pet11"]


async def test_questions_are_answered_with_citations(stores: Stores) -> None:
    await stores.create("CONTENT_REQUIRED")
    await stores.fill(_CARE)
    await stores.found_soon("fish")
    request: JsonObject = {
        "servingConfig": _CONFIG,
        "query": {"text": "How often do cats eat fish?"},
        "answerGenerationSpec": {"includeCitations": True},
    }
    answer = (await stores("ConversationalSearchService.AnswerQuery", request))["answer"]
    assert answer["answerText"] == "Cats eat fish twice a day."
    assert answer["citations"][0]["sources"] == [{"referenceId": "0"}]
    assert answer["references"][0]["chunkInfo"]["documentMetadata"]["document"].endswith("/documents/care")
    request["query"] = {"text": "Who won the world cup?"}
    answer = (await stores("ConversationalSearchService.AnswerQuery", request))["answer"]
    assert answer["answerSkippedReasons"] == ["NO_RELEVANT_CONTENT"]


@pytest.mark.parametrize(
    ("request_", "code", "named"),
    [
        ({}, Code.INVALID_ARGUMENT, "query"),
        ({"query": "a", "pageSize": -1}, Code.INVALID_ARGUMENT, "page_size"),
        ({"query": "a", "offset": -1}, Code.INVALID_ARGUMENT, "offset"),
        ({"query": "a", "filter": "x >"}, Code.INVALID_ARGUMENT, "filter"),
        ({"query": "a", "orderBy": "x"}, Code.UNIMPLEMENTED, "order_by"),
        ({"query": "a", "facetSpecs": [{"facetKey": {"key": "x"}}]}, Code.UNIMPLEMENTED, "facet_specs"),
        ({"query": "a", "boostSpec": {"conditionBoostSpecs": [{"boost": 2}]}}, Code.INVALID_ARGUMENT, "boost_spec"),
        ({"query": "a", "servingConfig": f"{STORE}x/servingConfigs/a"}, Code.NOT_FOUND, f"{STORE}x"),
        ({"query": "a", "servingConfig": "x"}, Code.INVALID_ARGUMENT, "servingConfigs"),
    ],
)
async def test_a_search_that_cannot_be_done_is_refused(
    stores: Stores, request_: JsonObject, code: Code, named: str
) -> None:
    await stores.create()
    with pytest.raises(RpcError) as refused:
        await stores("SearchService.Search", {"servingConfig": _CONFIG, **request_})
    assert refused.value.code == code
    assert named in refused.value.message
