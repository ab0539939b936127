"""Transactions of several statements, of which one always knows in the end whether they were carried out."""

from collections.abc import Awaitable, Callable
from typing import LiteralString, TypeVar

from psycopg import OperationalError

from openplaybook.storage.postgres.link import Link, Sql
from openplaybook.storage.postgres.link_pool import LinkPool

T = TypeVar("T")

_ID: LiteralString = "SELECT pg_current_xact_id()::text"
_STATUS: LiteralString = "SELECT pg_xact_status($1::text::xid8)"


async def transact(connections: LinkPool, work: Callable[[Sql], Awaitable[T]]) -> T:
    """The result of `work`, done once: where the connection is lost at the commit, the server is asked what became
    of it. Raises `StoreUnusable`, and what `work` raises, after which nothing of it remains."""
    tried: tuple[str, T] | None = None

    async def attempt(link: Link, _: bool) -> T:
        nonlocal tried
        if tried is not None and await _committed(link, tried[0]):
            return tried[1]
        tried = None
        await link.rows("BEGIN")
        try:
            number = (await link.rows(_ID))[0][0]
            result = await work(link)
        except Exception:
            if link.is_open:
                await link.rows("ROLLBACK")
            raise
        except BaseException:
            # Cancelled in the midst of a statement.
            link.close()
            raise
        tried = number, result
        await link.rows("COMMIT")
        return result

    return await connections.run(attempt)


async def _committed(sql: Sql, number: str) -> bool:
    """What became of a transaction whose end was not heard. Raises `OperationalError` while it has not ended."""
    status = (await sql.rows(_STATUS, number))[0][0]
    if status == "in progress":
        raise OperationalError("the server is still busy with a transaction whose connection was lost")
    return status == "committed"
