"""The gRPC front door on a real socket, spoken to without generated clients."""

import asyncio
import os
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import grpc.aio
import pytest

from benchmarks.hostile.frames import (
    END_HEADERS,
    END_STREAM,
    HEADERS,
    PREFACE,
    RST_STREAM,
    SETTINGS,
    call_fields,
    connection,
    frame,
    pour,
)
from openplaybook.wire.api import load_api
from openplaybook.wire.errors import AddressUnusable
from openplaybook.wire.grpc_server import GrpcServer
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry
from tests.integration.wire.conftest import BETA, MAX_BYTES, Served

GET_AGENT = f"/{BETA}.Agents/GetAgent"


@pytest.fixture
async def channel(served: Served) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(served.grpc) as opened:
        yield opened


def request(agent_id: str) -> bytes:
    return (
        load_api()
        .message(f"{BETA}.GetAgentRequest")(name=f"projects/p/locations/l/agents/{agent_id}")
        .SerializeToString()
    )


async def failure(call: grpc.aio.UnaryUnaryCall[bytes, bytes]) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code(), caught.value.details() or ""


async def test_warnings_are_trailing_metadata(channel: grpc.aio.Channel) -> None:
    call = channel.unary_unary(GET_AGENT)(request("odd"))
    await call

    trailing = [value for key, value in await call.trailing_metadata() or () if key == "x-openplaybook-warning"]
    assert trailing == ["na\\xefve\\x0d\\x0awarning", "second"]


async def test_the_deadline_is_known_to_the_handler(channel: grpc.aio.Channel, served: Served) -> None:
    await channel.unary_unary(GET_AGENT)(request("a"), timeout=30)

    [context] = served.service.contexts
    assert context.timeout_s == pytest.approx(30, abs=2)
    assert (context.transport, context.sent_fields) == ("grpc", None)


async def test_bytes_that_are_no_request_are_the_callers_error(channel: grpc.aio.Channel) -> None:
    code, details = await failure(channel.unary_unary(GET_AGENT)(b"\xff\xff"))

    assert (code, details) == (grpc.StatusCode.INVALID_ARGUMENT, f"The request is not a {BETA}.GetAgentRequest.")


@pytest.mark.parametrize("path", ["/no.such.Service/Method", f"/{BETA}.Agents/Fly"])
async def test_an_unknown_rpc_is_named(channel: grpc.aio.Channel, path: str) -> None:
    code, details = await failure(channel.unary_unary(path)(b""))

    assert (code, details) == (grpc.StatusCode.UNIMPLEMENTED, f"There is no RPC {path} in this API.")


@pytest.mark.parametrize(
    "path", ["/google.longrunning.Operations/GetOperation", "/google.cloud.location.Locations/GetLocation"]
)
async def test_mixins_are_served(channel: grpc.aio.Channel, path: str) -> None:
    code, details = await failure(channel.unary_unary(path)(b""))

    assert code == grpc.StatusCode.UNIMPLEMENTED
    assert details == f"{path.strip('/').replace('/', '.')} is not implemented by this server."


async def test_a_message_beyond_the_limit_is_refused(channel: grpc.aio.Channel) -> None:
    code, _ = await failure(channel.unary_unary(GET_AGENT)(b"\n" + b"x" * MAX_BYTES))

    assert code == grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_turn_goes_on_when_its_deadline_is_over(channel: grpc.aio.Channel, served: Served) -> None:
    code, _ = await failure(channel.unary_unary(GET_AGENT)(request("slow"), timeout=0.2))
    assert code == grpc.StatusCode.DEADLINE_EXCEEDED

    served.service.release.set()

    await asyncio.wait_for(served.service.ended.wait(), 5)


async def test_health_is_answered_and_watched(channel: grpc.aio.Channel, served: Served) -> None:
    health = load_api().message("grpc.health.v1.HealthCheckResponse")

    def state(data: bytes) -> ApiMessage:
        return health.FromString(data).status

    assert state(await channel.unary_unary("/grpc.health.v1.Health/Check")(b"")) == health.SERVING
    watch = channel.unary_stream("/grpc.health.v1.Health/Watch")(b"")
    states = aiter(watch)
    assert state(await anext(states)) == health.SERVING
    served.registry.health.set_serving(False)
    assert state(await anext(states)) == health.NOT_SERVING
    watch.cancel()


