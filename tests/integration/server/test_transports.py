"""The way out, made when it is first needed."""

import asyncio

import pytest
from aiohttp import web

from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import HttpLimits, HttpRequest
from openplaybook.egress.errors import AddressRefused
from openplaybook.server.transports import LateTransport


async def test_requests_at_once_share_one_transport() -> None:
    connections: set[object] = set()

    async def answer(request: web.Request) -> web.Response:
        connections.add(request.transport)
        return web.Response(text="here")

    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    transport = LateTransport(AddressPolicy(parse_allow("127.0.0.1")))
    request = HttpRequest("GET", f"http://127.0.0.1:{runner.addresses[0][1]}/")
    try:
        answers = await asyncio.gather(*(transport.send(request, HttpLimits()) for _ in range(5)))
        opened = len(connections)
        await transport.send(request, HttpLimits())
    finally:
        await transport.aclose()
        await runner.cleanup()
    assert [answer.body for answer in answers] == [b"here"] * 5
    assert len(connections) == opened


async def test_what_can_safely_be_sent_again_is() -> None:
    statuses = iter([503, 200])

    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=next(statuses), headers={"Retry-After": "0"})

    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    transport = LateTransport(AddressPolicy(parse_allow("127.0.0.1")))
    request = HttpRequest("GET", f"http://127.0.0.1:{runner.addresses[0][1]}/", repeatable=True)
    try:
        response = await transport.send(request, HttpLimits())
    finally:
        await transport.aclose()
        await runner.cleanup()
    assert (response.status, response.attempts) == (200, 2)


async def test_the_policy_holds() -> None:
    transport = LateTransport(AddressPolicy())
    with pytest.raises(AddressRefused):
        await transport.send(HttpRequest("GET", "http://127.0.0.1/"), HttpLimits())
    await transport.aclose()


async def test_what_was_never_used_can_be_closed() -> None:
    await LateTransport(AddressPolicy()).aclose()
