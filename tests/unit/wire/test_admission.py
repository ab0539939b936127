"""Requests that are not admitted over REST, and health at its end."""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import cast

import pytest
from starlette.types import Message

from openplaybook.jsonvalues import loads
from openplaybook.wire import health as health_module
from openplaybook.wire.api import Api, Method
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.health import WATCH, Health
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry
from openplaybook.wire.rest import RestApp

AGENTS = "/v3/projects/p/locations/l/agents"


async def test_who_is_refused_is_told_before_the_body_is_read(api: Api) -> None:
    asked: list[str] = []

    def admit(method: Method) -> None:
        asked.append(method.full_name)
        raise RpcError(Code.RESOURCE_EXHAUSTED, "Later.", headers={"Retry-After": "7"})

    async def receive() -> Message:
        raise AssertionError("the body was read")

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    app = RestApp(Registry(api), max_body_bytes=1000, admit=admit)
    scope = {"type": "http", "method": "POST", "path": AGENTS, "query_string": b"", "headers": []}
    await app(scope, receive, send)
    assert asked == ["google.cloud.dialogflow.cx.v3.Agents.CreateAgent"]
    assert sent[0]["status"] == 429
    assert (b"retry-after", b"7") in sent[0]["headers"]
    assert loads(sent[1]["body"]) == {"error": {"code": 429, "message": "Later.", "status": "RESOURCE_EXHAUSTED"}}


@pytest.fixture
def watched(api: Api) -> tuple[Health, AsyncIterator[ApiMessage]]:
    health = Health(api)
    request = api.message("grpc.health.v1.HealthCheckRequest")()
    return health, aiter(health.watch(request, RpcContext(method=WATCH, version="v1", transport="grpc")))


async def test_watchers_are_told_of_the_end_and_their_streams_ended(
    api: Api, watched: tuple[Health, AsyncIterator[ApiMessage]]
) -> None:
    health, states = watched
    response = api.message("grpc.health.v1.HealthCheckResponse")
    assert (await anext(states)).status == response.SERVING
    health.end()
    assert [state.status async for state in states] == [response.NOT_SERVING]


async def test_who_was_told_that_the_server_drains_is_not_told_twice(
    api: Api, watched: tuple[Health, AsyncIterator[ApiMessage]]
) -> None:
    health, states = watched
    response = api.message("grpc.health.v1.HealthCheckResponse")
    await anext(states)
    health.set_serving(False)
    assert (await anext(states)).status == response.NOT_SERVING
    health.end()
    assert [state async for state in states] == []


async def test_only_so_many_may_watch_and_a_place_is_free_again_when_one_leaves(
    api: Api, watched: tuple[Health, AsyncIterator[ApiMessage]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health_module, "MOST_WATCHERS", 1)
    health, states = watched
    call = RpcContext(method=WATCH, version="v1", transport="grpc")
    request = api.message("grpc.health.v1.HealthCheckRequest")()
    await anext(states)
    with pytest.raises(RpcError, match="1 clients are already watching; use Check") as refused:
        await anext(aiter(health.watch(request, call)))
    assert refused.value.code is Code.RESOURCE_EXHAUSTED
    await cast("AsyncGenerator[ApiMessage]", states).aclose()
    assert (await anext(aiter(health.watch(request, call)))).status == 1
