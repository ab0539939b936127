"""Settings of OpenAPI tools, as a client of a running server gives them."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject
from tests.kit.http_peer import answer, http_peer

from .conftest import Start

SCHEMA = """
openapi: 3.0.0
info: {title: Pets, version: '1'}
paths:
  /pets:
    get: {operationId: listPets, tags: [pets], responses: {'200': {description: all}}}
  /hours:
    get: {operationId: getHours, responses: {'200': {description: open}}}
"""
PETS = b'{"items": [{"name": "Rex", "age": 3}], "next": "t", "total": 1}'


@pytest.fixture
async def http(start: Start) -> AsyncIterator[aiohttp.ClientSession]:
    server = await start(egress_allow="127.0.0.1")
    async with aiohttp.ClientSession(f"{server.http}/v3/") as http:
        yield http


async def post(http: aiohttp.ClientSession, path: str, body: JsonObject) -> JsonObject:
    async with http.post(path, json=body) as reply:
        return await reply.json()


async def save(http: aiohttp.ClientSession, settings: JsonObject) -> JsonObject:
    """The answer to a tool with these settings."""
    agent = await post(
        http,
        "projects/p/locations/global/agents",
        {"displayName": "A", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"},
    )
    spec: JsonObject = {"textSchema": SCHEMA, "settings": settings}
    return await post(http, f"{agent['name']}/tools", {"displayName": "api", "description": "d", "openApiSpec": spec})


async def test_what_is_set_is_kept_and_holds(http: aiohttp.ClientSession) -> None:
    async with http_peer(lambda _: answer(PETS)) as peer:
        settings: JsonObject = {
            "serverUrl": f"{peer.url}/v1",
            "operationSelection": {"tags": ["pets"], "maxOperations": 5},
            "responseFields": [{"operationId": "listPets", "fields": ["items.name", "next"]}],
            "connectTimeout": "2.500s",
            "readTimeout": "9s",
            "totalTimeout": "30s",
            "maxConcurrentRequests": 3,
        }
        tool = await save(http, settings)
        assert tool["openApiSpec"]["settings"] == settings
        executed = await post(http, f"{tool['name']}:execute", {"action": "listPets"})
        assert executed["outputParameters"] == {"200": {"items": [{"name": "Rex"}], "next": "t"}}
        assert executed["trace"]["note"] == "Only selected fields are here: items.name, next."
        assert [request.target for request in peer.requests] == ["/v1/pets"]
        refused = await post(http, f"{tool['name']}:execute", {"action": "getHours"})
        assert refused["error"]["message"] == ("action: 'getHours' is not an action of the tool; there are: listPets")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"connectTimeout": "90s"},
            'tool.openApiSpec.settings.connectTimeout: must be a duration such as "5s", at most "60s", not \'90s\'',
        ),
        (
            {"responseFields": [{"operationId": "listPets", "fields": ["items[].name"]}]},
            "tool.openApiSpec.settings.responseFields[0].fields[0]: arrays are looked through: write items.name, not "
            "items[].name",
        ),
        (
            {"serverUrl": "https://api.example", "operationSelection": {"tags": ["pet"]}},
            "tool.openApiSpec.settings.operationSelection.tags: the description has no tag 'pet'; did you mean pets?",
        ),
    ],
)
async def test_what_cannot_be_meant_is_refused_with_its_place(
    http: aiohttp.ClientSession, settings: JsonObject, message: str
) -> None:
    refused = await save(http, settings)
    assert (refused["error"]["code"], refused["error"]["status"]) == (400, "INVALID_ARGUMENT")
    assert message in refused["error"]["message"]
