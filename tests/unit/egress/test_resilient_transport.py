"""Trying again, waiting in line, leaving alone: on a clock of the test's own."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from openplaybook.egress.base import Endpoint, HttpLimits, HttpRequest, HttpResponse
from openplaybook.egress.errors import (
    BadResponse,
    CircuitOpen,
    ConnectFailed,
    EgressError,
    NameUnknown,
    TimedOut,
    TlsFailed,
)
from openplaybook.egress.resilient_transport import ResilientTransport
from tests.kit.egress import failure

GET = HttpRequest("GET", "https://api.example/a", repeatable=True)
POST = HttpRequest("POST", "https://api.example/a", body=b"{}")
LIMITS = HttpLimits(total_s=30)
DOWN = ConnectFailed("refused")


def answered(status: int = 200, **headers: str) -> HttpResponse:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return HttpResponse(status, named, b"", False, 0.1)


@dataclass
class Scripted:
    """A service that gives one outcome after the other, the last one for ever."""

    outcomes: Sequence[HttpResponse | EgressError]
    takes: float = 1.0
    second: float = 0.0
    sent: list[float] = field(default_factory=list[float])
    limits: list[float] = field(default_factory=list[float])
    slept: list[float] = field(default_factory=list[float])

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        outcome = self.outcomes[min(len(self.sent), len(self.outcomes) - 1)]
        self.sent.append(self.second)
        self.limits.append(limits.total_s)
        self.second += self.takes
        if isinstance(outcome, EgressError):
            raise _anew(outcome)
        return outcome

    async def aclose(self) -> None:
        self.sent.append(-1)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.second += seconds

    def clock(self) -> float:
        return self.second

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.second)


def _anew(error: EgressError) -> EgressError:
    if isinstance(error, TimedOut):
        return TimedOut(str(error), which=error.which, sent=error.sent)
    return type(error)(str(error), sent=error.sent)


def resilient(service: Scripted) -> ResilientTransport:
    return ResilientTransport(service, clock=service.clock, now=service.now, sleep=service.sleep, jitter=lambda: 1.0)


async def test_an_answer_passes_as_it_is() -> None:
    response = answered()
    service = Scripted([response])
    assert await resilient(service).send(GET, LIMITS) is response
    assert (service.sent, service.slept) == ([0.0], [])


async def test_a_passing_fault_is_overcome_and_the_answer_tells_the_tries() -> None:
    service = Scripted([BadResponse("reset", sent=True), answered(503), answered()])
    response = await resilient(service).send(GET, LIMITS)
    assert (response.status, response.attempts, response.elapsed_s) == (200, 3, 3.5)
    assert (service.slept, service.limits) == ([0.0, 0.5], [30.0, 29.0, 27.5])


async def test_after_three_tries_the_last_outcome_stands() -> None:
    service = Scripted([answered(503), answered(502), answered(504), answered()])
    response = await resilient(service).send(GET, LIMITS)
    assert (response.status, response.attempts) == (504, 3)


async def test_an_error_tells_the_tries_and_whether_any_was_sent() -> None:
    service = Scripted([BadResponse("reset", sent=True), DOWN])
    error = await failure(resilient(service).send(GET, LIMITS))
    assert (type(error), error.attempts, error.sent) == (ConnectFailed, 3, True)


async def test_time_that_is_over_is_told_as_it_was_given_with_the_tries_and_what_they_took() -> None:
    service = Scripted([BadResponse("reset", sent=True), TimedOut("within 29 s", which="total", sent=True)])
    error = await failure(resilient(service).send(GET, LIMITS))
    assert str(error) == "https://api.example did not finish within 30 s, in 2 tries"
    assert (type(error), error.attempts, error.elapsed_s, error.sent) == (TimedOut, 2, 2.0, True)


async def test_an_unsafe_request_is_not_sent_twice() -> None:
    service = Scripted([BadResponse("reset", sent=True), answered()])
    error = await failure(resilient(service).send(POST, LIMITS))
    assert (type(error), error.attempts, len(service.sent)) == (BadResponse, 1, 1)


async def test_an_unsafe_request_that_was_not_sent_is_tried_again() -> None:
    service = Scripted([DOWN, TimedOut("slow", which="connect", sent=False), answered(201)])
    assert (await resilient(service).send(POST, LIMITS)).attempts == 3


async def test_a_service_that_says_when_to_come_back_is_believed() -> None:
    service = Scripted([answered(429, Retry_After="20"), answered(503, Retry_After="Thu, 01 Jan 2026 00:00:25 GMT")])
    response = await resilient(service).send(POST, LIMITS)
    assert (response.status, response.attempts) == (503, 3)
    assert service.slept == [20.0, 3.0]


async def test_a_pause_that_does_not_fit_is_not_begun() -> None:
    service = Scripted([answered(429, Retry_After="29")])
    response = await resilient(service).send(GET, LIMITS)
    assert (response.status, response.attempts, service.slept) == (429, 1, [])


async def test_the_tries_share_the_time() -> None:
    service = Scripted([TimedOut("slow", which="read", sent=True)])
    error = await failure(resilient(service).send(GET, HttpLimits(total_s=1.2)))
    assert (error.attempts, service.slept) == (1, [])


# The circuit breaker.


async def fail(transport: ResilientTransport, times: int, request: HttpRequest = POST) -> None:
    for _ in range(times):
        await failure(transport.send(request, LIMITS))


def broken(*then: HttpResponse | EgressError, times: int = 10) -> Scripted:
    return Scripted([*([BadResponse("reset", sent=True)] * times), *then])


async def test_ten_failures_in_a_row_open_the_circuit() -> None:
    service = broken(answered())
    transport = resilient(service)
    await fail(transport, 10)
    error = await failure(transport.send(POST, LIMITS))
    assert (type(error), error.code, error.sent, len(service.sent)) == (CircuitOpen, "CIRCUIT_OPEN", False, 10)
    assert str(error) == "https://api.example failed 10 times in a row; the next attempt is in 10.0 s"


async def test_other_origins_are_not_concerned() -> None:
    service = broken(answered())
    transport = resilient(service)
    await fail(transport, 10)
    private = HttpRequest("POST", POST.url, endpoints=(Endpoint("10.0.0.1", 443),))
    for request in (HttpRequest("GET", "https://api.example:444/a"), private):
        assert (await transport.send(request, LIMITS)).status == 200


async def test_no_caller_shuts_out_another() -> None:
    service = broken(answered())
    transport = resilient(service)
    await fail(transport, 10)
    assert isinstance(await failure(transport.send(POST, LIMITS)), CircuitOpen)
    assert (await transport.send(POST, replace(LIMITS, caller="another agent"))).status == 200


async def test_a_query_makes_no_origin_of_its_own() -> None:
    service = broken(answered())
    transport = resilient(service)
    for number in range(10):
        await failure(transport.send(HttpRequest("POST", f"https://api.example?key=secret{number}/"), LIMITS))
    error = await failure(transport.send(POST, LIMITS))
    assert str(error) == "https://api.example failed 10 times in a row; the next attempt is in 10.0 s"


async def test_a_success_starts_the_count_anew() -> None:
    service = Scripted([*([BadResponse("", sent=True)] * 9), answered(404), *([BadResponse("", sent=True)] * 9)])
    transport = resilient(service)
    await fail(transport, 9)
    assert (await transport.send(POST, LIMITS)).status == 404
    await fail(transport, 9)
    assert len(service.sent) == 19


async def test_after_ten_seconds_a_success_closes_it() -> None:
    service = broken(answered())
    transport = resilient(service)
    await fail(transport, 10)
    service.second += 10
    for _ in range(3):
        assert (await transport.send(POST, LIMITS)).status == 200


async def test_after_ten_seconds_a_failure_opens_it_again() -> None:
    service = broken(answered(502), answered())
    transport = resilient(service)
    await fail(transport, 10)
    service.second += 10
    response = await transport.send(GET, LIMITS)
    assert (response.status, response.attempts) == (502, 1)
    assert isinstance(await failure(transport.send(GET, LIMITS)), CircuitOpen)


async def test_a_single_call_probes() -> None:
    service = broken()
    transport = resilient(service)
    await fail(transport, 10)
    service.second += 10
    arrived, go_on = asyncio.Event(), asyncio.Event()

    async def slow(request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        arrived.set()
        await go_on.wait()
        return answered()

    service.send = slow  # the next answers take until they are let go
    probe = asyncio.create_task(transport.send(POST, LIMITS))
    await arrived.wait()
    assert isinstance(await failure(transport.send(POST, LIMITS)), CircuitOpen)
    go_on.set()
    assert (await probe).status == 200
    assert (await transport.send(POST, LIMITS)).status == 200


async def test_a_probe_that_is_given_up_leaves_room_for_another_after_a_while() -> None:
    service = broken(answered())
    transport = resilient(service)
    await fail(transport, 10)
    service.second += 10
    working, arrived = service.send, asyncio.Event()

    async def hanging(request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        arrived.set()
        return await asyncio.get_running_loop().create_future()

    service.send = hanging
    probe = asyncio.create_task(transport.send(POST, LIMITS))
    await arrived.wait()
    probe.cancel()
    await asyncio.wait([probe])
    service.send = working
    assert isinstance(await failure(transport.send(POST, LIMITS)), CircuitOpen)
    service.second += 10
    assert (await transport.send(POST, LIMITS)).status == 200


async def test_a_caller_in_a_hurry_does_not_count() -> None:
    service = Scripted([TimedOut("slow", which="total", sent=True)], takes=0.5)
    await fail(resilient(service), 30)
    assert len(service.sent) == 30


@pytest.mark.parametrize("error", [TlsFailed("untrusted")])
async def test_what_may_be_the_callers_fault_does_not_count(error: EgressError) -> None:
    service = Scripted([error])
    await fail(resilient(service), 30)
    assert len(service.sent) == 30


@pytest.mark.parametrize(
    "outcome", [NameUnknown("unknown"), TimedOut("slow", which="total", sent=True), answered(502), answered(504)]
)
async def test_every_failure_of_the_service_counts(outcome: HttpResponse | EgressError) -> None:
    service = Scripted([outcome])
    transport = resilient(service)
    for _ in range(10):
        await asyncio.gather(transport.send(POST, LIMITS), return_exceptions=True)
    assert isinstance(await failure(transport.send(POST, LIMITS)), CircuitOpen)


async def test_a_thousand_origins_are_remembered_and_older_ones_forgotten() -> None:
    transport = resilient(broken(times=2000))
    await fail(transport, 10)
    await fail(transport, 9, HttpRequest("POST", "https://other.example/"))
    for number in range(1023):
        await fail(transport, 1, HttpRequest("POST", f"https://{number}.example/"))
    error = await failure(transport.send(POST, LIMITS))
    assert isinstance(error, BadResponse)


# The queue.


@dataclass
class Crowd:
    """A service that answers once as many as expected are in, and tells how many were in at most."""

    expected: int
    inside: int = 0
    most: int = 0
    is_full: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        self.inside += 1
        self.most = max(self.most, self.inside)
        if self.inside == self.expected:
            self.is_full.set()
        try:
            await self.is_full.wait()
            await asyncio.sleep(0)
        finally:
            self.inside -= 1
        return answered()

    async def aclose(self) -> None:
        """Nothing is held."""


async def most_inside(crowd: Crowd, limits: HttpLimits, count: int) -> int:
    transport = ResilientTransport(crowd)
    answers = await asyncio.gather(*(transport.send(GET, limits) for _ in range(count)))
    assert [response.status for response in answers] == [200] * count
    return crowd.most


async def test_sixty_four_calls_to_an_origin_run_at_once() -> None:
    assert await most_inside(Crowd(64), LIMITS, 200) == 64


@pytest.mark.parametrize(("limit", "most"), [(1, 1), (5, 5), (63, 63), (64, 64), (1000, 64)])
async def test_a_tool_may_lower_the_limit_and_not_raise_it(limit: int, most: int) -> None:
    assert await most_inside(Crowd(most), HttpLimits(max_concurrent=limit), 100) == most


async def test_no_place_in_time_is_a_timeout_of_the_queue() -> None:
    crowd = Crowd(2)
    transport = ResilientTransport(crowd)
    limits = HttpLimits(total_s=0.02, max_concurrent=1)
    first = asyncio.create_task(transport.send(GET, limits))
    await asyncio.sleep(0)
    error = await failure(transport.send(GET, limits))
    assert isinstance(error, TimedOut)
    assert (error.which, error.sent, error.attempts) == ("queue", False, 1)
    assert "https://api.example" in str(error)
    crowd.is_full.set()
    assert (await first).status == 200
    assert (await transport.send(GET, limits)).status == 200


async def test_other_tools_of_the_origin_do_not_wait_for_one_that_set_a_low_limit() -> None:
    crowd = Crowd(2)
    transport = ResilientTransport(crowd)
    limits = HttpLimits(max_concurrent=1)
    answers = await asyncio.gather(*(transport.send(GET, each) for each in (limits, limits, limits, LIMITS)))
    assert (len(answers), crowd.most) == (4, 2)


async def test_closing_closes_the_transport_beneath() -> None:
    service = Scripted([answered()])
    await resilient(service).aclose()
    assert service.sent == [-1]
