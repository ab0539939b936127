"""What numbers of errors mean, and that no value of a row is passed on with them."""

import pytest
from sqlalchemy import column, table

from openplaybook.connectors.base import DataType, EntityType, Field
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    EntityConflict,
    InvalidConnection,
    InvalidValue,
    PermissionRefused,
    SystemFault,
    SystemUnavailable,
    WriteRefused,
)
from openplaybook.connectors.sql.databases.mysql_failures import mysql_failure
from openplaybook.connectors.sql.databases.oracle import FAILURES as ORACLE
from openplaybook.connectors.sql.databases.sqlserver import FAILURES as SQL_SERVER
from openplaybook.connectors.sql.tables import ColumnShape, DatabaseColumn, DatabaseTable

SECRET = "x9y8z7"


def customers() -> DatabaseTable:
    """A table with two columns and a unique constraint."""
    clause = table("customer", column("id"), column("email"))
    columns = {
        name: DatabaseColumn(Field(name, DataType.STRING), ColumnShape(DataType.STRING), clause.c[name], clause.c[name])
        for name in ("id", "email")
    }
    entity_type = EntityType("customer", tuple(each.field for each in columns.values()), frozenset())
    return DatabaseTable(
        entity_type, clause, columns, (columns["id"],), {"one_email": ("email",)}, (), frozenset({"purchase"})
    )


@pytest.mark.parametrize(
    ("number", "said", "kind", "message"),
    [
        (2627, f"Violation of UNIQUE KEY constraint 'one_email'. Duplicate key ({SECRET}).", EntityConflict, "email: "),
        (
            515,
            "Cannot insert the value NULL into column 'email', table 'shop.dbo.customer'",
            InvalidValue,
            "email: must",
        ),
        (547, "conflicted with the FOREIGN KEY constraint \"f\", column 'email'.", EntityConflict, "email: refers"),
        (8114, f"Error converting {SECRET} to numeric.", InvalidValue, "a value does not fit customer"),
        (18456, f"Login failed for user '{SECRET}'.", AuthenticationRefused, "does not take"),
        (4060, f"Cannot open database {SECRET}", InvalidConnection, "no such database"),
        (229, f"The SELECT permission was denied on {SECRET}", PermissionRefused, "does not permit"),
        (1205, f"deadlocked {SECRET}", SystemUnavailable, "nothing was changed"),
        (99999, f"what {SECRET}", SystemFault, r"error 99999\) on customer"),
    ],
)
def test_sql_server(number: int, said: str, kind: type[ConnectorError], message: str) -> None:
    failure = SQL_SERVER.failure(number, said, customers())
    assert type(failure) is kind
    assert SECRET not in str(failure)
    with pytest.raises(kind, match=message):
        raise failure


@pytest.mark.parametrize(
    ("number", "said", "kind", "message"),
    [
        (1, "unique constraint (SHOP.ONE_EMAIL) violated", EntityConflict, "email: another entity has the same value"),
        (1400, 'cannot insert NULL into ("SHOP"."CUSTOMER"."EMAIL")', InvalidValue, "email: must not be null"),
        (
            12899,
            'value too large for column "SHOP"."CUSTOMER"."EMAIL" (actual: 9)',
            InvalidValue,
            "email: does not fit",
        ),
        (2292, "integrity constraint (SHOP.F) violated - child record found", EntityConflict, "customer: refers"),
        (1017, "invalid username/password", AuthenticationRefused, "does not take"),
        (1456, "may not perform insert in READ ONLY transaction", WriteRefused, "only reads"),
        (3113, "end-of-file on communication channel", SystemUnavailable, "connection broke"),
    ],
)
def test_oracle(number: int, said: str, kind: type[ConnectorError], message: str) -> None:
    with pytest.raises(kind, match=message):
        raise ORACLE.failure(number, said, customers())


@pytest.mark.parametrize(
    ("number", "said", "kind", "message"),
    [
        (1062, f"Duplicate entry '{SECRET}' for key 'customer.one_email'", EntityConflict, "email: another"),
        (1062, f"Duplicate entry '{SECRET}' for key 'PRIMARY'", EntityConflict, "id: another"),
        (
            1366,
            f"Incorrect integer value: '`id` {SECRET}' for column `s`.`c`.`email` at row 1",
            InvalidValue,
            "email: ",
        ),
        (
            1451,
            "fails (`shop`.`purchase`, CONSTRAINT `f` FOREIGN KEY (`c`) REFERENCES `x`)",
            EntityConflict,
            "by purchase",
        ),
        (
            1451,
            "fails (`shop`.`hidden`, CONSTRAINT `f` FOREIGN KEY (`c`) REFERENCES `x`)",
            EntityConflict,
            "referred to$",
        ),
        (1054, f"Unknown column '{SECRET}' in 'field list'", SystemFault, "schema may have changed"),
        (1969, "Query execution was interrupted", SystemUnavailable, "took too long"),
        (1040, "Too many connections", SystemUnavailable, "no room"),
    ],
)
def test_mysql(number: int, said: str, kind: type[ConnectorError], message: str) -> None:
    failure = mysql_failure(Exception(number, said), customers())
    assert SECRET not in str(failure)
    with pytest.raises(kind, match=message):
        raise failure


def test_a_refused_query_says_what_the_database_says() -> None:
    for failures in (SQL_SERVER, ORACLE):
        assert isinstance(failures.failure(942 if failures is ORACLE else 208, "no table x", None), InvalidValue)
    assert "no table x" in str(mysql_failure(Exception(1146, "no table x"), None))
