"""What is not stored: playbooks and examples that are checked, examples and tests that are made from conversations."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.recordings.matchers import WordMatch
from openplaybook.recordings.recording_yaml import parse_recording
from tests.integration.server.conftest import Start
from tests.kit.http_peer import http_peer
from tests.kit.model_shop import KEY, ModelShop, ShopClient


@pytest.fixture
async def shop(start: Start, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ShopClient]:
    async with http_peer(ModelShop().reply) as peer:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{peer.url}/v1")
        server = await start(model="openai:m", egress_allow="127.0.0.1", code_executor="off")
        async with aiohttp.ClientSession(server.http) as http:
            client = ShopClient(http)
            await client.make(peer.url)
            yield client


async def test_a_playbook_is_checked_with_places_and_fixes(shop: ShopClient) -> None:
    steps: JsonObject = {"steps": [{"text": "Ask ${TOOL: shopp} first."}]}
    playbook: JsonObject = {"displayName": "P", "goal": "g", "instruction": steps, "referencedTools": ["none"]}
    told = await shop.send("POST", f"/v3/{shop.agent}:checkPlaybook", {"playbook": playbook})
    places = {(each["path"], each.get("column", 0)): each["severity"] for each in told["problems"]}
    assert places["$.instruction.steps[0].text", 5] in ("ERROR", "WARNING")
    assert places["$.referencedTools[0]", 0] == "ERROR"
    steps["steps"] = [{"text": "Ask ${TOOL: shop} first."}]
    good: JsonObject = {"displayName": "P", "goal": "g", "instruction": steps}
    assert await shop.send("POST", f"/v3/{shop.agent}:checkPlaybook", {"playbook": good}) == {}
    await shop.send("POST", f"/v3/{shop.agent}:checkPlaybook", {"playbook": {"goal": {"a": 1}}}, status=400)


async def test_an_example_is_made_checked_and_stored(shop: ShopClient) -> None:
    await shop.say("How is order 7?")
    drafted = await shop.send("POST", f"/v3/{shop.agent}/sessions/s:draftExample", {})
    example = drafted["example"]
    assert (drafted["playbook"], example["displayName"]) == (shop.playbook, "How is order 7?")
    kinds = [next(iter(action)) for action in example["actions"]]
    assert kinds == ["userUtterance", "toolUse", "agentUtterance"]
    assert example["actions"][1]["toolUse"]["inputActionParameters"] == {"id": "7"}
    assert example["actions"][1]["toolUse"]["outputActionParameters"]["200"]["status"] == "sent"
    assert KEY not in str(example)
    assert await shop.send("POST", f"/v3/{shop.playbook}:checkExample", {"example": example}) == {}
    stored = await shop.send("POST", f"/v3/{shop.playbook}/examples", example)
    assert stored["conversationState"] == "OUTPUT_STATE_OK"
    example["actions"][1]["toolUse"]["action"] = "getOrders"
    [problem] = (await shop.send("POST", f"/v3/{shop.playbook}:checkExample", {"example": example}))["problems"]
    assert problem["path"].startswith("$.actions[1].toolUse")


@pytest.mark.parametrize(
    ("body", "status"),
    [({"firstTurn": 9}, 404), ({"playbook": "projects/p/locations/l/agents/a/playbooks/none"}, 400)],
)
async def test_an_example_of_nothing_is_refused(shop: ShopClient, body: JsonObject, status: int) -> None:
    await shop.say("How is order 7?")
    await shop.send("POST", f"/v3/{shop.agent}/sessions/s:draftExample", body, status=status)


async def test_a_test_is_made_of_the_first_turns(shop: ShopClient) -> None:
    await shop.say("How is order 7?")
    await shop.say("And again?")
    told = await shop.send("POST", f"/v3/{shop.agent}/sessions/s:draftTestCase", {"lastTurn": 1})
    recording = parse_recording(told["recording"])
    assert (told["title"], recording.title) == ("How is order 7?", "How is order 7?")
    assert ([turn.user for turn in recording.turns], recording.words) == (["How is order 7?"], WordMatch.NORMALISED)
    await shop.send("POST", f"/v3/{shop.agent}/sessions/none:draftTestCase", {}, status=404)
