"""What test cases cover of an agent of playbooks, and of the intents that came with an import."""

import base64
import io
import zipfile
from collections.abc import AsyncIterator

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject, dumps
from tests.integration.server.conftest import Start

AGENT = "projects/p/locations/l/agents/a"
USED = {"toolUse": {"tool": f"{AGENT}/tools/t1", "action": "look", "inputActionParameters": {}}}
SAID = {"userInput": {"input": {"text": {"text": "hi"}, "languageCode": "en"}}}
GREETED = {**SAID, "virtualAgentOutput": {"triggeredIntent": {"name": "i1"}}}


def function(title: str, id: str) -> JsonObject:
    return {"name": id, "displayName": title, "description": "d", "functionSpec": {}}


FILES: dict[str, JsonObject] = {
    "agent.json": {
        "displayName": "Shop",
        "defaultLanguageCode": "en",
        "timeZone": "Etc/UTC",
        "startPlaybook": "Start",
    },
    "playbooks/Start/Start.json": {"name": "p1", "displayName": "Start", "goal": "g"},
    "playbooks/Other/Other.json": {"name": "p2", "displayName": "Other", "goal": "g"},
    "tools/look/look.json": function("look", "t1"),
    "tools/idle/idle.json": function("idle", "t2"),
    "intents/Hello/Hello.json": {"name": "i1", "displayName": "Hello"},
    "intents/Bye/Bye.json": {"name": "i2", "displayName": "Bye"},
    "testCases/Looks.json": {
        "name": "c1",
        "displayName": "Looks",
        "testCaseConversationTurns": [GREETED],
        "expectedTestCaseResult": {"expectedActions": [USED]},
    },
    "testCases/Odd.json": {"name": "c2", "displayName": "Odd", "testCaseConversationTurns": []},
}


def packed() -> str:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for path, content in FILES.items():
            archive.writestr(path, dumps(content))
    return base64.b64encode(file.getvalue()).decode()


@pytest.fixture
async def http(start: Start) -> AsyncIterator[aiohttp.ClientSession]:
    server = await start()
    async with aiohttp.ClientSession(server.http) as client:
        yield client


async def sent(http: aiohttp.ClientSession, path: str, body: JsonObject | None = None) -> JsonObject:
    async with http.request("GET" if body is None else "POST", path, json=body) as response:
        assert response.status == 200, await response.text()
        return await response.json()


async def test_playbooks_tools_and_intents_are_covered_by_test_cases(http: aiohttp.ClientSession) -> None:
    made: JsonObject = {"displayName": "Shop", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    agent = str((await sent(http, "/v3/projects/p/locations/l/agents", made))["name"])
    restored = await sent(http, f"/v3/{agent}:restore", {"agentContent": packed()})
    assert "error" not in await sent(http, f"/v1/{restored['name']}:wait", {})
    told = await sent(http, f"/v3/{agent}/testCases:calculateCoverage?type=INTENT")
    assert told["intentCoverage"] == {
        "intents": [
            {"intent": f"{agent}/intents/i2"},
            {"intent": f"{agent}/intents/i1", "covered": True},
        ],
        "coverageScore": 0.5,
    }
    case = f"{agent}/testCases/c1"
    assert told["playbookCoverage"] == {
        "playbooks": [
            {"name": f"{agent}/playbooks/p2", "displayName": "Other"},
            {"name": f"{agent}/playbooks/p1", "displayName": "Start", "covered": True, "testCases": [case]},
        ],
        "tools": [
            {"name": f"{agent}/tools/t2", "displayName": "idle"},
            {
                "name": f"{agent}/tools/t1",
                "displayName": "look",
                "covered": True,
                "testCases": [case],
                "actions": ["look"],
            },
        ],
        "coverageScore": 0.5,
    }
