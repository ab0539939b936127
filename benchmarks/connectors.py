"""What connections cost beside the same work written by hand, in the same process.

Databases: entities of a SQLite file through the port of connections, against SQLAlchemy with the same statements: one
entity by its key, and a table of 100,000 rows by pages of 200. Services: 100,000 customers by pages of 100 through the
manifest of Stripe, against aiohttp and orjson asking the same loopback server. The cost of knowing an entity type is
compared with reading it from the database each time.

Prints a row per measure (see `benchmarks.rows`).
"""

import asyncio
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import cast
from urllib.parse import parse_qs

import aiohttp
import orjson
import sqlalchemy
import uvloop

from benchmarks.rows import Goal, cost, report
from openplaybook.connectors.base import EntityQuery, SystemCall, SystemConnection
from openplaybook.connectors.catalog.connectors import open_connection
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.settings import ConnectionSettings, Destination
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import Resolver
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.egress.resilient_transport import ResilientTransport
from openplaybook.jsonvalues import JsonObject

ROWS = 100_000
DATABASE_PAGE = 200
SERVICE_PAGE = 100
ROUNDS = 3
_CALLS = 500
_OVERHEAD = Goal(ours_at_most=15)
_KNOWN = Goal(ours_at_most=2)
_LISTING = Goal(times_at_most=1.3)
_NAME = "projects/p/locations/l/connections/c"


async def main() -> None:
    """Measure all, ours and the peer in turn."""
    with tempfile.TemporaryDirectory() as folder:
        # As servers have it.
        transport = ResilientTransport(HttpTransport(AddressPolicy(parse_allow("127.0.0.0/8"))))
        file = Path(folder) / "shop.db"
        _fill(file)
        access = SystemAccess(transport, cast("Resolver", None), files={"shop": file})
        database = await open_connection(ConnectionSettings(_NAME, "sqlite", {"database": "shop"}), access)
        await _database(database, file)
        await database.aclose()
        async with _stripe() as port:
            settings = ConnectionSettings(
                _NAME,
                "stripe",
                {"api_key": "sk_test_1"},
                destinations={"host": Destination("http://127.0.0.1", port)},
            )
            service = await open_connection(settings, access)
            await _service(service, port)
            await service.aclose()
        await transport.aclose()


