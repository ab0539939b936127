"""How often one caller may ask."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.server.access.rate_limits import Rate, RateLimiter, parse_rate


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def limiter(text: str, clock: Clock, most: int = 100) -> RateLimiter:
    rate = parse_rate(text)
    assert rate is not None
    return RateLimiter(rate, clock, most)


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("10/s", Rate(10, 1, "10/s")),
        (" 600/min ", Rate(600, 60, "600/min")),
        ("5000/h", Rate(5000, 3600, "5000/h")),
        ("1/Minute", Rate(1, 60, "1/Minute")),
        ("", None),
    ],
)
def test_a_rate_is_a_number_over_a_time(text: str, rate: Rate | None) -> None:
    assert parse_rate(text) == rate


@pytest.mark.parametrize("text", ["600", "0/s", "-1/s", "600/day", "1.5/s", "/min", "600/min/min"])
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a rate; write 10/s, 600/min or 5000/h"):
        parse_rate(text)


def test_a_full_share_may_come_at_once_and_then_one_at_a_time() -> None:
    clock = Clock()
    limits = limiter("3/min", clock)
    assert [limits.take(("key", "a")) for _ in range(4)] == [0, 0, 0, 20]
    assert limits.take(("key", "b")) == 0, "each caller has a share of its own"
    clock.now += 20
    assert [limits.take(("key", "a")) for _ in range(2)] == [0, 20]
    clock.now += 3600
    assert [limits.take(("key", "a")) for _ in range(4)] == [0, 0, 0, 20]


@given(st.lists(st.floats(0, 5), max_size=200), st.integers(1, 20))
def test_no_caller_ever_gets_more_than_its_share(pauses: list[float], count: int) -> None:
    clock = Clock()
    limits = limiter(f"{count}/s", clock)
    granted: list[float] = []
    for pause in pauses:
        clock.now += pause
        wait = limits.take(("key", "a"))
        if wait == 0:
            granted.append(clock.now)
        else:
            clock.now += wait
            assert limits.take(("key", "a")) == 0, "who waits as long as it was told is let in"
            granted.append(clock.now)
    for first, at in enumerate(granted):
        # A bucket that was full holds `count`, and as many more come in the second.
        assert len([time for time in granted[first:] if time < at + 1 - 1e-9]) <= 2 * count


def test_only_so_many_callers_are_kept_in_mind() -> None:
    clock = Clock()
    limits = limiter("2/min", clock, most=10)
    limits.take(("key", "busy"))
    limits.take(("key", "busy"))
    for number in range(1000):
        limits.take(("address", f"passer-by {number}"))
        assert len(vars(limits)["_full_at"]) <= 10
    assert limits.take(("key", "busy")) == 30, "who has asked most is forgotten last"
