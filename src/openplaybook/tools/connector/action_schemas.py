"""What an action takes and gives, as JSON Schema: from the entity type, or the system's action, and chosen fields.

A field that is not chosen is in no schema and no description.
"""

from collections.abc import Iterable, Sequence

from openplaybook.connectors.base import (
    CUSTOM_QUERY,
    DEFAULT_PAGE_SIZE,
    DEFAULT_QUERY_ROWS,
    LARGEST_PAGE_SIZE,
    ActionType,
    DataType,
    EntityOperation,
    EntityType,
    Field,
)
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.tools.connector.connector_spec import ConfiguredAction

FILTER, KEY, FIELDS = "filter", "entityId", "fields"
"""Arguments beside an entity's own fields; `fields` holds those where one of them is called like another argument."""
_MOST_NAMED = 60
"""Columns that a description names."""

_SETTING = (EntityOperation.CREATE, EntityOperation.UPDATE)
_TEXT: JsonObject = {"type": "string"}
_FORMS: dict[DataType, JsonObject] = {
    DataType.BOOLEAN: {"type": "boolean"},
    DataType.SMALLINT: {"type": "integer"},
    DataType.INTEGER: {"type": "integer"},
    DataType.BIGINT: {"type": ["integer", "string"]},
    DataType.DOUBLE: {"type": "number"},
    DataType.DECIMAL: {"type": ["number", "string"]},
    DataType.DATE: {"type": "string", "format": "date"},
    DataType.TIME: {"type": "string", "format": "time"},
    DataType.TIMESTAMP: {"type": "string", "description": "date and time, ISO 8601"},
    DataType.TIMESTAMP_WITH_ZONE: {"type": "string", "description": "date and time with zone, ISO 8601"},
    DataType.UUID: {"type": "string", "format": "uuid"},
    DataType.BINARY: {"type": "string", "contentEncoding": "base64"},
    DataType.STRUCT: {"type": "object"},
    DataType.ARRAY: {"type": "array"},
    DataType.OTHER: {},
}


def entity_input(action: ConfiguredAction, entity_type: EntityType) -> JsonObject:
    """The arguments of an operation on entities."""
    match action.operation:
        case EntityOperation.LIST:
            properties: JsonObject = {
                FILTER: _condition(entity_type, condition_columns(action, entity_type), "All without one."),
                "pageSize": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": LARGEST_PAGE_SIZE,
                    "description": f"How many at most; {DEFAULT_PAGE_SIZE} without it.",
                },
                "pageToken": {"type": "string", "description": "For more: nextPageToken of the last answer."},
                "sortBy": {
                    "type": "array",
                    "items": _TEXT,
                    "description": "Columns to order by, ` desc` behind one for descending.",
                },
            }
            return _object(properties, ())
        case EntityOperation.GET:
            return _object({KEY: _key(entity_type)}, (KEY,))
        case EntityOperation.CREATE:
            fields = writable(action, entity_type)
            return _object({each.name: _form(each) for each in fields}, [f.name for f in fields if f.is_required])
        case EntityOperation.UPDATE:
            return _update_input(action, entity_type)
        case _:
            return _object(_which(action, entity_type), ())


def undescribed_input(action: ConfiguredAction) -> JsonObject:
    """The arguments as far as they are known without the system: by the fields that the tool names."""
    names = dict.fromkeys((*action.input_fields, *action.output_fields))
    fields = tuple(Field(name, DataType.OTHER) for name in names)
    if action.operation is None or (action.operation in _SETTING and not action.input_fields):
        properties: JsonObject = {each: {} for each in action.input_fields}
        return _object(properties, ()) if properties else {"type": "object"}
    entity_type = EntityType(action.entity_type, fields, frozenset(EntityOperation))
    schema = entity_input(action, entity_type)
    if action.operation in (EntityOperation.UPDATE, EntityOperation.DELETE):
        # Whether it has a key is for the system to say.
        schema["properties"] = {KEY: _key(entity_type), **schema["properties"]}
    return schema


def _update_input(action: ConfiguredAction, entity_type: EntityType) -> JsonObject:
    which = _which(action, entity_type)
    values: JsonObject = {each.name: _form(each) for each in _changeable(action, entity_type)}
    if takes_wrapped_fields(action, entity_type):
        return _object({**which, FIELDS: _object(values, ())}, (FIELDS,))
    return _object({**which, **values}, ())


def takes_wrapped_fields(action: ConfiguredAction, entity_type: EntityType) -> bool:
    """Whether an update has its values within `fields`: one of them is called like another argument."""
    return any(each.name in (KEY, FILTER, FIELDS) for each in _changeable(action, entity_type))


def _changeable(action: ConfiguredAction, entity_type: EntityType) -> Sequence[Field]:
    return [each for each in writable(action, entity_type) if not each.is_key]


def _which(action: ConfiguredAction, entity_type: EntityType) -> JsonObject:
    """Which entities are changed: one by its key, or those that meet a condition."""
    condition = _condition(entity_type, condition_columns(action, entity_type), f"Instead of {KEY}, for several.")
    return {KEY: _key(entity_type), FILTER: condition} if entity_type.key else {FILTER: condition}


def _key(entity_type: EntityType) -> JsonObject:
    return {"type": "string", "description": f"The key of the {entity_type.name} ({entity_type.key or 'its id'})."}


