"""Statements: their values in PostgreSQL's binary forms, what comes of them, and where they are carried out."""

import struct
from collections.abc import Sequence
from typing import LiteralString, Protocol, TypeAlias

from psycopg import Error
from psycopg.pq import Format
from psycopg.rows import TupleRow

Value: TypeAlias = str | bytes | int | list[str] | list[bytes] | list[int] | None
"""Of text, bytea, bigint, or an array of them; a statement names the type where it is not a column's."""

_TEXT, _BYTEA, _BIGINT = 25, 17, 20
"""Object identifiers of the types, which are fixed (postgresql.org/docs/current/catalog-pg-type.html)."""

_HEAD = struct.Struct("!iiIii")
"""Of an array: dimensions, whether it has nulls, type of its members, and their number and first index."""
_LENGTH = struct.Struct("!i")

NOW: LiteralString = "coalesce($1::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)"
"""Microseconds since the epoch by the database's clock: servers may disagree, leases must not. `$1` is null, and only
in tests a time."""


class Sql(Protocol):
    """Where statements are carried out."""

    async def rows(self, query: LiteralString, *values: Value) -> Sequence[TupleRow]:
        """What a statement gives, with `$1`, … for the values; itself a transaction unless within one. Raises
        `psycopg.Error`."""
        ...


class Statement:
    """A statement, and what came of it."""

    __slots__ = ("error", "formats", "query", "rows", "values")

    def __init__(self, query: LiteralString, values: Sequence[Value]) -> None:
        self.query = query
        self.values, self.formats = encoded(values)
        self.rows: Sequence[TupleRow] = ()
        self.error: Error | None = None

    @property
    def size(self) -> int:
        """Bytes that it sends, about."""
        return sum(len(value) for value in self.values if value is not None)


def encoded(values: Sequence[Value]) -> tuple[list[bytes | None], list[Format]]:
    """The values, and how each is written."""
    # An empty array would have to name the type of the members that it does not have; as text it need not.
    return [_encoded(value) for value in values], [Format.TEXT if value == [] else Format.BINARY for value in values]


def _encoded(value: Value) -> bytes | None:
    if isinstance(value, str):
        return value.encode()
    if value is None or isinstance(value, bytes):
        return value
    if isinstance(value, int):
        return value.to_bytes(8, "big", signed=True)
    return _array(value) if value else b"{}"


def _array(members: list[str] | list[bytes] | list[int]) -> bytes:
    first = members[0]
    kind = _TEXT if isinstance(first, str) else _BYTEA if isinstance(first, bytes) else _BIGINT
    parts = [_HEAD.pack(1, 0, kind, len(members), 1)]
    for member in members:
        written = _encoded(member)
        assert written is not None, "members are not null"
        parts += (_LENGTH.pack(len(written)), written)
    return b"".join(parts)
