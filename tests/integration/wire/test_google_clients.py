"""Google's own client libraries against both front doors, unpatched."""

import asyncio
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import grpc
import grpc.aio
import pytest
from google.api_core import exceptions
from google.api_core.client_options import ClientOptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import dialogflowcx_v3, dialogflowcx_v3beta1
from google.protobuf.field_mask_pb2 import FieldMask
from google.rpc.error_details_pb2 import BadRequest

from tests.integration.wire.conftest import Served

PARENT = "projects/p/locations/global"
AGENT = f"{PARENT}/agents/a"

Client = Any
"""A generated client; the two versions have no common type."""


def rest_client(module: ModuleType, served: Served, service: str) -> Client:
    options = ClientOptions(api_endpoint=served.http)
    return getattr(module, f"{service}Client")(
        client_options=options, credentials=AnonymousCredentials(), transport="rest"
    )


def grpc_client(module: ModuleType, served: Served, service: str) -> Client:
    client_class = getattr(module, f"{service}Client")
    transport = client_class.get_transport_class("grpc")
    return client_class(transport=transport(channel=grpc.insecure_channel(served.grpc)))


MODULES = pytest.mark.parametrize("module", [dialogflowcx_v3, dialogflowcx_v3beta1], ids=["v3", "v3beta1"])
CLIENTS = pytest.mark.parametrize("connect", [rest_client, grpc_client], ids=["rest", "grpc"])
Connect = Callable[[ModuleType, Served, str], Client]


async def answer(client: Client, call: Callable[[Client], Any]) -> Any:
    """What a call of a blocking client gives; the client is closed, and the loop goes on meanwhile."""

    def run() -> Any:
        with client:
            return call(client)

    return await asyncio.to_thread(run)


@MODULES
@CLIENTS
async def test_a_resource_is_read(served: Served, module: ModuleType, connect: Connect) -> None:
    agent = await answer(connect(module, served, "Agents"), lambda client: client.get_agent(name=AGENT))

    assert (agent.name, agent.display_name) == (AGENT, "a")
    assert isinstance(agent, module.Agent)
    [context] = served.service.contexts
    assert context.version == module.__name__.rpartition("_")[2]
    assert context.metadata["x-goog-api-client"].startswith("gl-python/")


@MODULES
@CLIENTS
async def test_an_update_carries_its_mask_and_its_path(served: Served, module: ModuleType, connect: Connect) -> None:
    agent = module.Agent(name=AGENT, display_name="New", time_zone="Europe/Paris")
    mask = FieldMask(paths=["display_name", "time_zone"])

    updated = await answer(
        connect(module, served, "Agents"), lambda client: client.update_agent(agent=agent, update_mask=mask)
    )

    assert updated == agent
    [request] = served.service.requests
    assert request.agent.name == AGENT
    assert list(request.update_mask.paths) == ["display_name", "time_zone"]


@MODULES
@CLIENTS
async def test_pages_are_followed(served: Served, module: ModuleType, connect: Connect) -> None:
    names = await answer(
        connect(module, served, "Agents"), lambda client: [agent.name for agent in client.list_agents(parent=PARENT)]
    )

    assert names == [f"{PARENT}/agents/{n}" for n in range(4)]


@MODULES
@CLIENTS
async def test_a_long_running_operation_results_in_the_callers_version(
    served: Served, module: ModuleType, connect: Connect
) -> None:
    result = await answer(
        connect(module, served, "Agents"),
        lambda client: client.export_agent(request={"name": AGENT}).result(timeout=30),
    )

    assert isinstance(result, module.ExportAgentResponse)
    assert result.agent_content == b"zip"


@MODULES
@CLIENTS
async def test_a_stream_is_read(served: Served, module: ModuleType, connect: Connect) -> None:
    request = {
        "session": f"{AGENT}/sessions/s",
        "query_input": {"text": {"text": "one two three"}, "language_code": "en"},
    }

    def call(client: Client) -> list[str]:
        return [response.response_id for response in client.server_streaming_detect_intent(request=request)]

    assert await answer(connect(module, served, "Sessions"), call) == ["one", "two", "three"]


@MODULES
@pytest.mark.parametrize(
    ("connect", "agent_id", "error"),
    [
        (rest_client, "missing", exceptions.NotFound),
        (grpc_client, "missing", exceptions.NotFound),
        (rest_client, "broken", exceptions.InternalServerError),
        (grpc_client, "broken", exceptions.InternalServerError),
    ],
)
async def test_errors_are_the_clients_own(
    served: Served, module: ModuleType, connect: Connect, agent_id: str, error: type[Exception]
) -> None:
    with pytest.raises(error) as caught:
        await answer(
            connect(module, served, "Agents"), lambda client: client.get_agent(name=f"{PARENT}/agents/{agent_id}")
        )

    assert "secret" not in str(caught.value)


@MODULES
async def test_error_details_reach_a_rest_client(served: Served, module: ModuleType) -> None:
    with pytest.raises(exceptions.BadRequest) as caught:
        await update_without_name(module, rest_client(module, served, "Agents"))

    assert caught.value.details == [
        {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [{"field": "agent.display_name", "description": "is required"}],
        }
    ]


@MODULES
async def test_error_details_reach_a_grpc_client(served: Served, module: ModuleType) -> None:
    with pytest.raises(exceptions.InvalidArgument) as caught:
        await update_without_name(module, grpc_client(module, served, "Agents"))

    violation = BadRequest.FieldViolation(field="agent.display_name", description="is required")
    assert caught.value.details == [BadRequest(field_violations=[violation])]


async def update_without_name(module: ModuleType, client: Client) -> None:
    await answer(client, lambda client: client.update_agent(agent=module.Agent(name=AGENT)))


@MODULES
@CLIENTS
async def test_an_rpc_without_a_handler_is_not_implemented(
    served: Served, module: ModuleType, connect: Connect
) -> None:
    with pytest.raises(exceptions.MethodNotImplemented, match=r"Agents\.DeleteAgent is not implemented by this server"):
        await answer(connect(module, served, "Agents"), lambda client: client.delete_agent(name=AGENT))


@MODULES
async def test_the_asyncio_client_works(served: Served, module: ModuleType) -> None:
    transport = module.AgentsAsyncClient.get_transport_class("grpc_asyncio")
    async with grpc.aio.insecure_channel(served.grpc) as channel:
        client = module.AgentsAsyncClient(transport=transport(channel=channel))
        assert (await client.get_agent(name=AGENT)).display_name == "a"


@MODULES
async def test_streams_both_ways_work(served: Served, module: ModuleType) -> None:
    def requests() -> Iterator[Any]:
        for session in ("first", "second"):
            yield module.StreamingDetectIntentRequest(session=session)

    def call(client: Client) -> list[str]:
        return [
            response.detect_intent_response.response_id
            for response in client.streaming_detect_intent(requests=requests())
        ]

    assert await answer(grpc_client(module, served, "Sessions"), call) == ["first", "second"]
