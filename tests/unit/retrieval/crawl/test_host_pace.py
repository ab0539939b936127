from openplaybook.retrieval.crawl.base import CrawlManners
from openplaybook.retrieval.crawl.host_pace import HostPace

MANNERS = CrawlManners(delay_s=1.0, longest_delay_s=30.0, longest_pause_s=100.0, concurrent_per_host=2)


def test_requests_begin_a_delay_apart() -> None:
    pace = HostPace("h", MANNERS)
    assert pace.due_at() == 0.0
    pace.begin(10.0)
    assert pace.due_at() == 11.0
    pace.begin(11.0)
    assert pace.due_at() is None
    pace.end(is_failure=False)
    assert pace.due_at() == 12.0


def test_a_host_that_asks_for_a_delay_has_one_request_at_a_time() -> None:
    pace = HostPace("h", MANNERS)
    pace.ask_for_delay(5.0)
    pace.begin(0.0)
    assert pace.due_at() is None
    pace.end(is_failure=False)
    assert pace.due_at() == 5.0
    pace.ask_for_delay(500.0)
    pace.begin(5.0)
    pace.end(is_failure=False)
    assert pace.due_at() == 35.0


def test_a_pause_is_as_long_as_the_host_says() -> None:
    pace = HostPace("h", MANNERS)
    assert (pace.pause(60.0, 5.0), pace.due_at()) == (60.0, 65.0)
    assert (pace.pause(1.0, 5.0), pace.due_at()) == (1.0, 65.0)


def test_a_host_that_says_nothing_has_pauses_that_grow() -> None:
    pace = HostPace("h", MANNERS)
    pauses = list[float]()
    for _ in range(7):
        pace.begin(0.0)
        pace.end(is_failure=True)
        pauses.append(pace.pause(None, 0.0))
    assert pauses == [2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]


def test_a_host_that_asks_for_too_long_a_pause_is_given_up() -> None:
    pace = HostPace("h", MANNERS)
    assert pace.pause(100.5, 0.0) == 0.0
    assert pace.is_given_up


def test_eight_failures_in_a_row_are_the_hosts() -> None:
    pace = HostPace("h", MANNERS)
    outcomes = [True] * 7 + [False] + [True] * 7
    for is_failure in outcomes:
        pace.begin(0.0)
        pace.end(is_failure=is_failure)
    assert not pace.is_given_up
    pace.begin(0.0)
    pace.end(is_failure=True)
    assert pace.is_given_up
