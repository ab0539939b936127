"""Each test of conformance runs with every plugin, on a system of its own."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from openplaybook.connectors.base import SystemConnection
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.plugins.file_transfer.sftp_server import fingerprint
from openplaybook.connectors.settings import AccessToken, ConfigValue, ConnectionSettings, UserPassword
from openplaybook.egress.base import HttpRequest, HttpResponse
from openplaybook.egress.errors import BadResponse, TimedOut
from openplaybook.jsonvalues import JsonObject
from tests.kit import held_collections
from tests.kit.bolt_server import BoltServer, bolt_server
from tests.kit.file_servers import HOST_KEY, PASSWORD, USER, CountedCommands, ftp_server, sftp_server
from tests.kit.held_collections import HeldCollections
from tests.kit.held_documents import HeldDocuments
from tests.kit.held_objects import HeldObjects
from tests.kit.held_tables import CONFIG, HeldTable
from tests.kit.mongo_wire import MongoWire, mongo_wire
from tests.kit.plugin_peers import NAME, LoopbackNames, PluginPeer
from tests.kit.sql_databases import NoTransport
from tests.kit.strict_google import TOKEN, StrictGoogle

_FILE_CONDITIONS = (
    "size > 15",
    "folder = 'in'",
    "folder = '' AND isFolder = FALSE",
    "name LIKE 'a%' OR size BETWEEN 11 AND 13",
    "NOT (name IN ('ada', 'bob') OR isFolder = TRUE)",
    "size IS NULL",
)
HOST_FINGERPRINT = fingerprint(HOST_KEY.public_data)


def file_peer(folder: Path, port: int, commands: CountedCommands, **config: ConfigValue) -> PluginPeer:
    """A server of a folder, in which names are files, each a byte larger than the one before."""
    (folder / "in").mkdir()

    async def add(names: Sequence[str]) -> None:
        for size, name in enumerate(names, len(held()) + 10):
            (folder / name).write_bytes(b"x" * size)

    def held() -> dict[str, object]:
        return {str(each.relative_to(folder)): each for each in folder.rglob("*")}

    settings = ConnectionSettings(
        NAME,
        "ftp",
        config={"host": "files.example", "port": port, **config},
        authentication=UserPassword(USER, PASSWORD),
    )
    access = SystemAccess(NoTransport(), LoopbackNames())
    return PluginPeer(settings, access, "Files", add, held, lambda: commands.count, _FILE_CONDITIONS, "size")


@pytest.fixture
async def stack() -> AsyncGenerator[AsyncExitStack]:
    """What is over with the test."""
    async with AsyncExitStack() as held:
        yield held


RECORD_CONDITIONS = (
    "price > 12",
    "city = 'Bern' AND active = TRUE",
    "name IN ('ada', 'bob') OR count BETWEEN 3 AND 4",
    "NOT (city = 'Bern' OR count < 3)",
    "name LIKE 'a%'",
    "name LIKE '%e%'",
    "note IS NULL",
    "NOT note IS NULL AND city = 'Chur'",
    "address.zip = 3001",
    "count != 2 AND price <= 13",
    "city NOT IN ('Bern') AND count IN (1, 3, 5)",
    "active != TRUE OR name >= 'd'",
)
"""That tell records apart."""


def record(name: str, count: int) -> JsonObject:
    """A record of a name."""
    return {
        "name": name,
        "city": ("Bern", "Chur", "Ägeri")[count % 3],
        "price": count * 1.5 + 10.25,
        "count": count,
        "active": count % 2 == 0,
        "note": None if count % 4 else f'it\'s "{name}" [$x]',
        "tags": [name, "all"],
        "address": {"zip": 3000 + count, "street": "Gasse"},
    }


NEW_RECORD: JsonObject = {"name": "new", "city": "Bern", "price": 99.5, "count": 7, "active": True, "tags": ["x"]}
CHANGE: JsonObject = {"city": "O'Chur", "count": 8}


def document_peer(held: HeldDocuments, **config: ConfigValue) -> tuple[PluginPeer, StrictGoogle]:
    """Firestore with a collection."""
    api = StrictGoogle("firestore.v1", "https://firestore.googleapis.com", held.answer)
    documents = held.collections.setdefault("guests", {})

    async def add(names: Sequence[str]) -> None:
        for name in names:
            held.put("guests", name.replace("/", "-"), record(name, len(documents)))

    settings = ConnectionSettings(
        NAME,
        "firestore",
        config={"project": "p-1", "collections": "guests", **config},
        authentication=AccessToken(TOKEN),
    )
    peer = PluginPeer(
        settings,
        SystemAccess(api, LoopbackNames()),
        "guests",
        add,
        lambda: documents,
        lambda: len(api.requests),
        RECORD_CONDITIONS,
        "price",
        new=NEW_RECORD,
        change=CHANGE,
        gone=lambda hangs_up: setattr(api, "fault", _gone(hangs_up=hangs_up)),
    )
    return peer, api


def graph_peer(server: BoltServer, **config: ConfigValue) -> PluginPeer:
    """A server of Bolt with nodes of a label."""

    def values(name: str) -> JsonObject:
        return {key: each for key, each in record(name, len(server.nodes["Guest"])).items() if key != "address"}

    async def add(names: Sequence[str]) -> None:
        for name in names:
            server.put("Guest", values(name))

    settings = ConnectionSettings(
        NAME,
        "neo4j",
        config={"host": "graph.example", "port": server.port, **config},
        authentication=UserPassword(server.user, server.password),
    )
    return PluginPeer(
        settings,
        SystemAccess(NoTransport(), LoopbackNames()),
        "Guest",
        add,
        server.held,
        lambda: len(server.statements),
        [each for each in RECORD_CONDITIONS if "address" not in each],
        "price",
        new=NEW_RECORD,
        change=CHANGE,
    )


def couch_peer(held: HeldCollections, **config: ConfigValue) -> PluginPeer:
    """Couchbase with a collection."""
    documents = held.collections["guests"]

    async def add(names: Sequence[str]) -> None:
        for name in names:
            documents[name] = record(name, len(documents))

    settings = ConnectionSettings(
        NAME,
        "couchbase",
        config={"host": "couch.example", "bucket": "shop", "scope": "main", **config},
        authentication=UserPassword(held_collections.USER, held_collections.PASSWORD),
    )
    return PluginPeer(
        settings,
        SystemAccess(held, LoopbackNames()),
        "guests",
        add,
        held.held,
        lambda: len(held.requests),
        RECORD_CONDITIONS,
        "price",
        new=NEW_RECORD,
        change=CHANGE,
        gone=lambda hangs_up: setattr(held, "fault", _gone(hangs_up=hangs_up)),
    )


GUEST_KINDS = {
    "name": "STRING",
    "city": "STRING",
    "price": "FLOAT64",
    "count": "INT64",
    "active": "BOOL",
    "note": "STRING",
    "tags": "[STRING]",
}


def table_peer(held: HeldTable) -> PluginPeer:
    """BigQuery or Spanner with a table, whose key is the name."""

    async def add(names: Sequence[str]) -> None:
        for name in names:
            held.put(record(name, len(held.held())))

    settings = ConnectionSettings(NAME, held.system, config=CONFIG[held.system], authentication=AccessToken(TOKEN))
    return PluginPeer(
        settings,
        SystemAccess(held.api, LoopbackNames()),
        held.name,
        add,
        held.held,
        lambda: len(held.api.requests),
        [each for each in RECORD_CONDITIONS if "address" not in each],
        "price",
        new=NEW_RECORD,
        change=CHANGE,
        gone=lambda hangs_up: setattr(held.api, "fault", _gone(hangs_up=hangs_up)),
    )


def mongo_peer(server: MongoWire, **config: ConfigValue) -> PluginPeer:
    """A server of MongoDB's protocol with a collection."""

    async def add(names: Sequence[str]) -> None:
        for name in names:
            server.put("guests", record(name, server.count("guests")))

    settings = ConnectionSettings(
        NAME,
        "mongodb",
        config={"host": "mongo.example", "port": server.port, "database": "shop", "collections": "guests", **config},
        authentication=UserPassword(server.user, server.password),
    )
    return PluginPeer(
        settings,
        SystemAccess(NoTransport(), LoopbackNames()),
        "guests",
        add,
        lambda: server.held("guests"),
        lambda: len(server.commands),
        RECORD_CONDITIONS,
        "price",
        new=NEW_RECORD,
        change=CHANGE,
    )


