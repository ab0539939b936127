"""An opened connection to a database."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Executable, select, text

from openplaybook.connectors.base import (
    CUSTOM_QUERY,
    LARGEST_PAGE_SIZE,
    ActionType,
    Entity,
    EntityOperation,
    EntityPage,
    EntityQuery,
    EntityType,
    QueryResult,
    SqlQuery,
    SystemCall,
    WriteReport,
)
from openplaybook.connectors.conditions.syntax import Condition
from openplaybook.connectors.custom_query import custom_query_action
from openplaybook.connectors.errors import InvalidValue, OperationUnsupported, UnknownName, WriteRefused
from openplaybook.connectors.page_tokens import PageTokens
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.connectors.sql.condition_clauses import ConditionClauses
from openplaybook.connectors.sql.custom_queries import CustomQueries
from openplaybook.connectors.sql.database_sessions import DatabaseSessions, Transaction
from openplaybook.connectors.sql.databases.base import Database
from openplaybook.connectors.sql.entity_keys import key_clause
from openplaybook.connectors.sql.entity_operations import EntityOperations
from openplaybook.connectors.sql.reflection import Reflection
from openplaybook.connectors.sql.schema_cache import SchemaCache
from openplaybook.connectors.sql.tables import DatabaseTable
from openplaybook.jsonvalues import JsonObject

_QUERY = "Runs one statement in the database's SQL; each ? stands for a parameter."
ANYTHING = select(text("1"))
"""Databases that have no rows without a table are told their own (DUAL, DUMMY)."""


class SqlConnection:
    """Implements `SystemConnection` for all databases."""

    def __init__(self, settings: ConnectionSettings, database: Database, sessions: DatabaseSessions) -> None:
        self._database = database
        self.sessions = sessions
        self._is_read_only = settings.is_read_only
        self._cap = settings.write_cap
        self._tokens = PageTokens(settings, binds_fields=False)
        allowed = frozenset(name.strip() for name in settings.text("tables").split(",") if name.strip())
        schema = settings.text("schema")
        self.reflection = Reflection(database, schema, allowed, is_read_only=self._is_read_only)
        self._schema = SchemaCache(sessions, self.reflection)
        self._queries = CustomQueries(database, schema, allowed, settings, self._cap)

    @property
    def is_busy(self) -> bool:
        """Whether all of its connections to the database are in use."""
        return self.sessions.is_busy

    def refresh_schema(self) -> None:
        """Read entity types again when they are next asked for."""
        self._schema.forget()

    async def check(self, call: SystemCall) -> None:
        """Log in, take a statement, and have the schema and the tables that the settings name."""

        def looked(transaction: Transaction) -> None:
            transaction.rows(ANYTHING, 1)
            self.reflection.check(transaction.connection)

        await self.sessions.read(looked, call)

    async def entity_names(self, call: SystemCall) -> Sequence[str]:
        """Tables and views, sorted."""
        return await self._schema.names(call)

    async def entity_type(self, name: str, call: SystemCall) -> EntityType:
        """One table or view."""
        return (await self._schema.table(name, call)).entity_type

    async def actions(self, call: SystemCall) -> Sequence[ActionType]:
        """`ExecuteCustomQuery` alone."""
        del call
        return (custom_query_action(_QUERY, is_read_only=self._is_read_only),)

    async def list(self, query: EntityQuery, call: SystemCall) -> EntityPage:
        """A page of entities."""
        if not 1 <= query.page_size <= LARGEST_PAGE_SIZE:
            raise InvalidValue("page_size", f"must be from 1 to {LARGEST_PAGE_SIZE}, not {query.page_size}")
        operations, table = await self._operations(query.entity_type, EntityOperation.LIST, call)
        request = operations.page_request(query)
        self._rehearse(request.statement, call)
        return await self.sessions.read(lambda transaction: operations.page(request, transaction), call, table)

    async def get(self, entity_type: str, key: str, fields: Sequence[str], call: SystemCall) -> Entity:
        """One entity."""
        operations, table = await self._operations(entity_type, EntityOperation.GET, call)
        self._rehearse(operations.get_statement(key, fields)[0], call)
        return await self.sessions.read(lambda transaction: operations.get(key, fields, transaction), call, table)

    async def create(self, entity_type: str, values: JsonObject, call: SystemCall) -> Entity:
        """A new row."""
        operations, table = await self._operations(entity_type, EntityOperation.CREATE, call)
        self._rehearse(operations.insertion(values), call)
        return await self.sessions.write(
            lambda transaction: operations.create(values, call.returned, transaction), call, table
        )

    async def update(self, entity_type: str, key: str, values: JsonObject, call: SystemCall) -> Entity:
        """One row changed."""
        operations, table = await self._operations(entity_type, EntityOperation.UPDATE, call)
        self._rehearse(operations.update_statement(key_clause(self._database, table, key), values), call)
        return await self.sessions.write(
            lambda transaction: operations.update(key, values, call.returned, transaction), call, table
        )

    async def delete(self, entity_type: str, key: str, call: SystemCall) -> None:
        """One row taken away."""
        operations, table = await self._operations(entity_type, EntityOperation.DELETE, call)
        self._rehearse(operations.delete_statement(key_clause(self._database, table, key)), call)
        await self.sessions.write(lambda transaction: operations.delete(key, transaction), call, table)

    async def update_where(
        self, entity_type: str, condition: Condition, values: JsonObject, call: SystemCall
    ) -> WriteReport:
        """All rows that meet a condition changed, within the cap."""
        operations, table = await self._operations(entity_type, EntityOperation.UPDATE, call)
        clause = self._clause(table, condition)
        statement = operations.update_statement(clause, values)
        self._rehearse(statement, call)
        return await self.sessions.write(
            lambda transaction: operations.write_where(statement, clause, self._cap, transaction), call, table
        )

    async def delete_where(self, entity_type: str, condition: Condition, call: SystemCall) -> WriteReport:
        """All rows that meet a condition taken away, within the cap."""
        operations, table = await self._operations(entity_type, EntityOperation.DELETE, call)
        clause = self._clause(table, condition)
        statement = operations.delete_statement(clause)
        self._rehearse(statement, call)
        return await self.sessions.write(
            lambda transaction: operations.write_where(statement, clause, self._cap, transaction), call, table
        )

    async def execute(self, action: str, parameters: JsonObject, call: SystemCall) -> QueryResult:
        """Databases have no other action."""
        del parameters, call
        raise UnknownName("action", action, (CUSTOM_QUERY,))

    async def query(self, query: SqlQuery, call: SystemCall) -> QueryResult:
        """Run a query in the database's SQL."""
        return await self._queries.run(query, self.sessions, call)

    async def aclose(self) -> None:
        """Close the pool."""
        await self.sessions.aclose()

    async def _operations(
        self, name: str, operation: EntityOperation, call: SystemCall
    ) -> tuple[EntityOperations, DatabaseTable]:
        if self._is_read_only and operation not in (EntityOperation.LIST, EntityOperation.GET):
            raise WriteRefused(f"this connection only reads: {operation.value} of {name} is not done")
        table = await self._schema.table(name, call)
        operations = table.entity_type.operations
        if operation not in operations:
            known = ", ".join(sorted(each.value for each in operations))
            raise OperationUnsupported(f"{name} has no {operation.value}; it has: {known}")
        return EntityOperations(self._database, table, self._tokens), table

    def _clause(self, table: DatabaseTable, condition: Condition) -> ColumnElement[bool]:
        return ConditionClauses(self._database, table).clause(condition)

    def _rehearse(self, statement: Executable, call: SystemCall) -> None:
        if call.is_rehearsal:
            self.sessions.rehearse(statement, call)
