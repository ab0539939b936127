"""A connection to a SQLite file that the operator lists, from Google's discovery client to the file and back."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from googleapiclient.errors import HttpError

from openplaybook.jsonvalues import JsonObject
from tests.e2e.kit.server import Server, running
from tests.kit.discovery_clients import Client, ConnectorsClients

LOCATION = "projects/p/locations/global"
CONNECTION = f"{LOCATION}/connections/pets"
PETS = f"{CONNECTION}/entityTypes/pet"
SCHEMA = """
CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE pet (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    weight DECIMAL(6, 2) CHECK (weight > 0),
    born DATE,
    owner INTEGER REFERENCES owner (id)
);
INSERT INTO owner VALUES (1, 'Kim'), (2, 'Lee');
INSERT INTO pet VALUES
    (1, 'Bello', 12.5, '2020-02-29', 1), (2, 'Mia', 3.25, NULL, 1), (3, 'O''Hara', 4, '2021-01-01', 2);
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("database") / "pets.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(SCHEMA)
    return path


@pytest.fixture(scope="module")
def pet_server(tmp_path_factory: pytest.TempPathFactory, database: Path) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server"), "--sqlite-files", f"pets={database}") as server:
        yield server


@pytest.fixture(scope="module")
def google(pet_server: Server) -> ConnectorsClients:
    return ConnectorsClients(pet_server.http)


def body(version: str, **more: object) -> JsonObject:
    return {"connectorVersion": version, "configVariables": [{"key": "database", "stringValue": "pets"}], **more}


async def sqlite_version(google: ConnectorsClients) -> str:
    """The name that the catalogue has for the version of its connector for SQLite."""
    provider = (await google.v1("ListProvidersResponse", lambda at: at.providers().list(parent=LOCATION)))["providers"]
    connectors = await google.v1(
        "ListConnectorsResponse", lambda at: at.providers().connectors().list(parent=provider[0]["name"])
    )
    [sqlite] = [each["name"] for each in connectors["connectors"] if each["displayName"] == "SQLite"]
    versions = await google.v1(
        "ListConnectorVersionsResponse", lambda at: at.providers().connectors().versions().list(parent=sqlite)
    )
    return versions["connectorVersions"][0]["name"]


@pytest.fixture(scope="module")
def connection(google: ConnectorsClients) -> str:
    """The connection that the tests share."""

    async def made() -> JsonObject:
        version = await sqlite_version(google)
        return await google.done(
            lambda at: at.connections().create(parent=LOCATION, connectionId="pets", body=body(version))
        )

    created = asyncio.run(made())
    assert created["status"] == {"state": "ACTIVE"}
    return created["name"]


def entities(at: Client) -> Client:
    return at.connections().entityTypes().entities()


def listing(**arguments: object) -> Callable[[Client], Any]:
    return lambda at: entities(at).list(parent=PETS, **arguments)


def ids(listed: JsonObject) -> list[int]:
    return [each["fields"]["id"] for each in listed.get("entities", [])]


async def test_tables_are_entity_types(google: ConnectorsClients, connection: str) -> None:
    listed = await google.v2(
        "ListEntityTypesResponse", lambda at: at.connections().entityTypes().list(parent=connection)
    )

    types = {each["name"]: each for each in listed["types"]}
    assert list(types) == ["owner", "pet"]
    fields = {each["name"]: each for each in types["pet"]["fields"]}
    assert fields["id"]["key"]
    assert fields["weight"]["dataType"] == "DECIMAL"
    assert fields["owner"]["reference"] == {"name": "id", "type": "owner"}
    schema = await google.done(
        lambda at: (
            at.connections()
            .connectionSchemaMetadata()
            .getEntityType(name=f"{connection}/connectionSchemaMetadata", entityId="pet")
        )
    )
    assert list(schema["jsonSchema"]["properties"]) == sorted(fields)


@pytest.mark.proves("K3")
async def test_rows_are_listed_by_condition_order_and_page(google: ConnectorsClients, connection: str) -> None:
    by_name = await google.v2("ListEntitiesResponse", listing(conditions="name = 'O''Hara'"))
    heavy = await google.v2(
        "ListEntitiesResponse", listing(conditions="weight >= 3.25", sortBy=["weight"], sortOrder=["DESC"], pageSize=2)
    )
    rest = await google.v2(
        "ListEntitiesResponse",
        listing(
            conditions="weight >= 3.25",
            sortBy=["weight"],
            sortOrder=["DESC"],
            pageSize=2,
            pageToken=heavy["nextPageToken"],
        ),
    )

    assert by_name["entities"][0]["fields"] == {
        "id": 3,
        "name": "O'Hara",
        "weight": "4",
        "born": "2021-01-01",
        "owner": 2,
    }
    assert (ids(heavy), ids(rest)) == ([1, 3], [2])


