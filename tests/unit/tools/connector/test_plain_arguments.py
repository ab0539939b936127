"""Operations on entities as values that words may have, and back."""

import pytest

from openplaybook.connectors.base import DataType, EntityOperation, EntityType, Field
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import PlainForm
from openplaybook.tools.connector.connector_spec import ConfiguredAction
from openplaybook.tools.connector.plain_arguments import plain_form

ORDERS = EntityType(
    "orders",
    (
        Field("id", DataType.BIGINT, is_key=True, is_nullable=False),
        Field("city", DataType.TEXT, description="Where to."),
        Field("total", DataType.DECIMAL, is_required=True, is_nullable=False),
        Field("is paid", DataType.BOOLEAN),
        Field("In", DataType.STRING, values=("a", "b")),
        Field("lines", DataType.ARRAY),
        Field("pin", DataType.TEXT, is_filterable=False),
    ),
    frozenset(EntityOperation),
)


def form(operation: EntityOperation, entity_type: EntityType = ORDERS, *fields: str) -> PlainForm:
    made = plain_form(ConfiguredAction("", operation, entity_type.name, "", fields, fields), entity_type)
    assert made is not None
    return made


def test_what_is_listed_has_a_value_for_each_column_that_may_be_asked_by() -> None:
    listing = form(EntityOperation.LIST)
    assert listing.schema["properties"] == {
        "id": {"type": "integer"},
        "city": {"type": "string", "description": "Where to."},
        "total": {"type": "number"},
        "is paid": {"type": "boolean"},
        "In": {"type": "string", "enum": ["a", "b"]},
        "filter": {"type": "string"},
    }
    assert list(form(EntityOperation.LIST, ORDERS, "city").schema["properties"]) == ["city", "filter"]


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"city": "L'Aquila"}, "city = 'L''Aquila'"),
        ({"id": 7, "total": 2.5}, "id = 7 AND total = 2.5"),
        ({"is paid": True, "In": "a"}, '"is paid" = TRUE AND "In" = \'a\''),
    ],
)
def test_values_of_columns_are_a_condition_and_such_a_condition_is_values(values: JsonObject, text: str) -> None:
    listing = form(EntityOperation.LIST)
    assert listing.arguments(values) == {"filter": text}
    parsed_condition(text, [each.name for each in ORDERS.fields])
    assert listing.values({"filter": text, "pageSize": 3}) == {"pageSize": 3, **values}


@pytest.mark.parametrize("text", ["total > 3", "city = 'a' OR id = 1", "city = ", "town = 'a'", "id = 1 AND id = 2", 3])
def test_another_condition_stays_as_it_is(text: object) -> None:
    listing = form(EntityOperation.LIST)
    assert listing.values({"filter": text}) == {"filter": text}


def test_a_condition_and_values_are_joined() -> None:
    listing = form(EntityOperation.LIST)
    both = {"city": "Bern", "filter": "total > 3 OR id = 1"}
    assert listing.arguments(both) == {"filter": "city = 'Bern' AND (total > 3 OR id = 1)"}
    assert listing.arguments({"pageSize": 2}) == {"pageSize": 2}


def test_what_is_changed_has_one_key_of_its_own_type() -> None:
    update, delete = form(EntityOperation.UPDATE), form(EntityOperation.DELETE)
    assert update.schema["required"] == delete.schema["required"] == ["entityId"]
    assert update.schema["properties"]["entityId"] == {"type": "integer", "description": "Key of the orders"}
    assert "id" not in update.schema["properties"]
    assert update.arguments({"entityId": 5, "city": "Ulm"}) == {"entityId": "5", "city": "Ulm"}
    assert update.values({"filter": "id = 5", "city": "Ulm"}) == {"entityId": 5, "city": "Ulm"}
    assert delete.values({"entityId": "5"}) == {"entityId": 5}
    assert delete.values({"filter": "city = 'Ulm'"}) == {"filter": "city = 'Ulm'"}


def test_what_is_made_has_numbers_that_words_may_have() -> None:
    create = form(EntityOperation.CREATE)
    assert create.schema["required"] == ["total"]
    assert create.schema["properties"]["total"] == {"type": "number"}
    assert "lines" not in create.schema["properties"]


def test_what_is_plain_already_or_cannot_be_has_no_other_form() -> None:
    odd = EntityType("odd", (Field("filter", DataType.TEXT), Field("id", DataType.INTEGER, is_key=True)), frozenset())
    keyless = EntityType("log", (Field("line", DataType.TEXT),), frozenset())
    for operation, entity_type in (
        (EntityOperation.GET, ORDERS),
        (EntityOperation.LIST, odd),
        (EntityOperation.UPDATE, odd),
        (EntityOperation.DELETE, keyless),
    ):
        assert plain_form(ConfiguredAction("", operation, entity_type.name), entity_type) is None
