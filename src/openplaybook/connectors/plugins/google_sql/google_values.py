"""Values as both systems have them in JSON: whole numbers and JSON as texts, parameters by their types."""

from collections.abc import Mapping

from openplaybook.connectors.base import DataType, QueryParameter
from openplaybook.connectors.plugins.google_sql.statements import SqlValue
from openplaybook.jsonvalues import JsonValue, as_list, is_number, loads

_MOST_EXACT = 2**53
_KINDS: Mapping[DataType, str] = {
    DataType.BOOLEAN: "BOOL",
    DataType.SMALLINT: "INT64",
    DataType.INTEGER: "INT64",
    DataType.BIGINT: "INT64",
    DataType.DOUBLE: "FLOAT64",
    DataType.DECIMAL: "NUMERIC",
    DataType.DATE: "DATE",
    DataType.TIMESTAMP_WITH_ZONE: "TIMESTAMP",
    DataType.BINARY: "BYTES",
}


def parameter_of(each: QueryParameter, own: Mapping[DataType, str]) -> SqlValue:
    """A parameter of a custom query: by its type where that is said (`own` are types that one of the systems has), else
    as JSON has it."""
    value = each.value
    kind = own.get(each.data_type) or _KINDS.get(each.data_type) if each.data_type is not None else None
    if isinstance(value, list):
        first = next(iter(as_list(value)), None)
        return SqlValue(parameter_of(QueryParameter(first, each.data_type), own).kind, value, is_array=True)
    if kind is not None:
        return SqlValue(kind, value)
    if isinstance(value, bool):
        return SqlValue("BOOL", value)
    if is_number(value):
        return SqlValue("INT64" if isinstance(value, int) else "FLOAT64", value)
    return SqlValue("STRING", value)


def whole_number(text: str) -> JsonValue:
    """An INT64; beyond what a double holds it stays a text."""
    number = int(text)
    return number if abs(number) <= _MOST_EXACT else text


def json_document(text: str) -> JsonValue:
    """What a value of the type JSON holds; a text that cannot be read, such as one with a number of too many digits,
    stays."""
    try:
        return loads(text)
    except ValueError:
        return text
