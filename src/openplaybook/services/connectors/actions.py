"""Actions of connections, and queries in their systems' language."""

import re
from collections.abc import Mapping

from openplaybook.connectors.base import (
    CUSTOM_QUERY,
    DEFAULT_QUERY_ROWS,
    DEFAULT_QUERY_TIMEOUT_S,
    DataType,
    QueryParameter,
    QueryResult,
    SqlQuery,
)
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.names import CONNECTIONS
from openplaybook.services.connectors.name_pages import page_of, view_of
from openplaybook.services.connectors.names_within import name_within
from openplaybook.services.connectors.opened_systems import call_of
from openplaybook.services.connectors.schema_messages import V2
from openplaybook.services.connectors.schema_metadata import action_of
from openplaybook.services.connectors.system_messages import SystemService, metadata_of
from openplaybook.services.errors import invalid
from openplaybook.tools.connector.action_calls import rows_of
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

MOST_QUERY_ROWS = 10_000
LONGEST_QUERY_S = 3_600

_ACTIONS = "actions"
_NAMES_ONLY = "ACTION_VIEW_BASIC"
_OTHER_NAMES: Mapping[str, DataType] = {
    "INT": DataType.INTEGER,
    "TINYINT": DataType.SMALLINT,
    "LONG": DataType.BIGINT,
    "BIT": DataType.BOOLEAN,
    "FLOAT": DataType.DOUBLE,
    "REAL": DataType.DOUBLE,
    "NUMERIC": DataType.DECIMAL,
    "DATETIME": DataType.TIMESTAMP,
    "STRING": DataType.STRING,
    "CHAR": DataType.STRING,
    "NCHAR": DataType.STRING,
    "NVARCHAR": DataType.STRING,
    "LONGNVARCHAR": DataType.TEXT,
    "CLOB": DataType.TEXT,
    "NCLOB": DataType.TEXT,
    "BLOB": DataType.BINARY,
    "BINARY": DataType.BINARY,
    "LONGVARBINARY": DataType.BINARY,
}
"""Types of JDBC that are another one here; those that are neither are taken as JSON has them."""


class ConnectionActions(SystemService):
    """Get, list and execute; `executeSqlQuery`."""

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """An action with what it takes and gives."""
        name = name_within(request.name, _ACTIONS)
        async with self.systems.opened(name.connection) as system:
            found = await action_of(system, name.id, call_of(context, request.execution_config))
        return await self.answer(context, "Action", V2.action_of(found))

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """A page of actions; in the basic view their names alone."""
        connection = str(CONNECTIONS.parse(request.parent))
        view = view_of(request)
        async with self.systems.opened(connection) as system:
            actions = await system.actions(call_of(context, request.execution_config))
        page, token = page_of(actions, (connection, _ACTIONS), request.page_size, request.page_token)
        listed = [{"name": each.name} if view == _NAMES_ONLY else V2.action_of(each) for each in page]
        return await self.answer(context, "ListActionsResponse", {"actions": listed, "nextPageToken": token})

    async def execute(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Take an action; `ExecuteCustomQuery` is a query with `query`, `queryParameters`, `maxRows`, `timeout`."""
        name, parameters = name_within(request.name, _ACTIONS), await self.parts.json_of(request.parameters)
        query = _query_of(parameters, "parameters") if name.id == CUSTOM_QUERY else None
        async with self.written(name.connection, name.id) as system:
            if query is not None:
                result = await system.query(query, call_of(context, request.execution_config, query.timeout_s))
            else:
                result = await system.execute(name.id, parameters, call_of(context, request.execution_config))
        self.audit(name.connection, name.id, rows_of(result), event="connection action")
        return await self.answer(context, "ExecuteActionResponse", {**_results(result), "metadata": _metadata(result)})

    async def query(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """`executeSqlQuery`."""
        connection = str(CONNECTIONS.parse(request.connection))
        query = _query_of(await self.parts.json_of(request.query), "query")
        async with self.written(connection, CUSTOM_QUERY) as system:
            result = await system.query(query, call_of(context, default_s=query.timeout_s))
        self.audit(connection, CUSTOM_QUERY, rows_of(result), event="connection action")
        if result.is_truncated:
            context.warn(f"There are more than {query.most_rows} rows; ask for more with maxRows")
        return await self.answer(context, "ExecuteSqlQueryResponse", _results(result))


def _results(result: QueryResult) -> JsonObject:
    return {"results": [*result.rows]}


def _metadata(result: QueryResult) -> JsonObject:
    return metadata_of({**result.notes, "truncated": True} if result.is_truncated else result.notes)


def _query_of(given: JsonObject, path: str) -> SqlQuery:
    """The query of a `Query`, or of an action's parameters. INVALID_ARGUMENT with the field."""
    text = given.get("query")
    if not isinstance(text, str) or not text.strip():
        raise invalid((f"{path}.query", "is required"))
    rows = _number(given, "maxRows", f"{path}.max_rows", MOST_QUERY_ROWS) or DEFAULT_QUERY_ROWS
    seconds = _number(given, "timeout", f"{path}.timeout", LONGEST_QUERY_S) or DEFAULT_QUERY_TIMEOUT_S
    at = f"{path}.query_parameters"
    parameters = enumerate(as_list(given.get("queryParameters")))
    return SqlQuery(text, tuple(_parameter(each, f"{at}[{place}]") for place, each in parameters), rows, seconds)


def _number(given: JsonObject, member: str, path: str, most: int) -> int:
    """A whole number of 0 to `most`, written as one or in digits; 0 where there is none."""
    value = given.get(member, 0)
    text = str(int(value) if isinstance(value, float) and value.is_integer() else value)
    if isinstance(value, bool) or not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > most:
        raise invalid((path, f"must be a whole number of 0 to {most:,}"))
    return int(text)


def _parameter(given: JsonValue, path: str) -> QueryParameter:
    """A parameter as `{value, dataType}`, or as a value alone."""
    if not isinstance(given, dict):
        return QueryParameter(given)
    parameter = as_object(given)
    if parameter.keys() - {"value", "dataType"}:
        raise invalid((path, "has members other than value and dataType"))
    return QueryParameter(parameter.get("value"), data_type_of(str(parameter.get("dataType", "")), path))


def data_type_of(name: str, path: str) -> DataType | None:
    """The type of a name of JDBC, with or without its prefix of v1; None where JSON says enough."""
    word = name.removeprefix("DATA_TYPE_")
    if word in ("", "UNSPECIFIED"):
        return None
    if word in _OTHER_NAMES:
        return _OTHER_NAMES[word]
    try:
        return DataType(word)
    except ValueError:
        allowed = ", ".join(sorted({*(each.value for each in DataType), *_OTHER_NAMES}))
        raise invalid((f"{path}.data_type", f"{name!r} cannot be a parameter; allowed are {allowed}")) from None
