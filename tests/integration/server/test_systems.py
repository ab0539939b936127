"""Kinds of systems, and operations as they go: ListConnectorTypes, WatchOperation."""

import json
from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.integration.server.conftest import Start
from tests.kit.model_shop import ShopClient


@pytest.fixture
async def client(start: Start) -> AsyncIterator[ShopClient]:
    server = await start(code_executor="off")
    async with aiohttp.ClientSession(server.http) as http:
        yield ShopClient(http)


async def test_every_kind_of_system_says_what_its_tests_stand_on(client: ShopClient) -> None:
    types = (await client.send("GET", "/v1/openplaybook:connectorTypes"))["connectorTypes"]
    assert [each["id"] for each in types] == sorted(each["id"] for each in types)
    found = {each["id"]: each for each in types}["postgresql"]
    assert (found["title"], found["engine"], found["evidence"]) == ("PostgreSQL", "sql", "real product")
    assert found["operations"] == ["LIST", "GET", "CREATE", "UPDATE", "DELETE"]
    assert found["authentications"][0]["kind"] == "USER_PASSWORD"


async def test_an_operation_is_watched_to_its_end(client: ShopClient) -> None:
    await client.make("http://shop.example")
    operation = await client.send("POST", f"/v3/{client.agent}:export", {})
    async with client.http.get(f"/v3/{operation['name']}:watch") as response:
        updates = json.loads(await response.text())
    assert (updates[-1]["name"], updates[-1]["done"], "error" in updates[-1]) == (operation["name"], True, False)
    await client.send("GET", "/v3/projects/p/locations/l/operations/none:watch", status=404)


async def test_what_went_wrong_with_an_operation_is_told(client: ShopClient) -> None:
    await client.make("http://shop.example")
    operation = await client.send("POST", f"/v3/{client.agent}:restore", {"agentContent": "bm8="})
    async with client.http.get(f"/v3/{operation['name']}:watch") as response:
        [*_, last] = json.loads(await response.text())
    assert (last["done"], last["error"]["code"]) == (True, "INVALID_ARGUMENT")
