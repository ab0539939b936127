"""Time, which is the database's: servers may disagree, leases must not."""

from typing import LiteralString

NOW: LiteralString = "coalesce($1::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)"
"""Microseconds since the epoch. `$1` is null, and only in tests a time."""
