"""A shop in one peer: its API, and a language model that calls it, both of which can be made to wait."""

import asyncio
from dataclasses import dataclass, field

import aiohttp

from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps, loads
from tests.kit.http_peer import Received, answer

KEY = "key-of-the-shop-4711"
SCHEMA = """
openapi: 3.0.0
info: {title: Shop, version: '1'}
servers: [{url: '%s'}]
paths:
  /orders/{id}:
    get:
      operationId: getOrder
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: The order}}
"""


@dataclass
class ModelShop:
    """The model asks for order 7 and then says how it is."""

    model_may_answer: asyncio.Event = field(default_factory=asyncio.Event)
    shop_may_answer: asyncio.Event = field(default_factory=asyncio.Event)
    model_status: str = "200 OK"

    def __post_init__(self) -> None:
        self.model_may_answer.set()
        self.shop_may_answer.set()

    async def reply(self, received: Received) -> bytes:
        """To either."""
        if received.target.startswith("/orders/"):
            await self.shop_may_answer.wait()
            return answer(b'{"id":"7","status":"sent","apiKey":"%s"}' % KEY.encode())
        await self.model_may_answer.wait()
        if not self.model_status.startswith("200"):
            return answer(b'{"error":{"message":"no"}}', self.model_status)
        messages = as_list(as_object(loads(received.body))["messages"])
        return answer(dumps(_completion(as_object(messages[-1]))))


def _completion(last: JsonObject) -> JsonObject:
    call: JsonObject = {"name": "getOrder", "arguments": '{"id":"7"}'}
    asked: JsonObject = {"content": None, "tool_calls": [{"id": "m1", "type": "function", "function": call}]}
    message = {"content": "It was sent."} if last["role"] == "tool" else asked
    choice: JsonObject = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    usage: JsonObject = {"prompt_tokens": 20, "completion_tokens": 3}
    return {"id": "c", "model": "m-1", "choices": [choice], "usage": usage}


@dataclass
class ShopClient:
    """Makes the agent and talks with it."""

    http: aiohttp.ClientSession
    agent: str = ""
    tool: str = ""
    playbook: str = ""

    async def send(self, method: str, path: str, body: JsonObject | None = None, status: int = 200) -> JsonObject:
        """The response to a request that has to have this status."""
        async with self.http.request(method, path, json=body) as response:
            assert response.status == status, await response.text()
            return await response.json()

    async def make(self, url: str) -> None:
        """Make an agent whose tool is the shop."""
        made: JsonObject = {"displayName": "Shop", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
        self.agent = (await self.send("POST", "/v3/projects/p/locations/l/agents", made))["name"]
        key: JsonObject = {"keyName": "X-Key", "apiKey": KEY, "requestLocation": "HEADER"}
        spec: JsonObject = {"textSchema": SCHEMA % url, "authentication": {"apiKeyConfig": key}}
        made = {"displayName": "shop", "description": "Orders", "openApiSpec": spec}
        self.tool = (await self.send("POST", f"/v3/{self.agent}/tools", made))["name"]
        steps: JsonObject = {"steps": [{"text": "Use ${TOOL: shop}"}]}
        made = {"displayName": "Start", "goal": "Tell how orders are.", "instruction": steps}
        made["referencedTools"] = [self.tool]
        self.playbook = (await self.send("POST", f"/v3/{self.agent}/playbooks", made))["name"]
        start: JsonObject = {"startPlaybook": self.playbook}
        await self.send("PATCH", f"/v3/{self.agent}?updateMask=startPlaybook", start)

    async def say(self, text: str, session: str = "s", status: int = 200, **params: object) -> JsonObject:
        """One turn."""
        body: JsonObject = {"queryInput": {"text": {"text": text}, "languageCode": "en"}, "queryParams": params}
        return await self.send("POST", f"/v3/{self.agent}/sessions/{session}:detectIntent", body, status)
