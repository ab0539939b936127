"""What streams hold of messages that have not come whole: by the kernel's word, which is given here."""

import asyncio
import socket
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import cast

import pytest

from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.grpc_arrival import HELD_BYTES, Call, UnfinishedMessages, bytes_received

LARGEST = HELD_BYTES // 4
FEW = 4


class Caller:
    """A call whose messages are put in by hand."""

    def __init__(self, peer: str) -> None:
        self._peer = peer
        self.sent = asyncio.Queue[object]()

    def peer(self) -> str:
        return self._peer

    async def read(self) -> object:
        return await self.sent.get()


class Kernel:
    """Counts what connections have received."""

    def __init__(self) -> None:
        self.received: dict[str, int] = {}
        self.looks = 0
        self._looked = asyncio.Condition()
        self._loop = asyncio.get_running_loop()

    def told(self, peers: Collection[str], port: int) -> Mapping[str, int]:
        asyncio.run_coroutine_threadsafe(self._note(), self._loop)
        return {peer: self.received[peer] for peer in peers if peer in self.received}

    async def _note(self) -> None:
        async with self._looked:
            self.looks += 1
            self._looked.notify_all()

    async def looks_again(self, times: int) -> None:
        until = self.looks + times
        async with self._looked:
            await asyncio.wait_for(self._looked.wait_for(lambda: self.looks >= until), 10)


class Port:
    """Streams that wait for messages."""

    def __init__(self, stack: ExitStack) -> None:
        self.kernel = Kernel()
        self.messages = UnfinishedMessages(LARGEST, self.kernel.told)
        self._stack = stack
        self.waits: list[asyncio.Task[bytes | None]] = []

    def waits_for(self, peer: str) -> tuple[Caller, "asyncio.Task[bytes | None]"]:
        call = Caller(peer)
        stream = self._stack.enter_context(self.messages.opened(cast(Call, call)))
        wait = asyncio.create_task(stream.message())
        self.waits.append(wait)
        return call, wait

    async def looks(self) -> None:
        """A look that began after now, and what came of it: the first may have begun before what was just changed."""
        await self.kernel.looks_again(3)

    async def looks_are_over(self) -> None:
        async with asyncio.timeout(10):
            while self.messages.is_watching:
                await self.messages.look_soon()

    async def close(self) -> None:
        for wait in self.waits:
            wait.cancel()
        await asyncio.gather(*self.waits, return_exceptions=True)


@pytest.fixture
async def port() -> AsyncIterator[Port]:
    with ExitStack() as stack:
        made = Port(stack)
        yield made
        await made.close()


async def refusal(wait: "asyncio.Task[bytes | None]") -> tuple[Code, str]:
    with pytest.raises(RpcError) as error:
        await asyncio.wait_for(wait, 30)
    return error.value.code, error.value.message


REFUSED = (Code.RESOURCE_EXHAUSTED, "This server receives as many large messages as it can; try again in 1 s.")


async def test_messages_come_and_end(port: Port) -> None:
    call, wait = port.waits_for("a")
    call.sent.put_nowait(b"one")
    assert await wait == b"one"
    call, wait = port.waits_for("a")
    call.sent.put_nowait(object())
    assert await wait is None
    assert port.kernel.looks == 0


async def test_streams_that_are_silent_may_be_many(port: Port) -> None:
    port.kernel.received = {"a": 5_000, "b": 7_000}
    waits = [port.waits_for(peer)[1] for peer in ("a", "b") for _ in range(50)]
    await port.looks()
    assert not [wait for wait in waits if wait.done()]


async def test_the_connection_that_holds_most_is_refused_and_others_go_on(port: Port) -> None:
    port.kernel.received = {"a": 5_000, "b": 7_000}
    guilty = [port.waits_for("a")[1] for _ in range(FEW + 1)]
    call, other = port.waits_for("b")
    await port.looks()
    port.kernel.received = {"a": 5_000 + HELD_BYTES, "b": 7_000 + LARGEST}
    assert [await refusal(wait) for wait in guilty] == [REFUSED] * (FEW + 1)
    assert not other.done()
    call.sent.put_nowait(b"late")
    assert await other == b"late"


