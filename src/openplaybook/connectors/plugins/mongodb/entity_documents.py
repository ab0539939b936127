"""Documents of MongoDB as entities: their types from samples, their values, their keys."""

from collections.abc import Sequence

from openplaybook.connectors.base import DataType, Entity, EntityOperation, EntityType, Field
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.plugins.mongodb.bson_values import (
    OBJECT_ID,
    bson_of,
    bson_type,
    check_names,
    identifier_of,
    json_of,
    key_text,
)
from openplaybook.connectors.plugins.mongodb.mongo_client import Document
from openplaybook.connectors.plugins.mongodb.query_documents import QueryDocument
from openplaybook.connectors.plugins.sampled_types import sampled_fields
from openplaybook.jsonvalues import JsonObject


def sampled_type(name: str, documents: Sequence[Document]) -> EntityType:
    """A collection, with the fields that some of its documents have."""
    fields = sampled_fields({key: bson_type(value) for key, value in each.items()} for each in documents)
    own = [_with_schema(each, documents) for each in fields if each.name != "_id"]
    key = Field("_id", DataType.STRING, is_key=True, is_nullable=False, description="Made where it is not given.")
    return EntityType(name, (key, *own), frozenset(EntityOperation), default_sort="_id")


def _with_schema(field: Field, documents: Sequence[Document]) -> Field:
    """Told apart from other texts where all are of MongoDB's own kind of identifier."""
    values = [each[field.name] for each in documents if each.get(field.name) is not None]
    is_identifier = bool(values) and all(type(each).__name__ == "ObjectId" for each in values)
    return Field(field.name, field.data_type, schema=OBJECT_ID) if is_identifier else field


def entity_of(document: Document, fields: Sequence[str]) -> Entity:
    """A document with the chosen fields, or all."""
    key = key_text(document.get("_id"))
    members: JsonObject = {**{name: json_of(each) for name, each in document.items()}, "_id": key}
    return Entity(key, members if not fields else {name: members.get(name) for name in fields})


def document_of(entity_type: EntityType, values: JsonObject) -> Document:
    """What is stored of an entity. Raises `InvalidValue`."""
    check_names(values, "")
    dotted = next((name for name in values if "." in name), None)
    if dotted is not None:
        raise InvalidValue(dotted, "is no name of a field: it holds a dot")
    made: Document = {}
    for name, value in values.items():
        is_key = name == "_id"
        made[name] = (
            identifier_of(value) if is_key and isinstance(value, str) else bson_of(value, entity_type.field(name), name)
        )
    return made


def key_query(key: str) -> QueryDocument:
    """`$eq`, so that a key is never read as operators, whatever it holds."""
    return {"_id": {"$eq": identifier_of(key)}}