def _fill(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute(
            "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT, balance REAL, note TEXT)"
        )
        rows = ((number, f"Customer {number}", f"City {number % 97}", number / 7, "x" * 40) for number in range(ROWS))
        database.executemany("INSERT INTO customer VALUES (?, ?, ?, ?, ?)", rows)
    database.close()


async def _database(ours: SystemConnection, file: Path) -> None:
    engine = sqlalchemy.create_engine(f"sqlite:///{file}")
    table = sqlalchemy.Table("customer", sqlalchemy.MetaData(), autoload_with=engine)
    version = f"SQLAlchemy {sqlalchemy.__version__}"

    async def own_get(number: int) -> None:
        await ours.get("customer", str(number), (), SystemCall())

    async def peer_get(number: int) -> None:
        await asyncio.to_thread(_row, engine, table, number)

    async def own_type(number: int) -> None:
        await ours.entity_type("customer", SystemCall())

    async def peer_type(number: int) -> None:
        await asyncio.to_thread(sqlalchemy.Table, "customer", sqlalchemy.MetaData(), autoload_with=engine)

    own, peer = await _p95(own_get), await _p95(peer_get)
    report(cost("connectors: one entity by its key, p95", "ms", own, peer, version, _OVERHEAD))
    own, peer = await _p95(own_type), await _p95(peer_type)
    report(
        cost(
            "connectors: an entity type that is known, p95", "ms", own, peer, f"{version}, reflected each time", _KNOWN
        )
    )
    own, peer = await _alternating(lambda: _listed(ours, "customer", DATABASE_PAGE), lambda: _paged(engine, table))
    words = f"connectors: {ROWS:,} rows of a database by pages of {DATABASE_PAGE}"
    report(cost(words, "s", own, peer, version, _LISTING))
    engine.dispose()


def _row(engine: sqlalchemy.Engine, table: sqlalchemy.Table, number: int) -> object:
    with engine.connect() as link:
        return dict(link.execute(sqlalchemy.select(table).where(table.c.id == number)).mappings().one())


async def _paged(engine: sqlalchemy.Engine, table: sqlalchemy.Table) -> int:
    """By the key, as ours."""

    def page(after: int) -> Sequence[dict[str, object]]:
        query = sqlalchemy.select(table).where(table.c.id > after).order_by(table.c.id).limit(DATABASE_PAGE)
        with engine.connect() as link:
            return [dict(row) for row in link.execute(query).mappings()]

    count, after = 0, -1
    while rows := await asyncio.to_thread(page, after):
        count += len(rows)
        after = cast("int", rows[-1]["id"])
    return count


async def _listed(system: SystemConnection, entity_type: str, size: int) -> int:
    count, token = 0, ""
    while True:
        page = await system.list(EntityQuery(entity_type, page_size=size, page_token=token), SystemCall())
        count += len(page.entities)
        token = page.next_page_token
        if not token:
            return count


async def _service(ours: SystemConnection, port: int) -> None:
    async with aiohttp.ClientSession() as session:

        async def paged() -> int:
            count, after = 0, ""
            while True:
                page = await _customer_page(session, port, after)
                entities = [_customer_entity(each) for each in page["data"]]
                count += len(entities)
                if not page["has_more"]:
                    return count
                after = page["data"][-1]["id"]

        first = await ours.list(EntityQuery("customers", page_size=SERVICE_PAGE), SystemCall())
        page = await _customer_page(session, port, "")
        same = [(each.key, each.fields) for each in first.entities] == [_customer_entity(each) for each in page["data"]]
        assert same, "both give the same entities"
        own, peer = await _alternating(lambda: _listed(ours, "customers", SERVICE_PAGE), paged)
    words = f"connectors: {ROWS:,} entities of a service by pages of {SERVICE_PAGE}"
    report(cost(words, "s", own, peer, f"aiohttp {aiohttp.__version__} and orjson", _LISTING))


async def _customer_page(session: aiohttp.ClientSession, port: int, after: str) -> JsonObject:
    query = {"limit": str(SERVICE_PAGE), **({"starting_after": after} if after else {})}
    url = f"http://127.0.0.1:{port}/v1/customers"
    async with session.get(url, params=query, headers={"Authorization": "Bearer sk_test_1"}) as answer:
        answer.raise_for_status()
        return orjson.loads(await answer.read())


def _customer_entity(found: JsonObject) -> tuple[str, JsonObject]:
    """Key and fields of a customer as the connection gives them, written out for this one kind of entity."""
    get = found.get
    return found["id"], {
        "id": found["id"],
        "email": get("email"),
        "name": get("name"),
        "phone": get("phone"),
        "description": get("description"),
        "address": get("address"),
        "shipping": get("shipping"),
        "balance": get("balance"),
        "currency": get("currency"),
        "created": datetime.fromtimestamp(found["created"], UTC).isoformat().replace("+00:00", "Z"),
        "delinquent": get("delinquent"),
        "invoice_prefix": get("invoice_prefix"),
        "default_source": get("default_source"),
        "livemode": get("livemode"),
        "metadata": get("metadata"),
    }


async def _p95(call: Callable[[int], Awaitable[None]]) -> float:
    """Milliseconds."""
    times: list[float] = []
    for number in range(_CALLS):
        begun = time.perf_counter()
        await call(number)
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.quantiles(times, n=20)[-1]


async def _alternating(ours: Callable[[], Awaitable[int]], peer: Callable[[], Awaitable[int]]) -> tuple[float, float]:
    """The medians in seconds."""
    own: list[float] = []
    others: list[float] = []
    for _ in range(ROUNDS):
        for work, times in ((ours, own), (peer, others)):
            begun = time.perf_counter()
            assert await work() == ROWS
            times.append(time.perf_counter() - begun)
    return statistics.median(own), statistics.median(others)


@asynccontextmanager
async def _stripe() -> AsyncGenerator[int]:
    """A server in a process of its own that has the customers ready."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.connectors", "serve", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None, "it was asked for"
    try:
        yield int(await process.stdout.readline())
    finally:
        process.terminate()
        await process.wait()


def _customer(number: int) -> dict[str, object]:
    return {
        "id": f"cus_{number:06}",
        "object": "customer",
        "address": {"city": f"City {number % 97}", "country": "CH", "line1": None},
        "balance": number,
        "created": 1_700_000_000 + number,
        "currency": "chf",
        "delinquent": False,
        "description": None,
        "email": f"customer{number}@example.com",
        "invoice_prefix": f"A{number:06}",
        "livemode": False,
        "metadata": {"order": str(number)},
        "name": f"Customer {number}",
        "phone": "+41 31 000 00 00",
        "shipping": None,
    }


async def _serve() -> None:
    pages = [
        orjson.dumps(
            {
                "object": "list",
                "data": [_customer(each) for each in range(start, start + SERVICE_PAGE)],
                "has_more": start + SERVICE_PAGE < ROWS,
            }
        )
        for start in range(0, ROWS, SERVICE_PAGE)
    ]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                return
            query = parse_qs(head.split(b" ", 2)[1].decode().partition("?")[2])
            after = query.get("starting_after", [""])[0]
            page = pages[(int(after.removeprefix("cus_")) + 1) // SERVICE_PAGE if after else 0]
            start = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            writer.write(start + str(len(page)).encode() + b"\r\n\r\n" + page)

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(_serve() if sys.argv[1:] == ["serve"] else main())