async def test_what_came_whole_is_not_held(port: Port) -> None:
    port.kernel.received = {"a": 0}
    calls = [port.waits_for("a") for _ in range(FEW + 1)]
    await port.looks()
    for number in range(1, 6):
        call, wait = calls.pop()
        call.sent.put_nowait(b"x" * (LARGEST // 2))
        port.kernel.received = {"a": number * (LARGEST // 2)}
        await wait
        calls.append(port.waits_for("a"))
        await port.looks()
    assert not [wait for _, wait in calls if wait.done()]


async def test_a_connection_that_comes_while_one_looks_is_counted_from_its_beginning(port: Port) -> None:
    port.kernel.received = {"a": 0}
    for _ in range(FEW + 1):
        port.waits_for("a")
    await port.looks()
    port.kernel.received = {"a": 0, "b": 1_000}
    late = [port.waits_for("b")[1] for _ in range(FEW + 1)]
    await port.looks()
    port.kernel.received = {"a": 0, "b": 1_001 + HELD_BYTES}
    assert [await refusal(wait) for wait in late] == [REFUSED] * (FEW + 1)


async def test_what_the_kernel_does_not_count_may_be_the_largest(port: Port) -> None:
    waits = [port.waits_for("unix:")[1] for _ in range(FEW + 1)]
    ended, _ = await asyncio.wait(waits, timeout=30, return_when=asyncio.FIRST_COMPLETED)
    assert await refusal(ended.pop()) == REFUSED


async def test_looks_end_when_few_streams_wait(port: Port) -> None:
    port.kernel.received = {"a": 0}
    waits = [port.waits_for("a")[1] for _ in range(FEW + 1)]
    await port.looks()
    waits[0].cancel()
    await asyncio.gather(waits[0], return_exceptions=True)
    assert port.messages.is_watching
    await port.looks_are_over()


async def test_calls_that_ended_in_the_midst_of_a_message_are_forgotten_when_no_stream_waits(port: Port) -> None:
    port.kernel.received = {"a": 0, "b": 0}
    for _ in range(FEW + 1):
        port.waits_for("a")
    call, wait = port.waits_for("b")
    await port.looks()
    call.sent.put_nowait(b"hello")
    await wait
    port.kernel.received = {"a": 0, "b": 2 * HELD_BYTES}
    await port.looks()
    _, another = port.waits_for("b")
    await port.looks()
    assert not another.done()


@dataclass(frozen=True)
class Connected:
    """A connection from this process to itself."""

    peer: str
    """How gRPC calls its client."""
    port: int
    sending: socket.socket


@pytest.fixture(params=[("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::", "127.0.0.1")])
def connected(request: pytest.FixtureRequest) -> Iterator[Connected]:
    listens_at, dialled = cast("tuple[str, str]", request.param)
    family = socket.AF_INET6 if ":" in listens_at else socket.AF_INET
    with (
        socket.create_server((listens_at, 0), family=family, dualstack_ipv6=listens_at == "::") as server,
        socket.create_connection((dialled, server.getsockname()[1])) as sending,
        server.accept()[0],
    ):
        host, port = sending.getsockname()[:2]
        peer = f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}"
        yield Connected(peer, server.getsockname()[1], sending)


def test_the_kernel_counts_what_a_connection_received(connected: Connected) -> None:
    assert bytes_received([connected.peer], connected.port) == {connected.peer: 0}
    connected.sending.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.sending.sendall(b"x" * 1_000)
    peers = [connected.peer, "ipv4:127.0.0.1:1", "unix:"]
    assert bytes_received(peers, connected.port) == {connected.peer: 1_000}


def test_a_connection_of_the_same_client_to_another_port_is_not_counted(connected: Connected) -> None:
    assert bytes_received([connected.peer], connected.port + 1) == {}


def test_sockets_of_other_kinds_are_passed_over(connected: Connected) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, socket.socket(socket.AF_NETLINK, socket.SOCK_RAW) as netlink:
        netlink.bind((0, 0))
        assert bytes_received([connected.peer], connected.port) == {connected.peer: 0}
