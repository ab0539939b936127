"""A web page of another origin, and a server that allows it."""

from pathlib import Path

import aiohttp
import pytest

from .conftest import Start

AGENTS = "/v3/projects/p/locations/global/agents"
SHOP = "https://shop.example"
KEY = "0123456789abcdef"
ASKING = {
    "Origin": SHOP,
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "x-goog-api-key",
}


@pytest.mark.parametrize("origins", [SHOP, "*"])
async def test_it_asks_first_without_a_key_and_then_reads_the_answer(
    start: Start, tmp_path: Path, origins: str
) -> None:
    (tmp_path / "keys").write_text(KEY)
    server = await start(api_key_file=tmp_path / "keys", cors_origins=origins)
    allowed = origins
    async with aiohttp.ClientSession(server.http) as page:
        async with page.options(AGENTS, headers=ASKING) as answer:
            assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (204, allowed)
            assert answer.headers["Access-Control-Allow-Headers"] == "x-goog-api-key"
        async with page.get(AGENTS, headers={"Origin": SHOP, "x-goog-api-key": KEY}) as answer:
            assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (200, allowed)
        async with page.get(AGENTS, headers={"Origin": SHOP}) as answer:
            assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (401, allowed)


async def test_where_nothing_is_allowed_no_answer_says_so(start: Start, tmp_path: Path) -> None:
    (tmp_path / "keys").write_text(KEY)
    server = await start(api_key_file=tmp_path / "keys")
    async with aiohttp.ClientSession(server.http) as page:
        async with page.options(AGENTS, headers=ASKING) as answer:
            assert answer.status == 401
        async with page.get(AGENTS, headers={"Origin": SHOP, "x-goog-api-key": KEY}) as answer:
            assert [name for name in answer.headers if name.startswith("Access-Control")] == []


async def test_a_server_without_keys_serves_the_pages_it_names_and_no_others(start: Start) -> None:
    server = await start(cors_origins=SHOP)
    async with aiohttp.ClientSession(server.http) as page:
        statuses: list[int] = []
        for origin in (SHOP, "https://evil.example"):
            async with page.get(AGENTS, headers={"Origin": origin, "Sec-Fetch-Site": "cross-site"}) as answer:
                statuses.append(answer.status)
    assert statuses == [200, 403]
