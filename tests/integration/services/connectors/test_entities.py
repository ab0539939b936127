"""Entities and actions of a connection."""

import pytest
from google.rpc.error_details_pb2 import RetryInfo

from openplaybook.connectors.base import DataType, QueryParameter
from openplaybook.connectors.errors import (
    ConnectorError,
    PermissionRefused,
    RateLimited,
    SystemFault,
    SystemUnavailable,
    WriteInDoubt,
)
from openplaybook.egress.errors import AddressRefused, EgressError, TimedOut
from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.errors import Code
from tests.integration.services.connectors.connected import CONNECTION, CUSTOMERS, Connected


@pytest.fixture(autouse=True)
async def customers(shop: Connected) -> None:
    await shop.create()
    for number, name in enumerate(("Ada", "Bob", "Cyd", "Dee"), 1):
        shop.system.rows[str(number)] = {"id": number, "name": name, "balance": f"{number}.50"}


def names(listed: JsonObject) -> list[str]:
    return [each["fields"]["name"] for each in listed.get("entities", [])]


async def test_entities_are_listed_by_condition_order_and_page(shop: Connected) -> None:
    request: JsonObject = {
        "parent": CUSTOMERS,
        "conditions": "name <> 'Bob' AND id >= 1",
        "sortBy": ["name"],
        "sortOrder": ["desc"],
        "pageSize": 2,
    }
    first = await shop.v2("Entities.ListEntities", request)
    second = await shop.v2("Entities.ListEntities", {**request, "pageToken": first["nextPageToken"]})

    assert (names(first), names(second)) == (["Dee", "Cyd"], ["Ada"])
    assert first["entities"][0]["name"] == f"{CUSTOMERS}/entities/4"
    assert first["metadata"] == {"rowsScanned": {"@type": "type.googleapis.com/google.protobuf.Value", "value": 3}}
    assert "nextPageToken" not in second


@pytest.mark.parametrize(("asked", "given"), [(0, 25), (7, 7), (200, 200), (100_000, 200)])
async def test_a_page_has_25_entities_and_200_at_most(shop: Connected, asked: int, given: int) -> None:
    shop.system.rows.update({str(number): {"id": number, "name": f"n{number}"} for number in range(5, 301)})

    assert len(names(await shop.v2("Entities.ListEntities", {"parent": CUSTOMERS, "pageSize": asked}))) == given


@pytest.mark.parametrize(
    ("request_", "code", "words"),
    [
        ({"pageSize": -1}, Code.INVALID_ARGUMENT, "page"),
        ({"conditions": "name = 'x' OR 1=1"}, Code.INVALID_ARGUMENT, "character 15 of the condition"),
        ({"conditions": "nome = 'x'"}, Code.NOT_FOUND, "there is no field 'nome'; there are: id, name, balance"),
        ({"sortBy": ["age"]}, Code.NOT_FOUND, "there is no field 'age'"),
        ({"sortBy": ["id"], "sortOrder": ["up"]}, Code.INVALID_ARGUMENT, "sort_order[0]: 'up' is neither ASC nor DESC"),
        ({"sortOrder": ["ASC"]}, Code.INVALID_ARGUMENT, "sort_order: has more entries than sort_by"),
        ({"parent": f"{CONNECTION}/entityTypes/Fax"}, Code.NOT_FOUND, "there are: Customer, odd/log"),
        ({"parent": CONNECTION}, Code.INVALID_ARGUMENT, "entityTypes"),
        ({"executionConfig": {"headers": "x"}}, Code.INVALID_ARGUMENT, "execution_config.headers: must be a JSON"),
        ({"executionConfig": {"headers": '{"a": 1}'}}, Code.INVALID_ARGUMENT, "execution_config.headers"),
        ({"executionConfig": {"headers": '{"a": "b\\r\\nc"}'}}, Code.INVALID_ARGUMENT, "execution_config.headers"),
        ({"executionConfig": {"headers": '["a"]'}}, Code.INVALID_ARGUMENT, "execution_config.headers"),
    ],
)
async def test_what_cannot_be_listed_is_refused(shop: Connected, request_: JsonObject, code: Code, words: str) -> None:
    refused, sentence = await shop.refusal("v2", "Entities.ListEntities", {"parent": CUSTOMERS, **request_})

    assert refused is code
    assert words in sentence


async def test_headers_of_a_request_go_with_the_call(shop: Connected) -> None:
    request = {"parent": CUSTOMERS, "executionConfig": {"headers": '{"x-team": "pets"}'}}
    await shop.v2("Entities.ListEntities", request)

    assert shop.system.calls[-1].headers == {"x-team": "pets"}
    assert 50 < shop.system.calls[-1].timeout_s < 60


