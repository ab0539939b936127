"""How long a client may take to say what it wants."""

import asyncio
from collections.abc import Callable
from contextvars import Context

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from uvicorn.server import ServerState

from openplaybook.server.bounded_http import BODY_PAUSE_S, HEAD_S, BoundedHttp

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"


class Clock(asyncio.SelectorEventLoop):
    """A loop whose time passes when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.planned: list[tuple[float, Callable[[], object]]] = []

    def time(self) -> float:
        return self.now

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> asyncio.TimerHandle:
        self.planned.append((self.now + delay, lambda: callback(*args)))
        return asyncio.TimerHandle(self.now + delay, callback, args, self)

    def passes(self, seconds: float) -> None:
        """Let time pass, and happen what is planned for it."""
        end = self.now + seconds
        while due := [plan for plan in self.planned if plan[0] <= end]:
            first = min(due, key=lambda plan: plan[0])
            self.planned.remove(first)
            self.now = first[0]
            first[1]()
        self.now = end


class Line(asyncio.Transport):
    """A connection that nobody reads."""

    def __init__(self) -> None:
        super().__init__()
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class Client:
    """The other side of a connection."""

    def __init__(self) -> None:
        self.clock, self.line = Clock(), Line()
        config = uvicorn.Config(PlainTextResponse("hi"), http=BoundedHttp, log_config=None, lifespan="off")
        self.protocol = BoundedHttp(config, ServerState(), {}, self.clock)
        self.protocol.connection_made(self.line)

    def close(self) -> None:
        """Give up what the clock's loop holds."""
        for task in asyncio.all_tasks(self.clock):
            task.cancel()
        self.clock.run_until_complete(asyncio.sleep(0))
        self.clock.close()


@pytest.fixture
def client() -> "Client":
    return Client()


@pytest.mark.parametrize("sent", [b"", b"POST / HT", b"POST / HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_head_has_to_come_in_time(client: Client, sent: bytes) -> None:
    client.protocol.data_received(sent)
    client.clock.passes(HEAD_S - 1)
    assert not client.line.is_closed
    client.clock.passes(1)
    assert client.line.is_closed
    client.close()


def test_a_head_does_not_gain_time_by_coming_in_drops(client: Client) -> None:
    for letter in b"POST / HTTP/1.1\r\nHost: localhost":
        client.protocol.data_received(bytes([letter]))
        client.clock.passes(1)
    assert client.line.is_closed
    client.close()


def test_a_body_may_take_long_while_it_comes(client: Client) -> None:
    client.protocol.data_received(HEAD)
    for _ in range(10):
        client.clock.passes(BODY_PAUSE_S - 1)
        client.protocol.data_received(b"a")
    assert not client.line.is_closed
    client.clock.passes(BODY_PAUSE_S + 1)
    assert client.line.is_closed
    client.close()


def test_a_request_that_is_here_may_take_as_long_to_answer_as_it_needs(client: Client) -> None:
    client.protocol.data_received(HEAD + b"a" * 100)
    client.clock.passes(10 * BODY_PAUSE_S)
    assert not client.line.is_closed
    client.close()
