"""What a system says of its entity types and actions, as messages of v1 and of v2 (JSON form).

Both versions have the same shapes by other names.
"""

from dataclasses import dataclass

from openplaybook.connectors.base import ActionType, EntityOperation, EntityType, Field
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.services.connectors.wire_schemas import object_schema, wire_schema


@dataclass(frozen=True, slots=True)
class SchemaSpelling:
    """The names that one version has."""

    entity_type: str
    """The member for the name of an entity type; so for the others."""
    action: str
    field: str
    parameter: str
    prefix: str
    """Of types."""

    def entity_type_of(self, entity_type: EntityType) -> JsonObject:
        """`RuntimeEntitySchema` in v1, `EntityType` in v2."""
        made: JsonObject = {
            self.entity_type: entity_type.name,
            "fields": [self._entity_field(each) for each in entity_type.fields],
            "operations": [each.value for each in EntityOperation if each in entity_type.operations],
            "jsonSchema": object_schema(entity_type.fields, self.prefix, entity_type.description),
        }
        return made if self is V1 else {**made, "defaultSortBy": entity_type.default_sort}

    def action_of(self, action: ActionType) -> JsonObject:
        """`RuntimeActionSchema` in v1, `Action` in v2."""
        return {
            self.action: action.name,
            "displayName": action.display_name,
            "description": action.description,
            "inputParameters": [self._field(each, self.parameter) for each in action.parameters],
            "resultMetadata": [self._field(each, self.field) for each in action.results],
            "inputJsonSchema": object_schema(action.parameters, self.prefix),
            "resultJsonSchema": object_schema(action.results, self.prefix),
        }

    def _entity_field(self, field: Field) -> JsonObject:
        details: JsonObject = {
            "filterable": field.is_filterable,
            "readOnly": field.is_read_only,
            "required": field.is_required,
        }
        if field.values:
            details["values"] = [*field.values]
        made = {**self._field(field, self.field), "key": field.is_key, "additionalDetails": details}
        if self is V1:
            made["readonly"] = field.is_read_only
        elif field.reference is not None:
            made["reference"] = {"name": field.reference.field, "type": field.reference.entity_type}
        return made

    def _field(self, field: Field, name: str) -> JsonObject:
        made: JsonObject = {
            name: field.name,
            "dataType": f"{self.prefix}{field.data_type.value}",
            "nullable": field.is_nullable,
            "description": field.description,
        }
        default: JsonValue = field.default
        if default is not None:
            made["defaultValue"] = default
        if field.schema is not None:
            made["jsonSchema"] = wire_schema(field.schema)
        return made


V1 = SchemaSpelling("entity", "action", "field", "parameter", "DATA_TYPE_")
V2 = SchemaSpelling("name", "name", "name", "name", "")