async def test_an_entity_is_created_read_updated_and_deleted(shop: Connected) -> None:
    fields = {"name": "Eve", "address": {"city": "Ulm"}, "balance": "0.10"}
    created = await shop.v2("Entities.CreateEntity", {"parent": CUSTOMERS, "entity": {"fields": fields}})
    changed = {"name": created["name"], "fields": {"balance": None}}
    updated = await shop.v2("Entities.UpdateEntity", {"entity": changed})
    read = await shop.v2("Entities.GetEntity", {"name": created["name"]})
    await shop.v2("Entities.DeleteEntity", {"name": created["name"]})

    assert created == {"name": f"{CUSTOMERS}/entities/5", "fields": {"id": 5, **fields}}
    assert updated == read == {**created, "fields": {"id": 5, **fields, "balance": None}}
    code, sentence = await shop.refusal("v2", "Entities.GetEntity", {"name": created["name"]})
    assert (code, sentence) == (Code.NOT_FOUND, "there is no Customer '5'")


@pytest.mark.parametrize("key", ["a b", "a/b", "50%", "ö", "%41", "~x", "a:b,c=d@e.f-g_h", "." * 3, "x" * 300])
async def test_any_key_makes_a_name_that_finds_its_entity(shop: Connected, key: str) -> None:
    shop.system.rows = {key: {"name": "odd"}}

    [listed] = (await shop.v2("Entities.ListEntities", {"parent": CUSTOMERS}))["entities"]

    assert (await shop.v2("Entities.GetEntity", {"name": listed["name"]}))["fields"] == {"name": "odd"}
    assert listed["name"].isascii()
    assert "%" not in listed["name"]


async def test_writes_by_condition_say_what_they_did(shop: Connected) -> None:
    request = {"entityType": CUSTOMERS, "conditions": "id <= 2", "entity": {"fields": {"kind": "person"}}}
    updated = await shop.v2("Entities.UpdateEntitiesWithConditions", request)
    deleted = await shop.v2(
        "Entities.DeleteEntitiesWithConditions", {"entityType": CUSTOMERS, "conditions": "kind = 'person'"}
    )

    assert updated == {"response": {"count": 2, "keys": ["1", "2"], "failures": {}}}
    assert deleted == {}
    assert [*shop.system.rows] == ["3", "4"]


@pytest.mark.parametrize(
    ("rpc", "request_", "code", "words"),
    [
        ("UpdateEntitiesWithConditions", {"entity": {"fields": {"a": 1}}}, Code.INVALID_ARGUMENT, "conditions: is req"),
        ("UpdateEntitiesWithConditions", {"conditions": "id = 1"}, Code.INVALID_ARGUMENT, "entity.fields: must have"),
        ("DeleteEntitiesWithConditions", {"conditions": "  "}, Code.INVALID_ARGUMENT, "conditions: is required"),
        (
            "UpdateEntitiesWithConditions",
            {"conditions": "id > 0", "entity": {"fields": {"kind": "person"}}},
            Code.FAILED_PRECONDITION,
            "4 entities meet the condition, more than the 2",
        ),
    ],
)
async def test_a_write_by_condition_needs_a_condition_and_keeps_to_the_cap(
    shop: Connected, rpc: str, request_: JsonObject, code: Code, words: str
) -> None:
    refused, sentence = await shop.refusal("v2", f"Entities.{rpc}", {"entityType": CUSTOMERS, **request_})

    assert refused is code
    assert words in sentence
    assert len(shop.system.rows) == 4


@pytest.mark.parametrize(
    ("failure", "code", "reason"),
    [
        (PermissionRefused("SELECT denied to user kim"), Code.PERMISSION_DENIED, "PERMISSION_REFUSED"),
        (SystemUnavailable("no route"), Code.UNAVAILABLE, "SYSTEM_UNAVAILABLE"),
        (SystemFault("it broke"), Code.INTERNAL, "SYSTEM_FAULT"),
        (WriteInDoubt("no answer came"), Code.UNKNOWN, "WRITE_IN_DOUBT"),
        (AddressRefused("private", rule="private"), Code.PERMISSION_DENIED, "ADDRESS_REFUSED"),
        (TimedOut("no place", which="queue", sent=False), Code.UNAVAILABLE, "TIMEOUT"),
        (TimedOut("no answer in 5 s", which="read", sent=True), Code.UNKNOWN, "TIMEOUT"),
    ],
)
async def test_what_a_system_says_is_told_as_it_says_it(
    shop: Connected, failure: ConnectorError | EgressError, code: Code, reason: str
) -> None:
    shop.system.failure = failure

    refused, sentence, details = await shop.caller.error(
        "google.cloud.connectors.v2.Entities.ListEntities", {"parent": CUSTOMERS}
    )

    assert (refused, sentence) == (code, str(failure))
    assert details[0].reason == reason


