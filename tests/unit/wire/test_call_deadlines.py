"""How long a call may take, and what becomes of a handler that takes longer."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

import pytest

from openplaybook.wire import registry as registry_module
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext, RpcLimit
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry

BETA = "google.cloud.dialogflow.cx.v3beta1"
GET = f"{BETA}.Agents.GetAgent"
STREAM = f"{BETA}.Sessions.ServerStreamingDetectIntent"


class Slow:
    """A handler that waits until it is let go."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.release = asyncio.Event()
        self.ended = asyncio.Event()
        self.was_cancelled = False

    async def agent(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise
        finally:
            self.ended.set()
        return self.api.message(f"{BETA}.Agent")(name="a")

    async def responses(self, request: ApiMessage, context: RpcContext) -> AsyncIterator[ApiMessage]:
        yield self.api.message(f"{BETA}.DetectIntentResponse")(response_id="1")
        await self.agent(request, context)


async def get(
    api: Api, slow: Slow, limit: RpcLimit, timeout_s: float | None = None, *, spent_s: float = 0.0
) -> ApiMessage:
    registry = Registry(api, lambda method: limit)
    registry.unary(GET, slow.agent)
    context = RpcContext(method=GET, version="v3beta1", transport="rest", timeout_s=timeout_s, spent_s=spent_s)
    return await registry.call(api.methods[GET], api.message(f"{BETA}.GetAgentRequest")(), context)


@pytest.mark.parametrize(
    ("limit", "asked", "message"),
    [
        (RpcLimit(seconds=0.01), None, "The response was not ready within 0.01 s, the limit of this RPC."),
        (RpcLimit(seconds=0.01), 5.0, "The response was not ready within 0.01 s, the limit of this RPC."),
        (RpcLimit(seconds=30), 0.01, "The response was not ready within 0.01 s, its own deadline."),
        (RpcLimit(seconds=30), 0.0, "The response was not ready within 0 s, its own deadline."),
    ],
)
async def test_a_late_save_is_given_up(api: Api, limit: RpcLimit, asked: float | None, message: str) -> None:
    slow = Slow(api)
    with pytest.raises(RpcError) as late:
        await get(api, slow, limit, asked)
    assert (late.value.code, late.value.message) == (Code.DEADLINE_EXCEEDED, message)
    slow.release.set()
    if asked != 0.0:  # else it never began
        await asyncio.wait_for(slow.ended.wait(), 5)
        assert slow.was_cancelled


async def test_a_late_save_is_given_up_also_when_its_caller_has_gone(api: Api) -> None:
    slow = Slow(api)
    call = asyncio.create_task(get(api, slow, RpcLimit(seconds=0.05)))
    await asyncio.sleep(0)
    call.cancel()
    await asyncio.wait_for(slow.ended.wait(), 5)
    assert slow.was_cancelled


async def test_a_late_turn_ends_by_its_own_rules(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry_module, "LATE_S", 0.0)
    slow = Slow(api)
    with pytest.raises(RpcError, match="was not ready within"):
        await get(api, slow, RpcLimit(seconds=0.01, is_cancelled=False))
    slow.release.set()
    await asyncio.wait_for(slow.ended.wait(), 5)
    assert not slow.was_cancelled


async def test_the_time_that_reading_took_counts(api: Api) -> None:
    slow = Slow(api)
    with pytest.raises(RpcError) as late:
        await asyncio.wait_for(get(api, slow, RpcLimit(seconds=30), spent_s=29.99), 5)
    assert late.value.message == "The response was not ready within 30 s, the limit of this RPC."
    assert slow.was_cancelled


async def test_who_is_in_time_is_answered(api: Api) -> None:
    slow = Slow(api)
    slow.release.set()
    assert (await get(api, slow, RpcLimit(seconds=5), 4.0)).name == "a"


@pytest.mark.parametrize(("seconds", "spent_s"), [(0.05, 0.0), (30, 29.95)])
async def test_a_stream_that_is_late_ends_with_the_error(
    api: Api, monkeypatch: pytest.MonkeyPatch, seconds: float, spent_s: float
) -> None:
    monkeypatch.setattr(registry_module, "LATE_S", 0.0)
    slow = Slow(api)
    registry = Registry(api, lambda method: RpcLimit(seconds=seconds, is_cancelled=False))
    registry.server_streaming(STREAM, slow.responses)
    context = RpcContext(method=STREAM, version="v3beta1", transport="grpc", spent_s=spent_s)
    request = api.message(f"{BETA}.DetectIntentRequest")()
    responses: AsyncGenerator[ApiMessage] = registry.call_streaming(api.methods[STREAM], request, context)
    assert (await anext(responses)).response_id == "1"
    with pytest.raises(RpcError) as late:
        await anext(responses)
    assert late.value.message == f"The response was not ready within {seconds:g} s, the limit of this RPC."
