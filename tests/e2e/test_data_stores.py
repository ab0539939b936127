"""Data stores by Google's own client of the Discovery Engine, unchanged: made, filled, searched and deleted."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from google.api_core.exceptions import BadRequest, Conflict, MethodNotImplemented, NotFound

from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.google import Google
from tests.e2e.kit.server import running
from tests.kit.background import Background

PARENT = "projects/p/locations/global/collections/default_collection"
DOCUMENTS = [
    {
        "id": "canada",
        "struct_data": {"title": "Canada", "url": "https://c.test", "text": "Maple trees grow in Canada.", "rank": 1},
    },
    {"id": "norway", "struct_data": {"title": "Norway", "uri": "https://n.test", "text": "Maple trees?", "rank": 2}},
    {"id": "bad id", "struct_data": {"title": "Nowhere"}},
]


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that stands for the bucket `manuals`."""
    folder = tmp_path_factory.mktemp("manuals")
    (folder / "animals").mkdir()
    (folder / "animals" / "cats.html").write_text(
        "<html><head><title>Cats</title></head><body><main><h1>Sleep</h1><p>A cat sleeps sixteen hours a day and hunts "
        "at dusk.</p></main></body></html>"
    )
    (folder / "animals" / "dogs.txt").write_text("A dog needs a walk three times a day.")
    return folder


@pytest.fixture(scope="module", params=["rest", "grpc"])
def client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, background: Background, bucket: Path
) -> Iterator[Google]:
    """Clients of a server that knows the bucket."""
    with running(tmp_path_factory.mktemp("stores"), "--bucket", f"manuals={bucket}") as server:
        clients = Google("v1", request.param, server, background, "discoveryengine")
        yield clients
        clients.close()


def create(client: Google, id: str, content: str = "NO_CONTENT") -> str:
    """The name of a new store."""
    store = {"display_name": id.title(), "industry_vertical": "GENERIC", "content_config": content}
    operation = client("DataStoreService").create_data_store(parent=PARENT, data_store=store, data_store_id=id)
    return operation.result(timeout=30).name


def test_inline_documents_are_imported_listed_searched_and_purged(client: Google) -> None:
    name = create(client, "countries")
    assert name == f"{PARENT}/dataStores/countries"
    documents = client("DocumentService")
    branch = f"{name}/branches/default_branch"
    operation = documents.import_documents(
        request={
            "parent": branch,
            "inline_source": {"documents": DOCUMENTS},
            "reconciliation_mode": "INCREMENTAL",
        }
    )
    response = operation.result(timeout=30)
    assert [sample.code for sample in response.error_samples] == [3]
    assert "bad id" in response.error_samples[0].message
    metadata = operation.metadata
    assert (metadata.success_count, metadata.failure_count, metadata.total_count) == (2, 1, 3)

    assert [document.id for document in documents.list_documents(parent=branch)] == ["canada", "norway"]
    assert documents.get_document(name=f"{branch}/documents/canada").struct_data["rank"] == 1

    results = found_soon(client, name, "maple trees", filter="rank > 1")
    assert [result.id for result in results] == ["norway"]
    derived = results[0].document.derived_struct_data
    assert (derived["title"], derived["link"]) == ("Norway", "https://n.test")
    assert [result.id for result in search(client, name, "maple trees grow", page_size=1)] == ["canada", "norway"]

    purge = documents.purge_documents(request={"parent": branch, "filter": "*", "force": True})
    assert purge.result(timeout=30).purge_count == 2
    assert list(documents.list_documents(parent=branch)) == []


def search(client: Google, store: str, query: str, **more: object) -> Sequence[ApiMessage]:
    """What a search finds, over all its pages."""
    request = {"serving_config": f"{store}/servingConfigs/default_search", "query": query, **more}
    return list(client("SearchService").search(request=request))


