"""Which handler answers which RPC, in which version."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from openplaybook.wire.api import Api, Method
from openplaybook.wire.context import MAX_WARNINGS, RpcContext, RpcLimit, header_texts
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry

V3, BETA = "google.cloud.dialogflow.cx.v3", "google.cloud.dialogflow.cx.v3beta1"
GET, STREAM = "Agents.GetAgent", "Sessions.ServerStreamingDetectIntent"


def call_of(api: Api, name: str) -> tuple[Method, ApiMessage, RpcContext]:
    method = api.methods[name]
    request = api.message(method.input.full_name)()
    return method, request, RpcContext(method=name, version=method.version, transport="grpc")


async def failure(registry: Registry, name: str) -> RpcError:
    with pytest.raises(RpcError) as caught:
        await registry.call(*call_of(registry.api, name))
    return caught.value


@pytest.fixture
def registry(api: Api) -> Registry:
    return Registry(api)


async def test_a_handler_of_beta_answers_both_versions(registry: Registry) -> None:
    seen: list[ApiMessage] = []

    async def handler(request: ApiMessage, context: RpcContext) -> ApiMessage:
        seen.append(request)
        return registry.api.message(f"{BETA}.Agent")(display_name=context.version, paused_input="REFUSE")

    registry.unary(f"{BETA}.{GET}", handler)

    for package, version in ((V3, "v3"), (BETA, "v3beta1")):
        response = await registry.call(*call_of(registry.api, f"{package}.{GET}"))
        assert response.DESCRIPTOR.full_name == f"{package}.Agent"
        assert (response.display_name, response.paused_input) == (version, 2)
    assert [request.DESCRIPTOR.full_name for request in seen] == [f"{BETA}.GetAgentRequest"] * 2


async def test_a_handler_of_the_stable_version_goes_before(registry: Registry) -> None:
    async def beta(request: ApiMessage, context: RpcContext) -> ApiMessage:
        return registry.api.message(f"{BETA}.Agent")(display_name="beta")

    async def stable(request: ApiMessage, context: RpcContext) -> ApiMessage:
        return registry.api.message(f"{V3}.Agent")(display_name="stable")

    registry.unary(f"{BETA}.{GET}", beta)
    registry.unary(f"{V3}.{GET}", stable)

    assert (await registry.call(*call_of(registry.api, f"{V3}.{GET}"))).display_name == "stable"
    assert (await registry.call(*call_of(registry.api, f"{BETA}.{GET}"))).display_name == "beta"


@pytest.mark.parametrize("name", [f"{V3}.{GET}", "google.longrunning.Operations.GetOperation"])
async def test_an_rpc_without_a_handler_is_unimplemented(registry: Registry, name: str) -> None:
    error = await failure(registry, name)

    assert (error.code, error.message) == (Code.UNIMPLEMENTED, f"{name} is not implemented by this server.")


async def test_every_unregistered_rpc_is_unimplemented(registry: Registry) -> None:
    for method in registry.api.methods.values():
        if not method.client_streaming and not method.service.startswith("grpc.health"):
            call = call_of(registry.api, method.full_name)
            streams = method.server_streaming
            answer = anext(registry.call_streaming(*call)) if streams else registry.call(*call)
            with pytest.raises(RpcError) as caught:
                await answer
            assert caught.value.code == Code.UNIMPLEMENTED


async def test_a_handler_registered_late_is_found(registry: Registry) -> None:
    await failure(registry, f"{V3}.{GET}")

    async def handler(request: ApiMessage, context: RpcContext) -> ApiMessage:
        return registry.api.message(f"{BETA}.Agent")(display_name="late")

    registry.unary(f"{BETA}.{GET}", handler)

    assert (await registry.call(*call_of(registry.api, f"{V3}.{GET}"))).display_name == "late"


async def test_a_handler_of_another_kind_or_a_second_one_is_refused(registry: Registry) -> None:
    async def handler(request: ApiMessage, context: RpcContext) -> ApiMessage:
        return request

    with pytest.raises(ValueError, match="streams in another way"):
        registry.unary(f"{BETA}.{STREAM}", handler)
    with pytest.raises(KeyError):
        registry.unary(f"{BETA}.Agents.Fly", handler)
    registry.unary(f"{BETA}.{GET}", handler)
    with pytest.raises(ValueError, match="has a handler already"):
        registry.unary(f"{BETA}.{GET}", handler)


async def test_a_response_of_another_type_is_our_fault(registry: Registry, caplog: pytest.LogCaptureFixture) -> None:
    async def handler(request: ApiMessage, context: RpcContext) -> ApiMessage:
        return request

    registry.unary(f"{BETA}.{GET}", handler)

    assert (await failure(registry, f"{BETA}.{GET}")).code == Code.INTERNAL
    assert f"not a {BETA}.Agent" in caplog.text


async def test_a_stream_is_closed_when_its_reader_goes(registry: Registry) -> None:
    closed = asyncio.Event()

    async def handler(request: ApiMessage, context: RpcContext) -> AsyncIterator[ApiMessage]:
        try:
            while True:
                yield registry.api.message(f"{BETA}.DetectIntentResponse")()
        finally:
            closed.set()

    registry.server_streaming(f"{BETA}.{STREAM}", handler)
    responses = registry.call_streaming(*call_of(registry.api, f"{V3}.{STREAM}"))
    first = await anext(responses)
    await responses.aclose()

    assert first.DESCRIPTOR.full_name == f"{V3}.DetectIntentResponse"
    assert closed.is_set()


async def test_a_fault_within_a_stream_is_internal(registry: Registry, caplog: pytest.LogCaptureFixture) -> None:
    async def handler(request: ApiMessage, context: RpcContext) -> AsyncIterator[ApiMessage]:
        yield registry.api.message(f"{BETA}.DetectIntentResponse")()
        raise ZeroDivisionError("a secret detail")

    registry.server_streaming(f"{BETA}.{STREAM}", handler)
    responses = registry.call_streaming(*call_of(registry.api, f"{BETA}.{STREAM}"))
    await anext(responses)

    with pytest.raises(RpcError) as caught:
        await anext(responses)
    assert (caught.value.code, "secret" in caught.value.message) == (Code.INTERNAL, False)
    assert f"{BETA}.{STREAM} failed" in caplog.text


async def test_a_unary_handler_ends_though_its_caller_was_cancelled(registry: Registry) -> None:
    begun, release, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def handler(request: ApiMessage, context: RpcContext) -> ApiMessage:
        begun.set()
        await release.wait()
        ended.set()
        raise RpcError(Code.ABORTED, "Nobody hears this.")

    registry.unary(f"{BETA}.{GET}", handler)
    caller = asyncio.create_task(registry.call(*call_of(registry.api, f"{BETA}.{GET}")))
    await begun.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert await registry.drain(0) == 1

    release.set()

    assert await registry.drain(5) == 0
    assert ended.is_set()


async def test_health_of_an_unknown_service_is_not_found(registry: Registry) -> None:
    method, request, context = call_of(registry.api, "grpc.health.v1.Health.Check")
    request.service = "no.Such"

    with pytest.raises(RpcError) as caught:
        await registry.call(method, request, context)
    assert caught.value.code == Code.NOT_FOUND


async def test_health_of_an_unknown_service_is_watched_as_unknown(registry: Registry) -> None:
    method, request, context = call_of(registry.api, "grpc.health.v1.Health.Watch")
    request.service = "no.Such"

    states = registry.call_streaming(method, request, context)
    response = await anext(states)
    await states.aclose()

    assert registry.api.codec.to_json(response) == {"status": "SERVICE_UNKNOWN"}


@pytest.mark.parametrize(("text", "sent"), [("plain text", "plain text"), ("é✓\t\n", "\\xe9\\u2713\\x09\\x0a")])
def test_a_warning_is_printable_ascii(text: str, sent: str) -> None:
    assert header_texts([text]) == [sent]


def test_more_warnings_than_clients_take_are_counted() -> None:
    texts = header_texts([f"warning {number}" for number in range(2000)])
    assert len(texts) == MAX_WARNINGS + 1
    assert (texts[0], texts[-1]) == ("warning 0", "and 1990 more")


@pytest.mark.parametrize("text", ["a" * 1000, "\u5ba0" * 1000])
def test_a_long_warning_is_cut(text: str) -> None:
    [sent] = header_texts([text])
    assert len(sent) == 253
    assert sent.endswith("...")


class Held:
    """Whatever a handler holds while it works."""


@pytest.mark.parametrize("seconds", [None, 5.0])
async def test_what_a_handler_held_that_failed_is_not_kept_until_the_collector_comes(
    api: Api, seconds: float | None
) -> None:
    registry, seen = Registry(api, lambda method: RpcLimit(seconds=seconds)), list["weakref.ref[Held]"]()

    async def handler(request: ApiMessage, context: RpcContext) -> ApiMessage:
        held = Held()
        seen.append(weakref.ref(held))
        raise RpcError(Code.NOT_FOUND, "There is none.")

    registry.unary(f"{BETA}.{GET}", handler)
    gc.disable()
    try:
        with suppress(RpcError):
            await registry.call(*call_of(api, f"{BETA}.{GET}"))
        await asyncio.sleep(0)
        assert [held() for held in seen] == [None]
    finally:
        gc.enable()
