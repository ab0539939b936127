"""`ExecuteCustomQuery`: one statement in the database's SQL, with ? for its parameters."""

from collections.abc import Sequence
from dataclasses import replace

from openplaybook.connectors.base import QueryResult, SqlQuery, SystemCall
from openplaybook.connectors.errors import InvalidValue, WriteRefused
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.connectors.sql.column_values import json_value, typed_value
from openplaybook.connectors.sql.database_sessions import DATABASES, DatabaseSessions, Transaction
from openplaybook.connectors.sql.databases.base import Database
from openplaybook.connectors.sql.query_inspection import InspectedQuery, QueryRules, inspected_query
from openplaybook.connectors.sql.tables import ColumnShape
from openplaybook.jsonvalues import JsonObject, JsonValue

MOST_ROWS = 10_000
_PLACEHOLDERS = {"qmark": "?", "format": "%s", "pyformat": "%s"}


class CustomQueries:
    """Runs the queries of one connection."""

    def __init__(
        self, database: Database, schema: str, tables: frozenset[str], settings: ConnectionSettings, cap: int
    ) -> None:
        named = {each.strip().lower() for each in settings.text("functions").split(",") if each.strip()}
        self._database = database
        self._cap = cap
        self._rules = QueryRules(
            grammar=database.grammar,
            folding=database.folding,
            schema=schema or database.default_schema,
            tables=tables,
            functions=database.pure_functions | named,
            is_read_only=settings.is_read_only,
        )

    async def run(self, query: SqlQuery, sessions: DatabaseSessions, call: SystemCall) -> QueryResult:
        """The rows; those of a write are how many it changed. Raises `InvalidValue`, `WriteRefused`,
        `PermissionRefused`, `SystemUnavailable`."""
        if not 1 <= query.most_rows <= MOST_ROWS:
            raise InvalidValue("maxRows", f"must be from 1 to {MOST_ROWS:,}, not {query.most_rows}")
        if not query.timeout_s > 0:
            raise InvalidValue("timeout", f"must be more than 0 seconds, not {query.timeout_s:g}")
        # In a thread: reading a long query takes some milliseconds.
        inspected = await DATABASES.run(lambda: inspected_query(query.text, self._rules, query.most_rows))
        values = self._values(inspected, query)
        text = self._driver_text(inspected, sessions)
        if call.is_rehearsal:
            sessions.rehearse_text(text, values, call)
        within = replace(call, timeout_s=min(query.timeout_s, call.timeout_s))
        tables = self._rules.tables or None
        if inspected.is_query:
            return await sessions.read(lambda each: _read(each, text, values, query.most_rows), within, None, tables)
        return await sessions.write(lambda each: self._written(each, text, values, query), within, None, tables)

    def _values(self, inspected: InspectedQuery, query: SqlQuery) -> Sequence[object]:
        if len(query.parameters) != inspected.count:
            raise InvalidValue(
                "queryParameters", f"the query has {inspected.count} ?, and {len(query.parameters)} values are given"
            )
        bound: list[object] = []
        for place, each in enumerate(query.parameters):
            name, data_type = f"queryParameters[{place}]", each.data_type
            if data_type is None:
                if isinstance(each.value, list | dict):
                    raise InvalidValue(name, "must be a text, a number, true, false or null where it has no type")
                bound.append(each.value)
            else:
                bound.append(self._database.bound(typed_value(name, data_type, each.value), ColumnShape(data_type)))
            if self._database.refuses_nul and isinstance(bound[-1], str) and "\0" in bound[-1]:
                raise InvalidValue(name, "must be a text without the character 0")
        if inspected.limit is not None:
            bound[inspected.limit] = self._limit(bound[inspected.limit], query.most_rows + 1, inspected.limit)
        return [bound[place] for place in inspected.parameters]

    def _limit(self, value: object, most: int, place: int) -> object:
        """How many rows are asked for: no more than are read."""
        if not isinstance(value, int) or isinstance(value, bool):
            raise InvalidValue(f"queryParameters[{place}]", "must be a whole number: it says how many rows are wanted")
        return min(value, most)

    def _driver_text(self, inspected: InspectedQuery, sessions: DatabaseSessions) -> str:
        style = sessions.engine.dialect.paramstyle
        if style in ("named", "numeric"):
            pieces = [f"{piece}:{place + 1}" for place, piece in enumerate(inspected.pieces[:-1])]
            return "".join((*pieces, inspected.pieces[-1]))
        pieces = [each.replace("%", "%%") if style != "qmark" else each for each in inspected.pieces]
        return _PLACEHOLDERS[style].join(pieces)

    def _written(self, transaction: Transaction, text: str, values: Sequence[object], query: SqlQuery) -> QueryResult:
        # All rows that it gives back, up to the cap: what was not fetched is not always counted.
        names, rows, count = transaction.raw(text, values, self._cap + 1)
        changed = max(count, len(rows))
        if changed > self._cap:
            told = f"at least {changed}" if changed == len(rows) else str(changed)
            raise WriteRefused(
                f"the statement changes {told} rows, and a write may change at most {self._cap}; nothing was changed"
            )
        if transaction.is_cut:
            raise WriteRefused("the statement gives back more than can be counted; nothing was changed")
        given = tuple(_row(names, row) for row in rows[: query.most_rows])
        notes: JsonObject = {"rowsAffected": changed}
        return QueryResult(given or ({"rowsAffected": changed},), len(rows) > query.most_rows, notes)


def _read(transaction: Transaction, text: str, values: Sequence[object], most: int) -> QueryResult:
    names, rows, _ = transaction.raw(text, values, most + 1)
    unique = _unique(names)
    shown = tuple(_row(unique, row) for row in rows[:most])
    return QueryResult(shown, is_truncated=len(rows) > most or transaction.is_cut)


def _row(names: Sequence[str], row: Sequence[object]) -> JsonObject:
    return {name: json_value(value) for name, value in zip(names, row, strict=True)}


def _unique(names: Sequence[str]) -> Sequence[str]:
    """Columns of the same name with a number behind it: objects have each name once."""
    found: dict[str, JsonValue] = {}
    for name in names:
        number, unique = 2, name
        while unique in found:
            number, unique = number + 1, f"{name}_{number}"
        found[unique] = None
    return tuple(found)
