"""Test cases of Dialogflow: stored with their agent, run against it as it is, with results that are kept."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject
from tests.integration.server.conftest import Start
from tests.kit.http_peer import http_peer
from tests.kit.model_shop import ModelShop, ShopClient


@pytest.fixture
async def shop(start: Start, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ShopClient]:
    async with http_peer(ModelShop().reply) as peer:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{peer.url}/v1")
        server = await start(model="openai:m", egress_allow="127.0.0.1", code_executor="off")
        async with aiohttp.ClientSession(server.http) as http:
            client = ShopClient(http)
            await client.make(peer.url)
            yield client


async def drafted(shop: ShopClient) -> JsonObject:
    await shop.say("How is order 7?")
    told = await shop.send("POST", f"/v3/{shop.agent}/sessions/s:draftTestCase", {"title": "Order 7"})
    return told["testCase"]


async def run(shop: ShopClient, path: str, body: JsonObject) -> JsonObject:
    """An operation, once it is done."""
    operation = await shop.send("POST", path, body)
    async with shop.http.get(f"/v1/{operation['name']}:watch") as watched:
        assert (await watched.json())[-1]["done"] is True
    return await shop.send("GET", f"/v3/{operation['name']}")


async def test_a_conversation_becomes_a_test_case_that_passes(shop: ShopClient) -> None:
    case = await drafted(shop)
    entered, used = case["expectedTestCaseResult"]["expectedActions"]
    assert entered == {"playbookInvocation": {"playbook": shop.playbook}}
    assert (used["toolUse"]["tool"], used["toolUse"]["inputActionParameters"]) == (shop.tool, {"id": "7"})
    stored = await shop.send("POST", f"/v3beta1/{shop.agent}/testCases", case)
    done = await run(shop, f"/v3/{stored['name']}:run", {})
    result = done["response"]["result"]
    assert (result["testResult"], len(result["conversationTurns"])) == ("PASSED", 1)
    [listed] = (await shop.send("GET", f"/v3/{shop.agent}/testCases"))["testCases"]
    assert (listed["displayName"], listed["lastTestResult"]) == ("Order 7", result)
    assert "testCaseConversationTurns" not in listed
    kept = await shop.send("GET", f"/v3/{stored['name']}/results")
    assert kept["testCaseResults"] == [result]


async def test_what_differs_is_told_line_by_line(shop: ShopClient) -> None:
    case = await drafted(shop)
    case["testCaseConversationTurns"][0]["virtualAgentOutput"]["textResponses"] = [{"text": ["It is lost."]}]
    case["expectedTestCaseResult"]["expectedActions"][1]["toolUse"]["inputActionParameters"] = {"id": "8"}
    stored = await shop.send("POST", f"/v3beta1/{shop.agent}/testCases", case)
    broken = {
        "displayName": "No turns",
        "testCaseConversationTurns": [{"userInput": {"input": {"dtmf": {"digits": "1"}, "languageCode": "en"}}}],
    }
    empty = await shop.send("POST", f"/v3/{shop.agent}/testCases", broken)
    names = [stored["name"], empty["name"]]
    done = await run(shop, f"/v3/{shop.agent}/testCases:batchRun", {"testCases": names})
    failed, passed = done["response"]["results"]
    assert (failed["testResult"], passed["testResult"]) == ("FAILED", "PASSED")
    differences = failed["conversationTurns"][0]["virtualAgentOutput"]["differences"]
    assert [each.get("type") for each in differences] == ["UTTERANCE", None]
    assert differences[0]["description"].startswith("says\n- It is lost.\n+ ")
    assert differences[1]["description"].splitlines()[1:] == ["- 8", "+ 7"]


async def test_a_test_case_is_changed_and_goes_with_its_agent(shop: ShopClient) -> None:
    case = await drafted(shop)
    stored = await shop.send("POST", f"/v3beta1/{shop.agent}/testCases", case)
    await shop.send("POST", f"/v3beta1/{shop.agent}/testCases", case, status=409)
    path = f"/v3/{stored['name']}"
    changed = await shop.send("PATCH", f"{path}?updateMask=displayName", {"displayName": "Renamed"})
    assert changed["displayName"] == "Renamed"
    assert (await shop.send("GET", f"/v3beta1/{stored['name']}")) == {**stored, "displayName": "Renamed"}
    exported = await run(shop, f"/v3/{shop.agent}:export", {})
    preview = await shop.send(
        "POST",
        "/v3/projects/p/locations/global:previewImport",
        {"content": exported["response"]["agentContent"]},
    )
    assert any("1 test case, run on request: Renamed" in str(note) for note in preview["notes"])
    await run(shop, f"{path}:run", {})
    await shop.send("POST", f"/v3/{shop.agent}/testCases:batchDelete", {"names": [stored["name"]]})
    await shop.send("GET", path, status=404)
    assert await shop.send("GET", f"/v3/{shop.agent}/testCases/-/results") == {}


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [("testCases/none:run", {}, 404), ("testCases:batchRun", {"testCases": []}, 400), ("testCases", {}, 400)],
)
async def test_what_is_no_test_case_is_refused(shop: ShopClient, path: str, body: JsonObject, status: int) -> None:
    await shop.send("POST", f"/v3/{shop.agent}/{path}", body, status=status)
