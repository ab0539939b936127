"""The course that every system runs in a process of its own: taken in, asked, added to. Standard library only.

Prints what it took as JSON: `{"fill_per_s", "kinds": {name: [ms, ...]}, "at_once_per_s", "add_ms": [ms, ...],
"peak_mb", "rss_mb"}`. What costs a system longer than `_MOST_S` is ended there, so that few figures are of it.
"""

import asyncio
import itertools
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from texts import Text, Texts

_BATCH = 1000
_SEARCHES = 300
_WARM_UP = 50
_LEAST = 10
"""Searches of a kind, however long they take."""
_MOST_S = 40.0
"""Of a kind, from which on no more are begun."""
_ADDED = 20
_QUIET = 0.05
"""Part of a second's time that a process computes which has nothing to do any more."""
_LONGEST_QUIET_S = 120


class System(Protocol):
    """What holds the texts. All is called on one event loop, and nothing but searches at once."""

    async def open(self, folder: Path) -> None:
        """Begin with nothing in an empty folder."""
        ...

    async def add(self, texts: Sequence[Text]) -> None:
        """Return when they are kept durably."""
        ...

    async def finish(self) -> None:
        """Do what its documentation advises after a large load; return when all texts are found."""
        ...

    async def search(self, words: str, *, is_narrowed: bool) -> Sequence[str]:
        """Ids of the best ten that have one of the words; with the filter of `texts` where that is asked for."""
        ...

    async def close(self) -> None:
        """Let go of all."""
        ...


def work(system: System) -> None:
    """Run the course with as many passages as the command line says."""
    with TemporaryDirectory(prefix="retrieval-", ignore_cleanup_errors=True) as folder:
        asyncio.run(_course(system, Path(folder), int(sys.argv[1])))


async def _course(system: System, folder: Path, passages: int) -> None:
    texts = Texts()
    await system.open(folder)
    found: dict[str, object] = {"fill_per_s": await filled(system, texts, passages)}
    keywords, questions = texts.keywords(_SEARCHES), texts.questions(_SEARCHES)
    await _quiet()
    for is_narrowed in (False, True):
        await _searched(system, questions[:_WARM_UP], is_narrowed=is_narrowed)
    kinds: dict[str, list[float]] = {}
    for name, asked in (("keywords", keywords), ("questions", questions)):
        kinds[name], kinds[f"{name} with a filter"] = await _in_turn(system, asked)
    found["kinds"] = kinds
    found["at_once_per_s"] = await _rate(system, questions, at_once=2)
    found["rss_mb"] = _status("VmRSS")
    found["add_ms"] = [await _added(system, number) for number in range(_ADDED)]
    found["peak_mb"] = peak_mb()
    await system.close()
    print(json.dumps(found))


async def filled(system: System, texts: Texts, passages: int) -> float:
    """Texts a second, the making of them left out."""
    spent = 0.0
    made = texts.passages(passages)
    while batch := list(itertools.islice(made, _BATCH)):
        begun = time.perf_counter()
        await system.add(batch)
        spent += time.perf_counter() - begun
    begun = time.perf_counter()
    await system.finish()
    return passages / (spent + time.perf_counter() - begun)


async def _quiet() -> None:
    """Wait until the process does nothing any more, such as merge what was written."""
    for _ in range(_LONGEST_QUIET_S):
        computed = time.process_time()
        await asyncio.sleep(1)
        if time.process_time() - computed < _QUIET:
            return


async def _in_turn(system: System, asked: Sequence[str]) -> tuple[list[float], list[float]]:
    """Milliseconds of each without and with the filter, in turn, so that what disturbs the machine disturbs both."""
    without: list[float] = []
    narrowed: list[float] = []
    end = time.perf_counter() + 2 * _MOST_S
    for number, words in enumerate(asked):
        if time.perf_counter() > end and number >= _LEAST:
            break
        kinds = [(False, without), (True, narrowed)]
        # The second finds in memory what the first has read.
        for is_narrowed, times in kinds if number % 2 else reversed(kinds):
            times += await _searched(system, [words], is_narrowed=is_narrowed)
    return without, narrowed


async def _searched(system: System, asked: Sequence[str], *, is_narrowed: bool) -> list[float]:
    """Milliseconds of each, one after the other."""
    times: list[float] = []
    end = time.perf_counter() + _MOST_S
    for words in asked:
        begun = time.perf_counter()
        if begun > end and len(times) >= _LEAST:
            break
        await system.search(words, is_narrowed=is_narrowed)
        times.append((time.perf_counter() - begun) * 1000)
    return times


async def _rate(system: System, asked: Sequence[str], *, at_once: int) -> float:
    """Searches a second of so many that search at once."""
    begun = time.perf_counter()
    done = await asyncio.gather(*(_searched(system, asked, is_narrowed=False) for _ in range(at_once)))
    return sum(map(len, done)) / (time.perf_counter() - begun)


async def _added(system: System, number: int) -> float:
    """Milliseconds from when one text is brought until it is found."""
    word = f"zzadded{number}"
    text = Text(f"added{number}", word, f"{word} is added while it is searched", "c3", 1.0)
    begun = time.perf_counter()
    await system.add([text])
    while text.id not in await system.search(word, is_narrowed=False):  # noqa: ASYNC110 - nobody tells of it
        await asyncio.sleep(0.005)
    return (time.perf_counter() - begun) * 1000


def peak_mb() -> float:
    """Most memory that this process has held so far, in MiB."""
    return _status("VmHWM")


def _status(name: str) -> float:
    """Memory of this process in MiB, by its name in `/proc/PID/status` (Linux)."""
    return int(Path("/proc/self/status").read_text().partition(f"{name}:")[2].split()[0]) / 1024
