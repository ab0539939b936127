"""What is known of a database's schema: read when it is first asked for, and again after a day."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from openplaybook.connectors.base import SystemCall
from openplaybook.connectors.errors import InvalidValue, SystemFault, UnknownName
from openplaybook.connectors.sql.database_sessions import DatabaseSessions
from openplaybook.connectors.sql.reflection import Reflection
from openplaybook.connectors.sql.tables import DatabaseTable

KEPT_S = 24 * 3_600.0


@dataclass(frozen=True, slots=True)
class _Known:
    names: tuple[str, ...]
    tables: Mapping[str, DatabaseTable]
    read_at: float


class SchemaCache:
    """The schema as one credential sees it."""

    def __init__(
        self, sessions: DatabaseSessions, reflection: Reflection, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._sessions = sessions
        self._reflection = reflection
        self._clock = clock
        self._known: _Known | None = None

    def forget(self) -> None:
        """Read everything again when it is next asked for."""
        self._known = None

    async def names(self, call: SystemCall) -> tuple[str, ...]:
        """Names of tables and views, sorted."""
        return (await self._fresh(call)).names

    async def table(self, name: str, call: SystemCall) -> DatabaseTable:
        """One of them. Raises `UnknownName`."""
        known = await self._fresh(call)
        if name not in known.names:
            raise UnknownName("entity", name, known.names)
        if name not in known.tables:
            reflection = self._reflection
            try:
                found = await self._sessions.read(
                    lambda transaction: reflection.table(transaction.connection, name, known.names), call
                )
            except InvalidValue as error:
                # The statement is ours; what is wrong is the table.
                raise SystemFault(f"{name} cannot be described: {error}") from error
            # Two that ask at once both read it; what they read is the same.
            known = _Known(known.names, {**known.tables, name: found}, known.read_at)
            self._known = known
        return known.tables[name]

    async def _fresh(self, call: SystemCall) -> _Known:
        known = self._known
        if known is None or self._clock() - known.read_at > KEPT_S:
            names = await self._sessions.read(lambda transaction: self._reflection.names(transaction.connection), call)
            known = self._known = _Known(names, {}, self._clock())
        return known
