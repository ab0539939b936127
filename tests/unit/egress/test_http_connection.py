"""One connection: where answers begin and end, and what may come beside their bodies."""

import asyncio

import pytest

from openplaybook.egress.http_connection import (
    Alarm,
    Connection,
    ConnectionBroken,
    ExcessiveOverhead,
    NotHttp,
    PeerSilent,
)

KB = 1024
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


class Wire(asyncio.Transport):
    """What is written, and whether it was closed or has to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.written = bytearray()
        self.is_aborted = False
        self.is_paused = False
        self.unsent = 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def abort(self) -> None:
        self.is_aborted = True

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def is_closing(self) -> bool:
        return self.is_aborted

    def pause_reading(self) -> None:
        self.is_paused = True

    def resume_reading(self) -> None:
        self.is_paused = False


@pytest.fixture
async def wire() -> Wire:
    return Wire()


@pytest.fixture
async def connection(wire: Wire) -> Connection:
    made = Connection()
    made.connection_made(wire)
    return made


async def begun(connection: Connection, *, is_head: bool = False, read_s: float | None = None) -> asyncio.Task[None]:
    """A request that is on its way."""
    sending = asyncio.create_task(connection.send(b"GET / HTTP/1.1\r\n\r\n", None, is_head=is_head, read_s=read_s))
    await asyncio.sleep(0)
    return sending


async def got(sending: asyncio.Task[None], connection: Connection) -> bytes:
    await sending
    return await whole(connection)


async def whole(connection: Connection) -> bytes:
    body = b""
    while piece := await connection.piece():
        body += piece
    return body


async def test_an_answer_in_pieces_is_put_together(connection: Connection) -> None:
    sending = await begun(connection)
    for octet in b"HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 3\r\n\r\nabc":
        connection.data_received(bytes([octet]))
    await sending
    assert (connection.status, connection.headers) == (200, [(b"A", b"b"), (b"Content-Length", b"3")])
    assert (await whole(connection), connection.is_open) == (b"abc", True)


async def test_early_answers_are_passed_over(connection: Connection) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\nA: b\r\n\r\n")
    await sending
    assert (connection.status, connection.headers, await whole(connection)) == (204, [(b"A", b"b")], b"")
    assert connection.is_open


async def test_the_answer_to_head_has_no_body(connection: Connection) -> None:
    sending = await begun(connection, is_head=True)
    connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
    await sending
    assert (connection.is_complete, await whole(connection), connection.is_open) == (True, b"", False)


async def test_an_answer_without_a_length_ends_with_the_connection(connection: Connection) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 200 OK\r\n\r\nab")
    await sending
    connection.data_received(b"c")
    connection.connection_lost(None)
    assert (await whole(connection), connection.is_open) == (b"abc", False)


@pytest.mark.parametrize(
    "head", [b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", CHUNKED + b"1\r\na\r\n", b"HTTP/1.1 200 OK\r\n"]
)
async def test_half_an_answer_is_none(connection: Connection, head: bytes) -> None:
    sending = await begun(connection)
    connection.data_received(head)
    connection.connection_lost(None)
    with pytest.raises(ConnectionBroken):
        await got(sending, connection)


async def test_an_answer_whose_connection_broke_has_not_ended(connection: Connection) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 200 OK\r\n\r\nab")
    await sending
    connection.connection_lost(ConnectionResetError(104, "reset"))
    assert await connection.piece() == b"ab"
    with pytest.raises(ConnectionBroken) as caught:
        await connection.piece()
    assert isinstance(caught.value.__cause__, ConnectionResetError)


@pytest.mark.parametrize("more", [b"x", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
async def test_what_follows_an_answer_costs_the_connection_and_not_the_answer(
    connection: Connection, more: bytes
) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na" + more)
    await sending
    assert (await whole(connection), connection.is_open) == (b"a", False)


async def test_what_comes_while_nothing_was_asked_closes_the_connection(connection: Connection, wire: Wire) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 204 No Content\r\n\r\n")
    await sending
    connection.rest()
    connection.data_received(b"HTTP/1.1 200 OK\r\n")
    assert (wire.is_aborted, connection.is_open) == (True, False)


async def test_what_nobody_read_of_an_answer_is_not_a_part_of_the_next_one(connection: Connection) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
    await sending
    connection.rest()
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ndef")
    assert await got(sending, connection) == b"def"


async def test_a_request_that_was_answered_but_not_read_costs_the_connection(
    connection: Connection, wire: Wire
) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
    await sending
    wire.unsent = 1
    connection.rest()
    assert (wire.is_aborted, connection.is_open) == (True, False)


async def test_an_answer_that_we_cut_off_has_not_ended(connection: Connection) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 200 OK\r\n\r\nab")
    await sending
    connection.abort()
    connection.connection_lost(None)
    assert await connection.piece() == b"ab"
    with pytest.raises(ConnectionBroken):
        await connection.piece()


async def test_no_more_of_a_body_is_written_to_a_connection_that_broke(connection: Connection, wire: Wire) -> None:
    sending = asyncio.create_task(connection.send(b"head", bytes(2**21), is_head=False, read_s=None))
    await asyncio.sleep(0)
    connection.connection_lost(ConnectionResetError(104, "reset"))
    with pytest.raises(ConnectionBroken):
        await sending
    assert len(wire.written) < 2**20


@pytest.mark.parametrize("coding", [b"xchunked", b"chunked, gzip", b"identity"])
async def test_other_codings_end_with_the_connection(connection: Connection, coding: bytes) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: " + coding + b"\r\n\r\nab")
    connection.connection_lost(None)
    assert await got(sending, connection) == b"ab"


async def test_blanks_around_a_value_are_none_of_it(connection: Connection) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Encoding: \t GZip \t\r\n\r\n")
    await sending
    assert (connection.headers[1], connection.packing) == ((b"Content-Encoding", b"GZip"), b"gzip")


async def test_a_status_below_a_hundred_is_none(connection: Connection) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n")
    with pytest.raises(NotHttp):
        await sending


async def test_a_service_that_closes_after_its_answer_is_not_asked_again(connection: Connection) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    await sending
    assert (connection.is_complete, connection.is_open) == (True, False)


async def test_what_is_not_read_waits_in_the_network(connection: Connection, wire: Wire) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n" + bytes(200 * KB))
    await sending
    assert wire.is_paused
    assert len(await connection.piece()) == 200 * KB
    assert not wire.is_paused


async def test_a_body_that_the_other_side_does_not_read_waits_too(connection: Connection, wire: Wire) -> None:
    sending = asyncio.create_task(connection.send(b"head", bytes(2**21), is_head=False, read_s=None))
    await asyncio.sleep(0)
    connection.pause_writing()
    for _ in range(5):
        await asyncio.sleep(0)
    paused_at = len(wire.written)
    assert paused_at < 2**20
    connection.resume_writing()
    for _ in range(50):
        await asyncio.sleep(0)
    assert len(wire.written) == 2**21 + 4
    connection.data_received(b"HTTP/1.1 204 No Content\r\n\r\n")
    await sending


async def test_who_answers_early_gets_no_more_of_the_body(connection: Connection, wire: Wire) -> None:
    sending = asyncio.create_task(connection.send(b"head", bytes(2**21), is_head=False, read_s=None))
    await asyncio.sleep(0)
    connection.pause_writing()
    connection.data_received(b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
    await sending
    assert (connection.status, len(wire.written) < 2**20, connection.is_open) == (413, True, False)


async def test_silence_is_noticed(connection: Connection, wire: Wire) -> None:
    sending = await begun(connection, read_s=0.01)
    with pytest.raises(PeerSilent):
        await sending
    assert wire.is_aborted


async def test_an_answer_that_never_begins_is_aborted(connection: Connection, wire: Wire) -> None:
    sending = await begun(connection)
    for _ in range(300):
        connection.data_received(b"HTTP/1.1 100 Continue\r\n\r\n" * 40)
    with pytest.raises(ExcessiveOverhead):
        await sending
    assert wire.is_aborted


async def test_a_body_may_be_as_large_as_it_likes(connection: Connection, wire: Wire) -> None:
    sending = await begun(connection)
    connection.data_received(CHUNKED)
    await sending
    for _ in range(100):
        connection.data_received(b"19000\r\n" + bytes(100 * KB) + b"\r\n")
        await connection.piece()
    assert not wire.is_aborted


async def test_what_comes_beside_a_body_may_not(connection: Connection, wire: Wire) -> None:
    sending = await begun(connection)
    connection.data_received(CHUNKED)
    await sending
    for _ in range(30):
        connection.data_received(b"1;" + b"a" * 10 * KB + b"\r\na\r\n")
    with pytest.raises(ExcessiveOverhead):
        await whole(connection)
    assert wire.is_aborted


@pytest.mark.parametrize(
    "head", [b"A: b\r\n" * 200, b"A: " + b"b" * 9_000 + b"\r\n", b"A" * 9_000 + b": b\r\n", b"A: \0\r\n"]
)
async def test_heads_are_limited(connection: Connection, head: bytes) -> None:
    sending = await begun(connection)
    connection.data_received(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n")
    with pytest.raises(NotHttp):
        await sending


async def test_what_takes_too_long_is_a_timeout_and_the_task_goes_on() -> None:
    with pytest.raises(TimeoutError), Alarm(0.001):
        await asyncio.Event().wait()
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
    await asyncio.sleep(0)


async def test_what_is_quick_is_left_alone() -> None:
    with Alarm(0.0):
        pass
    for _ in range(3):
        await asyncio.sleep(0)
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_no_time_at_all_is_a_timeout() -> None:
    with pytest.raises(TimeoutError), Alarm(-1.0):
        await asyncio.Event().wait()


async def test_a_cancellation_from_elsewhere_stays_one() -> None:
    async def work() -> None:
        with Alarm(60):
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()


async def test_a_cancellation_that_meets_the_alarm_stays_one() -> None:
    async def work() -> None:
        with Alarm(0.0):
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_later(0, task.cancel)
    await asyncio.wait([task])
    assert task.cancelled()


async def test_an_error_of_the_block_passes() -> None:
    with pytest.raises(KeyError), Alarm(60):
        raise KeyError
