from base64 import b64encode

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
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
    spec["summarySpec"] = {"includeCitations": True}
    summary = (await search(stores, "how often do cats eat", contentSearchSpec=spec))["summary"]
    assert summary["summaryText"] == "Cats eat fish twice a day. [1]"
    [citation] = summary["summaryWithMetadata"]["citationMetadata"]["citations"]
    assert (citation["endIndex"], citation["sources"]) == ("26", [{}])


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


async def test_a_passage_that_explains_itself_is_html_as_all_snippets(stores: Stores) -> None:
    await stores.create()
    await stores.fill({"id": "evil", "structData": {"text": "a quiet <img src=x onerror=alert(1)> pet"}})
    await stores.found_soon("quiet")
    [result] = (await search(stores, "quiet", explain=True))["results"]
    [snippet] = result["document"]["derivedStructData"]["snippets"]
    assert snippet["snippet"] == "text: a quiet &lt;img src=x onerror=alert(1)&gt; pet"


async def test_whole_documents_of_any_size_are_shown_in_part(stores: Stores) -> None:
    await stores.create("CONTENT_REQUIRED", documentProcessingConfig={"defaultParsingConfig": {}})
    text = "Cats eat fish twice a day. " * 10_000
    content: JsonObject = {"mimeType": "text/plain", "rawBytes": b64encode(text.encode()).decode()}
    await stores.fill({"id": "long", "structData": {"url": f"https://x/{'y' * 300_000}"}, "content": content})
    await stores.found_soon("fish")
    spec: JsonObject = {"snippetSpec": {"returnSnippet": True}}
    [result] = (await search(stores, "fish", contentSearchSpec=spec))["results"]
    assert len(result["document"]["derivedStructData"]["snippets"][0]["snippet"]) < 600
    request: JsonObject = {"servingConfig": _CONFIG, "query": {"text": "How often do cats eat fish?"}}
    answer = (await stores("ConversationalSearchService.AnswerQuery", request))["answer"]
    assert answer["answerText"].startswith("Cats eat fish twice a day.")
    [reference] = answer["references"]
    assert len(reference["chunkInfo"]["content"]) == 20_001
    assert "structData" not in reference["chunkInfo"]["documentMetadata"]


