"""Connections of several servers on one database, and of one that was restored from a backup."""

import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from tests.e2e.kit.replicas import replicas
from tests.e2e.kit.server import clean_environment, running
from tests.kit.discovery_clients import Client, ConnectorsClients
from tests.kit.postgres import running_cluster
from tests.kit.preloaded.commands import quick_command

LOCATION = "projects/p/locations/global"
CONNECTION = f"{LOCATION}/connections/pets"
SQLITE = f"{LOCATION}/providers/gcp/connectors/sqlite/versions/1"


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two files that hold other rows."""
    folder = tmp_path_factory.mktemp("databases")
    for name in ("cats", "dogs"):
        with sqlite3.connect(folder / f"{name}.db") as connection:
            connection.execute("CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT)")
            connection.execute("INSERT INTO pet VALUES (1, ?)", (f"one of the {name}",))
    return folder


@pytest.fixture(scope="module")
def listed(databases: Path) -> str:
    return f"cats={databases / 'cats.db'},dogs={databases / 'dogs.db'}"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory, listed: str) -> Iterator[list[ConnectorsClients]]:
    folder = tmp_path_factory.mktemp("replicas")
    with running_cluster() as cluster, replicas(folder, cluster, 2, "--sqlite-files", listed) as started:
        yield [ConnectorsClients(server.http) for server in started]


def body(database: str) -> JsonObject:
    return {"connectorVersion": SQLITE, "configVariables": [{"key": "database", "stringValue": database}]}


async def create(google: ConnectorsClients) -> None:
    created = await google.done(
        lambda at: at.connections().create(parent=LOCATION, connectionId="pets", body=body("cats"))
    )
    assert created["status"] == {"state": "ACTIVE"}


async def names(google: ConnectorsClients) -> list[str]:
    def call(at: Client) -> Client:
        return at.connections().entityTypes().entities().list(parent=f"{CONNECTION}/entityTypes/pet")

    found = await google.v2("ListEntitiesResponse", call)
    return [each["fields"]["name"] for each in found["entities"]]


async def test_a_connection_that_one_server_changes_is_another_one_on_each(servers: list[ConnectorsClients]) -> None:
    first, second = servers
    await create(first)
    before = [await names(first), await names(second)]

    await second.done(
        lambda at: at.connections().patch(name=CONNECTION, updateMask="configVariables", body=body("dogs"))
    )

    assert before == [["one of the cats"], ["one of the cats"]]
    assert [await names(first), await names(second)] == [["one of the dogs"], ["one of the dogs"]]


async def test_a_connection_is_restored_from_a_backup(tmp_path: Path, listed: str) -> None:
    flags, backup = ["--sqlite-files", listed], tmp_path / "backup.tar.gz"

    def command(*words: str | Path) -> None:
        subprocess.run([quick_command(), *words], timeout=60, check=True, env=clean_environment())

    with running(tmp_path / "old", *flags) as server:
        await create(ConnectorsClients(server.http))
        command("backup", backup, "--with-master-key", "--data-dir", tmp_path / "old" / "data")
    command("restore", backup, "--data-dir", tmp_path / "new" / "data")

    with running(tmp_path / "new", *flags) as server:
        assert await names(ConnectorsClients(server.http)) == ["one of the cats"]