def _condition(entity_type: EntityType, columns: Sequence[Field], more: str) -> JsonObject:
    named = ", ".join(f"{each.name} ({_words(each)})" for each in columns[:_MOST_NAMED])
    columns_told = f" Columns: {named}{', …' if len(columns) > _MOST_NAMED else '.'}" if columns else ""
    text = (
        f"Which {entity_type.name} are meant: a condition such as {_example(columns)}; texts in single quotes; "
        f"= != < <= > >= AND OR NOT IN LIKE BETWEEN IS NULL. {more}{columns_told}"
    )
    return {"type": "string", "description": text}


def _example(columns: Sequence[Field]) -> str:
    column = next((each for each in columns if not each.is_key), None)
    if column is None:
        return "`id = 'x'`" if not columns else f"`{columns[0].name} = 'x'`"
    numbers = (DataType.SMALLINT, DataType.INTEGER, DataType.BIGINT, DataType.DOUBLE, DataType.DECIMAL)
    return f"`{column.name} >= 3`" if column.data_type in numbers else f"`{column.name} = 'x'`"


def _words(field: Field) -> str:
    if field.values:
        return " | ".join(str(each) for each in field.values[:_MOST_NAMED])
    return field.data_type.name.lower().replace("_", " ")


def entity_output(action: ConfiguredAction, entity_type: EntityType) -> JsonObject:
    """What an operation on entities gives back."""
    entity = _object({each.name: _form(each, is_input=False) for each in shown(action, entity_type)}, (), closed=False)
    keys: JsonObject = {"type": "array", "items": _TEXT}
    match action.operation:
        case EntityOperation.LIST:
            return _object({"entities": {"type": "array", "items": entity}, "nextPageToken": _TEXT}, ("entities",))
        case EntityOperation.GET | EntityOperation.CREATE:
            return _object({"entity": entity, KEY: _TEXT}, ("entity",))
        case EntityOperation.UPDATE:
            return _object({"entity": entity, KEY: _TEXT, "updated": {"type": "integer"}, "entityIds": keys}, ())
        case _:
            return _object({"deleted": {"type": "integer"}, "entityIds": keys}, ("deleted",))


def action_input(action: ConfiguredAction, action_type: ActionType) -> JsonObject:
    """The arguments of an action of the system's own."""
    chosen = _chosen(action_type.parameters, action.input_fields)
    if action_type.name == CUSTOM_QUERY:
        return _query_input()
    return _object({each.name: _form(each) for each in chosen}, [each.name for each in chosen if each.is_required])


def _query_input() -> JsonObject:
    properties: JsonObject = {
        "query": {"type": "string", "description": "The query; `?` stands for a value of queryParameters."},
        "queryParameters": {"type": "array", "items": {}, "description": "Values for each `?`, in order."},
        "maxRows": {"type": "integer", "minimum": 1, "description": f"{DEFAULT_QUERY_ROWS} without it."},
        "timeout": {"type": "integer", "minimum": 1, "description": "Seconds."},
    }
    return _object(properties, ("query",))


def action_output(action: ConfiguredAction, action_type: ActionType) -> JsonObject:
    """What an action of the system's own gives back."""
    results = _chosen(action_type.results, action.output_fields)
    row = _object({each.name: _form(each, is_input=False) for each in results}, (), closed=False)
    return _object({"results": {"type": "array", "items": row}}, ("results",))


def writable(action: ConfiguredAction, entity_type: EntityType) -> Sequence[Field]:
    """The fields that a call may set."""
    return [each for each in _chosen(entity_type.fields, action.input_fields) if not each.is_read_only]


def shown(action: ConfiguredAction, entity_type: EntityType) -> Sequence[Field]:
    """The fields that a call gives back."""
    return [each for each in _chosen(entity_type.fields, action.output_fields) if each.is_given]


def condition_columns(action: ConfiguredAction, entity_type: EntityType) -> Sequence[Field]:
    """The fields that a condition may name: chosen ones alone where any are, so that none can be found out otherwise.

    To list, the chosen inputs, or the chosen outputs where no input is; to write, both.
    """
    both = (*action.input_fields, *action.output_fields)
    chosen = (action.input_fields or action.output_fields) if action.operation is EntityOperation.LIST else both
    return [each for each in _chosen(entity_type.fields, chosen) if each.is_filterable]


def hidden(action: ConfiguredAction, entity_type: EntityType) -> Iterable[str]:
    """The fields that nothing the tool says may name."""
    visible = {each.name for each in (*writable(action, entity_type), *shown(action, entity_type))}
    visible |= {each.name for each in condition_columns(action, entity_type)}
    return [each.name for each in entity_type.fields if each.name not in visible]


def _chosen(fields: Sequence[Field], names: Sequence[str]) -> Sequence[Field]:
    if not names:
        return fields
    known = {each.name: each for each in fields}
    return [known[name] for name in dict.fromkeys(names) if name in known]


def _form(field: Field, *, is_input: bool = True) -> JsonObject:
    """The schema of a field's values."""
    form: JsonObject = {**_FORMS.get(field.data_type, _TEXT), **(field.schema or {})}
    description = " ".join(each for each in (field.description, str(form.get("description", ""))) if each)
    if description:
        form["description"] = description
    if field.values:
        form["enum"] = list(field.values)
    if field.is_nullable and form.get("type") and not (is_input and field.is_required):
        types: JsonValue = form["type"]
        form["type"] = [*(types if isinstance(types, list) else [types]), "null"]
        if "enum" in form:
            form["enum"] = [*form["enum"], None]
    if is_input and field.default is not None:
        form["description"] = f"{form.get('description', '')} Without it: {dumps(field.default).decode()}.".strip()
    return form


def _object(properties: JsonObject, required: Sequence[str], *, closed: bool = True) -> JsonObject:
    schema: JsonObject = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return {**schema, "additionalProperties": False} if closed else schema
