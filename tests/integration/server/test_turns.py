"""What happened in turns, and what happens: ListTurns, GetTurn, ListTurnSteps, WatchTurn."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import aiohttp
import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from tests.integration.server.conftest import Start
from tests.kit.http_peer import http_peer
from tests.kit.model_shop import KEY, ModelShop, ShopClient

ADMIN, RUNTIME = "key-of-the-admin-here", "key-of-the-runtime-here"
KINDS = ("user", "agent", "decision", "call", "entry", "departure", "transition", "handler", "notice")


@pytest.fixture
def model() -> ModelShop:
    return ModelShop()


@pytest.fixture
async def shop(
    start: Start, tmp_path: Path, model: ModelShop, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ShopClient]:
    (tmp_path / "keys").write_text(f"admin ann {ADMIN}\nruntime shop {RUNTIME}\n")
    async with http_peer(model.reply) as peer:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{peer.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-provider")
        server = await start(
            model="openai:m", egress_allow="127.0.0.1", api_key_file=tmp_path / "keys", code_executor="off"
        )
        async with aiohttp.ClientSession(server.http, headers={"x-goog-api-key": ADMIN}) as http:
            client = ShopClient(http)
            await client.make(peer.url)
            yield client


def kinds(steps: Sequence[JsonObject]) -> list[str]:
    return [kind for step in steps for kind in KINDS if kind in step]


async def watched(shop: ShopClient, turn: str, **query: str) -> AsyncIterator[JsonObject]:
    """The messages of the stream as they come."""
    address = f"/v3/{shop.agent}/sessions/s/turns/{turn}:watch"
    headers = {"x-goog-api-key": query.pop("key", ADMIN)}
    async with shop.http.get(address, params=query, headers=headers) as response:
        assert response.status == 200, await response.text()
        text = ""
        async for piece in response.content.iter_any():
            text += piece.decode()
            # An array that grows, each of its items in one piece at the latest when the next begins.
            while (text := text.lstrip("[,]\r\n ")) and (found := _first(text)) is not None:
                update, length = found
                yield update
                text = text[length:]


def _first(text: str) -> tuple[JsonObject, int] | None:
    try:
        return json.JSONDecoder().raw_decode(text)
    except ValueError:
        return None


async def test_a_turn_is_told_step_by_step_with_prompts_and_requests(shop: ShopClient) -> None:
    session = f"/v3/{shop.agent}/sessions/s"
    await shop.say("How is order 7?", parameters={"vip": True})
    [turn] = (await shop.send("GET", f"{session}/turns"))["turns"]
    assert (turn["name"], turn["state"], turn["text"]) == (f"{session[4:]}/turns/1", "ANSWERED", "How is order 7?")
    assert (turn["replies"], turn["parametersSet"]) == (["It was sent."], {"vip": True})
    assert (turn["stepCount"], turn["decisionCount"], turn["callCount"]) == (5, 2, 1)
    assert (turn["inputTokens"], turn["outputTokens"]) == ("40", "6")
    steps = (await shop.send("GET", f"{session}/turns/1/steps?view=STEP_VIEW_FULL"))["steps"]
    assert kinds(steps) == ["user", "decision", "call", "decision", "agent"]
    assert [step.get("number", 0) for step in steps] == [0, 1, 2, 3, 4]
    decision, call = steps[1]["decision"], steps[2]["call"]
    prompt = decision["prompt"]
    assert loads(prompt["request"])["messages"][-1]["content"].endswith("How is order 7?")
    assert loads(prompt["reply"])["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "getOrder"
    assert prompt["requestBytes"] == str(len(prompt["request"]))
    assert [(each["name"], each["arguments"]) for each in decision["calls"]] == [("getOrder", {"id": "7"})]
    assert (call["toolKind"], call["action"], call["output"]["200"]["status"]) == ("openapi", "getOrder", "sent")
    [exchange] = call["exchanges"]
    assert (exchange["method"], exchange["status"], exchange["requestHeaders"]["X-Key"]) == ("GET", 200, "[redacted]")
    assert KEY not in dumps(steps).decode()
    assert "key-of-the-provider" not in dumps(steps).decode()


async def test_steps_come_in_pages_and_in_brief(shop: ShopClient) -> None:
    await shop.say("How is order 7?")
    address = f"/v3beta1/{shop.agent}/sessions/s/turns/-/steps?pageSize=3"
    first = await shop.send("GET", address)
    rest = await shop.send("GET", f"{address}&pageToken={first['nextPageToken']}")
    assert kinds(first["steps"]) + kinds(rest["steps"]) == ["user", "decision", "call", "decision", "agent"]
    assert "nextPageToken" not in rest
    decision, call = first["steps"][1]["decision"], first["steps"][2]["call"]
    assert (decision["hasPrompt"], "prompt" in decision) == (True, False)
    assert "requestHeaders" not in call["exchanges"][0]


async def test_turns_come_in_pages_and_each_knows_the_parameters_before_it(shop: ShopClient) -> None:
    for number in (1, 2, 3):
        await shop.say(f"{number}", parameters={"n": number})
    address = f"/v3/{shop.agent}/sessions/s/turns"
    page = await shop.send("GET", f"{address}?pageSize=2")
    rest = await shop.send("GET", f"{address}?pageSize=2&pageToken={page['nextPageToken']}")
    assert [turn["number"] for turn in page["turns"] + rest["turns"]] == [1, 2, 3]
    second = await shop.send("GET", f"{address}/2")
    told = [second[f"parameters{each}"] for each in ("Before", "Set", "After")]
    assert told == [{"n": 1}, {"n": 2}, {"n": 2}]


async def test_a_turn_that_failed_says_why_with_what_was_sent(shop: ShopClient, model: ModelShop) -> None:
    model.model_status = "400 Bad Request"
    await shop.say("Hello", status=400)
    address = f"/v3/{shop.agent}/sessions/s/turns"
    turn = await shop.send("GET", f"{address}/-")
    assert (turn["state"], turn["error"]["code"]) == ("FAILED", "MODEL_REJECTED")
    steps = (await shop.send("GET", f"{address}/1/steps?view=STEP_VIEW_FULL"))["steps"]
    assert "Hello" in steps[-1]["decision"]["prompt"]["request"]
    await shop.send("GET", address, status=404)


async def test_a_running_turn_is_watched_to_its_end(shop: ShopClient, model: ModelShop) -> None:
    model.shop_may_answer.clear()
    stream = watched(shop, "-", view="STEP_VIEW_FULL")
    first = asyncio.ensure_future(anext(stream))
    said = asyncio.ensure_future(shop.say("How is order 7?"))
    updates = [await first]
    while not updates[-1].get("underWay"):
        updates.append(await anext(stream))
    assert [each["call"]["action"] for each in updates[-1]["underWay"]] == ["getOrder"]
    assert not said.done()
    model.shop_may_answer.set()
    updates += [update async for update in stream]
    steps = [step for update in updates for step in update.get("steps", ())]
    assert kinds(steps) == ["user", "decision", "call", "decision", "agent"]
    assert (updates[-1]["ended"]["state"], updates[-1]["ended"]["replies"]) == ("ANSWERED", ["It was sent."])
    await said


async def test_a_turn_that_ended_is_watched_from_a_step_on(shop: ShopClient) -> None:
    await shop.say("How is order 7?")
    updates = [update async for update in watched(shop, "1", firstStep="3", view="STEP_VIEW_FULL")]
    assert [kinds(update.get("steps", ())) for update in updates] == [["decision", "agent"], []]
    assert "prompt" in updates[0]["steps"][0]["decision"]
    assert updates[-1]["ended"]["number"] == 1


async def test_who_may_only_talk_watches_without_prompts(shop: ShopClient) -> None:
    await shop.say("How is order 7?")
    [update, _] = [update async for update in watched(shop, "1", view="STEP_VIEW_FULL", key=RUNTIME)]
    decision, call = update["steps"][1]["decision"], update["steps"][2]["call"]
    assert "prompt" not in decision
    assert "requestHeaders" not in call["exchanges"][0]
    async with shop.http.get(f"/v3/{shop.agent}/sessions/s/turns", headers={"x-goog-api-key": RUNTIME}) as response:
        assert response.status == 403


@pytest.mark.parametrize(
    ("address", "status"), [("turns/2", 404), ("turns/x", 400), ("turns/2:watch", 404), ("turns/2/steps", 404)]
)
async def test_a_turn_that_is_not_there_is_said_not_to_be(shop: ShopClient, address: str, status: int) -> None:
    await shop.say("How is order 7?")
    async with shop.http.get(f"/v3/{shop.agent}/sessions/s/{address}") as response:
        assert response.status == status
