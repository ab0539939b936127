import pytest

from openplaybook.jsonvalues import dumps, loads
from openplaybook.retrieval.crawl.base import PageState, page_state
from openplaybook.retrieval.crawl.frontier import CrawlQueue, FrontierEntry, PageStatus, frontier_of, packed, unpacked
from openplaybook.retrieval.errors import InvalidSource

ONE, OTHER = "https://one.example", "https://other.example"


def queue_of(*urls: str) -> CrawlQueue:
    queue = CrawlQueue()
    for url in urls:
        queue.put(FrontierEntry(url))
    return queue


def test_origins_take_turns_and_pages_of_each_come_in_their_order() -> None:
    queue = queue_of(f"{ONE}/1", f"{ONE}/2", f"{OTHER}/1", f"{ONE}/3")
    queue.put(FrontierEntry(f"{ONE}/0"), is_first=True)
    taken = list[str]()
    while origin := next(queue.origins(), None):
        taken.append(queue.take(origin).url)
    assert taken == [f"{ONE}/0", f"{OTHER}/1", f"{ONE}/1", f"{ONE}/2", f"{ONE}/3"]


def test_what_is_being_asked_for_is_pending_in_a_snapshot() -> None:
    queue = queue_of(f"{ONE}/1", f"{ONE}/2", f"{ONE}/3", f"{ONE}/4")
    queue.take(ONE)
    queue.settle(queue.take(ONE).url, PageStatus.TAKEN)
    queue.settle(queue.take(ONE).url, PageStatus.REFUSED)
    saved = queue.snapshot(bytes=5, elapsed_s=1.5, is_whole=True)
    assert [entry.url for entry in saved.pending] == [f"{ONE}/1", f"{ONE}/4"]
    assert (saved.taken, saved.refused) == ((f"{ONE}/2",), (f"{ONE}/3",))


def test_a_frontier_is_kept_as_json_and_goes_on() -> None:
    queue = queue_of(f"{ONE}/1", f"{ONE}/2", f"{OTHER}/1")
    queue.settle(queue.take(ONE).url, PageStatus.TAKEN)
    queue.wait(FrontierEntry(f"{ONE}/2", 3, 1, 1, waits_as="CANONICAL"), f"{OTHER}/1")
    saved = queue.snapshot(bytes=5, elapsed_s=1.5, is_whole=False)
    read = frontier_of(loads(dumps(saved.to_json())))
    assert read == saved
    other = CrawlQueue()
    other.restore(read)
    assert (other.taken, len(other)) == (1, 3)
    assert other.settle(f"{OTHER}/1", PageStatus.REFUSED) == [FrontierEntry(f"{ONE}/2", 3, 1, 1, waits_as="CANONICAL")]


def test_a_frontier_is_packed_and_read_again_also_as_it_was_kept_before() -> None:
    queue = CrawlQueue()
    for number in range(1_000):
        queue.put(FrontierEntry(f"https://e.example/a/long/path/of/many/pages/{number}", depth=1))
    saved = queue.snapshot(bytes=3, elapsed_s=1.5, is_whole=True)
    text = packed(saved)
    assert len(text) < len(dumps(saved.to_json())) / 4
    assert unpacked(text) == saved
    assert unpacked(saved.to_json()) == saved
    assert unpacked(None) is None


@pytest.mark.parametrize("version", [None, 0, 2, "1"])
def test_a_frontier_of_an_unknown_version_is_refused(version: object) -> None:
    stored = {**CrawlQueue().snapshot(bytes=0, elapsed_s=0, is_whole=True).to_json(), "version": version}
    with pytest.raises(InvalidSource, match="known are 1 to 1"):
        frontier_of(stored)


def test_a_state_of_an_unknown_version_is_refused() -> None:
    state = PageState(f"{ONE}/1", "ab", "2024-01-01T00:00:00Z", '"tag"', "", "text/html", (f"{ONE}/2",), "p")
    assert page_state(state.to_json()) == state
    with pytest.raises(InvalidSource, match="known are 1 to 1"):
        page_state({**state.to_json(), "version": 9})


def test_what_waits_for_a_page_that_waits_waits_for_the_last_one() -> None:
    queue = queue_of(*(f"{ONE}/{number}" for number in range(500)))
    for number in range(499):
        queue.wait(FrontierEntry(f"{ONE}/{number}"), f"{ONE}/{number + 1}")
    assert queue.end_of_wait(f"{ONE}/0") == f"{ONE}/499"
    assert len(queue.settle(f"{ONE}/499", PageStatus.TAKEN)) == 499


def test_all_that_waits_can_be_released() -> None:
    queue = queue_of(f"{ONE}/1")
    queue.wait(queue.take(ONE), f"{ONE}/2")
    assert queue.status(f"{ONE}/1") is PageStatus.WAITING
    assert queue.release()
    assert queue.take(ONE) == FrontierEntry(f"{ONE}/1", is_final=True)
    assert not queue.release()


def test_an_origin_can_be_dropped() -> None:
    queue = queue_of(f"{ONE}/1", f"{OTHER}/1", f"{ONE}/2")
    assert [entry.url for entry in queue.drop(ONE)] == [f"{ONE}/1", f"{ONE}/2"]
    assert list(queue.origins()) == [OTHER]