@pytest.mark.parametrize(
    ("request_", "code", "named"),
    [
        ({}, Code.INVALID_ARGUMENT, "query"),
        ({"query": "a", "pageSize": -1}, Code.INVALID_ARGUMENT, "page_size"),
        ({"query": "a", "offset": -1}, Code.INVALID_ARGUMENT, "offset"),
        ({"query": "a", "filter": "x >"}, Code.INVALID_ARGUMENT, "filter"),
        ({"query": "a", "orderBy": "x up"}, Code.INVALID_ARGUMENT, "order_by"),
        ({"query": "a", "facetSpecs": [{"facetKey": {}}]}, Code.INVALID_ARGUMENT, "facet_specs[0].facet_key.key"),
        ({"query": "a", "facetSpecs": [{"facetKey": {"key": "x"}, "limit": -1}]}, Code.INVALID_ARGUMENT, "limit"),
        ({"query": "a", "rankingExpression": "x"}, Code.UNIMPLEMENTED, "ranking_expression"),
        ({"query": "a", "session": "x"}, Code.UNIMPLEMENTED, "session"),
        ({"query": "a", "params": {"search_type": 1}}, Code.UNIMPLEMENTED, "params.search_type"),
        ({"query": "a", "branch": f"{STORE}/branches/7"}, Code.NOT_FOUND, "branches/7"),
        (
            {"query": "a", "contentSearchSpec": {"summarySpec": {"modelPromptSpec": {"preamble": "Rhyme."}}}},
            Code.UNIMPLEMENTED,
            "model_prompt_spec",
        ),
        ({"query": "a", "boostSpec": {"conditionBoostSpecs": [{"boost": 2}]}}, Code.INVALID_ARGUMENT, "boost_spec"),
        ({"query": "a", "servingConfig": f"{STORE}x/servingConfigs/a"}, Code.NOT_FOUND, f"{STORE}x"),
        ({"query": "a", "servingConfig": "x"}, Code.INVALID_ARGUMENT, "servingConfigs"),
        ({"query": "a", "dataStoreSpecs": [{"dataStore": STORE}] * 6}, Code.INVALID_ARGUMENT, "data_store_specs"),
        ({"query": "a", "orderBy": "x," * 100_000}, Code.INVALID_ARGUMENT, "order_by"),
        ({"query": "a", "facetSpecs": [{"facetKey": {"key": "x." * 300}}]}, Code.INVALID_ARGUMENT, "facet_key.key"),
        (
            {
                "query": "a",
                "filter": " AND ".join(f"x{n} = {n}" for n in range(6)),
                "facetSpecs": [{"facetKey": {"key": "x"}, "excludedFilterKeys": [f"x{n}"]} for n in range(6)],
            },
            Code.INVALID_ARGUMENT,
            "in 6 ways; 5 are allowed",
        ),
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


_GOODS: list[JsonObject] = [
    {"id": "a", "structData": {"text": "red lamp", "price": 20, "colours": ["red"], "made": "2024-05", "shelf": "10"}},
    {"id": "b", "structData": {"text": "blue lamp", "price": 9.5, "colours": ["blue", "red"], "shelf": "2"}},
    {"id": "c", "structData": {"text": "green lamp", "made": "2023-01-31", "colours": "green", "shelf": "2"}},
]


async def ordered(stores: Stores, order: str, **more: JsonValue) -> list[str]:
    found = await search(stores, "lamp", orderBy=order, **more)
    return [result["id"] for result in found["results"]]


async def test_results_come_in_the_order_of_their_fields(stores: Stores) -> None:
    await stores.create()
    await stores.fill(*_GOODS)
    await stores.found_soon("lamp")
    assert await ordered(stores, "price") == ["b", "a", "c"]
    assert await ordered(stores, "price desc") == ["a", "b", "c"]
    assert await ordered(stores, "shelf, made desc") == ["a", "c", "b"]
    assert await ordered(stores, "shelf desc, price", filter="price > 1") == ["b", "a"]
    first = await search(stores, "lamp", orderBy="price", pageSize=2)
    assert (first["totalSize"], [each["id"] for each in first["results"]]) == (3, ["b", "a"])
    assert await ordered(stores, "price", pageToken=first["nextPageToken"]) == ["c"]


async def facets(stores: Stores, *specs: JsonObject, **more: JsonValue) -> list[dict[str, str]]:
    """Count by value, of each facet."""
    found = await search(stores, "lamp", facetSpecs=list(specs), **more)
    return [{each["value"]: each["count"] for each in facet.get("values", [])} for facet in found["facets"]]


async def test_values_of_fields_are_counted_among_all_that_matches(stores: Stores) -> None:
    await stores.create()
    await stores.fill(*_GOODS)
    await stores.found_soon("lamp")
    colours, shelf = {"facetKey": {"key": "colours"}}, {"facetKey": {"key": "shelf"}}
    [by_colour, by_shelf] = await facets(stores, colours, shelf, pageSize=1)
    assert list(by_colour.items()) == [("blue", "1"), ("green", "1"), ("red", "2")]
    assert list(by_shelf.items()) == [("2", "2"), ("10", "1")]
    most = {"facetKey": {"key": "colours", "orderBy": "count desc"}, "limit": 1}
    assert await facets(stores, most) == [{"red": "2"}]
    some = {"facetKey": {"key": "colours", "prefixes": ["R", "g"], "caseInsensitive": True}}
    assert await facets(stores, some) == [{"green": "1", "red": "2"}]
    filtered = 'colours: ANY("green") AND shelf: ANY("2")'
    excluded = {**colours, "excludedFilterKeys": ["colours"]}
    assert await facets(stores, colours, excluded, filter=filtered) == [
        {"green": "1"},
        {"blue": "1", "green": "1", "red": "1"},
    ]


async def test_numbers_and_dates_are_counted_by_intervals(stores: Stores) -> None:
    await stores.create()
    await stores.fill(*_GOODS)
    await stores.found_soon("lamp")
    intervals: list[JsonValue] = [{"maximum": 10}, {"exclusiveMinimum": 10, "exclusiveMaximum": 21}]
    spec = {"facetKey": {"key": "price", "intervals": intervals}}
    [facet] = (await search(stores, "lamp", facetSpecs=[spec]))["facets"]
    assert [value["count"] for value in facet["values"]] == ["1", "1"]
    assert [value["interval"] for value in facet["values"]] == intervals
    with pytest.raises(RpcError, match="intervals"):
        await search(stores, "lamp", facetSpecs=[{"facetKey": {"key": "price"}}])
    mixed = 'colours: ANY("red") OR shelf: ANY("2")'
    spec = {"facetKey": {"key": "colours"}, "excludedFilterKeys": ["colours"]}
    with pytest.raises(RpcError, match="excluded_filter_keys"):
        await search(stores, "lamp", facetSpecs=[spec], filter=mixed)


async def test_more_than_can_be_looked_at_is_neither_ordered_nor_counted(stores: Stores) -> None:
    await stores.create()
    await stores.fill(*({"id": f"n{number}", "structData": {"text": "lamp"}} for number in range(2_001)))
    await stores.found_soon("lamp")
    for request in ({"orderBy": "price"}, {"facetSpecs": [{"facetKey": {"key": "price"}}]}):
        with pytest.raises(RpcError, match="no more than 2,000 results"):
            await search(stores, "lamp", **request)


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        ({"session": "s"}, "session"),
        ({"answerGenerationSpec": {"promptSpec": {"preamble": "Rhyme."}}}, "answer_generation_spec.prompt_spec"),
        ({"searchSpec": {"searchParams": {"orderBy": "x"}}}, "search_spec.search_params.order_by"),
        ({"relatedQuestionsSpec": {"enable": True}}, "related_questions_spec"),
    ],
)
async def test_what_an_answer_cannot_take_into_account_is_refused_by_name(
    stores: Stores, request_: JsonObject, named: str
) -> None:
    await stores.create()
    with pytest.raises(RpcError) as refused:
        await stores(
            "ConversationalSearchService.AnswerQuery",
            {"servingConfig": _CONFIG, "query": {"text": "a"}, **request_},
        )
    assert (refused.value.code, refused.value.message.startswith(f"{named} is not served: ")) == (
        Code.UNIMPLEMENTED,
        True,
    )


