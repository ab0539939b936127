"""Transactions of several statements, of which one always knows in the end whether they were carried out."""

from collections.abc import Awaitable, Callable
from typing import LiteralString, TypeVar

from psycopg import AsyncConnection, OperationalError

from openplaybook.storage.postgres.connections import Connections, rows

T = TypeVar("T")

_ID: LiteralString = "SELECT pg_current_xact_id()::text"
_STATUS: LiteralString = "SELECT pg_xact_status($1::xid8)"


async def transact(connections: Connections, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
    """The result of `work`, done once: where the connection is lost at the commit, the server is asked what became
    of it. Raises `StoreUnusable`, and what `work` raises, after which nothing of it remains."""
    tried: tuple[str, T] | None = None

    async def attempt(connection: AsyncConnection, _: bool) -> T:
        nonlocal tried
        if tried is not None and await _committed(connection, tried[0]):
            return tried[1]
        tried = None
        async with connection.transaction():
            number = (await rows(connection, _ID))[0][0]
            result = await work(connection)
            tried = number, result
        return result

    return await connections.run(attempt)


async def _committed(connection: AsyncConnection, number: str) -> bool:
    """What became of a transaction whose end was not heard. Raises `OperationalError` while it has not ended."""
    status = (await rows(connection, _STATUS, number))[0][0]
    if status == "in progress":
        raise OperationalError("the server is still busy with a transaction whose connection was lost")
    return status == "committed"