@pytest.mark.proves("K3")
async def test_a_row_is_created_changed_and_deleted(google: ConnectorsClients, connection: str, database: Path) -> None:
    fields = {"name": "Rex", "weight": "7.10", "owner": 2}
    made = await google.v2("Entity", lambda at: entities(at).create(parent=PETS, body={"fields": fields}))
    name = made["name"]
    changed = await google.v2("Entity", lambda at: entities(at).patch(name=name, body={"fields": {"weight": "7.25"}}))
    with sqlite3.connect(database) as file:
        in_file = file.execute("SELECT name, weight FROM pet WHERE id = ?", (made["fields"]["id"],)).fetchall()
    await google.v2("Empty", lambda at: entities(at).delete(name=name))
    left = await google.v2("ListEntitiesResponse", listing(conditions="name = 'Rex'"))

    assert changed["fields"]["weight"] == "7.25"
    assert in_file == [("Rex", 7.25)]
    assert left.get("entities", []) == []


@pytest.mark.parametrize(
    ("call", "code", "words"),
    [
        (listing(conditions="name = 'x' OR 1=1"), 400, "condition"),
        (listing(conditions="nome = 'x'"), 400, "there are: id, name, weight, born, owner"),
        (lambda at: entities(at).create(parent=PETS, body={"fields": {"weight": 1}}), 400, "name"),
        (lambda at: entities(at).create(parent=PETS, body={"fields": {"name": "a", "weight": -1}}), 400, "weight"),
        (lambda at: entities(at).deleteEntitiesWithConditions(entityType=PETS), 400, "conditions"),
        (lambda at: entities(at).get(name=f"{PETS}/entities/99"), 404, "99"),
    ],
)
async def test_what_the_database_does_not_take_is_said_by_its_column(
    google: ConnectorsClients, connection: str, call: Callable[[Client], Any], code: int, words: str
) -> None:
    with pytest.raises(HttpError) as caught:
        await google.v2("Entity", call)

    error = json.loads(caught.value.content)["error"]
    assert error["code"] == code, error
    assert words in error["message"]


@pytest.mark.proves("K4")
async def test_a_query_has_typed_parameters_and_limits(google: ConnectorsClients, connection: str) -> None:
    query = {
        "query": "SELECT owner.name AS owner, count(*) AS pets FROM pet JOIN owner ON owner.id = pet.owner "
        "WHERE weight > ? GROUP BY owner.name ORDER BY pets DESC",
        "queryParameters": [{"value": "3.00", "dataType": "DECIMAL"}],
        "maxRows": "1",
    }

    answer = await google.v2(
        "ExecuteSqlQueryResponse",
        lambda at: at.connections().executeSqlQuery(connection=connection, body={"query": query}),
    )

    assert answer == {"results": [{"owner": "Kim", "pets": 2}]}


async def test_a_file_that_the_operator_does_not_list_is_not_opened(
    google: ConnectorsClients, connection: str, database: Path
) -> None:
    version = await sqlite_version(google)
    for place, id in ((str(database), "by-path"), ("other", "by-name")):
        variables = [{"key": "database", "stringValue": place}]
        created = await google.done(
            lambda at, id=id, variables=variables: at.connections().create(
                parent=LOCATION, connectionId=id, body={"connectorVersion": version, "configVariables": variables}
            )
        )
        assert created["status"]["state"] == "ERROR"
        assert "pets" in created["status"]["description"]


@pytest.fixture(scope="module")
def reader(google: ConnectorsClients) -> str:
    """A connection that only reads."""

    async def made() -> JsonObject:
        read_only = {"key": "read_only", "boolValue": True}
        connection = body(await sqlite_version(google))
        connection["configVariables"].append(read_only)
        return await google.done(
            lambda at: at.connections().create(parent=LOCATION, connectionId="reader", body=connection)
        )

    return asyncio.run(made())["name"]


def query(reader: str, text: str) -> Callable[[Client], Any]:
    return lambda at: at.connections().executeSqlQuery(connection=reader, body={"query": {"query": text}})


async def test_a_read_only_connection_writes_nothing(google: ConnectorsClients, reader: str, database: Path) -> None:
    owners = f"{reader}/entityTypes/owner"
    calls = (
        lambda at: entities(at).create(parent=owners, body={"fields": {"name": "New"}}),
        lambda at: entities(at).deleteEntitiesWithConditions(entityType=owners, conditions="id = 1"),
        query(reader, "DELETE FROM owner"),
        query(reader, "SELECT 1; DROP TABLE owner"),
        query(reader, f"ATTACH DATABASE '{database}' AS other"),
        query(reader, "PRAGMA user_version = 7"),
    )
    for call in calls:
        with pytest.raises(HttpError) as caught:
            await google.v2("Entity", call)
        assert caught.value.status_code == 400
    answer = await google.v2("ExecuteSqlQueryResponse", query(reader, "SELECT count(*) AS n FROM owner"))
    assert answer == {"results": [{"n": 2}]}
