"""Operations on entities in plain form: a value for each column, and one key, in place of a condition."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial

from openplaybook.connectors.base import DataType, EntityOperation, EntityType, Field
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.conditions.syntax import ColumnComparison, ComparisonOperator, ConditionConjunction
from openplaybook.connectors.errors import InvalidCondition
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import PlainForm
from openplaybook.tools.connector.action_schemas import (
    FILTER,
    KEY,
    condition_columns,
    entity_input,
    takes_wrapped_fields,
    writable,
)
from openplaybook.tools.connector.connector_spec import ConfiguredAction

_MOST_COLUMNS = 40
_TYPES: Mapping[DataType, JsonObject] = {
    DataType.STRING: {"type": "string"},
    DataType.TEXT: {"type": "string"},
    DataType.UUID: {"type": "string"},
    DataType.SMALLINT: {"type": "integer"},
    DataType.INTEGER: {"type": "integer"},
    DataType.BIGINT: {"type": "integer"},
    DataType.DOUBLE: {"type": "number"},
    DataType.DECIMAL: {"type": "number"},
    DataType.BOOLEAN: {"type": "boolean"},
    DataType.DATE: {"type": "string", "format": "date"},
}
"""Of columns whose values words may have."""
_TEXT: JsonObject = {"type": "string"}
_NAME = re.compile(r"[^\W\d][\w$]*")
_RESERVED = frozenset(("and", "or", "not", "in", "like", "between", "is", "null", "true", "false"))


def plain_form(action: ConfiguredAction, entity_type: EntityType) -> PlainForm | None:
    """Of an operation on entities; None where its arguments are plain, or columns are called like other arguments."""
    match action.operation:
        case EntityOperation.LIST:
            columns = [each for each in condition_columns(action, entity_type) if each.data_type in _TYPES]
            return _listing(columns[:_MOST_COLUMNS])
        case EntityOperation.CREATE:
            fields = writable(action, entity_type)
            required = [each.name for each in fields if each.is_required]
            return PlainForm(_object(_properties(fields), required), _same, _same)
        case EntityOperation.UPDATE | EntityOperation.DELETE if entity_type.key:
            return None if takes_wrapped_fields(action, entity_type) else _writing(action, entity_type)
        case _:
            return None


def _listing(columns: Sequence[Field]) -> PlainForm | None:
    if not columns or any(each.name == FILTER for each in columns):
        return None
    schema = _object({**_properties(columns), FILTER: {"type": "string"}}, ())
    return PlainForm(schema, partial(_condition_of, columns), partial(_values_of, columns))


def _writing(action: ConfiguredAction, entity_type: EntityType) -> PlainForm:
    keys = [each for each in entity_type.fields if each.is_key]
    kind = _TYPES.get(keys[0].data_type, _TEXT) if len(keys) == 1 else _TEXT
    properties: JsonObject = {KEY: {**kind, "description": f"Key of the {entity_type.name}"}}
    if action.operation is EntityOperation.UPDATE:
        properties |= _properties([each for each in writable(action, entity_type) if not each.is_key])
    values = partial(_key_of, keys[0]) if len(keys) == 1 else _same
    filter_schema: JsonObject = entity_input(action, entity_type)["properties"][FILTER]
    return PlainForm(_object({**properties, FILTER: filter_schema}, (KEY,)), _with_text_key, values)


def _with_text_key(values: JsonObject) -> JsonObject:
    return {**values, KEY: str(values[KEY])} if KEY in values else values


def _properties(fields: Sequence[Field]) -> JsonObject:
    return {each.name: _property(each) for each in fields if each.data_type in _TYPES or each.is_required}


def _property(field: Field) -> JsonObject:
    made: JsonObject = dict(_TYPES.get(field.data_type, {}))
    made |= {"description": field.description} if field.description else {}
    return made | ({"enum": list(field.values)} if field.values else {})


def _object(properties: JsonObject, required: Sequence[str]) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _same(arguments: JsonObject) -> JsonObject:
    return arguments


def _condition_of(columns: Sequence[Field], values: JsonObject) -> JsonObject:
    """Equality of the columns that have a value, and whatever condition there is besides."""
    known = {each.name for each in columns}
    terms = [f"{_quoted(name)} = {_literal(value)}" for name, value in values.items() if name in known]
    rest = {name: value for name, value in values.items() if name not in known and name != FILTER}
    given = values.get(FILTER)
    if isinstance(given, str) and given.strip():
        terms.append(f"({given})" if terms else given)
    return {**rest, FILTER: " AND ".join(terms)} if terms else rest


def _values_of(columns: Sequence[Field], arguments: JsonObject) -> JsonObject:
    equal = _equalities(arguments.get(FILTER), [each.name for each in columns])
    if equal is None:
        return arguments
    return {**{name: value for name, value in arguments.items() if name != FILTER}, **equal}


def _key_of(key: Field, arguments: JsonObject) -> JsonObject:
    """With the key as the value that it is, also where a condition says it."""
    equal = _equalities(arguments.get(FILTER), [key.name]) if KEY not in arguments else None
    if equal is not None:
        return {KEY: equal[key.name], **{name: value for name, value in arguments.items() if name != FILTER}}
    given = arguments.get(KEY)
    is_number = _TYPES.get(key.data_type, _TEXT)["type"] == "integer"
    if is_number and isinstance(given, str) and re.fullmatch(r"-?[0-9]{1,18}", given):
        return {**arguments, KEY: int(given)}
    return arguments


def _equalities(text: JsonValue, names: Sequence[str]) -> JsonObject | None:
    """The values of a condition that is nothing but equalities of columns; None for any other."""
    if not isinstance(text, str):
        return None
    try:
        condition = parsed_condition(text, names)
    except InvalidCondition:
        return None
    terms = condition.terms if isinstance(condition, ConditionConjunction) else (condition,)
    found: JsonObject = {}
    for term in terms:
        if not isinstance(term, ColumnComparison) or term.operator is not ComparisonOperator.EQUAL:
            return None
        found[term.column] = float(term.value) if isinstance(term.value, Decimal) else term.value
    return found if len(found) == len(terms) else None


def _quoted(name: str) -> str:
    is_plain = _NAME.fullmatch(name) is not None and name.lower() not in _RESERVED
    return name if is_plain else '"' + name.replace('"', '""') + '"'


def _literal(value: JsonValue) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    return str(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"
