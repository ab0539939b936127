from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from openplaybook.tools.build_cache import ENTRY_BYTES, BuildCache, CacheEntry

_PATIENCE_S = 10


class Maker:
    """Makes numbered texts of one size, and counts them."""

    def __init__(self, size: int | None = 0) -> None:
        self.size = size
        self.made = 0

    def __call__(self) -> CacheEntry[str]:
        self.made += 1
        return CacheEntry(f"made {self.made}", self.size)


def test_what_is_kept_is_not_made_again() -> None:
    kept, make = BuildCache[str](ENTRY_BYTES), Maker()
    assert [kept.get(b"a", make), kept.get(b"a", make)] == ["made 1", "made 1"]


def test_another_digest_is_another_thing() -> None:
    kept, make = BuildCache[str](2 * ENTRY_BYTES), Maker()
    assert [kept.get(b"a", make), kept.get(b"b", make)] == ["made 1", "made 2"]


def test_what_was_used_least_lately_is_let_go() -> None:
    kept, make = BuildCache[str](2 * ENTRY_BYTES), Maker()
    for digest in (b"a", b"b", b"a", b"c"):
        kept.get(digest, make)
    assert [kept.get(b"a", make), kept.get(b"b", make)] == ["made 1", "made 4"]


def test_large_things_push_out_small_ones() -> None:
    kept, make = BuildCache[str](10 * ENTRY_BYTES), Maker()
    for digest in (b"a", b"b", b"c"):
        kept.get(digest, make)
    kept.get(b"large", Maker(size=9 * ENTRY_BYTES))
    assert kept.size == 10 * ENTRY_BYTES
    kept.get(b"c", make)
    assert make.made == 4


def test_the_latest_is_kept_however_large() -> None:
    kept, make = BuildCache[str](ENTRY_BYTES), Maker(size=100 * ENTRY_BYTES)
    kept.get(b"a", Maker())
    assert [kept.get(b"b", make), kept.get(b"b", make)] == ["made 1", "made 1"]
    assert kept.size == 101 * ENTRY_BYTES


def test_what_has_no_size_is_made_each_time() -> None:
    kept, make = BuildCache[str](ENTRY_BYTES), Maker(size=None)
    assert [kept.get(b"a", make), kept.get(b"a", make)] == ["made 1", "made 2"]
    assert kept.size == 0


def test_what_fails_is_tried_each_time() -> None:
    kept = BuildCache[str](ENTRY_BYTES)

    def fail() -> CacheEntry[str]:
        raise LookupError

    for _ in range(2):
        with pytest.raises(LookupError):
            kept.get(b"a", fail)
    assert kept.get(b"a", Maker()) == "made 1"


def test_threads_that_ask_at_once_wait_for_one_of_them() -> None:
    kept, threads = BuildCache[str](ENTRY_BYTES), 4
    at_once, others_ask = Barrier(threads), Event()
    make = Maker()

    def slow() -> CacheEntry[str]:
        others_ask.wait(_PATIENCE_S)
        return make()

    def ask(number: int) -> str:
        at_once.wait(_PATIENCE_S)
        if number == 0:
            others_ask.set()
        return kept.get(b"a", slow)

    with ThreadPoolExecutor(threads) as pool:
        assert list(pool.map(ask, range(threads))) == ["made 1"] * threads


def test_whoever_waited_for_what_failed_makes_it() -> None:
    kept, begun, may_fail = BuildCache[str](ENTRY_BYTES), Event(), Event()

    def fail() -> CacheEntry[str]:
        begun.set()
        may_fail.wait(_PATIENCE_S)
        raise LookupError

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(kept.get, b"a", fail)
        begun.wait(_PATIENCE_S)
        second = pool.submit(kept.get, b"a", Maker())
        may_fail.set()
        assert isinstance(first.exception(_PATIENCE_S), LookupError)
        assert second.result(_PATIENCE_S) == "made 1"
