"""Connections tried step by step, stored or not: TestConnection."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject
from tests.integration.server.conftest import Start
from tests.kit.model_shop import ShopClient

LOCATION = "projects/p/locations/global"


@pytest.fixture
async def client(start: Start, tmp_path: Path) -> AsyncIterator[ShopClient]:
    with closing(sqlite3.connect(tmp_path / "pets.db")) as database:
        database.execute("CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT)")
    server = await start(code_executor="off", sqlite_files=f"pets={tmp_path / 'pets.db'}", egress_allow="127.0.0.1")
    async with aiohttp.ClientSession(server.http) as http:
        yield ShopClient(http)


def connection(connector: str, **more: object) -> JsonObject:
    version = f"{LOCATION}/providers/gcp/connectors/{connector}/versions/1"
    return {"connectorVersion": version, **more}


def variables(**values: str) -> list[JsonObject]:
    return [{"key": key, "stringValue": value} for key, value in values.items()]


async def steps(client: ShopClient, draft: JsonObject) -> list[JsonObject]:
    async with client.http.post(f"/v1/{LOCATION}/connections:test", json={"connection": draft}) as response:
        assert response.status == 200, await response.text()
        return json.loads(await response.text())


def ended(told: list[JsonObject]) -> list[tuple[str, str]]:
    return [(each["kind"], each["state"]) for each in told if each["state"] != "RUNNING"]


async def test_a_draft_is_tried_to_the_list_of_its_entities(client: ShopClient) -> None:
    told = await steps(client, connection("sqlite", configVariables=variables(database="pets")))
    kinds = ["SETTINGS", "SECRETS", "CONNECT", "AUTHENTICATE", "LIST_ENTITIES"]
    assert ended(told) == [(kind, "DONE") for kind in kinds]
    assert [each["kind"] for each in told if each["state"] == "RUNNING"] == kinds
    assert (told[-1]["entityCount"], told[-1]["entities"]) == (1, ["pets"])
    assert await client.send("GET", f"/v1/{LOCATION}/connections") == {}


@pytest.mark.parametrize(
    ("more", "failed", "why"),
    [
        ({"configVariables": variables(colour="red")}, "SETTINGS", "colour"),
        ({"destinationConfigs": [{"key": "host", "destinations": [{"host": "no.invalid", "port": 5}]}]}, "RESOLVE", ""),
        (
            {"destinationConfigs": [{"key": "host", "destinations": [{"host": "10.1.2.3", "port": 5}]}]},
            "RESOLVE",
            "10.1.2.3",
        ),
        ({"destinationConfigs": [{"key": "host", "destinations": [{"host": "127.0.0.1", "port": 9}]}]}, "CONNECT", ""),
    ],
)
async def test_the_step_that_fails_is_named_and_is_the_last(
    client: ShopClient, more: JsonObject, failed: str, why: str
) -> None:
    made = await client.send(
        "POST", f"/v1/{LOCATION.replace('/locations/global', '')}/secrets/pw:addVersion", {"payload": {"data": "cHc="}}
    )
    password: JsonObject = {"username": "kim", "password": {"secretVersion": made["name"]}}
    auth: JsonObject = {"authType": "USER_PASSWORD", "userPassword": password}
    draft = connection("postgresql", authConfig=auth, configVariables=variables(database="pets"))
    told = await steps(client, {**draft, **more})
    assert (told[-1]["kind"], told[-1]["state"]) == (failed, "FAILED")
    assert why in told[-1]["message"]
    assert all(state == "DONE" for _, state in ended(told)[:-1])


async def test_a_secret_that_is_not_there_is_the_step_of_secrets(client: ShopClient) -> None:
    secret: JsonObject = {"secretVersion": "projects/p/secrets/none/versions/1"}
    auth: JsonObject = {"authType": "USER_PASSWORD", "userPassword": {"username": "kim", "password": secret}}
    hosts = [{"key": "host", "destinations": [{"host": "127.0.0.1", "port": 9}]}]
    draft = connection("postgresql", authConfig=auth, configVariables=variables(database="x"), destinationConfigs=hosts)
    told = await steps(client, draft)
    assert (told[-1]["kind"], told[-1]["state"]) == ("SECRETS", "FAILED")
    assert "none" in told[-1]["message"]


async def test_what_is_no_connection_is_refused(client: ShopClient) -> None:
    await client.send("POST", f"/v1/{LOCATION}/connections/none:test", {}, status=404)
    await client.send("POST", f"/v1/{LOCATION}/connections:test", {"connection": {"color": 1}}, status=400)
