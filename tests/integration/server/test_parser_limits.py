"""What the operator lets the reading of a large OpenAPI description cost."""

from io import BytesIO

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject, dumps

from .conftest import Start

LARGE = "x" * 6_000_000
"""Over what is read in the server itself."""


async def saved(start: Start, **settings: int) -> tuple[int, JsonObject]:
    server = await start(**settings)
    description: JsonObject = {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1", "description": LARGE},
        "servers": [{"url": "https://api.example"}],
        "paths": {f"/{number}": {"get": {"tags": [[]] * 20_000}} for number in range(40)},
    }
    tool: JsonObject = {
        "displayName": "t",
        "description": "d",
        "openApiSpec": {"textSchema": dumps(description).decode()},
    }
    async with aiohttp.ClientSession(f"{server.http}/v3/projects/p/locations/global/") as http:
        async with http.post(
            "agents", json={"displayName": "A", "defaultLanguageCode": "en", "timeZone": "UTC"}
        ) as reply:
            agent = str((await reply.json())["name"]).rpartition("/")[2]
        async with http.post(f"agents/{agent}/tools", data=BytesIO(dumps(tool))) as reply:
            return reply.status, await reply.json()


@pytest.mark.parametrize(
    ("settings", "status", "told"),
    [({"parser_memory_mb": 64}, 400, "64 MB"), ({}, 200, "")],
    ids=["too little", "the defaults"],
)
async def test_a_large_description_is_read_within_the_memory_that_the_operator_gives(
    start: Start, settings: dict[str, int], status: int, told: str
) -> None:
    code, answer = await saved(start, **settings)
    assert (code, told in str(answer.get("error", {}).get("message", ""))) == (status, True)
