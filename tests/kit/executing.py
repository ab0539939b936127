"""Trying a tool on a running server, over REST."""

from typing import cast

import aiohttp

from openplaybook.jsonvalues import JsonObject, dumps, loads

AGENTS = "/v3beta1/projects/p/locations/global/agents"


class Refused(Exception):
    """The server's answer is an error; the message is its body."""


class Rest:
    """A server's REST API, and every byte that it said."""

    def __init__(self, http: aiohttp.ClientSession) -> None:
        self._http = http
        self.heard = b""
        self.warnings: list[str] = []

    async def ask(self, method: str, path: str, body: JsonObject | None = None) -> JsonObject:
        """The answer's JSON; raises `Refused`."""
        data = None if body is None else dumps(body)
        headers = {"Content-Type": "application/json"}
        async with self._http.request(method, path, data=data, headers=headers) as answered:
            text = await answered.read()
            self.heard += text
            self.warnings.extend(answered.headers.getall("x-openplaybook-warning", []))
            if answered.status != 200:
                raise Refused(text.decode())
            return cast(JsonObject, loads(text))

    async def agent(self, **more: object) -> str:
        """The name of a new agent."""
        document = {"displayName": "a", "defaultLanguageCode": "en", "timeZone": "UTC", **more}
        return str((await self.ask("POST", AGENTS, document))["name"])

    async def tool(self, agent: str, document: JsonObject, **spec: object) -> str:
        """The name of a new OpenAPI tool."""
        body = {
            "displayName": "t",
            "description": "d",
            "openApiSpec": {"textSchema": dumps(document).decode(), **spec},
        }
        return str((await self.ask("POST", f"/v3beta1/{agent}/tools", body))["name"])

    async def execute(self, tool: str, action: str = "act", **more: JsonObject) -> JsonObject:
        """What came of an action."""
        body = {"action": action, "inputParameters": {}, **more}
        return await self.ask("POST", f"/v3beta1/{tool}:execute", body)