async def test_who_is_asked_to_wait_is_told_how_long(shop: Connected) -> None:
    shop.system.failure = RateLimited("slow down", 7.2)

    code, _, details = await shop.caller.error(
        "google.cloud.connectors.v2.Entities.ListEntities", {"parent": CUSTOMERS}
    )

    assert code is Code.RESOURCE_EXHAUSTED
    assert [each.retry_delay.seconds for each in details if isinstance(each, RetryInfo)] == [8]


async def test_constraints_of_the_system_are_refusals_that_name_the_column(shop: Connected) -> None:
    for fields, code, words in (
        ({"name": "Ada"}, Code.FAILED_PRECONDITION, "name: there is a customer of this name"),
        ({"kind": "person"}, Code.INVALID_ARGUMENT, "name: is required"),
    ):
        refused = await shop.refusal("v2", "Entities.CreateEntity", {"parent": CUSTOMERS, "entity": {"fields": fields}})
        assert refused == (code, words)


async def test_an_action_is_executed(shop: Connected) -> None:
    request = {"name": f"{CONNECTION}/actions/Ping", "parameters": {"text": "hallo"}}

    answer = await shop.v2("Actions.ExecuteAction", request)

    assert answer["results"] == [{"heard": "hallo"}]
    assert answer["metadata"]["loud"]["value"] is True


async def test_a_query_has_typed_parameters_limits_and_the_digits_of_long_numbers(shop: Connected) -> None:
    query: JsonObject = {
        "query": "select ? where x = ?",
        "maxRows": "2",
        "timeout": "20",
        "queryParameters": [{"value": "1.10", "dataType": "NUMERIC"}, {"value": None}],
    }

    answer = await shop.v2("Connections.ExecuteSqlQuery", {"connection": CONNECTION, "query": query})

    [sent] = shop.system.queries
    assert sent.parameters == (QueryParameter("1.10", DataType.DECIMAL), QueryParameter(None))
    assert (sent.most_rows, sent.timeout_s) == (2, 20)
    assert answer == {"results": [{"n": 0, "big": str(2**60 + 1)}, {"n": 1, "big": str(2**60 + 1)}]}
    assert shop.caller.warnings == ["There are more than 2 rows; ask for more with maxRows"]
    assert 19 <= shop.system.calls[-1].timeout_s < 20


async def test_the_custom_query_is_an_action_too(shop: Connected) -> None:
    parameters = {"query": "select 1", "maxRows": 1, "queryParameters": ["a", 2]}
    request = {"name": f"{CONNECTION}/actions/ExecuteCustomQuery", "parameters": parameters}

    answer = await shop.v2("Actions.ExecuteAction", request)

    assert shop.system.queries[0].parameters == (QueryParameter("a"), QueryParameter(2))
    assert len(answer["results"]) == 1
    assert answer["metadata"]["truncated"]["value"] is True


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({}, "query.query: is required"),
        ({"query": "x", "maxRows": "10001"}, "query.max_rows: must be a whole number of 0 to 10,000"),
        ({"query": "x", "maxRows": "-1"}, "query.max_rows"),
        ({"query": "x", "timeout": "3601"}, "query.timeout"),
        (
            {"query": "x", "queryParameters": [{"value": 1, "dataType": "ROWID"}]},
            "query.query_parameters[0].data_type: 'ROWID' cannot be a parameter",
        ),
    ],
)
async def test_what_cannot_be_queried_is_refused(shop: Connected, query: JsonObject, words: str) -> None:
    code, sentence = await shop.refusal("v2", "Connections.ExecuteSqlQuery", {"connection": CONNECTION, "query": query})

    assert code is Code.INVALID_ARGUMENT
    assert words in sentence


async def test_an_unknown_connection_is_not_found(shop: Connected) -> None:
    parent = CUSTOMERS.replace("shop", "none")
    refused = await shop.refusal("v2", "Entities.ListEntities", {"parent": parent})

    assert refused[0] is Code.NOT_FOUND
    assert "connections/none does not exist" in refused[1]


async def test_a_large_page_is_written_beside_the_event_loop(shop: Connected) -> None:
    shop.system.rows = {str(number): {"name": "x" * 40_000} for number in range(200)}

    listed = await shop.v2("Entities.ListEntities", {"parent": CUSTOMERS, "pageSize": 200})

    assert {len(name) for name in names(listed)} == {40_000}
    assert len(listed["entities"]) == 200
