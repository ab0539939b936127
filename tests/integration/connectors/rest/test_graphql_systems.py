"""What GraphQL systems answer with status 200, and what they are asked."""

import json

import pytest

from openplaybook.connectors.base import DataType, EntityQuery, SystemCall
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    ConnectorError,
    EntityNotFound,
    InvalidValue,
    PermissionRefused,
    RateLimited,
    SystemUnavailable,
    UnknownName,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.jsonvalues import JsonObject
from tests.kit.vendor_mock.conformance import Conformance, NoResolver
from tests.kit.vendor_mock.graphql_mock import GraphqlMock
from tests.kit.vendor_mock.mock import fault, silence
from tests.kit.vendor_mock.vendor_document import CORPUS, LEFT_OUT
from tests.kit.vendor_mock.vendor_record import vendor_records

pytestmark = pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)

NEW: JsonObject = {"lineItems": [{"variantId": "gid://shopify/ProductVariant/1", "quantity": 2}]}
HOSTILE = '"){id}} mutation{customerDelete(input:{id:"1"}){deletedCustomerId}} # \' OR email:* OR "'


def run_of(system: str) -> Conformance:
    record = vendor_records()[system]
    return Conformance(record, record.manifest)


def sent_by(run: Conformance) -> JsonObject:
    return json.loads(run.mock.requests[-1].body or b"{}")


@pytest.mark.parametrize(
    ("system", "reply", "error", "said"),
    [
        ("shopify", {"errors": [{"message": "Throttled", "extensions": {"code": "THROTTLED"}}]}, RateLimited, "wait"),
        (
            "shopify",
            {"errors": [{"message": "Access denied for orders.", "extensions": {"code": "ACCESS_DENIED"}}]},
            PermissionRefused,
            "Access denied for orders",
        ),
        (
            "shopify",
            {"data": None, "errors": [{"message": "Oh.", "extensions": {"code": "INTERNAL_SERVER_ERROR"}}]},
            SystemUnavailable,
            "Oh",
        ),
        ("shopify", {"errors": [{"message": "Field 'x' doesn't exist"}]}, InvalidValue, "Field 'x'"),
        (
            "monday",
            {"errors": [{"message": "Budget.", "extensions": {"code": "COMPLEXITY_BUDGET_EXHAUSTED"}}]},
            RateLimited,
            "Budget",
        ),
        ("monday", {"error_code": "UserUnauthorizedException", "error_message": "No."}, PermissionRefused, "No"),
    ],
)
async def test_an_error_with_status_200_is_an_error(
    system: str, reply: JsonObject, error: type[ConnectorError], said: str
) -> None:
    run = run_of(system)
    run.mock.faults.append(fault(200, reply))
    entity = "draftOrders" if system == "shopify" else "users"
    with pytest.raises(error, match=said):
        await run.connection.list(EntityQuery(entity), SystemCall())


async def test_what_a_shop_refuses_of_a_write_names_the_field() -> None:
    run = run_of("shopify")
    refusal = {"field": ["input", "email"], "message": "Email is invalid"}
    run.mock.faults.append(fault(200, {"data": {"draftOrderCreate": {"draftOrder": None, "userErrors": [refusal]}}}))
    with pytest.raises(InvalidValue, match=r"^email: Email is invalid$"):
        await run.connection.create("draftOrders", NEW, SystemCall())


@pytest.mark.parametrize(("system", "entity"), [("shopify", "customers"), ("monday", "items")])
async def test_what_is_not_there_is_not_found(system: str, entity: str) -> None:
    run = run_of(system)
    with pytest.raises(EntityNotFound):
        await run.connection.get(entity, "gid://none/1", (), SystemCall())


async def test_only_chosen_fields_are_asked_for() -> None:
    run = run_of("shopify")
    await run.connection.list(EntityQuery("customers", fields=("city",), page_size=2), SystemCall())
    assert sent_by(run) == {
        "query": "query($first: Int!, $after: String, $query: String) { customers(first: $first, after: $after, "
        "query: $query) { nodes { id defaultAddress { city } } pageInfo { endCursor hasNextPage } } }",
        "variables": {"first": 2},
    }


async def test_no_value_comes_into_a_document_or_out_of_its_quotes() -> None:
    run = run_of("shopify")
    condition = parsed_condition("email = '" + HOSTILE.replace("'", "''") + "'")
    await run.connection.list(EntityQuery("customers", condition), SystemCall())
    body = sent_by(run)
    assert "customerDelete" not in str(body["query"])
    text = str(body["variables"]["query"])
    assert text.startswith('email:"')
    assert json.loads(text.removeprefix("email:")) == HOSTILE
    with pytest.raises(EntityNotFound):
        await run.connection.get("customers", HOSTILE, ("city",), SystemCall())
    assert sent_by(run)["variables"] == {"id": HOSTILE}
    assert run.mock.violations == []


async def test_a_mutation_whose_reply_is_lost_is_in_doubt_and_not_sent_again() -> None:
    run = run_of("shopify")
    run.mock.faults.append(silence)
    with pytest.raises(WriteInDoubt):
        await run.connection.create("draftOrders", NEW, SystemCall())
    assert len(run.mock.requests) == 1


async def test_a_read_only_connection_reads_with_post_and_sends_no_mutation() -> None:
    record = vendor_records()["shopify"]
    run = run_of("shopify")
    settings = record.settings(config={**record.config, "read_only": "true"})
    connection = RestConnection(record.manifest, settings, SystemAccess(run.mock, NoResolver()))
    assert (await connection.list(EntityQuery("orders", page_size=2), SystemCall())).entities
    count = len(run.mock.requests)
    with pytest.raises(WriteRefused):
        await connection.execute("CompleteDraftOrder", {"id": "gid://shopify/DraftOrder/1"}, SystemCall())
    assert len(run.mock.requests) == count


async def test_an_argument_that_no_manifest_names_is_unknown() -> None:
    with pytest.raises(UnknownName, match="'staff'"):
        await run_of("shopify").connection.execute("CancelOrder", {"staff": "x"}, SystemCall())


async def test_values_that_a_system_tells_of_can_be_read_and_are_asked_for_only_when_chosen() -> None:
    run = run_of("shopify")
    assert isinstance(run.mock, GraphqlMock)
    run.mock.tells_types = True
    order = await run.connection.entity_type("orders", SystemCall())
    told = order.field("confirmationNumber")
    assert told is not None
    assert (told.data_type, told.is_read_only, told.is_filterable) == (DataType.STRING, True, False)
    assert order.field("customer") is None, "an object needs a selection"
    assert order.field("closedAt") is not None
    count = len(run.mock.requests)
    await run.connection.list(EntityQuery("orders", page_size=2), SystemCall())
    assert "confirmationNumber" not in str(sent_by(run)["query"])
    await run.connection.list(EntityQuery("orders", fields=("confirmationNumber",), page_size=2), SystemCall())
    assert "nodes { id confirmationNumber }" in str(sent_by(run)["query"])
    assert len(run.mock.requests) == count + 2, "the type was asked for once"
    assert run.mock.violations == []


async def test_a_system_that_does_not_tell_its_types_has_the_fields_of_the_manifest() -> None:
    run = run_of("shopify")
    run.mock.faults.append(fault(200, {"errors": [{"message": "introspection is disabled"}]}))
    found = await run.connection.entity_type("orders", SystemCall())
    assert [each.name for each in found.fields] == [each.name for each in run.manifest.entities["orders"].fields]