async def test_the_chunks_of_a_document_are_listed_as_searches_find_them(stores: Stores) -> None:
    await stores.create("CONTENT_REQUIRED")
    raw = b64encode("\n\n".join(f"# Part {n}\n\n{'Cats eat fish. ' * 60}" for n in range(4)).encode()).decode()
    content: JsonObject = {"mimeType": "text/markdown", "rawBytes": raw}
    await stores.fill({"id": "long", "structData": {}, "content": content})
    await stores.found_soon("fish")
    name = f"{STORE}/branches/default_branch/documents/long"
    list_chunks = "openplaybook.v1.OpenPlaybook.ListDocumentChunks"
    first = await stores.caller(list_chunks, {"parent": name, "pageSize": 2})
    rest = await stores.caller(list_chunks, {"parent": name, "pageToken": first["nextPageToken"]})
    chunks = [*first["chunks"], *rest["chunks"]]
    assert [chunk["id"] for chunk in chunks] == [f"c{n}" for n in range(first["totalSize"])]
    assert [chunk["headings"] for chunk in chunks][:2] == [["Part 0"], ["Part 1"]]
    assert "nextPageToken" not in rest
    found = await search(stores, "fish", contentSearchSpec={"searchResultMode": "CHUNKS"})
    texts = {f"long/{chunk['id']}": chunk["text"] for chunk in chunks}
    assert all(texts[each["id"]] in each["chunk"]["content"] for each in found["results"])
    with pytest.raises(RpcError) as refused:
        await stores.caller(list_chunks, {"parent": f"{name}-none"})
    assert refused.value.code is Code.NOT_FOUND