def found_soon(client: Google, store: str, query: str, **more: object) -> Sequence[ApiMessage]:
    """The same of what was put a moment ago: it is found within a second."""
    end = time.monotonic() + 5
    while not (found := search(client, store, query, **more)) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def test_files_of_a_bucket_are_imported_and_shown_with_snippets(client: Google) -> None:
    name = create(client, "animals", "CONTENT_REQUIRED")
    source = {"input_uris": ["gs://manuals/animals/*"], "data_schema": "content"}
    operation = client("DocumentService").import_documents(
        request={"parent": f"{name}/branches/0", "gcs_source": source}
    )
    assert list(operation.result(timeout=60).error_samples) == []
    assert operation.metadata.success_count == 2
    content = {
        "snippet_spec": {"return_snippet": True},
        "extractive_content_spec": {"max_extractive_answer_count": 1, "max_extractive_segment_count": 1},
    }
    [cats] = found_soon(client, name, "how long does a cat sleep", content_search_spec=content)
    derived = cats.document.derived_struct_data
    assert derived["title"] == "Cats"
    assert derived["link"] == "gs://manuals/animals/cats.html"
    assert "<b>sleeps</b>" in derived["snippets"][0]["snippet"]
    assert derived["extractive_answers"][0]["content"].startswith("A cat sleeps sixteen hours")
    [chunk] = found_soon(client, name, "walk", content_search_spec={"search_result_mode": "CHUNKS"})
    assert chunk.chunk.content == "A dog needs a walk three times a day."
    answer = client("ConversationalSearchService").answer_query(
        request={
            "serving_config": f"{name}/servingConfigs/default_search",
            "query": {"text": "How often does a dog need a walk?"},
        }
    )
    assert "three times a day" in answer.answer.answer_text


def test_documents_are_created_changed_and_deleted_one_by_one(client: Google) -> None:
    name = create(client, "single")
    documents, branch = client("DocumentService"), f"{name}/branches/default_branch"
    document = {"struct_data": {"title": "One", "text": "violets"}}
    made = documents.create_document(parent=branch, document=document, document_id="one")
    assert made.name == f"{branch}/documents/one"
    with pytest.raises(Conflict):
        documents.create_document(parent=branch, document=document, document_id="one")
    with pytest.raises(BadRequest, match="document_id"):
        documents.create_document(parent=branch, document=document, document_id="no id!")
    documents.update_document(document={"name": made.name, "struct_data": {"title": "One", "text": "roses"}})
    assert [result.id for result in found_soon(client, name, "roses")] == ["one"]
    assert search(client, name, "violets") == []
    schema = client("SchemaService").get_schema(name=f"{name}/schemas/default_schema")
    assert "title" in schema.struct_schema["properties"]
    documents.delete_document(name=made.name)
    with pytest.raises(NotFound, match="documents/one"):
        documents.get_document(name=made.name)


def test_goods_are_ordered_counted_changed_in_part_and_purged_by_a_filter(client: Google) -> None:
    name = create(client, "goods")
    documents, branch = client("DocumentService"), f"{name}/branches/default_branch"
    goods = [
        {"id": f"g{number}", "struct_data": {"text": "a lamp", "price": number, "colour": colour}}
        for number, colour in enumerate(("red", "blue", "red"))
    ]
    request = {"parent": branch, "inline_source": {"documents": goods}}
    documents.import_documents(request=request).result(timeout=30)
    facets = [{"facet_key": {"key": "colour"}}]
    found_soon(client, name, "lamp")
    pager = client("SearchService").search(
        request={
            "serving_config": f"{name}/servingConfigs/default_search",
            "query": "lamp",
            "order_by": "price desc",
            "facet_specs": facets,
        }
    )
    assert [(value.value, value.count) for value in pager.facets[0].values] == [("blue", 1), ("red", 2)]
    assert [result.id for result in pager] == ["g2", "g1", "g0"]
    with pytest.raises(MethodNotImplemented, match="ranking_expression"):
        search(client, name, "lamp", ranking_expression="price")

    changed = [{"id": "g0", "struct_data": {"text": "a torch"}}, {"id": "no id"}]
    operation = documents.import_documents(
        request={
            "parent": branch,
            "inline_source": {"documents": changed},
            "update_mask": {"paths": ["struct_data"]},
            "error_config": {"gcs_prefix": "gs://manuals/errors"},
        }
    )
    assert operation.result(timeout=30).error_config.gcs_prefix == "gs://manuals/errors"
    purge = documents.purge_documents(request={"parent": branch, "filter": "price >= 1", "force": True})
    assert purge.result(timeout=30).purge_count == 2
    assert [document.id for document in documents.list_documents(parent=branch)] == ["g0"]


