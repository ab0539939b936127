"""Which exchanges are tried again, and after how long."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.egress.base import HttpRequest, HttpResponse
from openplaybook.egress.errors import (
    AddressRefused,
    BadResponse,
    CircuitOpen,
    ConnectFailed,
    EgressError,
    NameUnknown,
    TimedOut,
    TlsFailed,
    TooManyRedirects,
)
from openplaybook.egress.retries import retry_after, wait_before_retry

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SAFE = HttpRequest("GET", "http://api.example/", repeatable=True)
UNSAFE = HttpRequest("POST", "http://api.example/", body=b"{}")


def answered(status: int, retry_after: str = "") -> HttpResponse:
    return HttpResponse(status, (("retry-after", retry_after),) if retry_after else (), b"", False, 0.1)


def timed_out(which: str, *, sent: bool) -> TimedOut:
    return TimedOut("", which=which, sent=sent)


def wait(outcome: HttpResponse | EgressError, request: HttpRequest, attempt: int = 1) -> float | None:
    return wait_before_retry(outcome, request, attempt, 1.0, NOW)


@pytest.mark.parametrize(
    ("outcome", "safe", "unsafe"),
    [
        (answered(200), None, None),
        (answered(400), None, None),
        (answered(401), None, None),
        (answered(500), None, None),
        (answered(501), None, None),
        (answered(429), 0.25, None),
        (answered(502), 0.25, None),
        (answered(503), 0.25, None),
        (answered(504), 0.25, None),
        (answered(429, "7"), 7.0, 7.0),
        (answered(503, "0"), 0.0, 0.0),
        (answered(503, "Sun, 01 Mar 2026 12:00:30 GMT"), 30.0, 30.0),
        (answered(502, "7"), 0.25, None),
        (answered(200, "7"), None, None),
        (answered(429, "soon"), 0.25, None),
        (ConnectFailed("refused"), 0.25, 0.25),
        (ConnectFailed("refused after a redirect", sent=True), 0.25, None),
        (timed_out("connect", sent=False), 0.25, 0.25),
        (timed_out("read", sent=True), 0.25, None),
        (timed_out("total", sent=True), None, None),
        (timed_out("queue", sent=False), None, None),
        (BadResponse("broke", sent=True), 0.0, None),
        (NameUnknown("unknown"), None, None),
        (TlsFailed("untrusted"), None, None),
        (AddressRefused("no", rule="loopback"), None, None),
        (TooManyRedirects("round and round", sent=True), None, None),
        (CircuitOpen("open"), None, None),
    ],
    ids=str,
)
def test_only_what_may_fare_better_and_cannot_act_twice_is_tried_again(
    outcome: HttpResponse | EgressError, safe: float | None, unsafe: float | None
) -> None:
    assert (wait(outcome, SAFE), wait(outcome, UNSAFE)) == (safe, unsafe)


def test_the_pause_doubles_up_to_four_seconds() -> None:
    pauses = [wait(answered(502), SAFE, attempt) for attempt in range(1, 8)]
    assert pauses == [0.25, 0.5, 1.0, 2.0, 4.0, 4.0, 4.0]


@given(st.floats(0, 1))
def test_the_pause_is_spread_from_nothing_to_its_whole(jitter: float) -> None:
    assert wait_before_retry(answered(502), SAFE, 2, jitter, NOW) == jitter * 0.5


def test_only_the_first_broken_connection_is_replaced_at_once() -> None:
    assert [wait(BadResponse("", sent=True), SAFE, attempt) for attempt in (1, 2)] == [0.0, 0.5]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("120", 120.0),
        (" 5 ", 5.0),
        ("999999999", 999999999.0),
        ("Sunday, 01-Mar-26 12:01:00 GMT", 60.0),
        ("Sun Mar  1 12:00:10 2026", 10.0),
        ("Sun, 01 Mar 2026 13:00:10 +0100", 10.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("", None),
        ("-1", None),
        ("1.5", None),
        ("9" * 5000, None),
        ("Sun, 99 Mar 2026 12:00:00 GMT", None),
        ("Sun, 01 Mar 99999999999999999999 12:00:00 GMT", None),
        ("٣", None),
    ],
)
def test_retry_after_is_a_number_or_a_date_in_any_of_the_three_forms(text: str, seconds: float | None) -> None:
    assert retry_after(answered(503, text), NOW) == seconds


@given(st.text(max_size=60))
def test_no_text_breaks_retry_after(text: str) -> None:
    found = retry_after(answered(503, text), NOW)
    assert found is None or found >= 0