async def test_an_address_in_use_is_said(served: Served) -> None:
    second = GrpcServer(Registry(load_api()), address=served.grpc, max_message_bytes=MAX_BYTES)

    with pytest.raises(AddressUnusable, match=served.grpc):
        await second.start()


@pytest.mark.parametrize("letter", ["a", "%", "\u5ba0"])
async def test_an_error_about_something_long_reaches_the_client(channel: grpc.aio.Channel, letter: str) -> None:
    name = f"projects/{letter * 5000}/locations/l/agents/missing"
    request = load_api().message(f"{BETA}.GetAgentRequest")(name=name).SerializeToString()

    code, details = await failure(channel.unary_unary(GET_AGENT)(request))
    assert code is grpc.StatusCode.NOT_FOUND
    assert details.startswith(f"There is no agent projects/{letter * 200}")
    assert details.endswith(f"{letter}…")


async def test_calls_that_one_connection_floods_and_resets_do_not_end_the_calls_of_others(
    channel: grpc.aio.Channel, served: Served
) -> None:
    block = call_fields(GET_AGENT)
    flood = [
        b"".join(
            frame(HEADERS, END_HEADERS, stream, block) + frame(RST_STREAM, 0, stream, struct.pack(">I", 8))
            for stream in range(first, first + 1_000, 2)
        )
        for first in range(1, 20_001, 1_000)
    ]
    async with connection(int(served.grpc.rpartition(":")[2])) as writer:
        flooding = asyncio.create_task(pour(writer, flood))
        answers = [await channel.unary_unary(GET_AGENT)(request("a"), timeout=30) for _ in range(50)]
        await flooding

    assert len(set(answers)) == 1


async def test_metadata_that_grow_where_they_are_read_are_refused(served: Served) -> None:
    """A field that HTTP/2 remembers is said again in a byte: gRPC's own limit counts the bytes that are sent.

    Above 8 kB of those it refuses some calls at random, with a message too large to be sent.
    """
    remembered = b"\x40" + b"\x03x-a" + b"\x7f\x81\x1e" + b"a" * 4_000
    block = call_fields(GET_AGENT) + remembered + b"\xbe" * 2_000
    reader, writer = await asyncio.open_connection("127.0.0.1", int(served.grpc.rpartition(":")[2]))
    writer.write(PREFACE + frame(SETTINGS) + frame(HEADERS, END_HEADERS | END_STREAM, 1, block))
    async with asyncio.timeout(30):
        told = await reader.readuntil(b"64 kB.")
    writer.close()

    assert b"The call's metadata has more than 1000 fields or 64 kB." in told
    assert b"grpc-status\x018" in told


def test_threads_of_grpc_compute_after_all_others(served: Served) -> None:
    assert served.grpc
    threads = {thread.name: (thread / "comm").read_text() for thread in Path("/proc/self/task").glob("[0-9]*")}
    priorities = {os.getpriority(os.PRIO_PROCESS, int(id)) for id, name in threads.items() if "event_engine" in name}

    assert 10 in priorities
    assert os.getpriority(os.PRIO_PROCESS, 0) < 10


async def test_metadata_that_are_no_text_do_not_fill_the_log(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    odd = [(b"x-odd", b"\xbe")] * 100
    reader, writer = await asyncio.open_connection("127.0.0.1", int(served.grpc.rpartition(":")[2]))
    call = frame(HEADERS, END_HEADERS | END_STREAM, 1, call_fields("/no.such/Method", *odd))
    writer.write(PREFACE + frame(SETTINGS) + call)
    async with asyncio.timeout(30):
        await reader.readuntil(b"There is no RPC /no.such/Method in this API.")
    writer.close()

    assert [record.getMessage() for record in caplog.records if record.name.startswith("grpc")] == []


async def test_a_connection_is_told_that_it_may_have_a_hundred_calls_at_once(served: Served) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(served.grpc.rpartition(":")[2]))
    writer.write(PREFACE + frame(SETTINGS))
    head = await reader.readexactly(9)
    told = await reader.readexactly(int.from_bytes(head[:3], "big"))
    writer.close()

    assert head[3] == SETTINGS
    assert struct.pack(">HI", 3, 100) in [told[at : at + 6] for at in range(0, len(told), 6)]
