"""Requests over gRPC that are large, many, or slow to come, sent by a real client."""

import asyncio
import gc
import gzip
import weakref
import zlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import grpc
import grpc.aio
import pytest
from google.protobuf.descriptor import Descriptor

from benchmarks.hostile.frames import UnfinishedCalls
from openplaybook.wire import grpc_arrival
from openplaybook.wire.api import load_api
from openplaybook.wire.bytes_in_flight import SMALL, BytesInFlight
from openplaybook.wire.context import RpcContext, RpcLimit
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.grpc_server import GrpcServer
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry

BETA = "google.cloud.dialogflow.cx.v3beta1"
GET_AGENT = f"/{BETA}.Agents/GetAgent"
STREAM = f"/{BETA}.Sessions/ServerStreamingDetectIntent"
BIDI = f"/{BETA}.Sessions/StreamingDetectIntent"
PORT_LIMIT = 4_000_000
RPC_LIMIT = 500_000


class Held:
    """Whatever a function holds while it works on a request."""


class Opened:
    """A server whose handler waits while it is told to, and a channel to it."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.in_flight = BytesInFlight(large=SMALL + 1000)
        self.release = asyncio.Event()
        self.release.set()
        self.begun = asyncio.Event()
        self.address = ""
        self.refusal = ""
        self.seconds: float | None = None
        self.held: list[weakref.ref[Held]] = []

    async def get_agent(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        self._take()
        self.begun.set()
        await self.release.wait()
        return self.registry.api.message(f"{BETA}.Agent")(name=str(len(request.name)))

    async def stream(self, request: ApiMessage, context: RpcContext) -> AsyncIterator[ApiMessage]:
        self._take()
        yield self.registry.api.message(f"{BETA}.DetectIntentResponse")(response_id=str(len(request.session)))

    async def bidi(self, requests: AsyncIterator[ApiMessage], context: RpcContext) -> AsyncIterator[ApiMessage]:
        async for request in requests:
            self._take()
            response = self.registry.api.message(f"{BETA}.StreamingDetectIntentResponse")()
            response.detect_intent_response.response_id = str(len(request.session))
            yield response

    def _take(self) -> None:
        held = Held()
        self.held.append(weakref.ref(held))
        if self.refusal:
            raise RpcError(Code.NOT_FOUND, self.refusal)

    @asynccontextmanager
    async def channel(self) -> AsyncGenerator[grpc.aio.Channel]:
        options = [("grpc.use_local_subchannel_pool", 1)]
        async with grpc.aio.insecure_channel(self.address, options=options) as channel:
            yield channel


@pytest.fixture
async def opened() -> AsyncIterator[Opened]:
    registry = Registry(load_api(), lambda method: RpcLimit(body=RPC_LIMIT, seconds=made.seconds))
    made = Opened(registry)
    registry.unary(f"{BETA}.Agents.GetAgent", made.get_agent)
    registry.server_streaming(f"{BETA}.Sessions.ServerStreamingDetectIntent", made.stream)
    registry.stream(f"{BETA}.Sessions.StreamingDetectIntent", made.bidi)
    server = GrpcServer(registry, address="127.0.0.1:0", max_message_bytes=PORT_LIMIT, in_flight=made.in_flight)
    made.address = f"127.0.0.1:{await server.start()}"
    yield made
    await server.stop(0)


def named(size: int) -> bytes:
    """A request of so many bytes, whose first field is a text."""
    head = b"\x0a" + _varint(size - 1 - len(_varint(size)))
    return head + b"x" * (size - len(head))


def _varint(number: int) -> bytes:
    return bytes([number & 0x7F | 0x80]) + _varint(number >> 7) if number > 0x7F else bytes([number])


async def refused(call: grpc.aio.Call) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await (call.read() if isinstance(call, grpc.aio.UnaryStreamCall | grpc.aio.StreamStreamCall) else call)  # type: ignore[misc]
    return error.value.code(), error.value.details() or ""


TOO_LARGE = (grpc.StatusCode.INVALID_ARGUMENT, f"Request payload size exceeds the limit: {RPC_LIMIT} bytes.")


async def test_each_rpc_has_its_limit_whatever_its_kind(opened: Opened) -> None:
    async with opened.channel() as channel:
        await channel.unary_unary(GET_AGENT)(named(SMALL))
        assert await refused(channel.unary_unary(GET_AGENT)(named(RPC_LIMIT + 1))) == TOO_LARGE
        assert await refused(channel.unary_stream(STREAM)(named(RPC_LIMIT + 1))) == TOO_LARGE
        assert await refused(channel.stream_stream(BIDI)(iter([named(RPC_LIMIT + 1)]))) == TOO_LARGE
    assert opened.in_flight.held == 0


async def test_what_the_port_does_not_take_is_refused_as_it_begins(opened: Opened) -> None:
    async with opened.channel() as channel:
        code, message = await refused(channel.unary_unary(GET_AGENT)(named(PORT_LIMIT + 1)))
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert message == f"SERVER: Received message larger than max ({PORT_LIMIT + 1} vs. {PORT_LIMIT})"


COMPRESSIONS = [grpc.Compression.Gzip, grpc.Compression.Deflate]


@pytest.mark.parametrize("kind", COMPRESSIONS)
async def test_a_compressed_message_is_read_whatever_the_kind_of_the_rpc(
    opened: Opened, kind: grpc.Compression
) -> None:
    async with opened.channel() as channel:
        assert (await channel.unary_unary(GET_AGENT)(named(RPC_LIMIT), compression=kind))[2:] == b"499996"
        assert (await channel.unary_unary(GET_AGENT)(b"", compression=kind))[2:] == b"0"
        await channel.unary_stream(STREAM)(named(1000), compression=kind).read()
        both = channel.stream_stream(BIDI)(iter([named(1000), named(5000)]), compression=kind)
        assert len([answer async for answer in both]) == 2
    assert opened.in_flight.held == 0


@pytest.mark.proves("X8")
@pytest.mark.parametrize("kind", COMPRESSIONS)
async def test_a_bomb_is_not_inflated_beyond_the_limit_of_its_rpc(opened: Opened, kind: grpc.Compression) -> None:
    async with opened.channel() as channel:
        bomb = named(40_000_000)
        assert await refused(channel.unary_unary(GET_AGENT)(bomb, compression=kind)) == TOO_LARGE
        assert await refused(channel.unary_stream(STREAM)(bomb, compression=kind)) == TOO_LARGE
        assert await refused(channel.stream_stream(BIDI)(iter([bomb]), compression=kind)) == TOO_LARGE
    assert opened.in_flight.held == 0


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        (gzip.compress(b"\x0a\x01a", mtime=0)[:-3], "ends within its gzip"),
        (gzip.compress(b"\x0a\x01a", mtime=0) + b"x", "continues after the end of its gzip"),
        (b"\x1f\x8b\x08 and no more", "is not gzip"),
        (zlib.compress(b"\x0a\x01a")[:-1], "ends within its deflate"),
    ],
)
async def test_a_damaged_compressed_message_is_the_callers_error(opened: Opened, message: bytes, fault: str) -> None:
    async with opened.channel() as channel:
        told = await refused(channel.unary_unary(GET_AGENT)(message))
    assert told == (grpc.StatusCode.INVALID_ARGUMENT, f"The request's message {fault}.")
    assert opened.in_flight.held == 0


def test_no_request_begins_like_zlib() -> None:
    """Its first byte would be a number in field 15."""
    numbers = {method.full_name for method in load_api().methods.values() if _has_number(method.input, 15)}
    assert numbers == set()


def _has_number(message: Descriptor, field: int) -> bool:
    found = message.fields_by_number.get(field)
    return found is not None and found.cpp_type not in (found.CPPTYPE_MESSAGE, found.CPPTYPE_STRING)


@pytest.mark.proves("X8")
async def test_what_a_refused_call_held_is_not_kept_until_the_collector_comes(opened: Opened) -> None:
    opened.refusal = "There is none."
    gc.disable()
    try:
        async with opened.channel() as channel:
            await refused(channel.unary_unary(GET_AGENT)(named(100_000)))
            await refused(channel.unary_stream(STREAM)(named(100_000)))
            await refused(channel.stream_stream(BIDI)(iter([named(100_000)])))
        assert [held() for held in opened.held] == [None, None, None]
        assert opened.in_flight.held == 0
    finally:
        gc.enable()


async def test_what_there_is_no_room_for_may_come_again(opened: Opened) -> None:
    opened.release.clear()
    async with opened.channel() as channel:
        first = channel.unary_unary(GET_AGENT)(named(SMALL + 1))
        await asyncio.wait_for(opened.begun.wait(), 5)
        code, message = await refused(channel.unary_unary(GET_AGENT)(named(SMALL + 1)))
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert message == "This server holds as many bytes of requests as it can; try again in 1 s."
        assert opened.in_flight.held == SMALL + 1
        opened.release.set()
        await first
        await channel.unary_unary(GET_AGENT)(named(SMALL + 1))


async def test_a_call_without_a_request_is_told_so(opened: Opened) -> None:
    async with opened.channel() as channel:
        call = channel.stream_unary(GET_AGENT)(iter([]))
        assert await refused(call) == (grpc.StatusCode.INVALID_ARGUMENT, "The call has no request.")


async def test_slow_requests_share_few_places_and_others_go_on(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that has begun and sends nothing: as many as there are places are waited for, another has to come again,
    and one that has had its time gives way."""
    places = grpc_arrival.SLOW_BYTES // PORT_LIMIT
    async with opened.channel() as channel:
        calls = [channel.stream_unary(GET_AGENT)() for _ in range(places + 1)]
        ended, waiting = await asyncio.wait(
            [asyncio.ensure_future(_outcome(call)) for call in calls], return_when=asyncio.FIRST_COMPLETED, timeout=10
        )
        too_many = "This server receives as many large requests as it can; try again in 1 s."
        assert [each.result() for each in ended] == [(grpc.StatusCode.RESOURCE_EXHAUSTED, too_many)]
        assert len(waiting) == places
        assert (await channel.unary_unary(GET_AGENT)(named(100)))[2:] == b"98"

        monkeypatch.setattr(grpc_arrival, "PATIENCE_S", 0.0)
        another = asyncio.ensure_future(_outcome(channel.stream_unary(GET_AGENT)()))
        ended, waiting = await asyncio.wait([*waiting, another], return_when=asyncio.FIRST_COMPLETED, timeout=10)
        gives_way = "Other requests wait for this one, which arrives slowly; try again in 1 s."
        assert [each.result() for each in ended] == [(grpc.StatusCode.RESOURCE_EXHAUSTED, gives_way)]
        assert another in waiting
        for each in waiting:
            each.cancel()


