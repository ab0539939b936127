"""Requests of systems over HTTP: what is on record, what a refused credential and an unreadable reply mean."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from openplaybook.connectors.base import SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import AuthenticationRefused, SystemFault, WriteInDoubt
from openplaybook.connectors.plugins.http_desk import HttpAsked, HttpDesk
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.egress.errors import TimedOut

READ = HttpAsked("GET", "https://acme.example/a")
WRITE = HttpAsked("POST", "https://acme.example/a", body=b"{}", is_write=True)


@dataclass
class Answering:
    """A transport with replies; those that are errors are raised. It is its own resolver."""

    replies: list[HttpResponse | TimedOut]
    sent: list[HttpRequest] = field(default_factory=list[HttpRequest])

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        self.sent.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, TimedOut):
            raise reply
        return reply

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        raise OSError(host)

    async def aclose(self) -> None:
        """Nothing is held."""


@dataclass
class Tokens:
    """A login with a token, and the next one when it is told that this one was refused."""

    number: int = 1

    async def authorization(self, timeout_s: float) -> str:
        return f"Bearer s3cret-token-{self.number}"

    def refused(self, authorization: str) -> bool:
        self.number += 1
        return True

    def secrets(self) -> Sequence[str]:
        return ()


def reply(status: int = 200, body: bytes = b"{}", *, truncated: bool = False, echo: str = "") -> HttpResponse:
    return HttpResponse(status, (("X-Echo", echo),), body, truncated, 0.5, attempts=2)


def desk(peer: Answering) -> HttpDesk:
    return HttpDesk(ConnectionSettings("c", "acme"), SystemAccess(peer, peer), Tokens(), str)


async def test_a_write_that_meets_a_refused_token_makes_the_next_request_bring_another() -> None:
    peer = Answering([reply(401), reply()])
    made = desk(peer)
    with pytest.raises(AuthenticationRefused):
        await made.json(WRITE, SystemCall())
    await made.json(READ, SystemCall())
    tokens = [dict(each.headers)["Authorization"] for each in peer.sent]
    assert tokens == ["Bearer s3cret-token-1", "Bearer s3cret-token-2"]


async def test_a_secret_is_on_record_nowhere_that_the_system_echoes_it() -> None:
    call = SystemCall()
    echo = reply(200, b'{"you": "s3cret-token-1"}', echo="it was s3cret-token-1")
    await desk(Answering([echo])).json(HttpAsked("GET", "https://acme.example/s3cret-token-1"), call)
    assert "s3cret" not in repr(call.exchanges)
    assert call.exchanges[0].response_headers["X-Echo"].startswith("it was ")


DEEP = b"[" * 200 + b"]" * 200


@pytest.mark.parametrize("unread", [reply(200, b"<html>"), reply(200, b"{", truncated=True), reply(200, DEEP)])
async def test_a_write_whose_reply_cannot_be_read_is_in_doubt(unread: HttpResponse) -> None:
    with pytest.raises(WriteInDoubt, match="took the write"):
        await desk(Answering([unread])).json(WRITE, SystemCall())
    with pytest.raises(SystemFault):
        await desk(Answering([unread])).json(READ, SystemCall())


async def test_what_ends_without_a_reply_has_its_time_and_tries_on_record() -> None:
    call = SystemCall()
    error = TimedOut("no answer", which="read", sent=True)
    error.elapsed_s, error.attempts = 2.0, 3
    with pytest.raises(WriteInDoubt):
        await desk(Answering([error])).json(WRITE, call)
    assert (call.exchanges[0].elapsed_ms, call.exchanges[0].attempts) == (2_000.0, 3)
