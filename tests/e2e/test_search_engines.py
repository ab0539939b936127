"""Data stores that another engine holds, by Google's own client: a cluster, and another server with Google's API."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.google import Google
from tests.e2e.kit.server import Server, running
from tests.kit.background import Background
from tests.kit.http_peer import http_peer
from tests.kit.search_cluster.cluster import SearchCluster

PARENT = "projects/p/locations/global/collections/default_collection"
STORE = f"{PARENT}/dataStores/countries"
BRANCH = f"{STORE}/branches/default_branch"
CANADA = {"struct_data": {"title": "Canada", "url": "https://c.test", "text": "Maple trees grow.", "n": 1}}
DOCUMENTS = [
    {"id": "canada", **CANADA},
    {"id": "norway", "struct_data": {"title": "Norway", "url": "https://n.test", "text": "Maple and fjords", "n": 2}},
]


@pytest.fixture(scope="module", params=["opensearch", "vertex"])
def client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, background: Background
) -> Iterator[Google]:
    """Clients of a server whose data stores are elsewhere, where there is one of the name already."""
    here, there = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("there")
    if request.param == "opensearch":
        cluster = background.entered(http_peer(SearchCluster()))
        with cluster as peer, running(here, "--search-engine", f"opensearch:{peer.url}") as server:
            yield from clients_of(server, background)
        return
    with running(there) as google:
        own = Google("v1", "rest", google, background, "discoveryengine")
        create(own)
        own.close()
        with running(here, "--search-engine", f"vertex:{google.http}") as server:
            yield from clients_of(server, background)


def clients_of(server: Server, background: Background) -> Iterator[Google]:
    """Clients of one server, where the store is."""
    clients = Google("v1", "rest", server, background, "discoveryengine")
    create(clients)
    yield clients
    clients.close()


def create(client: Google) -> None:
    store = {"display_name": "Countries", "industry_vertical": "GENERIC", "content_config": "NO_CONTENT"}
    operation = client("DataStoreService").create_data_store(parent=PARENT, data_store=store, data_store_id="countries")
    assert operation.result(timeout=30).name == STORE


def search(client: Google, query: str, expected: list[str], **more: object) -> list[ApiMessage]:
    """What is found as soon as it is of these documents, which is within a second of a change."""
    request = {"serving_config": f"{STORE}/servingConfigs/default_search", "query": query, **more}
    found: list[ApiMessage] = []

    def are_found() -> bool:
        found[:] = client("SearchService").search(request=request)
        return [result.id for result in found] == expected

    until(are_found)
    return found


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_documents_are_imported_listed_searched_and_deleted(client: Google) -> None:
    documents = client("DocumentService")
    operation = documents.import_documents(
        request={"parent": BRANCH, "inline_source": {"documents": DOCUMENTS}, "reconciliation_mode": "INCREMENTAL"}
    )
    assert list(operation.result(timeout=30).error_samples) == []
    assert operation.metadata.success_count == 2
    assert [document.id for document in documents.list_documents(parent=BRANCH)] == ["canada", "norway"]
    assert documents.get_document(name=f"{BRANCH}/documents/canada").struct_data["n"] == 1

    search(client, "maple trees", ["norway"], filter="n > 1")
    snippets = {"snippet_spec": {"return_snippet": True}}
    found = search(client, "maple trees grow", ["canada", "norway"], content_search_spec=snippets)
    derived = found[0].document.derived_struct_data
    assert (derived["title"], derived["link"]) == ("Canada", "https://c.test")
    assert "<b>Maple</b>" in derived["snippets"][0]["snippet"]

    documents.delete_document(name=f"{BRANCH}/documents/norway")
    search(client, "maple", ["canada"])
    purge = documents.purge_documents(request={"parent": BRANCH, "filter": "*", "force": True})
    assert purge.result(timeout=30).purge_count == 1
    until(lambda: list(documents.list_documents(parent=BRANCH)) == [])


def test_a_store_at_google_is_taken_over_and_given_up_with_what_it_holds(
    tmp_path: Path, background: Background
) -> None:
    with running(tmp_path / "there") as google:
        own = Google("v1", "rest", google, background, "discoveryengine")
        create(own)
        own("DocumentService").create_document(parent=BRANCH, document_id="canada", document=CANADA)
        with running(tmp_path / "here", "--search-engine", f"vertex:{google.http}") as server:
            client = Google("v1", "rest", server, background, "discoveryengine")
            create(client)
            search(client, "maple", ["canada"])
            client("DataStoreService").delete_data_store(name=STORE).result(timeout=30)
            client.close()
        assert own("DocumentService").get_document(name=f"{BRANCH}/documents/canada").struct_data["n"] == 1
        own.close()