def test_what_is_wrong_is_named(client: Google) -> None:
    name = create(client, "wrong")
    with pytest.raises(Conflict, match="dataStores/wrong"):
        create(client, "wrong")
    with pytest.raises(BadRequest, match="query"):
        search(client, name, "")
    with pytest.raises(BadRequest, match="page_size"):
        search(client, name, "a", page_size=-1)
    with pytest.raises(BadRequest, match="page_size"):
        list(client("DocumentService").list_documents(request={"parent": f"{name}/branches/0", "page_size": -1}))
    with pytest.raises(BadRequest, match="filter"):
        search(client, name, "a", filter="rank >")
    with pytest.raises(NotFound, match="dataStores/missing"):
        search(client, f"{PARENT}/dataStores/missing", "a")
    with pytest.raises(NotFound, match="dataStores/missing"):
        client("DataStoreService").get_data_store(name=f"{PARENT}/dataStores/missing")


def test_a_store_has_a_short_name_too_and_is_deleted_with_all_in_it(client: Google) -> None:
    name = create(client, "gone")
    stores = client("DataStoreService")
    short = "projects/p/locations/global/dataStores/gone"
    assert stores.get_data_store(name=short).name == name
    changed = stores.update_data_store(
        data_store={"name": short, "display_name": "Went"}, update_mask={"paths": ["display_name"]}
    )
    assert changed.display_name == "Went"
    assert "gone" in [store.name.rpartition("/")[2] for store in stores.list_data_stores(parent=PARENT)]
    branch = f"{short}/branches/0"
    source = {"documents": [{"id": "a", "struct_data": {"text": "dodo"}}]}
    client("DocumentService").import_documents(request={"parent": branch, "inline_source": source}).result(timeout=30)
    assert [result.id for result in found_soon(client, short, "dodo")] == ["a"]
    stores.delete_data_store(name=short).result(timeout=30)
    with pytest.raises(NotFound, match="dataStores/gone"):
        stores.get_data_store(name=short)
    create(client, "gone")
    assert search(client, short, "dodo") == []


FACTS = [
    {"fact_text": "The Rhine is 1,233 kilometres long and flows into the North Sea."},
    {"fact_text": "Mount Everest was first climbed by Edmund Hillary and Tenzing Norgay in 1953."},
]


@pytest.mark.parametrize(
    ("answer", "least", "most"),
    [
        ("Mount Everest was first climbed in 1953 by Edmund Hillary and Tenzing Norgay.", 0.6, 1.0),
        ("Mount Everest was first climbed in 1973 by Edmund Hillary and Tenzing Norgay.", 0.0, 0.59),
        ("Purple elephants negotiate quietly with bureaucratic bananas.", 0.0, 0.39),
    ],
)
def test_grounding_is_checked(client: Google, answer: str, least: float, most: float) -> None:
    response = client("GroundedGenerationService").check_grounding(
        request={
            "grounding_config": "projects/p/locations/global/groundingConfigs/default_grounding_config",
            "answer_candidate": answer,
            "facts": FACTS,
        }
    )
    assert least <= response.support_score <= most
    [claim] = response.claims
    assert (claim.claim_text, claim.start_pos, claim.end_pos) == (answer, 0, len(answer))
    cited = [response.cited_chunks[index].source for index in claim.citation_indices]
    assert cited == (["1"] if least else [])
