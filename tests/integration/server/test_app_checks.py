"""Apps, and drafts of what is in them, are checked by the server."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject
from tests.integration.server.conftest import Start

PARENT = "/v1beta/projects/p/locations/l"


@pytest.fixture
async def http(start: Start) -> AsyncIterator[aiohttp.ClientSession]:
    server = await start()
    async with aiohttp.ClientSession(server.http) as client:
        yield client


async def sent(http: aiohttp.ClientSession, path: str, body: JsonObject, status: int = 200) -> JsonObject:
    async with http.post(path, json=body) as response:
        assert response.status == status, await response.text()
        return await response.json()


async def made(http: aiohttp.ClientSession, instruction: str) -> str:
    """The path of an app with an agent."""
    created = await sent(http, f"{PARENT}/apps", {"displayName": "Shop"})
    app = f"/v1beta/{created['response']['name']}"
    await sent(http, f"{app}/agents", {"displayName": "desk", "instruction": instruction})
    return app


async def test_an_app_is_checked_with_all_that_is_in_it(http: aiohttp.ClientSession) -> None:
    app = await made(http, "Ask {@AGENT: nobody}.")
    findings = (await sent(http, f"{app}:check", {}))["findings"]
    told = [(each["displayName"], each["problem"]["path"], each["problem"]["severity"]) for each in findings]
    assert ("desk", "$.instruction", "ERROR") in told
    assert "nobody" in next(each["problem"]["message"] for each in findings if each["displayName"] == "desk")


async def test_a_draft_is_checked_next_to_what_is_stored(http: aiohttp.ClientSession) -> None:
    app = await made(http, "Help.")
    draft: JsonObject = {"displayName": "new", "instruction": "Ask {@AGENT: desk} or {@AGENT: nobody}."}
    problems = (await sent(http, f"{app}:checkResource", {"agent": draft}))["problems"]
    assert [each["path"] for each in problems if "nobody" in each["message"]] == ["$.instruction"]
    assert not any("desk" in each["message"] and "nobody" not in each["message"] for each in problems)
    stored = await http.get(f"{app}/agents")
    assert [each["displayName"] for each in (await stored.json())["agents"]] == ["desk"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        (f"{PARENT}/apps/none:check", {}, 404),
        (f"{PARENT}/apps/none:checkResource", {"agent": {}}, 404),
        ("APP:checkResource", {}, 400),
        ("APP:checkResource", {"agent": {"instruction": 7}}, 400),
        ("APP:checkResource", {"agent": {"name": "projects/p/locations/l/apps/other/agents/a"}}, 400),
    ],
)
async def test_what_cannot_be_checked_is_refused(
    http: aiohttp.ClientSession, path: str, body: JsonObject, status: int
) -> None:
    app = await made(http, "Help.") if path.startswith("APP") else ""
    await sent(http, path.replace("APP", app), body, status)
