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
            assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (200, allowed)
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


async def test_every_kind_of_answer_names_each_header_once(start: Start, tmp_path: Path) -> None:
    (tmp_path / "keys").write_text(f"{KEY}\nruntime {KEY}-runtime\n")
    server = await start(api_key_file=tmp_path / "keys", cors_origins=SHOP, rate_limit="3/h")
    let_in, runtime = {"x-goog-api-key": KEY}, {"x-goog-api-key": f"{KEY}-runtime"}
    asked: list[tuple[str, str, dict[str, str], bytes]] = [
        ("OPTIONS", AGENTS, ASKING, b""),
        ("OPTIONS", AGENTS, {**ASKING, "Access-Control-Request-Method": "TRACE"}, b""),
        ("OPTIONS", AGENTS, {"Access-Control-Request-Method": "GET", "Origin": "https://evil.example"}, b""),
        ("OPTIONS", AGENTS, let_in, b""),
        ("GET", "/healthz", {}, b""),
        ("GET", "/metrics", let_in, b""),
        ("GET", "/.well-known/jwks.json", {}, b""),
        ("GET", AGENTS, {}, b""),
        ("GET", AGENTS, runtime, b""),
        ("GET", AGENTS, let_in, b""),
        ("HEAD", AGENTS, let_in, b""),
        ("GET", "/nowhere", let_in, b""),
        ("POST", AGENTS, let_in, b"{"),
        ("POST", f"{AGENTS}/a/sessions/s:serverStreamingDetectIntent", let_in, b"{}"),
        ("GET", AGENTS, let_in, b""),
    ]
    statuses: list[int] = []
    async with aiohttp.ClientSession(server.http) as page:
        for method, path, headers, body in asked:
            for origin in ({}, {"Origin": SHOP}):
                async with page.request(method, path, headers={**origin, **headers}, data=body or None) as answer:
                    names = [name.lower() for name, _ in answer.raw_headers]
                    assert sorted(names) == sorted(set(names)), (method, path, names)
                    statuses.append(answer.status)
    assert set(statuses) == {200, 204, 400, 401, 403, 404, 429}
