"""What is done with the entities of one table, each within one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from sqlalchemy import ColumnElement, Delete, Executable, Insert, Update, delete, func, insert, select, update

from openplaybook.connectors.base import Entity, EntityPage, EntityQuery, WriteReport
from openplaybook.connectors.errors import InvalidValue, WriteRefused
from openplaybook.connectors.page_tokens import PageTokens
from openplaybook.connectors.sql.column_values import JsonReader, column_value
from openplaybook.connectors.sql.condition_clauses import ConditionClauses, parameter
from openplaybook.connectors.sql.database_sessions import Rows, Transaction
from openplaybook.connectors.sql.databases.base import Database
from openplaybook.connectors.sql.entity_keys import key_clause, key_text, not_found
from openplaybook.connectors.sql.page_positions import (
    OrderedColumn,
    behind_position,
    packed_position,
    unpacked_position,
)
from openplaybook.connectors.sql.tables import DatabaseColumn, DatabaseTable
from openplaybook.jsonvalues import JsonObject, as_list, loads


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A page as it is asked of the database."""

    statement: Executable
    columns: tuple[DatabaseColumn, ...]
    """Of its rows, in order."""
    wanted: tuple[DatabaseColumn, ...]
    order: tuple[OrderedColumn, ...]
    size: int
    skipped: int
    """Rows before it, where the table has no key."""
    query: EntityQuery
    """To which its token belongs."""


