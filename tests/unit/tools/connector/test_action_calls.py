"""Calls of entity types whose columns, or whose lack of a key, are odd."""

import pytest

from openplaybook.connectors.base import DataType, EntityOperation, EntityType, Field, QueryResult, SystemCall
from openplaybook.connectors.errors import OperationUnsupported
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.connector.action_calls import CallSite, EntityCall, refuse_unsupported, rows_of
from openplaybook.tools.connector.action_schemas import entity_input, undescribed_input
from openplaybook.tools.connector.connector_spec import ConfiguredAction
from tests.kit.memory_system import CONNECTION, MemorySystem

SITE = CallSite(CONNECTION, "s", "kim")
UPDATE = ConfiguredAction("", EntityOperation.UPDATE, "form")


def form(*names: str) -> EntityType:
    key = Field("id", DataType.INTEGER, is_key=True, is_nullable=False)
    return EntityType("form", (key, *(Field(each, DataType.TEXT) for each in names)), frozenset(EntityOperation))


@pytest.mark.parametrize("names", [("filter", "entityId"), ("fields", "filter"), ("fields", "note")])
async def test_columns_called_like_arguments_are_set_within_fields(names: tuple[str, ...]) -> None:
    entity_type, rows = form(*names), {"1": {"id": 1, **dict.fromkeys(names)}}
    system = MemorySystem(ConnectionSettings(CONNECTION, "memory"), rows)
    schema = entity_input(UPDATE, entity_type)
    assert list(schema["properties"]) == ["entityId", "filter", "fields"]
    assert list(schema["properties"]["fields"]["properties"]) == list(names)

    values: JsonObject = dict.fromkeys(names, "x")
    given: JsonObject = {"entityId": "1", "fields": values}
    await EntityCall(UPDATE, entity_type, SITE).take(given, system, SystemCall())

    assert rows["1"] == {"id": 1, **values}


def test_an_entity_type_without_a_key_says_why_none_is_got_by_one() -> None:
    keyless = EntityType("log", (Field("line", DataType.TEXT),), frozenset({EntityOperation.LIST}))
    for operation, words in ((EntityOperation.GET, "GET, since it has no key;"), (EntityOperation.CREATE, "CREATE;")):
        with pytest.raises(OperationUnsupported, match=f"log takes no {words} it takes: LIST"):
            refuse_unsupported(ConfiguredAction("", operation, "log"), keyless)


@pytest.mark.parametrize(
    ("operation", "chosen", "arguments"),
    [
        (EntityOperation.UPDATE, ("name",), ["entityId", "filter", "name"]),
        (EntityOperation.DELETE, (), ["entityId", "filter"]),
    ],
)
def test_what_the_system_does_not_describe_now_may_be_changed_by_its_key(
    operation: EntityOperation, chosen: tuple[str, ...], arguments: list[str]
) -> None:
    schema = undescribed_input(ConfiguredAction("", operation, "form", "", chosen))
    assert list(schema["properties"]) == arguments


def test_the_audit_counts_the_rows_that_a_query_changed() -> None:
    assert rows_of(QueryResult(({"rowsAffected": 2},), notes={"rowsAffected": 2})) == 2
    assert rows_of(QueryResult(({"id": 1}, {"id": 2}, {"id": 3}))) == 3