BUCKET = "shop-files"


def bucket_peer(held: HeldObjects, **config: ConfigValue) -> tuple[PluginPeer, StrictGoogle]:
    """Cloud Storage with a bucket, in which each object is a byte larger than the one before."""
    api = StrictGoogle("storage.v1", "https://storage.googleapis.com", held.answer)
    objects = held.buckets.setdefault(BUCKET, {})

    async def add(names: Sequence[str]) -> None:
        for size, name in enumerate(names, len(objects) + 10):
            held.put(BUCKET, name, b"x" * size)

    settings = ConnectionSettings(
        NAME, "cloud-storage", config={"bucket": BUCKET, **config}, authentication=AccessToken(TOKEN)
    )
    peer = PluginPeer(
        settings,
        SystemAccess(api, LoopbackNames()),
        "Objects",
        add,
        lambda: objects,
        lambda: len(api.requests),
        (
            "size > 13",
            f"bucket = '{BUCKET}' AND name LIKE 'in/%'",
            "name = 'bob' OR name LIKE 'a%'",
            "NOT (contentType = 'text/plain' AND size < 12)",
            "cacheControl IS NULL AND name IN ('ada', 'in/zoe')",
        ),
        "size",
        key=lambda name: f"{BUCKET}/{name}",
        gone=lambda hangs_up: setattr(api, "fault", _gone(hangs_up=hangs_up)),
    )
    return peer, api


