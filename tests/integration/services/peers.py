"""What the service tests call with: one server's handlers behind its registry, on a real store."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from openplaybook.egress.address_policy import AddressPolicy
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.package_secrets import named_secrets
from openplaybook.services.parts import ServiceParts
from openplaybook.tools.base import NO_AGENT, AgentScope, Problem, Tool
from openplaybook.tools.toolbox import Toolbox
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry

LOCATION = "projects/p/locations/global"


class Clock:
    """Moves when told."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000_000

    def __call__(self) -> int:
        return self.now

    def advance(self, seconds: int) -> None:
        self.now += seconds * 1_000_000


class SpecificationChecker:
    """A `ToolChecker` with three rules: an OpenAPI schema is not `broken`, one that says `odd` gets a remark, and a
    secret called `gone` is nowhere. It compiles tools as the server does."""

    def __init__(self) -> None:
        self._toolbox = Toolbox(HttpTransport(AddressPolicy(())))

    def build(self, resource: JsonObject, scope: AgentScope = NO_AGENT) -> Tool:
        return self._toolbox.build(resource, scope)

    def check(self, resource: JsonObject) -> Sequence[Problem]:
        text = resource.get("openApiSpec", {}).get("textSchema", "")
        if text == "broken":
            return [Problem("$.openApiSpec.textSchema", "is no OpenAPI document", line=1)]
        return [Problem("$.openApiSpec.textSchema", "is odd", is_error=False)] if text == "odd" else []

    async def unmet(self, resource: JsonObject) -> Sequence[Problem]:
        gone = [path for path, secret in named_secrets(resource) if secret.endswith("/gone")]
        return [Problem(path, "is not kept here", is_error=False) for path in gone]


@dataclass
class Caller:
    """Calls RPCs with JSON, as a client of one version."""

    registry: Registry
    parts: ServiceParts
    clock: Clock
    version: str = "v3beta1"
    warnings: list[str] = field(default_factory=list[str])
    """What the last call warned of."""

    async def __call__(self, rpc: str, request: JsonObject, *, sent: frozenset[str] | None = None) -> JsonObject:
        """The answer of `Service.Method` as JSON. `sent`: what a REST body held."""
        message = await self.message(rpc, request, sent=sent)
        return self.parts.api.codec.to_json(message)

    async def message(self, rpc: str, request: JsonObject, *, sent: frozenset[str] | None = None) -> ApiMessage:
        """The answer as a message."""
        full_name = (
            rpc if rpc.startswith(("google.", "openplaybook.")) else f"google.cloud.dialogflow.cx.{self.version}.{rpc}"
        )
        method = self.parts.api.methods[full_name]
        message = self.parts.api.message(method.input.full_name)()
        self.parts.api.codec.from_json(request, message)
        context = RpcContext(full_name, self.version, "rest" if sent is not None else "grpc", sent_fields=sent)
        try:
            return await self.registry.call(method, message, context)
        finally:
            self.warnings = context.warnings

    async def refusal(self, rpc: str, request: JsonObject) -> tuple[Code, str]:
        """The code and the sentence with which a call is refused."""
        return (await self.error(rpc, request))[:2]

    async def error(self, rpc: str, request: JsonObject) -> tuple[Code, str, list[ApiMessage]]:
        """The code, sentence and details with which a call is refused."""
        try:
            answer = await self(rpc, request)
        except RpcError as error:
            return error.code, error.message, list(error.details)
        raise AssertionError(f"{rpc} was not refused: {answer}")

    async def operation(self, rpc: str, request: JsonObject) -> JsonObject:
        """The finished operation that a long-running call started."""
        started = await self(rpc, request)
        return await self("google.longrunning.Operations.WaitOperation", {"name": started["name"]})

    async def agent(self, **fields: object) -> str:
        """The name of a new agent."""
        agent = {"displayName": "Zoo", "defaultLanguageCode": "en", "timeZone": "Europe/Berlin", **fields}
        return (await self("Agents.CreateAgent", {"parent": LOCATION, "agent": agent}))["name"]

    async def tool(self, agent: str, display_name: str = "Weather", **fields: object) -> JsonObject:
        """A new function tool."""
        tool = {"displayName": display_name, "description": "Tells", "functionSpec": {}, **fields}
        return await self("Tools.CreateTool", {"parent": agent, "tool": tool})

    async def playbook(self, agent: str, display_name: str = "Greeter", text: str = "", **fields: object) -> JsonObject:
        """A new playbook with one step."""
        steps = {"instruction": {"steps": [{"text": text}]}} if text else {}
        playbook = {"displayName": display_name, "goal": "Help", **steps, **fields}
        return await self("Playbooks.CreatePlaybook", {"parent": agent, "playbook": playbook})

    async def example(self, playbook: str, display_name: str = "First", **fields: object) -> JsonObject:
        """A new example."""
        actions = [{"userUtterance": {"text": "hi"}}, {"agentUtterance": {"text": "hello"}}]
        example = {"displayName": display_name, "actions": actions, "conversationState": "OUTPUT_STATE_OK", **fields}
        return await self("Examples.CreateExample", {"parent": playbook, "example": example})
