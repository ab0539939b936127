"""Sessions between turns: GetSession, UpdateSessionParameters, ForkSession."""

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


def parameters(session: JsonObject) -> JsonObject:
    return {each["name"]: each.get("value") for each in session.get("parameters", ())}


async def test_parameters_are_set_before_the_first_turn_and_between_turns(shop: ShopClient) -> None:
    address = f"/v3/{shop.agent}/sessions/s"
    await shop.send("GET", address, status=404)
    body: JsonObject = {"parameters": {"vip": True, "size": 3}}
    assert parameters(await shop.send("POST", f"{address}:updateParameters", body)) == {"size": 3, "vip": True}
    # The same again is no retry: what was changed in between is set back.
    await shop.send("POST", f"{address}:updateParameters", {"parameters": {"size": 4}, "removed": ["vip"]})
    assert parameters(await shop.send("POST", f"{address}:updateParameters", body)) == {"size": 3, "vip": True}
    answered = await shop.say("How is order 7?")
    assert answered["queryResult"]["parameters"] == {"vip": True, "size": 3}
    session = await shop.send("GET", address)
    assert session["parameters"][0] == {"name": "size", "value": 3, "setBy": "REQUEST", "turn": 3}
    assert (session["latestTurn"], session["playbook"]) == (4, shop.playbook)
    assert "running" not in session


async def test_a_fork_has_the_earlier_turns_and_other_parameters(shop: ShopClient) -> None:
    address = f"/v3/{shop.agent}/sessions/s"
    await shop.say("first", parameters={"n": 1})
    await shop.say("second", parameters={"n": 2})
    body: JsonObject = {"beforeTurn": 2, "sessionId": "again", "parameters": {"colour": "red"}}
    fork = await shop.send("POST", f"{address}:fork", body)
    assert fork["name"] == f"{shop.agent}/sessions/again"
    assert parameters(fork) == {"colour": "red", "n": 1}
    assert fork["origin"] == {"session": f"{shop.agent}/sessions/s", "beforeTurn": 2}
    turns = (await shop.send("GET", f"/v3/{fork['name']}/turns"))["turns"]
    assert [turn.get("text") for turn in turns] == ["first", None]
    session = await shop.send("GET", address)
    assert session["branches"] == [{"session": fork["name"], "beforeTurn": 2}]
    whole = await shop.send("POST", f"{address}:fork", {})
    assert whole["latestTurn"] == 2


@pytest.mark.parametrize(
    ("body", "status"),
    [({"beforeTurn": 9}, 400), ({"sessionId": "a b"}, 400), ({"sessionId": "s"}, 400), ({"beforeTurn": -1}, 400)],
)
async def test_a_fork_that_cannot_be_is_refused(shop: ShopClient, body: JsonObject, status: int) -> None:
    await shop.say("first")
    await shop.send("POST", f"/v3/{shop.agent}/sessions/s:fork", body, status=status)
    await shop.send("POST", f"/v3/{shop.agent}/sessions/none:fork", {}, status=404)