def _gone(*, hangs_up: bool) -> Callable[[HttpRequest], HttpResponse | None]:
    def fault(request: HttpRequest) -> HttpResponse | None:
        if hangs_up:
            raise BadResponse("the connection broke", sent=True)
        raise TimedOut("no answer in time", which="read", sent=True)

    return fault


@pytest.fixture(
    params=[
        "ftp", "sftp", "cloud-storage", "firestore", "mongodb", "neo4j", "couchbase", "bigquery", "cloud-spanner",
    ]
)  # fmt: skip
async def peer(request: pytest.FixtureRequest, stack: AsyncExitStack, tmp_path: Path) -> AsyncGenerator[PluginPeer]:
    """A system."""
    apis: list[StrictGoogle | HeldCollections] = []
    if request.param == "cloud-storage":
        found, api = bucket_peer(HeldObjects({}))
        apis.append(api)
    elif request.param == "firestore":
        found, api = document_peer(HeldDocuments())
        apis.append(api)
    elif request.param in CONFIG:
        table = HeldTable(request.param, "guests", GUEST_KINDS)
        apis.append(table.api)
        found = table_peer(table)
    elif request.param == "mongodb":
        found = mongo_peer(await stack.enter_async_context(mongo_wire()))
    elif request.param == "couchbase":
        apis.append(held := HeldCollections())
        found = couch_peer(held)
    elif request.param == "neo4j":
        found = graph_peer(await stack.enter_async_context(bolt_server()))
    else:
        found = await _file_system(request.param, stack, tmp_path)
    yield found
    await found.aclose()
    assert not [each for api in apis for each in api.violations]


@pytest.fixture(params=["ftp", "sftp"])
async def file_system(request: pytest.FixtureRequest, stack: AsyncExitStack, tmp_path: Path) -> PluginPeer:
    """A server of files."""
    return await _file_system(request.param, stack, tmp_path)


async def _file_system(protocol: str, stack: AsyncExitStack, tmp_path: Path) -> PluginPeer:
    commands = CountedCommands()
    folder = tmp_path / "files"
    folder.mkdir()
    if protocol == "ftp":
        port = stack.enter_context(ftp_server(folder, commands))
        return file_peer(folder, port, commands, protocol="ftp")
    port = await stack.enter_async_context(sftp_server(folder, commands))
    return file_peer(folder, port, commands, protocol="sftp", root=str(folder), host_key=HOST_FINGERPRINT)


@pytest.fixture
async def connection(peer: PluginPeer) -> SystemConnection:
    """An opened connection."""
    return await peer.opened()
