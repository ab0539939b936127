"""What the tests of apps call with."""

from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.errors import Code
from tests.integration.services.peers import LOCATION, Caller

CODE = 'def add(a: int, b: int) -> int:\n    """Adds two numbers."""\n    return a + b\n'


@dataclass
class Studio:
    """Calls RPCs of `AgentService` as a client of one version."""

    call: Caller

    @property
    def warnings(self) -> list[str]:
        """What the last call warned of."""
        return self.call.warnings

    async def __call__(self, rpc: str, request: JsonObject, *, sent: frozenset[str] | None = None) -> JsonObject:
        """The answer as JSON; of work that takes a while, what came of it."""
        answer = await self.call(self._full(rpc), request, sent=sent)
        if "/operations/" not in str(answer.get("name")) or answer.get("done"):
            return answer
        warnings = self.call.warnings
        finished = await self.call("google.longrunning.Operations.WaitOperation", {"name": answer["name"]})
        self.call.warnings = warnings
        return finished

    async def refusal(self, rpc: str, request: JsonObject) -> tuple[Code, str]:
        """The code and the sentence with which a call is refused."""
        return await self.call.refusal(self._full(rpc), request)

    async def app(self, id: str = "zoo", **fields: object) -> str:
        """The name of a new app."""
        app = {"displayName": "Zoo", **fields}
        return (await self("CreateApp", {"parent": LOCATION, "appId": id, "app": app}))["response"]["name"]

    async def agent(self, app: str, id: str = "greeter", **fields: object) -> JsonObject:
        """A new agent."""
        agent = {"displayName": id.title(), "instruction": "Greet.", **fields}
        return await self("CreateAgent", {"parent": app, "agentId": id, "agent": agent})

    async def tool(self, app: str, id: str = "weather", **fields: object) -> JsonObject:
        """A new client function."""
        tool = {"clientFunction": {"name": id, "description": "Tells."}, **fields}
        return await self("CreateTool", {"parent": app, "toolId": id, "tool": tool})

    async def python_tool(self, app: str, id: str = "add", **function: object) -> JsonObject:
        """A new Python function."""
        tool = {"pythonFunction": {"pythonCode": CODE, **function}}
        return await self("CreateTool", {"parent": app, "toolId": id, "tool": tool})

    async def toolset(self, app: str, id: str = "pets", **fields: object) -> JsonObject:
        """A new OpenAPI toolset."""
        toolset = {"displayName": id, "openApiToolset": {"openApiSchema": "t"}, **fields}
        return await self("CreateToolset", {"parent": app, "toolsetId": id, "toolset": toolset})

    async def guardrail(self, app: str, id: str = "polite", **fields: object) -> JsonObject:
        """A new guardrail."""
        guardrail = {
            "displayName": id,
            "contentFilter": {"bannedContents": ["darn"], "matchType": "WORD_BOUNDARY_STRING_MATCH"},
            **fields,
        }
        return await self("CreateGuardrail", {"parent": app, "guardrailId": id, "guardrail": guardrail})

    async def example(self, app: str, id: str = "first", *chunks: JsonObject, **fields: object) -> JsonObject:
        """A new example."""
        messages = [{"role": "user", "chunks": [{"text": "Hi"}, *chunks]}]
        example = {"displayName": id, "messages": messages, **fields}
        return await self("CreateExample", {"parent": app, "exampleId": id, "example": example})

    async def version(self, app: str, id: str = "one") -> JsonObject:
        """A new version of an app."""
        return await self("CreateAppVersion", {"parent": app, "appVersionId": id, "appVersion": {"displayName": id}})

    async def deployment(self, app: str, id: str = "web", **fields: object) -> JsonObject:
        """A new deployment."""
        deployment = {"displayName": id, "channelProfile": {"channelType": "API"}, **fields}
        return await self("CreateDeployment", {"parent": app, "deploymentId": id, "deployment": deployment})

    async def names(self, rpc: str, parent: str, listed: str, **request: object) -> list[str]:
        """Ids of what a list holds."""
        found = (await self(rpc, {"parent": parent, **request})).get(listed, [])
        return [each["name"].rsplit("/", 1)[1] for each in found]

    def _full(self, rpc: str) -> str:
        return f"google.cloud.ces.{self.call.version}.AgentService.{rpc}"
