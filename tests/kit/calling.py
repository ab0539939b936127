"""Calling the one operation of an OpenAPI tool over a real transport."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from openplaybook.credentials.base import CredentialSources
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import NO_AGENT, AgentScope, Call, Outcome, Tool, ToolContext
from openplaybook.tools.toolbox import Toolbox
from tests.kit.openapi import Remembering, resource

LOOPBACK = "127.0.0.0/8"
NOWHERE = CredentialSources(Remembering())
"""Sources without anything in them; `tools` gives them a transport."""


@dataclass
class Tools:
    """Builds tools that share one transport and one set of credentials."""

    toolbox: Toolbox
    sources: CredentialSources

    def build(self, document: JsonObject, scope: AgentScope = NO_AGENT, **spec: object) -> Tool:
        """The tool of a description."""
        return self.toolbox.build(resource(document, **spec), scope)


@asynccontextmanager
async def tools(sources: CredentialSources = NOWHERE, allow: str = LOOPBACK) -> AsyncGenerator[Tools]:
    """Tools that may reach `allow`, while the context lasts."""
    transport = HttpTransport(AddressPolicy(parse_allow(allow)))
    sources = replace(sources, transport=transport)
    try:
        yield Tools(Toolbox(transport, sources), sources)
    finally:
        await transport.aclose()


async def call(tool: Tool, context: ToolContext | None = None, name: str = "", **arguments: object) -> Outcome:
    """The outcome of the operation called `name`, or of the first."""
    action = next(action for action in tool.actions() if name in ("", action.action))
    return await tool.invoke(Call("c1", action, arguments), context or ToolContext("session-1"))
