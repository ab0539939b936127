"""RehearseExamples: the examples of an agent, put to the offline model."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject, as_list, as_object, loads
from tests.integration.server.conftest import Start
from tests.kit.http_peer import http_peer
from tests.kit.model_shop import ModelShop, ShopClient


@pytest.fixture
async def shop(start: Start) -> AsyncIterator[ShopClient]:
    async with http_peer(ModelShop().reply) as peer:
        server = await start(egress_allow="127.0.0.1", code_executor="off")
        async with aiohttp.ClientSession(server.http) as http:
            client = ShopClient(http)
            await client.make(peer.url)
            yield client


def example(shop: ShopClient, title: str, order: str, **fields: object) -> JsonObject:
    """An example in which somebody asks for order 12."""
    use: JsonObject = {"tool": shop.tool, "action": "getOrder", "inputActionParameters": {"id": order}}
    use["outputActionParameters"] = {"200": {"status": "sent"}}
    words: list[JsonObject] = [{"userUtterance": {"text": "where is order 12?"}}, {"toolUse": use}]
    words.append({"agentUtterance": {"text": "It is sent."}})
    told: JsonObject = {"displayName": title, "actions": words, "conversationState": "OUTPUT_STATE_OK"}
    return {**told, "languageCode": "en", **fields}


async def rehearsed(shop: ShopClient, parent: str, **body: object) -> list[JsonObject]:
    async with shop.http.post(f"/v3/{parent}:rehearseExamples", json=body) as response:
        text = await response.text()
        assert response.status == 200, text
        return [as_object(each) for each in as_list(loads(text))]


async def test_examples_are_rehearsed_one_by_one(shop: ShopClient) -> None:
    assert await rehearsed(shop, shop.agent) == []
    for body in (example(shop, "Right", "12"), example(shop, "Never", "12", retrievalStrategy="NEVER")):
        await shop.send("POST", f"/v3/{shop.playbook}/examples", body)
    right, never = await rehearsed(shop, shop.agent)
    assert (right["playbook"], right["example"], right["replayed"], right["total"]) == (shop.playbook, "Right", True, 2)
    assert [step["verdict"] for step in right["turns"][0]["steps"]] == ["SAME", "SAME"]
    assert "evidence" not in right["turns"][0]["steps"][0]
    assert (never["example"], never.get("replayed", False), "turns" in never) == ("Never", False, False)
    assert "NEVER" in never["unusable"]
    assert await rehearsed(shop, shop.playbook) == [right, never]


async def test_what_differs_is_told_with_its_evidence(shop: ShopClient) -> None:
    await shop.send("POST", f"/v3/{shop.playbook}/examples", example(shop, "Right", "12"))
    await shop.send("POST", f"/v3/{shop.playbook}/examples", example(shop, "Wrong", "13"))
    _, wrong = await rehearsed(shop, shop.playbook, heldOut=True)
    [turn] = wrong["turns"]
    assert (turn["number"], turn["input"], turn.get("replayed", False)) == (1, "where is order 12?", False)
    step = turn["steps"][0]
    assert step["verdict"] == "DIFFERENT"
    assert step["differences"] == ['id is "12"; the example has "13"']
    assert as_object(step["evidence"])["slots"]


@pytest.mark.parametrize("name", ["agents/none", "agents/none/playbooks/none"])
async def test_what_is_not_there_is_not_found(shop: ShopClient, name: str) -> None:
    async with shop.http.post(f"/v3/projects/p/locations/l/{name}:rehearseExamples", json={}) as response:
        assert response.status == 404
        assert name in await response.text()
