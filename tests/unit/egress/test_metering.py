"""What may come beside the body of an answer."""

import asyncio

import aiohttp
import pytest
from aiohttp.base_protocol import BaseProtocol

from openplaybook.egress.metering import Meter

KB = 1024


class Transport(asyncio.Transport):
    """Notes whether it was aborted."""

    is_aborted = False

    def abort(self) -> None:
        self.is_aborted = True


class Inner(asyncio.Protocol):
    """Counts what is handed on."""

    received = 0

    def data_received(self, data: bytes) -> None:
        self.received += len(data)


@pytest.fixture
def transport() -> Transport:
    return Transport()


def body() -> aiohttp.StreamReader:
    loop = asyncio.get_running_loop()
    return aiohttp.StreamReader(BaseProtocol(loop), 2**16, loop=loop)


def test_what_is_read_ahead_of_a_large_answer_aborts_nothing(transport: Transport) -> None:
    meter = Meter(transport, inner := Inner())
    for size in (100, 256, 256):
        meter.data_received(bytes(size * KB))

    assert (transport.is_aborted, inner.received) == (False, 612 * KB)


def test_an_answer_that_never_begins_is_aborted(transport: Transport) -> None:
    meter = Meter(transport, inner := Inner())
    for _ in range(20):
        meter.data_received(bytes(100 * KB))

    assert (transport.is_aborted, meter.is_exceeded, inner.received) == (True, True, 1_000 * KB)


async def test_a_body_may_be_as_large_as_it_likes_and_what_is_beside_it_may_not(transport: Transport) -> None:
    meter = Meter(transport, Inner())
    meter.body = body()
    for _ in range(100):
        meter.body.total_bytes += 100 * KB
        meter.data_received(bytes(110 * KB))
    assert not transport.is_aborted

    meter.begin()
    meter.body = body()
    for _ in range(3):
        meter.data_received(bytes(100 * KB))
    assert transport.is_aborted
