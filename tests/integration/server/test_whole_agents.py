"""Agents as a whole: imports that are looked at, differences, tests that are replayed."""

import json
from base64 import b64encode
from collections.abc import AsyncIterator
from io import BytesIO
from zipfile import ZipFile

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject
from tests.integration.server.conftest import Start
from tests.kit.http_peer import HttpPeer, http_peer
from tests.kit.model_shop import ModelShop, ShopClient


@pytest.fixture
async def peer() -> AsyncIterator[HttpPeer]:
    async with http_peer(ModelShop().reply) as running:
        yield running


@pytest.fixture
async def shop(start: Start, peer: HttpPeer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ShopClient]:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{peer.url}/v1")
    server = await start(model="openai:m", egress_allow="127.0.0.1", code_executor="off")
    async with aiohttp.ClientSession(server.http) as http:
        client = ShopClient(http)
        await client.make(peer.url)
        yield client


async def package_of(shop: ShopClient) -> str:
    exported = await shop.send("POST", f"/v3/{shop.agent}:export", {})
    while not exported.get("done"):
        exported = await shop.send("GET", f"/v3/{exported['name']}")
    return exported["response"]["agentContent"]


async def test_an_import_is_looked_at_and_nothing_is_stored(shop: ShopClient) -> None:
    content = await package_of(shop)
    told = await shop.send("POST", "/v3/projects/p/locations/l:previewImport", {"content": content})
    assert (told["format"], told["displayName"]) == ("agent", "Shop")
    assert (told["counts"]["playbooks"], told["counts"]["tools"]) == (1, 1)
    assert [note["kind"] for note in told["notes"]] == ["MISSING_SECRET"]
    assert len(told["playbooks"]) == 1
    agents = (await shop.send("GET", "/v3/projects/p/locations/l/agents"))["agents"]
    assert [agent["name"] for agent in agents] == [shop.agent]
    broken = BytesIO()
    with ZipFile(broken, "w") as archive:
        archive.writestr("agent.json", "{")
    body = {"content": b64encode(broken.getvalue()).decode()}
    refused = await shop.send("POST", "/v3/projects/p/locations/l:previewImport", body, status=400)
    assert "agent.json" in refused["error"]["message"]


async def test_what_differs_is_told_by_resource_and_line(shop: ShopClient) -> None:
    content = await package_of(shop)
    assert await shop.send("POST", f"/v3/{shop.agent}:diff", {"content": content}) == {}
    await shop.send("PATCH", f"/v3/{shop.playbook}?updateMask=goal", {"goal": "Sell more."})
    [difference] = (await shop.send("POST", f"/v3/{shop.agent}:diff", {"content": content}))["differences"]
    assert (difference["change"], difference["resource"]) == ("CHANGED", "playbooks/Start")
    changed = [line for line in difference["lines"] if line[0] in "+-"]
    assert [line[0] for line in changed] == ["-", "+"]
    assert "Sell more." in changed[0]
    assert "Tell how orders are." in changed[1]
    same = await shop.send("POST", f"/v3/{shop.agent}:diff", {"otherAgent": shop.agent})
    assert same == {}
    await shop.send("POST", f"/v3/{shop.agent}:diff", {}, status=400)


async def replayed(shop: ShopClient, **body: object) -> list[JsonObject]:
    async with shop.http.post(f"/v3/{shop.agent}:replayTests", json=body) as response:
        text = await response.text()
        assert response.status == 200, text
        return json.loads(text)


async def test_tests_are_replayed_with_the_agent_of_today(shop: ShopClient, peer: HttpPeer) -> None:
    await shop.say("How is order 7?")
    test = (await shop.send("POST", f"/v3/{shop.agent}/sessions/s:draftTestCase", {}))["recording"]
    before = len(peer.requests)
    other = test.replace("It was sent.", "It was lost.")
    tests = [{"id": "a", "recording": test}, {"id": "b", "recording": other}, {"id": "c", "recording": "no"}]
    same, different, unreadable = await replayed(shop, tests=tests, model="openai:m")
    assert (same["id"], same["outcome"]) == ("a", "SAME")
    assert (different["outcome"], unreadable["outcome"]) == ("DIFFERENT", "UNREADABLE")
    sides = [(each.get("expected"), each.get("happened")) for each in different["turns"][0]["differences"]]
    assert sides == [("It was lost.", "It was sent.")]
    assert "It was sent." in different["updatedRecording"]
    # Nothing but the model was asked: the shop answers as recorded.
    assert not [each for each in peer.requests[before:] if each.target.startswith("/orders")]
    [recorded] = await replayed(shop, tests=tests[:1])
    assert recorded["outcome"] == "SAME"
    async with shop.http.post(f"/v3/{shop.agent}:replayTests", json={"tests": tests, "model": "none"}) as response:
        assert response.status == 400
