"""A web page in the browser of somebody who runs a server without keys."""

from pathlib import Path

import aiohttp
import pytest

from openplaybook.jsonvalues import as_object
from openplaybook.server.browser_guard import FOREIGN_HOST, FOREIGN_PAGE

from .conftest import Start

AGENTS = "/v3/projects/p/locations/global/agents"
AGENT = '{"displayName": "A", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}'
FROM_A_PAGE = {"Origin": "https://evil.example", "Content-Type": "text/plain"}
REBOUND = {"Host": "evil.example"}


@pytest.mark.parametrize(("headers", "message"), [(FROM_A_PAGE, FOREIGN_PAGE), (REBOUND, FOREIGN_HOST)])
async def test_it_can_neither_change_nor_read_anything(start: Start, headers: dict[str, str], message: str) -> None:
    server = await start()
    async with aiohttp.ClientSession(server.http, headers=headers) as page:
        async with page.post(AGENTS, data=AGENT) as answer:
            assert answer.status == 403
            assert await answer.json() == {"error": {"code": 403, "message": message, "status": "PERMISSION_DENIED"}}
        async with page.get("/metrics") as answer:
            assert answer.status == 403
        async with page.get("/healthz") as answer:
            assert answer.status == 200
    async with aiohttp.ClientSession(server.http) as program, program.get(AGENTS) as answer:
        assert as_object(await answer.json()) == {}


async def test_where_keys_are_asked_for_any_name_will_do(start: Start, tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("0123456789abcdef\n")
    server = await start(api_key_file=tmp_path / "keys")
    headers = {"Host": "agents.example.com", "X-Goog-Api-Key": "0123456789abcdef"}
    async with aiohttp.ClientSession(server.http, headers=headers) as program, program.get(AGENTS) as answer:
        assert answer.status == 200


async def test_the_grpc_port_does_not_speak_what_pages_speak(start: Start) -> None:
    server = await start()
    async with aiohttp.ClientSession(f"http://{server.grpc}") as page:
        with pytest.raises(aiohttp.ClientError):
            await page.post("/google.cloud.dialogflow.cx.v3.Agents/ListAgents", data=b"\0\0\0\0\0")