async def test_the_time_of_an_rpc_counts_while_a_compressed_message_waits_for_its_turn(opened: Opened) -> None:
    opened.seconds = 0.05
    await opened.in_flight.inflating.acquire("another")
    async with opened.channel() as channel:
        call = channel.unary_unary(GET_AGENT)(named(RPC_LIMIT), compression=grpc.Compression.Gzip)
        late = "The response was not ready within 0.05 s, the limit of this RPC."
        assert await refused(call) == (grpc.StatusCode.DEADLINE_EXCEEDED, late)
    assert opened.in_flight.held == 0


@pytest.mark.proves("X8")
async def test_messages_of_streams_that_stop_before_their_end_are_refused_and_silent_streams_go_on(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grpc_arrival, "HELD_BYTES", 2 * PORT_LIMIT)
    async with opened.channel() as channel:
        answered, silent = b"", [channel.stream_stream(BIDI)() for _ in range(40)]
        for call in silent:
            await call.write(named(100))
            answered = await call.read()
        reader, writer = await asyncio.open_connection("127.0.0.1", int(opened.address.rpartition(":")[2]))
        attack = UnfinishedCalls(reader, writer)
        async with asyncio.timeout(30):
            await attack.send(BIDI, calls=40, size=PORT_LIMIT)
            # Whose handler begins after the others were refused may hold what all may hold together.
            await attack.hear_ended(but=grpc_arrival.HELD_BYTES // PORT_LIMIT)
        writer.transport.abort()
        refusal = b"This server receives as many large messages as it can; try again in 1 s."
        assert {refusal in told for told in attack.ended.values()} == {True}
        for call in silent:
            await call.write(named(100))
            assert await call.read() == answered
            await call.done_writing()
            assert await call.code() is grpc.StatusCode.OK


async def test_a_request_that_never_comes_is_given_up(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grpc_arrival, "ARRIVAL_S", 0.01)
    async with opened.channel() as channel:
        call = channel.stream_unary(GET_AGENT)()
        late = (grpc.StatusCode.DEADLINE_EXCEEDED, "The request did not arrive within 0.01 s.")
        assert await asyncio.wait_for(_outcome(call), 10) == late


async def _outcome(call: grpc.aio.StreamUnaryCall[bytes, bytes]) -> tuple[grpc.StatusCode, str]:
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return error.code(), error.details() or ""
    return grpc.StatusCode.OK, ""
