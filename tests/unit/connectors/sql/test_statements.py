"""Statements as each kind of database gets them, beside files that were compared with the vendors' documentation."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import ClauseElement, Dialect, Executable, column, create_engine, table, types

from openplaybook.connectors.base import DataType, EntityOperation, EntityQuery, EntityType, Field, SortKey
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.page_tokens import PageTokens
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.connectors.sql.condition_clauses import ConditionClauses
from openplaybook.connectors.sql.connection import ANYTHING
from openplaybook.connectors.sql.database_sessions import statement_text
from openplaybook.connectors.sql.databases.base import Database, DatabaseLogin
from openplaybook.connectors.sql.databases.hana import HanaDatabase
from openplaybook.connectors.sql.databases.mysql import MysqlDatabase
from openplaybook.connectors.sql.databases.oracle import OracleDatabase
from openplaybook.connectors.sql.databases.postgresql import PostgresqlDatabase
from openplaybook.connectors.sql.databases.sqlserver import SqlServerDatabase
from openplaybook.connectors.sql.entity_keys import key_clause
from openplaybook.connectors.sql.entity_operations import EntityOperations
from openplaybook.connectors.sql.tables import ColumnShape, DatabaseColumn, DatabaseTable

ADDRESS = DatabaseLogin("db.example.com", 1234, "shop", "user", "password")
DATABASES: Mapping[str, Database] = {
    "hana": HanaDatabase(ADDRESS),
    "mysql": MysqlDatabase(ADDRESS),
    "oracle": OracleDatabase(ADDRESS),
    "postgresql": PostgresqlDatabase(ADDRESS),
    "sqlserver": SqlServerDatabase(ADDRESS),
}
SHAPES: Mapping[str, tuple[object, ColumnShape]] = {
    "id": (types.BigInteger(), ColumnShape(DataType.BIGINT, smallest=-(2**63), largest=2**63 - 1)),
    "Full name": (types.String(40), ColumnShape(DataType.STRING, most_characters=40)),
    "credit": (types.Numeric(12, 2), ColumnShape(DataType.DECIMAL, digits=12, places=2)),
    "met": (types.DateTime(), ColumnShape(DataType.TIMESTAMP)),
}
CONDITION = "credit >= 10 AND (\"Full name\" LIKE '50\\%[a]_!%' OR met < '2026-01-01T00:00:00Z') AND NOT id IN (1, 2)"


def customer(database: Database) -> DatabaseTable:
    """A table with a key, a name that needs quotes, a decimal and a moment."""
    kinds = {name: cast("types.TypeEngine[object]", kind) for name, (kind, _) in SHAPES.items()}
    clause = table("customer", *(column(name, database.column_type(kind)) for name, kind in kinds.items()))
    columns: dict[str, DatabaseColumn] = {}
    for name, (_, shape) in SHAPES.items():
        field = Field(name, shape.data_type, is_key=name == "id", is_nullable=name != "id")
        columns[name] = DatabaseColumn(field, shape, clause.c[name], database.comparable(clause.c[name], shape))
    fields = tuple(each.field for each in columns.values())
    entity_type = EntityType("customer", fields, frozenset(EntityOperation))
    return DatabaseTable(entity_type, clause, columns, (columns["id"],))


def compiled(statement: Executable, dialect: Dialect) -> str:
    """A statement and its parameters."""
    found = cast("ClauseElement", statement).compile(dialect=dialect, compile_kwargs={"render_postcompile": True})
    return statement_text(str(found), [found.params])


def statements(database: Database) -> str:
    """What each operation sends."""
    customers = customer(database)
    dialect = create_engine(f"{database.dialect}://").dialect
    operations = EntityOperations(database, customers, PageTokens(ConnectionSettings("c", "x")))
    clause = ConditionClauses(database, customers).clause(parsed_condition(CONDITION))
    values = {"Full name": "x", "credit": "12.30", "met": "2026-01-01T00:00:00Z"}
    query = EntityQuery("customer", parsed_condition(CONDITION), ("credit",), (SortKey("credit", True),), 25)
    request = operations.page_request(query)
    token = PageTokens(ConnectionSettings("c", "x")).token(["12.30", 7], request.query)
    following = EntityQuery("customer", query.condition, ("credit",), query.sort, 25, token)
    parts = {
        "list": request.statement,
        "next page": operations.page_request(following).statement,
        "get": operations.get_statement("7", ("Full name",))[0],
        "create": operations.insertion(values),
        "update": operations.update_statement(key_clause(database, customers, "7"), values),
        "update where": operations.update_statement(clause, {"credit": None}),
        "delete": operations.delete_statement(key_clause(database, customers, "7")),
        "delete where": operations.delete_statement(clause),
    }
    return "".join(f"-- {name}\n{compiled(cast('Executable', each), dialect)}\n\n" for name, each in parts.items())


@pytest.mark.parametrize("name", sorted(DATABASES))
def test_statements_are_as_documented(name: str) -> None:
    expected = Path(__file__).with_name("statements") / f"{name}.sql"
    assert statements(DATABASES[name]) == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "source"), [("oracle", " FROM DUAL"), ("hana", " FROM DUMMY"), ("postgresql", "")])
def test_a_connection_is_checked_by_what_each_database_takes(name: str, source: str) -> None:
    engine = create_engine(f"{DATABASES[name].dialect}://")
    assert str(ANYTHING.compile(dialect=engine.dialect)) == f"SELECT 1{source}"