class EntityOperations:
    """Makes and runs the statements for one table."""

    def __init__(self, database: Database, table: DatabaseTable, tokens: PageTokens) -> None:
        self._database = database
        self._table = table
        self._tokens = tokens

    def page_request(self, query: EntityQuery) -> PageRequest:
        """The statement of a page. Raises `UnknownName`, `InvalidCondition`, `InvalidValue`."""
        table = self._table
        wanted = self._columns(query.fields)
        order = self._order(query)
        columns = tuple(dict.fromkeys((*wanted, *table.key, *(each.column for each in order if table.key))))
        statement = select(*(each.expression.label(f"c{place}") for place, each in enumerate(columns)))
        statement = statement.select_from(table.clause)
        if query.condition is not None:
            statement = statement.where(ConditionClauses(self._database, table).clause(query.condition))
        skipped = 0
        if query.page_token:
            position = unpacked_position(self._tokens.position(query))
            if table.key:
                statement = statement.where(behind_position(self._database, order, position))
            else:
                skipped = int(str(position[0]))
                statement = statement.offset(skipped)
        clauses = [clause for each in order for clause in each.clauses]
        statement = statement.order_by(*clauses).limit(query.page_size + 1)
        return PageRequest(statement, columns, wanted, order, query.page_size, skipped, query)

    def page(self, request: PageRequest, transaction: Transaction) -> EntityPage:
        """The page."""
        rows = transaction.rows(request.statement, request.size + 1)
        has_more = len(rows) > request.size or transaction.is_cut
        shown = rows[: request.size]
        entities = tuple(map(EntityRows(self._table, request.columns, request.wanted).entity, shown))
        if not has_more:
            return EntityPage(entities)
        return EntityPage(entities, self._tokens.token(packed_position(self._position(request, shown)), request.query))

    def get_statement(self, key: str, fields: Sequence[str]) -> tuple[Executable, list[DatabaseColumn]]:
        """The statement for one entity. Raises `EntityNotFound`, `UnknownName`, `OperationUnsupported`."""
        clause = key_clause(self._database, self._table, key)
        columns = list(dict.fromkeys((*self._columns(fields), *self._table.key)))
        return select(*(each.expression for each in columns)).select_from(self._table.clause).where(clause), columns

    def get(self, key: str, fields: Sequence[str], transaction: Transaction) -> Entity:
        """One entity."""
        statement, columns = self.get_statement(key, fields)
        rows = transaction.rows(statement, 1)
        if not rows:
            raise not_found(self._table, key)
        return EntityRows(self._table, columns, self._columns(fields)).entity(rows[0])

    def bound_values(self, values: JsonObject) -> Mapping[str, object]:
        """Values of columns as parameters. Raises `UnknownName`, `InvalidValue`."""
        if not values:
            raise InvalidValue("", f"no field has a value; {self._table.name} has: {', '.join(self._table.columns)}")
        bound: dict[str, object] = {}
        for name, value in values.items():
            column = self._table.column(name)
            if column.field.is_read_only:
                raise InvalidValue(name, "is set by the database alone")
            if value is None and not column.field.is_nullable:
                raise InvalidValue(name, "must not be null")
            bound[name] = parameter(self._database, column, column_value(name, column.shape, value))
        return bound

    def insertion(self, values: JsonObject) -> Insert:
        """The statement for a new entity. Raises `InvalidValue`, `UnknownName`."""
        table = self._table
        missing = [each.name for each in table.entity_type.fields if each.is_required and each.name not in values]
        if missing:
            others = f", and so are {', '.join(missing[1:])}" if missing[1:] else ""
            raise InvalidValue(missing[0], f"is required{others}")
        return insert(table.clause).values(dict(self.bound_values(values)))

    def create(self, values: JsonObject, fields: Sequence[str], transaction: Transaction) -> Entity:
        """The new entity as the database has it; of a table without a key, as it was given."""
        statement, table, shown = self.insertion(values), self._table, self._columns(fields)
        columns = tuple(dict.fromkeys((*shown, *table.key)))
        if transaction.gives_rows_back:
            returning = cast("Executable", statement.returning(*(each.expression for each in columns)))
            [row] = transaction.rows(returning, 1)
            return EntityRows(table, columns, shown).entity(row)
        number = transaction.inserted(statement)
        if not table.key:
            return Entity("", dict(values))
        given = {each.name: values.get(each.name) for each in table.key}
        return self.get(
            key_text(table, given if None not in given.values() else {table.key[0].name: number}), fields, transaction
        )

    def update_statement(self, clause: ColumnElement[bool], values: JsonObject) -> Update:
        """The statement that changes fields of rows. Raises `InvalidValue`, `UnknownName`."""
        return update(self._table.clause).where(clause).values(dict(self.bound_values(values)))

    def update(self, key: str, values: JsonObject, fields: Sequence[str], transaction: Transaction) -> Entity:
        """The entity as it is then."""
        clause = key_clause(self._database, self._table, key)
        if not transaction.change(self.update_statement(clause, values)):
            raise not_found(self._table, key)
        return self.get(self._key_then(key, values), fields, transaction)

    def delete_statement(self, clause: ColumnElement[bool]) -> Delete:
        """The statement that takes rows away."""
        return delete(self._table.clause).where(clause)

    def delete(self, key: str, transaction: Transaction) -> None:
        """Take one entity away."""
        if not transaction.change(self.delete_statement(key_clause(self._database, self._table, key))):
            raise not_found(self._table, key)

    def write_where(
        self, statement: Update | Delete, clause: ColumnElement[bool], cap: int, transaction: Transaction
    ) -> WriteReport:
        """Change or take away the rows that meet a condition: they are counted and locked first, and none is touched
        where they are more than the cap. Raises `WriteRefused`."""
        keys = self._keys_within(clause, cap, transaction)
        count = transaction.change(statement)
        if count > cap:
            raise self._too_many(count, cap)
        return WriteReport(count, keys if len(keys) == count else ())

    def _keys_within(self, clause: ColumnElement[bool], cap: int, transaction: Transaction) -> tuple[str, ...]:
        table, columns = self._table, self._table.key
        counting = select(func.count()).select_from(table.clause).where(clause)
        if not columns:
            count = int(str(transaction.rows(counting, 1)[0][0]))
            if count > cap:
                raise self._too_many(count, cap)
            return ()
        chosen = select(*(each.expression for each in columns)).select_from(table.clause).where(clause).limit(cap + 1)
        rows = transaction.rows(chosen.with_for_update() if self._database.has_row_locks else chosen, cap + 1)
        if len(rows) > cap:
            raise self._too_many(int(str(transaction.rows(counting, 1)[0][0])), cap)
        return tuple(EntityRows(table, columns, columns).entity(row).key for row in rows)

    def _too_many(self, count: int, cap: int) -> WriteRefused:
        return WriteRefused(
            f"{count} entities of {self._table.name} meet the condition, and a write may change at most {cap}; "
            f"nothing was changed"
        )

    def _key_then(self, key: str, values: JsonObject) -> str:
        """The key of an entity after an update, which may change it."""
        columns = self._table.key
        if not any(each.name in values for each in columns):
            return key
        parts = [key] if len(columns) == 1 else as_list(loads(key))
        return key_text(
            self._table, {each.name: values.get(each.name, part) for each, part in zip(columns, parts, strict=True)}
        )

    def _columns(self, names: Sequence[str]) -> tuple[DatabaseColumn, ...]:
        return tuple(map(self._table.column, names)) or tuple(self._table.columns.values())

    def _order(self, query: EntityQuery) -> tuple[OrderedColumn, ...]:
        wanted = [OrderedColumn(self._table.column(each.field), each.is_descending) for each in query.sort]
        for each in wanted:
            if not each.column.field.is_filterable:
                raise InvalidValue(each.column.name, "cannot be sorted by")
        named = {each.column.name for each in wanted}
        rest = self._table.key or tuple(each for each in self._table.columns.values() if each.field.is_filterable)
        return (*wanted, *(OrderedColumn(each) for each in rest if each.name not in named))

    def _position(self, request: PageRequest, rows: Rows) -> list[object]:
        if not self._table.key:
            return [request.skipped + len(rows)]
        return [rows[-1][request.columns.index(each.column)] for each in request.order]


class EntityRows:
    """Makes entities of rows with the same columns."""

    def __init__(
        self, table: DatabaseTable, columns: Sequence[DatabaseColumn], wanted: Sequence[DatabaseColumn]
    ) -> None:
        """`columns` are those of a row, in order; `wanted` those that an entity has, the key's left out if need be."""
        self._table = table
        self._readers = [(each.name, JsonReader(each.shape.data_type).read) for each in columns]
        self._wanted = None if list(columns) == list(wanted) else [each.name for each in wanted]

    def entity(self, row: Sequence[object]) -> Entity:
        """The entity of a row."""
        values = {name: read(value) for (name, read), value in zip(self._readers, row, strict=True)}
        shown = values if self._wanted is None else {name: values[name] for name in self._wanted}
        return Entity(key_text(self._table, values), shown)
