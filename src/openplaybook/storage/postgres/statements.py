"""Values of statements, in PostgreSQL's binary forms."""

import struct
from collections.abc import Sequence
from typing import TypeAlias

from psycopg.pq import Format

Value: TypeAlias = str | bytes | int | list[str] | list[bytes] | list[int] | None
"""Of text, bytea, bigint, or an array of them; a statement names the type where it is not a column's."""

_TEXT, _BYTEA, _BIGINT = 25, 17, 20
"""Object identifiers of the types, which are fixed (postgresql.org/docs/current/catalog-pg-type.html)."""

_HEAD = struct.Struct("!iiIii")
"""Of an array: dimensions, whether it has nulls, type of its members, and their number and first index."""
_LENGTH = struct.Struct("!i")


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
