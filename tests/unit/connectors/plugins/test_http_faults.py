"""What may go wrong with a system over HTTP that code speaks to: each is told apart, and reads are not writes."""

import pytest

from openplaybook.connectors.base import SystemCall
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    InvalidValue,
    RateLimited,
    SystemFault,
    SystemUnavailable,
    WriteInDoubt,
)
from openplaybook.egress.base import HttpResponse
from openplaybook.egress.errors import TimedOut
from tests.unit.connectors.plugins.test_http_desk import READ, WRITE, Answering, desk, reply

SILENCE = TimedOut("no answer", which="read", sent=True)


def asking_to_wait(seconds: str) -> HttpResponse:
    return HttpResponse(429, (("Retry-After", seconds),), b"{}", False, 0.5)


@pytest.mark.parametrize(
    ("answered", "error"),
    [
        (asking_to_wait("3600"), RateLimited),
        (reply(400), InvalidValue),
        (reply(500), SystemFault),
        (reply(502), SystemUnavailable),
        (reply(504), SystemUnavailable),
        (SILENCE, SystemUnavailable),
        (reply(200, b"{" * 10, truncated=True), SystemFault),
        (reply(200, b"not JSON"), SystemFault),
    ],
)
async def test_a_read_that_fails_says_why(answered: HttpResponse | TimedOut, error: type[ConnectorError]) -> None:
    peer = Answering([answered])
    with pytest.raises(error):
        await desk(peer).json(READ, SystemCall())
    assert len(peer.sent) == 1


async def test_a_system_that_asks_to_wait_says_how_long() -> None:
    with pytest.raises(RateLimited, match="may be asked again in 7 s") as refused:
        await desk(Answering([asking_to_wait("7")])).json(READ, SystemCall())
    assert refused.value.retry_after_s == 7


@pytest.mark.parametrize("answered", [reply(500), reply(502), reply(504), SILENCE])
async def test_a_write_without_a_clear_end_is_in_doubt_and_sent_once(answered: HttpResponse | TimedOut) -> None:
    peer = Answering([answered])
    with pytest.raises(WriteInDoubt):
        await desk(peer).json(WRITE, SystemCall())
    assert len(peer.sent) == 1


async def test_a_read_with_an_expired_token_is_repeated_once_with_another() -> None:
    peer = Answering([reply(401), reply(200, b'{"a": 1}')])
    assert await desk(peer).json(READ, SystemCall()) == {"a": 1}
    assert [dict(each.headers)["Authorization"] for each in peer.sent] == [
        "Bearer s3cret-token-1",
        "Bearer s3cret-token-2",
    ]
    with pytest.raises(AuthenticationRefused):
        await desk(Answering([reply(401), reply(401)])).json(READ, SystemCall())
