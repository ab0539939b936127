"""Data stores of several servers on one database: what one of them takes, each of them finds."""

import json
import time
from collections.abc import Iterator

import pytest

from openplaybook.jsonvalues import JsonObject, as_object
from tests.e2e.kit.replicas import replicas
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server
from tests.kit.postgres import running_cluster

PARENT = "projects/p/locations/global/collections/default_collection"
STORE = f"{PARENT}/dataStores/shared"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    with running_cluster() as cluster, replicas(tmp_path_factory.mktemp("stores"), cluster, 2) as started:
        yield started


def send(server: Server, path: str, body: JsonObject) -> JsonObject:
    return Rest(server.http).send("POST", f"/v1/{path}", json.dumps(body).encode()).json


def done(server: Server, operation: JsonObject) -> JsonObject:
    """An operation, once a server says that it is done."""
    while not operation.get("done"):
        operation = Rest(server.http).send("GET", f"/v1/{operation['name']}").json
    assert "error" not in operation, operation
    return operation


def found_soon(server: Server, query: str, count: int) -> list[str]:
    """What a server finds, once it is so many."""
    ids: list[str] = []
    end = time.monotonic() + 10
    while len(ids) != count and time.monotonic() < end:
        results = send(server, f"{STORE}/servingConfigs/default_search:search", {"query": query}).get("results", [])
        ids = [str(as_object(result)["id"]) for result in results]
        time.sleep(0.05)
    return ids


def test_what_one_server_takes_each_of_them_finds_and_none_when_it_is_deleted(servers: list[Server]) -> None:
    first, second = servers
    done(first, send(first, f"{PARENT}/dataStores?dataStoreId=shared", {"displayName": "Shared"}))
    source = {"inlineSource": {"documents": [{"id": "a", "structData": {"text": "a heron stands"}}]}}
    operation = done(second, send(first, f"{STORE}/branches/0/documents:import", source))
    assert as_object(operation["metadata"])["successCount"] == "1"
    assert found_soon(first, "heron", 1) == ["a"]
    assert found_soon(second, "heron", 1) == ["a"]
    document = json.dumps({"structData": {"text": "a heron flies"}}).encode()
    Rest(second.http).send("POST", f"/v1/{STORE}/branches/0/documents?documentId=b", document)
    assert sorted(found_soon(first, "heron", 2)) == ["a", "b"]
    done(first, Rest(second.http).send("DELETE", f"/v1/{STORE}").json)
    assert Rest(first.http).send("GET", f"/v1/{STORE}").status == 404
