"""A small agent service behind both front doors, on real sockets."""

import asyncio
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
import uvicorn
from google.rpc.error_details_pb2 import BadRequest

from openplaybook.wire.api import load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.grpc_server import GrpcServer
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry
from openplaybook.wire.rest import RestApp

BETA = "google.cloud.dialogflow.cx.v3beta1"
MAX_BYTES = 200_000


@dataclass
class AgentService:
    """Keeps agents in memory; some names ask for trouble."""

    registry: Registry
    contexts: list[RpcContext] = field(default_factory=list[RpcContext])
    requests: list[ApiMessage] = field(default_factory=list[ApiMessage])
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a slow handler has begun."""
    release: asyncio.Event = field(default_factory=asyncio.Event)
    """Lets slow handlers go on."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a slow handler came to its end."""

    def message(self, kind: str, /, **values: object) -> ApiMessage:
        return self.registry.api.message(f"{BETA}.{kind}")(**values)

    def note(self, request: ApiMessage, context: RpcContext) -> None:
        self.requests.append(request)
        self.contexts.append(context)

    async def get_agent(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        self.note(request, context)
        agent_id = request.name.rpartition("/")[2]
        if agent_id == "missing":
            raise RpcError(Code.NOT_FOUND, f"There is no agent {request.name}.")
        if agent_id == "broken":
            raise ZeroDivisionError("a secret detail")
        if agent_id == "slow":
            self.begun.set()
            await self.release.wait()
            self.ended.set()
        if agent_id == "odd":
            context.warn("naïve\r\nwarning")
            context.warn("second")
        return self.message("Agent", name=request.name, display_name=agent_id, paused_input="REFUSE")

    async def update_agent(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        self.note(request, context)
        if not request.agent.display_name:
            violation = BadRequest.FieldViolation(field="agent.display_name", description="is required")
            raise RpcError(Code.INVALID_ARGUMENT, "The agent has no name.", [BadRequest(field_violations=[violation])])
        return request.agent

    async def list_agents(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        self.note(request, context)
        start = int(request.page_token or 0)
        agents = [self.message("Agent", name=f"{request.parent}/agents/{n}") for n in range(start, start + 2)]
        return self.message("ListAgentsResponse", agents=agents, next_page_token="" if start else "2")

    async def export_agent(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        self.note(request, context)
        operation = self.registry.api.message("google.longrunning.Operation")(
            name="projects/p/locations/l/operations/o", done=True
        )
        operation.response.Pack(self.message("ExportAgentResponse", agent_content=b"zip"))
        return operation

    async def stream_turn(self, request: ApiMessage, context: RpcContext) -> AsyncIterator[ApiMessage]:
        self.note(request, context)
        text = request.query_input.text.text
        if text == "fail at once":
            raise RpcError(Code.FAILED_PRECONDITION, "The agent has no start playbook.")
        for part in text.split():
            if part == "fail":
                raise RpcError(Code.UNAVAILABLE, "The model is gone.")
            yield self.message("DetectIntentResponse", response_id=part)

    async def talk(self, requests: AsyncIterator[ApiMessage], context: RpcContext) -> AsyncIterator[ApiMessage]:
        async for request in requests:
            self.note(request, context)
            answer = self.message("DetectIntentResponse", response_id=request.session)
            yield self.message("StreamingDetectIntentResponse", detect_intent_response=answer)


@dataclass(frozen=True)
class Served:
    """Where the service listens."""

    service: AgentService
    registry: Registry
    http: str
    """Base URL."""
    grpc: str
    """Host and port."""


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    registry = Registry(load_api())
    service = AgentService(registry)
    registry.unary(f"{BETA}.Agents.GetAgent", service.get_agent)
    registry.unary(f"{BETA}.Agents.UpdateAgent", service.update_agent)
    registry.unary(f"{BETA}.Agents.ListAgents", service.list_agents)
    registry.unary(f"{BETA}.Agents.ExportAgent", service.export_agent)
    registry.server_streaming(f"{BETA}.Sessions.ServerStreamingDetectIntent", service.stream_turn)
    registry.stream(f"{BETA}.Sessions.StreamingDetectIntent", service.talk)
    grpc_server = GrpcServer(registry, address="127.0.0.1:0", max_message_bytes=MAX_BYTES)
    grpc_port = await grpc_server.start()
    listening = socket.create_server(("127.0.0.1", 0))
    app = RestApp(registry, max_body_bytes=MAX_BYTES)
    http_server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="error", ws="none"))
    serving = asyncio.create_task(http_server.serve([listening]))
    http_port = listening.getsockname()[1]
    yield Served(service, registry, f"http://127.0.0.1:{http_port}", f"127.0.0.1:{grpc_port}")
    service.release.set()
    await registry.drain(5)
    await grpc_server.stop(0)
    http_server.should_exit = True
    await serving
