"""OpenAPI tools on a transport that remembers what it was asked to send."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from openplaybook.credentials.base import CredentialSources
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, dumps
from openplaybook.tools.base import Action, Call, Outcome, Tool, ToolContext
from openplaybook.tools.tool_kind import ToolParts
from openplaybook.tools.toolbox import Toolbox

TOOL = "projects/p/locations/global/agents/a/tools/t"


def responds(
    body: bytes = b"{}", status: int = 200, content_type: str = "application/json", *, truncated: bool = False
) -> HttpResponse:
    """An answer."""
    headers = (("Content-Type", content_type),) if content_type else ()
    return HttpResponse(status, headers, body, truncated, 0.001)


@dataclass
class Remembering:
    """A transport that gives one answer to everything and keeps what was sent."""

    reply: HttpResponse | EgressError = field(default_factory=responds)
    sent: list[HttpRequest] = field(default_factory=list[HttpRequest])
    limits: list[HttpLimits] = field(default_factory=list[HttpLimits])

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The answer, or its failure."""
        self.sent.append(request)
        self.limits.append(limits)
        if isinstance(self.reply, EgressError):
            raise self.reply
        return self.reply

    async def aclose(self) -> None:
        """Nothing is held."""


PARTS = ToolParts(Remembering(), CredentialSources(Remembering()))


def description(paths: JsonObject, **more: object) -> JsonObject:
    """A small OpenAPI 3.0 description."""
    info: JsonObject = {"title": "t", "version": "1"}
    return {"openapi": "3.0.3", "info": info, "servers": [{"url": "https://api.example/v1"}], "paths": paths, **more}


def operation(
    parameters: Sequence[JsonObject] = (), body: JsonObject | None = None, path: str = "/things", **more: object
) -> JsonObject:
    """A description with one operation called `act`: a POST where it has a body, else a GET."""
    built: JsonObject = {"operationId": "act", "parameters": list(parameters), "responses": {}, **more}
    if body is not None:
        built["requestBody"] = body
    return description({path: {"get" if body is None else "post": built}})


def json_body(schema: JsonObject, *, required: bool = False) -> JsonObject:
    """A JSON request body."""
    return {"required": required, "content": {"application/json": {"schema": schema}}}


def resource(document: JsonObject | str, **spec: object) -> JsonObject:
    """A stored OpenAPI tool."""
    text = document if isinstance(document, str) else dumps(document).decode()
    return {"name": TOOL, "displayName": "things", "openApiSpec": {"textSchema": text, **spec}}


@dataclass
class Harness:
    """A tool, and what it sent."""

    tool: Tool
    transport: Remembering

    def action(self, name: str = "act") -> Action:
        """The action called `name`."""
        return next(action for action in self.tool.actions() if action.action == name)

    async def call(self, arguments: JsonObject, context: ToolContext | None = None, name: str = "act") -> Outcome:
        """The outcome of a call."""
        call = Call("c1", self.action(name), arguments)
        return await self.tool.invoke(call, context or ToolContext("session-1"))

    @property
    def sent(self) -> HttpRequest:
        """The only request."""
        assert len(self.transport.sent) == 1
        return self.transport.sent[0]


def harness(document: JsonObject | str, reply: HttpResponse | EgressError | None = None, **spec: object) -> Harness:
    """The tool of a description."""
    transport = Remembering(reply or responds())
    return Harness(Toolbox(transport).build(resource(document, **spec)), transport)
